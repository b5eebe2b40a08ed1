//! Table 2.2 of the dissertation, cell by cell: which assertion of its Figure 2.2 can fail at which level.

use std::collections::BTreeMap;

use surefoot_model::{Choosing, Level};

use crate::{Chooser, Question};

/// A HashSet as far as the figure goes: who it is, how often it was changed, and its elements in the JDK's order.
struct Set {
    identity: u64,
    changes: u64,
    elements: [i32; 2],
}

/// What whoever asks has to do: remember.
struct Program {
    chooser: Chooser,
    level: Level,
    remembered: BTreeMap<(u64, u64), Vec<u32>>,
    line: u64,
}

impl Program {
    fn order_of(&mut self, set: &Set) -> [i32; 2] {
        self.line += 1;
        let content = set.elements.iter().map(|element| *element as u64 * 31).sum();
        let question = Question {
            model: "java.util.HashMap",
            place: self.line,
            in_initialiser: false,
            by_content: false,
            often: false,
            content,
            size: 2,
        };
        let state = (set.identity, set.changes);
        let known = self.remembered.get(&state).filter(|_| self.level != Level::Full).cloned();
        let order = known
            .unwrap_or_else(|| self.chooser.choose(&question).order.expect("every choice is made"));
        self.remembered.insert(state, order.clone());
        [set.elements[order[0] as usize], set.elements[order[1] as usize]]
    }
}

/// Which of the assertions fail: lines 4, 5, 7, 10, 13, 17 and 22 of the figure.
fn failures(level: Level, seed: u64) -> [bool; 7] {
    let choosing = Choosing {
        seed,
        level,
        only: None,
        models: Vec::new(),
        declared: Vec::new(),
        identity_hash: None,
        trace: false,
    };
    let mut chooser = Chooser::new(choosing);
    chooser.test_starts("figure");
    let mut program = Program { chooser, level, remembered: BTreeMap::new(), line: 0 };
    let mut s = Set { identity: 1, changes: 2, elements: [1, 2] };
    let a = program.order_of(&s);
    let again = program.order_of(&s);
    let after_contains = program.order_of(&s);
    s.changes += 2;
    let modified_and_restored = program.order_of(&s);
    let t = program.order_of(&Set { identity: 2, changes: 2, elements: [1, 2] });
    let b = program.order_of(&Set { identity: 3, changes: 2, elements: [3, 4] });
    [
        a != [1, 2],
        a != [2, 1],
        a != again,
        a != after_contains,
        a != modified_and_restored,
        a != t,
        (a[0] < a[1]) != (b[0] < b[1]),
    ]
}

#[test]
fn the_levels_can_fail_what_the_table_says() {
    let table = [
        (Level::Full, [true, true, true, true, true, true, true]),
        (Level::Id, [true, true, false, false, true, true, true]),
        (Level::Eq, [true, true, false, false, false, false, true]),
        (Level::One, [true, true, false, false, false, false, false]),
    ];
    for (level, expected) in table {
        let mut can_fail = [false; 7];
        for seed in 0..200 {
            for (cell, failed) in can_fail.iter_mut().zip(failures(level, seed)) {
                *cell |= failed;
            }
        }
        assert_eq!(can_fail, expected, "{level}");
    }
}
