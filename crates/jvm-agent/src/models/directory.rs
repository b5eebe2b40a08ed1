//! A directory by `Files.newDirectoryStream`, `Files.list` and `Files.walk`.
//!
//! "The elements returned by the iterator are in no specific order." (`java.nio.file.DirectoryStream`)

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

pub(super) static MODEL: Model = Model {
    name: "java.nio.file.DirectoryStream",
    kind: ChoiceKind::Permute,
    by_content: true,
    classes: &[Woven {
        class: "sun/nio/fs/UnixDirectoryStream",
        // Secure streams go by way of it too.
        methods: &[Method {
            name: "iterator",
            descriptor: "(Ljava/nio/file/DirectoryStream;)Ljava/util/Iterator;",
            weaving: Weaving::Returned,
            helper: "java/util/SurefootDirectory",
            helper_method: "iterator",
            helper_descriptor: "(Ljava/util/Iterator;I)Ljava/util/Iterator;",
            passed: &[Passed::Model],
            required: true,
        }],
        ..Woven::ONLY_READ
    }],
};
