//! Nothing that a large library relies on is broken: contexts of Spring Boot start and end, and its web server answers, with
//! anything in any order on every call.
//!
//! `scripts/conformance` runs them with more seeds.

use surefoot_model::Level;

use crate::choices::{Bench, choosing};
use crate::support::{BOOT_2, BOOT_3};

const CLASS: &str = "boot.ContextTest";

/// With so many seeds, if anybody asks for that; else with one, another for each JDK.
fn starts(jdk: u32, jars: &[&str]) {
    let seeds: Option<u64> =
        std::env::var("SUREFOOT_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    let of_the_day = u64::from(jdk);
    let mut bench = Bench::of(jdk, &[CLASS], jars);
    for seed in seeds.map_or(of_the_day..of_the_day + 1, |seeds| 0..seeds) {
        let reached = bench.pass(CLASS, &choosing(Level::Full, seed));
        assert!(reached > 1000, "{seed}: {reached}");
    }
}

#[test]
fn spring_boot_2_starts_on_jdk_11() {
    starts(11, BOOT_2);
}

#[test]
fn spring_boot_3_starts_on_jdk_17() {
    starts(17, BOOT_3);
}

#[test]
fn spring_boot_3_starts_on_jdk_21() {
    starts(21, BOOT_3);
}

#[test]
fn spring_boot_3_starts_on_jdk_25() {
    starts(25, BOOT_3);
}
