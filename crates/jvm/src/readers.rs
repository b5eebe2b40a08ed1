//! Which methods let code outside a class see what is in a static field of it.

use surefoot_classfile::{ClassFile, How, Method};

use crate::declaring::{self, is_written_by_people, simple_name};

/// A method that reads the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// Without its package: `Potion.byName`.
    pub name: String,
    /// As in the source: `public static`; empty if it has none of these.
    pub modifiers: String,
}

/// The easiest to call of those in the class itself; none if its class file is not found in a directory of the class path.
/// `field` is what a root is called: `com.acme.Potion.NAMES`.
pub fn reader(class_path: &[String], field: &str) -> Option<Reader> {
    let (bytes, field) = declaring::class(class_path, field)?;
    easiest_reader(&bytes, field)
}

fn easiest_reader(bytes: &[u8], field: &str) -> Option<Reader> {
    let class = ClassFile::parse(bytes).ok()?;
    let reads_it = |index| {
        class.uses(index).is_ok_and(|uses| {
            uses.iter().any(|one| {
                one.how == How::ReadsStatic
                    && one.class == class.name()
                    && one.name == field.as_bytes()
            })
        })
    };
    class
        .methods()
        .filter(|(index, method)| is_written_by_people(method) && reads_it(*index))
        .map(|(_, method)| method)
        .min_by_key(|method| effort(method))
        .map(|method| Reader {
            name: format!("{}.{}", simple_name(&class), String::from_utf8_lossy(method.name())),
            modifiers: modifiers(method),
        })
}

const PUBLIC: u16 = 0x0001;
const PRIVATE: u16 = 0x0002;
const PROTECTED: u16 = 0x0004;
const STATIC: u16 = 0x0008;

/// Of seeing the field by it from a test, the least first. What returns nothing shows little, and what takes nothing can be
/// called anyhow.
fn effort(method: &Method<'_>) -> (u8, bool, bool, usize) {
    let bits = method.access_flags().bits();
    let access = match bits & (PUBLIC | PRIVATE | PROTECTED) {
        PUBLIC => 0,
        PROTECTED => 1,
        PRIVATE => 3,
        _ => 2,
    };
    let shows_nothing = method.descriptor().ends_with(b")V");
    (access, shows_nothing, bits & STATIC == 0, method.descriptor().len())
}

fn modifiers(method: &Method<'_>) -> String {
    let bits = method.access_flags().bits();
    let all =
        [(PUBLIC, "public"), (PROTECTED, "protected"), (PRIVATE, "private"), (STATIC, "static")];
    let words: Vec<&str> =
        all.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, word)| word).collect();
    words.join(" ")
}
