//! Common-roots isomorphism by its definition: is there a bijection? All are tried.

use std::collections::BTreeSet;

use crate::spec::{LabelSpec, Spec, TargetSpec};

pub(crate) fn same(before: &Spec, after: &Spec) -> bool {
    let names = |spec: &Spec| spec.roots.iter().map(|root| root.0).collect::<BTreeSet<u8>>();
    let common: BTreeSet<u8> = names(before).intersection(&names(after)).copied().collect();
    let (old, new) = (reached(before, &common), reached(after, &common));
    if old.len() != new.len() {
        return false;
    }
    let mut partner = vec![None; before.nodes.len()];
    any_bijection(before, after, &common, &old, &new, &mut partner)
}

fn any_bijection(
    before: &Spec,
    after: &Spec,
    common: &BTreeSet<u8>,
    old: &[usize],
    new: &[usize],
    partner: &mut Vec<Option<usize>>,
) -> bool {
    let Some((&node, rest)) = old.split_first() else {
        return is_isomorphism(before, after, common, partner);
    };
    for &candidate in new {
        let (from, to) = (before.nodes[node], after.nodes[candidate]);
        if partner.contains(&Some(candidate))
            || (from.class, from.content) != (to.class, to.content)
        {
            continue;
        }
        partner[node] = Some(candidate);
        if any_bijection(before, after, common, rest, new, partner) {
            return true;
        }
        partner[node] = None;
    }
    false
}

type Edge = (usize, LabelSpec, TargetSpec);

fn is_isomorphism(
    before: &Spec,
    after: &Spec,
    common: &BTreeSet<u8>,
    partner: &[Option<usize>],
) -> bool {
    let target = |target: TargetSpec| match target {
        TargetSpec::Node(node) => TargetSpec::Node(partner[node].unwrap_or(usize::MAX)),
        value => value,
    };
    let mapped =
        before.edges.iter().filter_map(|&(s, label, to)| Some((partner[s]?, label, target(to))));
    let mut mapped: Vec<Edge> = mapped.collect();
    let images: BTreeSet<usize> = partner.iter().flatten().copied().collect();
    let mut own: Vec<Edge> =
        after.edges.iter().filter(|edge| images.contains(&edge.0)).copied().collect();
    mapped.sort();
    own.sort();
    let roots = |spec: &Spec, target: &dyn Fn(TargetSpec) -> TargetSpec| {
        let wanted = spec.roots.iter().filter(|root| common.contains(&root.0));
        let mut roots: Vec<(u8, TargetSpec)> =
            wanted.map(|&(name, to)| (name, target(to))).collect();
        roots.sort();
        roots
    };
    mapped == own && roots(before, &target) == roots(after, &|to| to)
}

fn reached(spec: &Spec, roots: &BTreeSet<u8>) -> Vec<usize> {
    let mut reached = BTreeSet::new();
    let wanted = spec.roots.iter().filter(|root| roots.contains(&root.0));
    let mut todo: Vec<TargetSpec> = wanted.map(|root| root.1).collect();
    while let Some(target) = todo.pop() {
        if let TargetSpec::Node(node) = target
            && reached.insert(node)
        {
            todo.extend(spec.edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.2));
        }
    }
    reached.into_iter().collect()
}
