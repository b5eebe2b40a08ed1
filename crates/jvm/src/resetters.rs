//! Which methods a test can call to undo what it did to a static field.

use surefoot_classfile::{ClassFile, How, Method, Use};

use crate::declaring::{self, is_written_by_people, simple_name};

const PRIVATE: u16 = 0x0002;

/// What methods that undo something are called. Others that set a field may just as well set it up.
const UNDOING: &[&str] =
    &["clear", "reset", "restore", "unset", "remove", "release", "destroy", "dispose", "cleanup"];

/// What empties a collection, in all of java.util.
const EMPTIES: &[u8] = b"clear";

/// As one would write the call: `Registry.clear()`. Of the class that has the field, and only what takes and returns nothing and
/// is visible outside of it; none if its class file is not found in a directory of the class path.
/// `field` is what a root is called: `com.acme.Registry.NAMES`.
pub fn resetter(class_path: &[String], field: &str) -> Option<String> {
    let (bytes, field) = declaring::class(class_path, field)?;
    find(&bytes, field)
}

fn find(bytes: &[u8], field: &str) -> Option<String> {
    let class = ClassFile::parse(bytes).ok()?;
    let undoes = |index, method: &Method<'_>| {
        let uses = class.uses(index).unwrap_or_default();
        let of_field = |one: &Use<'_>| one.class == class.name() && one.name == field.as_bytes();
        let read = uses.iter().position(|one| one.how == How::ReadsStatic && of_field(one));
        let empties = read.is_some_and(|read| {
            uses.get(read + 1).is_some_and(|next| next.how == How::Calls && next.name == EMPTIES)
        });
        let sets = uses.iter().any(|one| one.how == How::WritesStatic && of_field(one));
        empties || sets && is_called_so(method)
    };
    let (_, method) = class
        .methods()
        .filter(|(_, method)| is_written_by_people(method) && is_callable(method))
        .find(|(index, method)| undoes(*index, method))?;
    Some(format!("{}.{}()", simple_name(&class), String::from_utf8_lossy(method.name())))
}

fn is_callable(method: &Method<'_>) -> bool {
    let flags = method.access_flags();
    method.descriptor() == b"()V" && flags.is_static() && flags.bits() & PRIVATE == 0
}

fn is_called_so(method: &Method<'_>) -> bool {
    let name = String::from_utf8_lossy(method.name()).to_ascii_lowercase();
    UNDOING.iter().any(|undoing| name.starts_with(undoing))
}
