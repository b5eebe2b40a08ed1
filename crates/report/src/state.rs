//! What differs between two states that were written down, line by line.

use std::collections::HashMap;

use crate::text::printable;

/// Lines that only the first has, with `-`, then those that only the second has, with `+`.
pub fn state_changes(before: &str, after: &str) -> Vec<String> {
    let only = |lines: &str, others: &str, sign: char| {
        let mut left: HashMap<&str, usize> = HashMap::new();
        others.lines().for_each(|line| *left.entry(line).or_default() += 1);
        let mut only = Vec::new();
        for line in lines.lines() {
            match left.get_mut(line).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => only.push(format!("{sign} {}", printable(line))),
            }
        }
        only
    };
    let mut changes = only(before, after, '-');
    changes.extend(only(after, before, '+'));
    changes
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn lines_that_both_have_are_left_out_as_often_as_both_have_them() {
        let before = "(root, a, 1)\n(A#1, x, 2)\n(A#1, x, 2)\n";
        let after = "(root, a, 3)\n(A#1, x, 2)\n";
        let expected = ["- (root, a, 1)", "- (A#1, x, 2)", "+ (root, a, 3)"];
        assert_eq!(state_changes(before, after), expected);
        assert_eq!(state_changes(before, before), [] as [&str; 0]);
    }
}
