//! The names of time zones: their rows may be longer.
//!
//! "The value returned is a two-dimensional array of strings of size n by m, where m is at least 5."
//! (`java.text.DateFormatSymbols.getZoneStrings`; Figures 2.9 and 2.10 of the dissertation)

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

pub(super) static MODEL: Model = Model {
    name: "java.text.DateFormatSymbols",
    kind: ChoiceKind::Extend,
    by_content: true,
    classes: &[Woven {
        class: "java/text/DateFormatSymbols",
        methods: &[Method {
            name: "getZoneStrings",
            descriptor: "()[[Ljava/lang/String;",
            weaving: Weaving::Returned,
            helper: "java/util/SurefootDeclared",
            helper_method: "zones",
            helper_descriptor: "([[Ljava/lang/String;Ljava/lang/Object;I)[[Ljava/lang/String;",
            passed: &[Passed::This, Passed::Model],
            required: true,
        }],
        ..Woven::ONLY_READ
    }],
};
