//! The class that declares a static field, as its class file has it.

use std::path::Path;

use surefoot_classfile::{ClassFile, Method};

const SYNTHETIC: u16 = 0x1000;

/// Its class file and the field's own name; none if it is not found in a directory of the class path.
/// `field` is what a root is called: `com.acme.Potion.NAMES`.
pub(crate) fn class<'f>(class_path: &[String], field: &'f str) -> Option<(Vec<u8>, &'f str)> {
    let (class, field) = field.rsplit_once('.')?;
    let file = format!("{}.class", class.replace('.', "/"));
    let bytes =
        class_path.iter().find_map(|entry| std::fs::read(Path::new(entry).join(&file)).ok())?;
    Some((bytes, field))
}

/// Without its package, as it stands in the source: `Potion.Effect`.
pub(crate) fn simple_name(class: &ClassFile<'_>) -> String {
    let name = String::from_utf8_lossy(class.name());
    name.rsplit('/').next().unwrap_or(&name).replace('$', ".")
}

/// An initialiser is never called, and the body of a lambda by nobody who knows its name.
pub(crate) fn is_written_by_people(method: &Method<'_>) -> bool {
    !method.name().starts_with(b"<") && method.access_flags().bits() & SYNTHETIC == 0
}
