//! The files of a directory: `File.list` and `File.listFiles`, in all their forms.
//!
//! "There is no guarantee that the name strings in the resulting array will appear in any specific order; they are not, in
//! particular, guaranteed to appear in alphabetical order." (`java.io.File`)

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

pub(super) static MODEL: Model = Model {
    name: "java.io.File",
    kind: ChoiceKind::Permute,
    by_content: true,
    classes: &[Woven {
        class: "java/io/File",
        // All the public ones go by way of it.
        methods: &[Method {
            name: "normalizedList",
            descriptor: "()[Ljava/lang/String;",
            weaving: Weaving::Returned,
            helper: "java/util/SurefootArrays",
            helper_method: "files",
            helper_descriptor: "([Ljava/lang/String;Ljava/lang/Object;I)[Ljava/lang/String;",
            passed: &[Passed::This, Passed::Model],
            required: true,
        }],
        ..Woven::ONLY_READ
    }],
};
