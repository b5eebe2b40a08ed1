//! What it costs to iterate a map in a VM that chooses orders.

use std::collections::BTreeMap;

use surefoot_model::Level;

use crate::choices::{Bench, choosing};

const TEST: &str = "cost.IterationTest#inside";

/// In turn, so that a machine that gets slower meanwhile does so for all.
const TURNS: usize = 5;

/// The fastest of all turns, by what was measured.
type Nanos = BTreeMap<String, f64>;

fn note(fastest: &mut Nanos, said: BTreeMap<String, String>) {
    for (what, nanos) in said {
        let nanos: f64 = nanos.parse().expect("the fixture says a number");
        let known = fastest.entry(what).or_insert(nanos);
        *known = known.min(nanos);
    }
}

#[test]
#[ignore = "a measurement: scripts/bench-iteration runs it"]
#[expect(clippy::print_stdout, reason = "what was measured is for whoever runs the script")]
fn iterating_a_small_map() {
    for jdk in [11, 17, 21, 25] {
        let levels = [Level::Id, Level::Full];
        let mut plain = (Bench::of(jdk, &["cost.IterationTest"], &[]), Nanos::new());
        let mut woven =
            levels.map(|level| (level, Bench::of(jdk, &["cost.IterationTest"], &[]), Nanos::new()));
        for _ in 0..TURNS {
            note(&mut plain.1, plain.0.shown_plainly(TEST));
            for (level, bench, fastest) in &mut woven {
                note(fastest, bench.shown(TEST, &choosing(*level, 1)));
            }
        }
        println!("\nJDK {jdk:29} {:>10}{:>18}{:>18}", "plain", "level id", "level full");
        for (what, plain) in &plain.1 {
            print!("{what:32} {plain:8.1} ns");
            for (_, _, fastest) in &woven {
                print!("{:9.1} ns {:5.2}", fastest[what], fastest[what] / plain);
            }
            println!();
        }
    }
}
