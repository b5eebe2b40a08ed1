//! Which tests come to the points between which the state is to be compared.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use surefoot_model::{CapturePoints, Framework, TestId, Watch};
use surefoot_strategy::Pollution;

use crate::console::{Console, named};

/// Without the tests whose framework has no such points, which is said.
pub(crate) fn that_come_there(
    tests: Vec<TestId>,
    points: Option<CapturePoints>,
    watch: &Watch,
    console: Console,
) -> Result<Vec<TestId>> {
    let Some(points) = points else { return Ok(tests) };
    let lacking = |framework: Framework| {
        let reason = |point| framework.lacks(point).map(|why| (point, why));
        reason(points.from).or_else(|| reason(points.to))
    };
    let mut left_out: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    let mut kept = Vec::new();
    for test in tests {
        let framework = watch.tests.get(&test).map(|test| test.framework);
        match framework.and_then(|framework| Some((framework, lacking(framework)?))) {
            None => kept.push(test),
            Some((framework, (point, why))) => {
                let words = format!("{} has no {}: {why}", framework.name(), point.name());
                left_out.entry(framework.name()).or_insert((0, words)).0 += 1;
            }
        }
    }
    for (count, words) in left_out.values() {
        console.warn(&format!("{count} tests are not looked at: {words}"));
    }
    if kept.is_empty() {
        bail!("no test comes to both points of --capture {points}");
    }
    Ok(kept)
}

/// Tests of frameworks that have the points, and that did not come there all the same.
pub(crate) fn say_who_did_not(
    points: Option<CapturePoints>,
    pollution: &Pollution<'_>,
    console: Console,
) {
    let (Some(points), missing) = (points, pollution.not_looked_at()) else { return };
    if missing.is_empty() {
        return;
    }
    console.warn(&format!(
        "{} tests were not looked at, as they were not seen at both {} and {}: {}",
        missing.len(),
        points.from.name(),
        points.to.name(),
        named(missing.into_iter())
    ));
}
