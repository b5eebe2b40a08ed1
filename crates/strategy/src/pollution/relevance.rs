//! How likely it is that another test sees a difference.

use surefoot_model::{Access, Difference, DifferenceKind};

/// From what is worth fixing first to what hardly is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relevance {
    /// A setting of the process, or a static field that other code may use.
    Exposed,
    /// Behind private static fields, which only their own class uses.
    Enclosed,
    /// Set when first asked for, and not before.
    Lazy,
    /// A number that counts what happened.
    Counter,
    /// So far from any static field that hardly anything leads there but the thing's own code.
    Deep,
}

/// More steps from a root than this are deep.
const MOST_STEPS: u32 = 5;

impl Relevance {
    pub(crate) fn of(difference: &Difference) -> Relevance {
        if difference.access == Access::Process {
            Relevance::Exposed
        } else if is_lazy(difference) {
            Relevance::Lazy
        } else if is_count(difference) {
            Relevance::Counter
        } else if difference.steps > MOST_STEPS && !is_list(difference) {
            Relevance::Deep
        } else if difference.access == Access::Private {
            Relevance::Enclosed
        } else {
            Relevance::Exposed
        }
    }

    /// Worth a line in the default report.
    pub(crate) fn is_reported(self) -> bool {
        self <= Relevance::Enclosed
    }
}

/// Unset to set in a place that only its own class can set, or that is called after what is made once: the next one who asks
/// gets what this one got.
fn is_lazy(difference: &Difference) -> bool {
    let was_unset = is_nothing(difference.before.as_deref());
    let is_set = !is_nothing(difference.after.as_deref());
    let enclosed = difference.steps > 0 || difference.access == Access::Private;
    let name = difference.path.to_ascii_lowercase();
    let made_once = name.contains("instance") || name.contains("singleton");
    // A thread local that is not filled when it is first asked: somebody has set it.
    let last = difference.path.rsplit('.').next().unwrap_or_default();
    let is_set_on_purpose = last.starts_with("get()");
    is_private_attribute_of_python(difference)
        || difference.kind == DifferenceKind::Value
            && was_unset
            && is_set
            && (enclosed || made_once)
            && !is_set_on_purpose
            && !is_element_of_python(difference)
}

pub(super) fn is_nothing(value: Option<&str>) -> bool {
    matches!(value, Some("null" | "None"))
}

/// Nobody asks a list for an element first.
fn is_element_of_python(difference: &Difference) -> bool {
    let index = difference.path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
    let is_index = index.is_some_and(|(_, index)| index.parse::<u32>().is_ok());
    is_index && difference.before.as_deref() == Some("None")
}

/// An object, a class or a module of Python's gets an attribute that is its own business when its code first needs it.
fn is_private_attribute_of_python(difference: &Difference) -> bool {
    let last = difference.path.rsplit(['.', ']']).next().unwrap_or_default();
    difference.kind == DifferenceKind::Added && last.starts_with('_') && !last.contains('[')
}

/// A long row of the same step is a list, and its end is as near as its beginning.
fn is_list(difference: &Difference) -> bool {
    difference.path.contains("(×")
}

fn is_count(difference: &Difference) -> bool {
    let number = |text: &Option<String>| {
        text.as_deref().and_then(|text| text.trim_end_matches('L').parse::<i64>().ok())
    };
    let grew = number(&difference.before)
        .zip(number(&difference.after))
        .is_some_and(|(before, after)| after > before);
    let name = difference.path.rsplit('.').find(|name| *name != "value").unwrap_or_default();
    let counts = [
        "count",
        "counter",
        "counts",
        "next",
        "seq",
        "sequence",
        "serial",
        "id",
        "ids",
        "num",
        "number",
        "index",
        "idx",
        "generation",
        "version",
        "total",
        "hits",
        "misses",
        "invocations",
    ];
    grew && words(name).iter().any(|word| counts.contains(&word.as_str()))
}

/// `orderId` and `ORDER_ID` are order and id.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in name.chars() {
        let starts = c.is_ascii_uppercase() && was_lower || words.is_empty();
        if !c.is_ascii_alphanumeric() || starts {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_ascii_alphanumeric(), words.last_mut()) {
            word.push(c.to_ascii_lowercase());
        }
        was_lower = c.is_ascii_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pollution::samples::difference;

    #[test]
    fn what_others_can_reach_is_worth_more_than_what_only_its_class_can() {
        let mut change = difference("com.acme.Shop.open", "true", "false");
        assert_eq!(Relevance::of(&change), Relevance::Exposed);
        change.access = Access::Private;
        assert_eq!(Relevance::of(&change), Relevance::Enclosed);
        assert!(Relevance::of(&change).is_reported());
    }

    #[test]
    fn a_private_field_that_is_set_once_is_lazy_and_a_public_one_is_not() {
        let mut change = difference("com.acme.Shop.current", "null", "a Shop");
        assert_eq!(Relevance::of(&change), Relevance::Exposed);
        assert_eq!(
            Relevance::of(&difference("com.acme.Shop.INSTANCE", "null", "a Shop")),
            Relevance::Lazy
        );
        change.access = Access::Private;
        assert_eq!(Relevance::of(&change), Relevance::Lazy);
        change.after = Some("null".into());
        change.before = Some("a Shop".into());
        assert_eq!(Relevance::of(&change), Relevance::Enclosed);
    }

    #[test]
    fn an_element_of_a_list_of_python_is_not_lazy() {
        let mut change = difference("shop.Basket.offers[2]", "None", "\"pear\"");
        change.steps = 1;
        assert_eq!(Relevance::of(&change), Relevance::Exposed);
        change.path = "shop.Basket.offers[\"two\"]".into();
        assert_eq!(Relevance::of(&change), Relevance::Lazy);
    }

    #[test]
    fn what_is_far_from_a_static_field_is_deep_and_the_end_of_a_list_is_not() {
        let mut change = difference("com.acme.Shop.server.a.b.c.d.e.f", "1", "2");
        change.steps = 7;
        assert_eq!(Relevance::of(&change), Relevance::Deep);
        change.path = "com.acme.Shop.orders.next(×7).price".into();
        assert_eq!(Relevance::of(&change), Relevance::Exposed);
    }

    #[test]
    fn numbers_that_count_are_counters_and_others_are_not() {
        for (path, before, after, relevance) in [
            ("com.acme.Shop.nextId", "3", "5", Relevance::Counter),
            ("com.acme.Shop.counter.value", "0", "1", Relevance::Counter),
            ("com.acme.Shop.nextId", "5", "0", Relevance::Exposed),
            ("com.acme.Shop.balance", "3", "5", Relevance::Exposed),
            ("com.acme.Shop.requestCount.value", "0L", "1L", Relevance::Counter),
            ("com.acme.Shop.NEXT_ORDER", "0", "1", Relevance::Counter),
            ("com.acme.Shop.pool.chooser.idx.value", "0", "3", Relevance::Counter),
            ("com.acme.Shop.width", "3", "4", Relevance::Exposed),
            ("com.acme.Shop.mode", "0", "1", Relevance::Exposed),
        ] {
            assert_eq!(Relevance::of(&difference(path, before, after)), relevance, "{path}");
        }
    }
}
