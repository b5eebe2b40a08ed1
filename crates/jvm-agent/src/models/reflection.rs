//! The members of a class by reflection.
//!
//! "The elements in the array returned are not sorted and are not in any particular order." (`java.lang.Class`, of fields,
//! methods and constructors; of the permitted subclasses: "The order of such elements is unspecified."; of member classes and
//! of the exceptions that a method declares nothing is said.)
//!
//! Record components, enum constants, interfaces and parameters have an order, and are left alone.

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

pub(super) static MODEL: Model = Model {
    name: "java.lang.Class",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[
        Woven {
            class: "java/lang/Class",
            methods: &[
                members::<0>("getFields", "()[Ljava/lang/reflect/Field;"),
                members::<1>("getDeclaredFields", "()[Ljava/lang/reflect/Field;"),
                members::<2>("getMethods", "()[Ljava/lang/reflect/Method;"),
                members::<3>("getDeclaredMethods", "()[Ljava/lang/reflect/Method;"),
                members::<4>("getConstructors", "()[Ljava/lang/reflect/Constructor;"),
                members::<5>("getDeclaredConstructors", "()[Ljava/lang/reflect/Constructor;"),
                // `getClasses` goes by way of it.
                members::<6>("getDeclaredClasses", "()[Ljava/lang/Class;"),
                Method {
                    // Since Java 17.
                    required: false,
                    ..members::<7>("getPermittedSubclasses", "()[Ljava/lang/Class;")
                },
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/lang/reflect/Method",
            methods: &[members::<0>("getExceptionTypes", "()[Ljava/lang/Class;")],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/lang/reflect/Constructor",
            methods: &[members::<0>("getExceptionTypes", "()[Ljava/lang/Class;")],
            ..Woven::ONLY_READ
        },
        Woven {
            // Of methods and constructors alike; where nothing is generic, the same as the above.
            class: "java/lang/reflect/Executable",
            methods: &[members::<0>("getGenericExceptionTypes", "()[Ljava/lang/reflect/Type;")],
            ..Woven::ONLY_READ
        },
    ],
};

const fn members<const WHICH: i16>(name: &'static str, descriptor: &'static str) -> Method {
    Method {
        name,
        descriptor,
        weaving: Weaving::Returned,
        helper: "java/util/SurefootArrays",
        helper_method: "members",
        helper_descriptor: "([Ljava/lang/Object;Ljava/lang/Object;II)[Ljava/lang/Object;",
        passed: &[Passed::This, Passed::Model, Passed::Number(WHICH)],
        required: true,
    }
}
