//! The annotations of classes, fields, methods, constructors, parameters, record components and uses of types.
//!
//! "Returns annotations that are present on this element. If there are no annotations present on this element, the return
//! value is an array of length 0." (`java.lang.reflect.AnnotatedElement`) Of an order nothing is said. It is said for
//! `getAnnotationsByType`, which is left alone; so are the parameters that annotations are of.

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

const ARRAY: &str = "()[Ljava/lang/annotation/Annotation;";

pub(super) static MODEL: Model = Model {
    name: "java.lang.reflect.AnnotatedElement",
    kind: ChoiceKind::Permute,
    by_content: true,
    classes: &[
        Woven {
            class: "java/lang/Class",
            methods: &[
                annotations::<0>("getAnnotations"),
                annotations::<1>("getDeclaredAnnotations"),
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/lang/reflect/Field",
            methods: &[annotations::<0>("getDeclaredAnnotations")],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/lang/reflect/Executable",
            methods: &[
                annotations::<0>("getDeclaredAnnotations"),
                // Those of methods, constructors and parameters go by way of it.
                Method {
                    name: "sharedGetParameterAnnotations",
                    descriptor: "([Ljava/lang/Class;[B)[[Ljava/lang/annotation/Annotation;",
                    helper_method: "parameterAnnotations",
                    helper_descriptor: "([[Ljava/lang/Object;Ljava/lang/Object;I)[[Ljava/lang/Object;",
                    passed: &[Passed::This, Passed::Model],
                    ..annotations::<0>("")
                },
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            // `getAnnotations` goes by way of it.
            class: "java/lang/reflect/RecordComponent",
            optional: true,
            methods: &[annotations::<0>("getDeclaredAnnotations")],
            ..Woven::ONLY_READ
        },
        Woven {
            // Of every kind of `AnnotatedType`; `getAnnotations` goes by way of it.
            class: "sun/reflect/annotation/AnnotatedTypeFactory$AnnotatedTypeBaseImpl",
            methods: &[annotations::<0>("getDeclaredAnnotations")],
            ..Woven::ONLY_READ
        },
    ],
};

const fn annotations<const WHICH: i16>(name: &'static str) -> Method {
    Method {
        name,
        descriptor: ARRAY,
        weaving: Weaving::Returned,
        helper: "java/util/SurefootArrays",
        helper_method: "annotations",
        helper_descriptor: "([Ljava/lang/Object;Ljava/lang/Object;II)[Ljava/lang/Object;",
        passed: &[Passed::This, Passed::Model, Passed::Number(WHICH)],
        required: true,
    }
}
