//! The members of a class by reflection.
//!
//! "The elements in the array returned are not sorted and are not in any particular order." (`java.lang.Class`, of each of the
//! methods here.)

use super::{Method, Model, Passed, Weaving, Woven};

pub(super) static MODEL: Model = Model {
    name: "java.lang.Class",
    by_content: false,
    classes: &[Woven {
        class: "java/lang/Class",
        fields: &[],
        calls: &[],
        methods: &[
            members(
                "getFields",
                "()[Ljava/lang/reflect/Field;",
                &[Passed::This, Passed::Model, Passed::Number(0)],
            ),
            members(
                "getDeclaredFields",
                "()[Ljava/lang/reflect/Field;",
                &[Passed::This, Passed::Model, Passed::Number(1)],
            ),
            members(
                "getMethods",
                "()[Ljava/lang/reflect/Method;",
                &[Passed::This, Passed::Model, Passed::Number(2)],
            ),
            members(
                "getDeclaredMethods",
                "()[Ljava/lang/reflect/Method;",
                &[Passed::This, Passed::Model, Passed::Number(3)],
            ),
            members(
                "getConstructors",
                "()[Ljava/lang/reflect/Constructor;",
                &[Passed::This, Passed::Model, Passed::Number(4)],
            ),
            members(
                "getDeclaredConstructors",
                "()[Ljava/lang/reflect/Constructor;",
                &[Passed::This, Passed::Model, Passed::Number(5)],
            ),
        ],
        others: &[],
    }],
};

const fn members(
    name: &'static str,
    descriptor: &'static str,
    passed: &'static [Passed],
) -> Method {
    Method {
        name,
        descriptor,
        weaving: Weaving::Returned,
        helper: "java/util/SurefootArrays",
        helper_method: "members",
        helper_descriptor: "([Ljava/lang/Object;Ljava/lang/Class;II)[Ljava/lang/Object;",
        passed,
        required: true,
    }
}
