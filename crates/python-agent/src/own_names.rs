//! Names that are no state of the program: who runs it keeps them on its modules and classes. Pure.

/// Attributes of a class that Python and its standard library keep there, and fill in when they need them.
pub(crate) fn is_of_class_itself(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "__dict__",
        "__weakref__",
        "__doc__",
        "__module__",
        "__qualname__",
        "__slotnames__",
        "__slots__",
        "_abc_impl",
        "__abstractmethods__",
        "__annotations__",
        "__annotations_cache__",
        "__annotate__",
        "__annotate_func__",
        "__parameters__",
        "__orig_bases__",
        "__static_attributes__",
        "__firstlineno__",
        "__match_args__",
        "__type_params__",
        // Of enums: members that are made when a combination is first asked for.
        "_value2member_map_",
        "_hashable_values_",
        "_unhashable_values_",
        "_unhashable_values_map_",
        // Of test cases, where pytest and unittest keep what they have done.
        "_classSetupFailed",
        "_class_cleanups",
        "tearDown_exceptions",
        "pytestmark",
        "_testMethodName",
    ];
    NAMES.contains(&name) || name.starts_with("__pytest_") || name.starts_with("__unittest_")
}

/// A library's attribute whose name says that it is there to be quick: what is in there would be worked out again, and be the same.
pub(crate) fn is_cache(name: &str) -> bool {
    name.as_bytes().windows(5).any(|part| part.eq_ignore_ascii_case(b"cache"))
}

/// Attributes of modules of libraries that are no state, or that is looked at in another way.
pub(crate) fn is_of_library_itself(name: &str) -> bool {
    const NAMES: &[&str] = &[
        // Settings of the process, of os and posix.
        "environ",
        "environb",
        // Of tempfile: names at random.
        "_name_sequence",
        // Of inspect: where modules lie.
        "modulesbyfile",
        "_filesbymodname",
    ];
    NAMES.contains(&name) || is_of_module_itself(name)
}

/// Attributes of a module that Python, pytest and the import system keep there.
pub(crate) fn is_of_module_itself(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "__builtins__",
        "__name__",
        "__doc__",
        "__file__",
        "__cached__",
        "__loader__",
        "__spec__",
        "__package__",
        "__path__",
        "__annotations__",
        "__annotate__",
        "__conditional_annotations__",
        "__warningregistry__",
        "pytestmark",
        "pytest_plugins",
    ];
    // pytest's own names for what rewritten assertions need.
    NAMES.contains(&name) || name.starts_with('@')
}
