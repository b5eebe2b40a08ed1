//! The locales, countries, languages and time zones that a VM knows.
//!
//! "Returns an array of available locales" (`java.util.Locale` of Java 25; likewise of Calendar and the classes of `java.text`),
//! "a list of all 2-letter country codes defined in ISO 3166", "an array of the available IDs supported"
//! (`java.util.TimeZone`). Of an order nothing is said.

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

const LOCALES: &str = "()[Ljava/util/Locale;";
const TEXTS: &str = "()[Ljava/lang/String;";

const fn locales<const WHICH: i16>(class: &'static str) -> Woven {
    Woven {
        class,
        methods: const { &[list::<WHICH>("getAvailableLocales", LOCALES)] },
        ..Woven::ONLY_READ
    }
}

pub(super) static MODEL: Model = Model {
    name: "java.util.Locale",
    kind: ChoiceKind::Permute,
    by_content: true,
    classes: &[
        Woven {
            class: "java/util/Locale",
            methods: &[
                list::<0>("getAvailableLocales", LOCALES),
                list::<1>("getISOCountries", TEXTS),
                list::<2>("getISOLanguages", TEXTS),
                stream::<0>("availableLocales"),
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/TimeZone",
            methods: &[
                list::<3>("getAvailableIDs", TEXTS),
                list::<4>("getAvailableIDs", "(I)[Ljava/lang/String;"),
                stream::<3>("availableIDs"),
            ],
            ..Woven::ONLY_READ
        },
        locales::<5>("java/util/Calendar"),
        locales::<6>("java/text/BreakIterator"),
        locales::<7>("java/text/Collator"),
        locales::<8>("java/text/DateFormat"),
        locales::<9>("java/text/DateFormatSymbols"),
        locales::<10>("java/text/DecimalFormatSymbols"),
        locales::<11>("java/text/NumberFormat"),
    ],
};

const fn list<const WHICH: i16>(name: &'static str, descriptor: &'static str) -> Method {
    Method {
        name,
        descriptor,
        weaving: Weaving::Returned,
        helper: "java/util/SurefootArrays",
        helper_method: "list",
        helper_descriptor: "([Ljava/lang/Object;II)[Ljava/lang/Object;",
        passed: &[Passed::Model, Passed::Number(WHICH)],
        required: true,
    }
}

/// The same as a stream, since Java 21 or later.
const fn stream<const WHICH: i16>(name: &'static str) -> Method {
    Method {
        helper_method: "stream",
        helper_descriptor: "(Ljava/util/stream/Stream;II)Ljava/util/stream/Stream;",
        required: false,
        ..list::<WHICH>(name, "()Ljava/util/stream/Stream;")
    }
}
