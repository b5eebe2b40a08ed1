//! What is not reported, and why.

use surefoot_model::Suppressed;

use crate::terminal::{FAINT, Terminal};
use crate::text::{cut_end, plural, printable, wrap};

/// How much by each rule or, if `all` is wanted, each root by the rule that it falls under.
pub fn suppressed(suppressed: &[Suppressed], all: bool, terminal: Terminal) -> String {
    if suppressed.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n");
    if !all {
        let counts: Vec<String> = suppressed
            .iter()
            .map(|one| format!("{} {}", one.roots.len(), printable(&one.rule)))
            .collect();
        let line =
            format!("not reported: {} (surefoot pollution --show-suppressed)", counts.join(", "));
        for line in wrap(&line, terminal.columns(), usize::MAX) {
            text.push_str(&terminal.paint(FAINT, &line));
            text.push('\n');
        }
        return text;
    }
    for one in suppressed {
        text.push_str(&format!("{}: {}\n", printable(&one.rule), printable(&one.reason)));
        for (root, tests) in &one.roots {
            let count = format!("{} {}", tests.len(), plural(tests.len(), "test"));
            let room = terminal.columns().saturating_sub(count.len() + 4);
            text.push_str(&format!("  {}  {count}\n", cut_end(&printable(root), room)));
        }
    }
    text
}

#[cfg(test)]
mod unit_tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::suppressed as sample;

    #[test]
    fn what_to_do_is_never_cut_off() {
        let narrow = Terminal { width: 40, colour: false };
        assert_snapshot!(suppressed(&sample(), false, narrow), @r"

        not reported: 1 cache (surefoot
        pollution --show-suppressed)
        ");
    }

    #[test]
    fn all_of_it_is_counted_unless_it_is_wanted() {
        let terminal = Terminal { width: 80, colour: false };
        assert_snapshot!(suppressed(&sample(), false, terminal), @r"

        not reported: 1 cache (surefoot pollution --show-suppressed)
        ");
        assert_snapshot!(suppressed(&sample(), true, terminal), @r"

        cache: meant to be filled
          com.acme.Shop.priceCache  2 tests
        ");
        assert_eq!(suppressed(&[], true, terminal), "");
    }
}
