//! The ways to look at collections and maps. They are the same for most models, so a model only lists which of them a class
//! has a method for.

use super::{Method, Passed, Weaving};

/// A way to look, by the method that it goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Iterator,
    Spliterator,
    ForEach,
    ToArray,
    /// The one that gets an array.
    ToTypedArray,
    /// Of a map: `keys` and `elements`.
    Keys,
    Elements,
    ForEachPair,
    ReplaceAll,
    /// `iterator` and `spliterator` of a view that is walked by the JDK's own iterators.
    WalkedIterator,
    WalkedSpliterator,
    WalkedKeys,
    WalkedElements,
}

/// What of a map is shown, as `SurefootSource` counts.
pub(super) const KEYS: i16 = 0;
pub(super) const VALUES: i16 = 1;
pub(super) const ENTRIES: i16 = 2;

impl Look {
    /// The method that a class has for it.
    pub(super) fn method(self) -> Method {
        use Passed::{Model, Number, Of, Parameter, This, View};
        const LOOK: &[Passed] = &[Of, Model, View];
        const PAIRS: &[Passed] = &[Of, Parameter, Model];
        const WALK: &[Passed] = &[This, Of, Model];
        let (name, passed): (_, &[Passed]) = match self {
            Look::Iterator => ("iterator", LOOK),
            Look::Spliterator => ("spliterator", LOOK),
            Look::ForEach => ("forEach", &[Of, Parameter, Model, View]),
            Look::ToArray | Look::ToTypedArray => ("toArray", LOOK),
            Look::Keys => ("keys", &[Of, Model, Number(KEYS)]),
            Look::Elements => ("elements", &[Of, Model, Number(VALUES)]),
            Look::ForEachPair => ("forEach", PAIRS),
            Look::ReplaceAll => ("replaceAll", PAIRS),
            Look::WalkedIterator => ("iterator", WALK),
            Look::WalkedSpliterator => ("spliterator", WALK),
            Look::WalkedKeys => ("keys", &[Of, Model]),
            Look::WalkedElements => ("elements", &[Of, Model]),
        };
        let weaving = match self {
            Look::ForEach | Look::ForEachPair | Look::ReplaceAll => Weaving::Substitute,
            _ => Weaving::Returned,
        };
        let (descriptor, helper_method, helper_descriptor) = self.descriptors();
        Method {
            name,
            descriptor,
            weaving,
            helper: if self.is_walked() {
                "java/util/SurefootWalk"
            } else {
                "java/util/SurefootLooks"
            },
            helper_method,
            helper_descriptor,
            passed,
            required: matches!(self, Look::Iterator | Look::WalkedIterator),
        }
    }

    fn is_walked(self) -> bool {
        matches!(
            self,
            Look::WalkedIterator
                | Look::WalkedSpliterator
                | Look::WalkedKeys
                | Look::WalkedElements
        )
    }

    /// Of the method itself; name and descriptor of what is called for it.
    fn descriptors(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Look::Iterator => (
                "()Ljava/util/Iterator;",
                "iterator",
                "(Ljava/util/Iterator;Ljava/lang/Object;II)Ljava/util/Iterator;",
            ),
            Look::Spliterator => (
                "()Ljava/util/Spliterator;",
                "spliterator",
                "(Ljava/util/Spliterator;Ljava/lang/Object;II)Ljava/util/Spliterator;",
            ),
            Look::ForEach => (
                "(Ljava/util/function/Consumer;)V",
                "forEach",
                "(Ljava/lang/Object;Ljava/util/function/Consumer;II)Z",
            ),
            Look::ToArray => (
                "()[Ljava/lang/Object;",
                "array",
                "([Ljava/lang/Object;Ljava/lang/Object;II)[Ljava/lang/Object;",
            ),
            Look::ToTypedArray => (
                "([Ljava/lang/Object;)[Ljava/lang/Object;",
                "array",
                "([Ljava/lang/Object;Ljava/lang/Object;II)[Ljava/lang/Object;",
            ),
            Look::Keys | Look::Elements => (
                "()Ljava/util/Enumeration;",
                "enumeration",
                "(Ljava/util/Enumeration;Ljava/lang/Object;II)Ljava/util/Enumeration;",
            ),
            Look::ForEachPair => (
                "(Ljava/util/function/BiConsumer;)V",
                "forEach",
                "(Ljava/lang/Object;Ljava/util/function/BiConsumer;I)Z",
            ),
            Look::ReplaceAll => (
                "(Ljava/util/function/BiFunction;)V",
                "replaceAll",
                "(Ljava/lang/Object;Ljava/util/function/BiFunction;I)Z",
            ),
            Look::WalkedIterator => (
                "()Ljava/util/Iterator;",
                "iterator",
                "(Ljava/util/Iterator;Ljava/lang/Object;Ljava/lang/Object;I)Ljava/util/Iterator;",
            ),
            Look::WalkedSpliterator => (
                "()Ljava/util/Spliterator;",
                "spliterator",
                "(Ljava/util/Spliterator;Ljava/lang/Object;Ljava/lang/Object;I)Ljava/util/Spliterator;",
            ),
            Look::WalkedKeys | Look::WalkedElements => (
                "()Ljava/util/Enumeration;",
                "enumeration",
                "(Ljava/util/Enumeration;Ljava/lang/Object;I)Ljava/util/Enumeration;",
            ),
        }
    }
}
