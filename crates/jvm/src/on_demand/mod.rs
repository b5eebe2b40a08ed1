//! Fields that the program's own code fills when it is first asked, by what that code does with them.
//!
//! Such a field differs after the first test that asks, and nobody can tell: whoever asks gets the same, whether it was there
//! or not. That holds only as long as *nobody looks without filling*. A registry looks much like a memo, but somebody looks
//! up what others have put in, and finds nothing if they have not. So all code of the program is read that names the field,
//! that of the tests included. Where anything is not understood, the answer is that nothing is known.

mod held;
mod lazy;
mod memo;
mod scratch;
mod set_up;
mod table;
mod visit;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use surefoot_classfile::{ClassFile, How, Use};
use surefoot_model::Filling;

use crate::program::{Program, read_by_name};
use visit::Visit;

/// What the code of a program says of its fields.
#[derive(Debug)]
pub struct Fields {
    class_path: Vec<String>,
    /// Read when the first question comes.
    program: OnceCell<Program>,
    known: RefCell<BTreeMap<(String, Question), Filling>>,
}

/// What is asked about a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    Set,
    Entered,
    Held,
    Used,
}

/// A field, as its class declares it.
struct Field {
    class: Vec<u8>,
    name: Vec<u8>,
    is_static: bool,
    is_array: bool,
}

impl Fields {
    #[must_use]
    pub fn new(class_path: &[String]) -> Fields {
        let (program, known) = (OnceCell::new(), RefCell::default());
        Fields { class_path: class_path.to_vec(), program, known }
    }

    /// How a field that was null is set. `field` is its class, or one that extends it, and its name: `com.acme.Shop.open`.
    pub fn set(&self, field: &str) -> Filling {
        self.filling(field, Question::Set, lazy::filling)
    }

    /// How a map, or an array that is used like one, gets its entries.
    pub fn entered(&self, field: &str) -> Filling {
        self.filling(field, Question::Entered, |field, visits| match field.is_array {
            true => table::filling(field, visits),
            false => memo::filling(visits),
        })
    }

    /// How a thread local comes to what it holds.
    pub fn held(&self, field: &str) -> Filling {
        self.filling(field, Question::Held, |_, visits| held::filling(visits))
    }

    /// Whether all who use the object in a field reset it first: nobody sees what others left in it.
    pub fn is_reset_before_use(&self, field: &str) -> bool {
        let filling = self.filling(field, Question::Used, |_, visits| scratch::filling(visits));
        filling == Filling::OnDemand
    }

    /// Whether what runs before each test sets the field: nobody sees what was in it before.
    pub fn is_set_before_each(&self, field: &str) -> bool {
        let program = self.program.get_or_init(|| Program::read(&self.class_path));
        set_up::is_set_before_each(program, field).unwrap_or(false)
    }

    fn filling(
        &self,
        field: &str,
        question: Question,
        judge: impl Fn(&Field, &[Visit<'_>]) -> Filling,
    ) -> Filling {
        let key = (field.to_owned(), question);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let program = self.program.get_or_init(|| Program::read(&self.class_path));
        let filling = judged(program, field, judge).unwrap_or(Filling::Unknown);
        self.known.borrow_mut().insert(key, filling);
        filling
    }
}

/// None if anything is not understood.
fn judged(
    program: &Program,
    field: &str,
    judge: impl Fn(&Field, &[Visit<'_>]) -> Filling,
) -> Option<Filling> {
    let field = declared(program, field)?;
    let own = program.class(&field.class)?;
    let accessors = visit::accessors(&ClassFile::parse(&own).ok()?, &field)?;
    let names: Vec<&[u8]> =
        accessors.iter().map(Vec::as_slice).chain([field.name.as_slice()]).collect();
    let files = program.naming(&names);
    let classes: Option<Vec<ClassFile<'_>>> =
        files.iter().map(|bytes| ClassFile::parse(bytes).ok()).collect();
    let classes = classes?;
    let is_it = |one: &Use<'_>| match one.how {
        How::Calls => one.class == field.class && accessors.iter().any(|name| name == one.name),
        _ => {
            let of_it = || one.class == field.class || program.extends(one.class, &field.class);
            one.name == field.name && of_it()
        }
    };
    let mut visits = Vec::new();
    for class in &classes {
        if read_by_name(class).contains(&&field.name[..]) {
            return None;
        }
        visits.extend(visit::visits(class, &field, &is_it)?);
    }
    visits.retain(|visit| !accessors.iter().any(|name| name == visit.method[1]));
    Some(judge(&field, &visits))
}

fn declared(program: &Program, field: &str) -> Option<Field> {
    let (class, name) = field.rsplit_once('.')?;
    let (class, name) = (class.replace('.', "/").into_bytes(), name.as_bytes().to_vec());
    program.line(&class).into_iter().find_map(|class| {
        let bytes = program.class(&class)?;
        let fields = ClassFile::parse(&bytes).ok()?.fields().ok()?;
        let declared = fields.iter().find(|field| field.name == name)?;
        let is_static = declared.access_flags.is_static();
        let is_array = declared.descriptor.starts_with(b"[");
        Some(Field { class, name: name.clone(), is_static, is_array })
    })
}
