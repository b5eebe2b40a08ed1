//! No promise is broken: Guava's suites for collections pass with other orders as they do without.
//!
//! `scripts/conformance` runs them with more seeds.

use surefoot_model::Level;

use crate::choices::{Bench, choosing};
use crate::support::CONFORMANCE;

const CLASS: &str = "conform.ConformTest";

/// With so many seeds at every level, if anybody asks for that; else with one at one level.
fn conforms(jdk: u32, every_day: Level) {
    let seeds = std::env::var("SUREFOOT_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    let levels = if seeds.is_some() { Level::ALL.to_vec() } else { vec![every_day] };
    let mut bench = Bench::of(jdk, &[CLASS], CONFORMANCE);
    for level in levels {
        for seed in 0..seeds.unwrap_or(1) {
            let reached = bench.pass(CLASS, &choosing(level, seed));
            assert!(reached > 1000, "{level}, {seed}: {reached}");
        }
    }
}

#[test]
fn collections_of_jdk_11_conform() {
    conforms(11, Level::Full);
}

#[test]
fn collections_of_jdk_17_conform() {
    conforms(17, Level::Eq);
}

#[test]
fn collections_of_jdk_21_conform() {
    conforms(21, Level::One);
}

#[test]
fn collections_of_jdk_25_conform() {
    conforms(25, Level::Id);
}
