//! `if (format == null) format = new Format(); return format;`

use std::collections::BTreeSet;

use surefoot_classfile::{Source, Sources};
use surefoot_model::Filling;

use super::Field;
use super::visit::{Method, Visit, meet};

pub(super) fn filling(field: &Field, visits: &[Visit<'_>]) -> Filling {
    let after_the_start = || visits.iter().filter(|visit| !visit.initialises);
    let is_given =
        |visit: &Visit<'_>| visit.written.iter().any(|value| !visit.given(value).is_empty());
    if after_the_start().any(is_given) {
        return Filling::Given;
    }
    let mut fillers: BTreeSet<Method<'_>> = BTreeSet::new();
    for visit in after_the_start() {
        for value in visit.written.iter().filter(|value| !is_null(value)) {
            if !fills(field, visit, value) {
                return Filling::Unknown;
            }
            fillers.insert(visit.method);
        }
    }
    let resets = |visit: &Visit<'_>| visit.written.iter().any(is_null);
    let fills = |visit: &Visit<'_>| {
        fillers.contains(&visit.method) || visit.calls_one_of(&fillers) || resets(visit)
    };
    let asks_nobody_else = after_the_start().all(fills);
    if asks_nobody_else && !fillers.is_empty() { Filling::OnDemand } else { Filling::Unknown }
}

fn is_null(value: &Sources) -> bool {
    value.iter().eq(&[Source::Null])
}

/// Sees that it is unset, sets it to what does not depend on who asks, and hands it out.
fn fills(field: &Field, visit: &Visit<'_>, value: &Sources) -> bool {
    let origins = visit.flow.origins(value);
    let returned = visit.flow.returned();
    // Which object fills a static field depends on who comes first.
    let own = !field.is_static || visit.is_static || !origins.contains(&Source::Parameter(0));
    own && visit.given(&origins).is_empty()
        && !meet(&origins, &visit.read)
        && visit.tests(&visit.read)
        && (meet(&returned, &visit.read) || meet(&returned, value))
}
