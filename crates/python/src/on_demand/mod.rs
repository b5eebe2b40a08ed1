//! Attributes that the program's own code fills when it is first asked, by what that code does with them.
//!
//! Such an attribute differs after the first test that asks, and nobody can tell: whoever asks gets the same, whether it was there
//! or not. That holds only as long as *nobody looks without filling*. A registry looks much like a memo, but somebody looks up what
//! others have put in, and finds nothing if they have not. So all code of the program is read that names the attribute, that of
//! the tests included. Python tells little of what an expression is, so whatever has this name counts, unless it belongs to an
//! object of another class for certain. Where anything is not understood, the answer is that nothing is known.

mod flow;
mod lazy;
mod memo;
mod missing;
mod program;
mod set_first;
mod source;
mod tests;
mod uses;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;

use surefoot_model::{Filling, Launch};

use program::Program;
use source::Source;
use uses::Visit;

/// What the code of a program says of its attributes.
#[derive(Debug)]
pub struct Attributes {
    directories: Vec<PathBuf>,
    /// Read when the first question comes.
    program: OnceCell<Option<Program>>,
    known: RefCell<BTreeMap<(String, Question), Filling>>,
    set_first: RefCell<BTreeMap<String, bool>>,
}

/// What is asked about an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    Set,
    Entered,
}

/// Of an object of a class, of a class, or of a module.
struct Attribute<'f> {
    /// `shop.cart` or `shop.cart.Cart`
    owner: &'f str,
    name: &'f str,
}

impl Attributes {
    /// Of the code that was collected from.
    #[must_use]
    pub fn of(launch: &Launch) -> Attributes {
        let root = launch.pytest.iter().map(|pytest| PathBuf::from(&pytest.root));
        let mut directories: Vec<PathBuf> =
            root.chain([PathBuf::from(&launch.directory)]).collect();
        // One below another one is read with it.
        directories.sort();
        directories.dedup_by(|later, earlier| later.starts_with(earlier));
        Attributes::in_directories(directories)
    }

    fn in_directories(directories: Vec<PathBuf>) -> Attributes {
        let (known, set_first) = (RefCell::default(), RefCell::default());
        Attributes { directories, program: OnceCell::new(), known, set_first }
    }

    /// How one that was `None`, or not there, is set. It is named by what it belongs to: `shop.cart.Cart.total`.
    pub fn set(&self, attribute: &str) -> Filling {
        self.filling(attribute, Question::Set)
    }

    /// How a dict gets its entries.
    pub fn entered(&self, attribute: &str) -> Filling {
        self.filling(attribute, Question::Entered)
    }

    /// Whether whoever uses it sets it first, or what runs before each test does.
    pub fn is_set_first(&self, attribute: &str) -> bool {
        if let Some(known) = self.set_first.borrow().get(attribute) {
            return *known;
        }
        let with = |visits: &[Visit<'_>]| set_first::is_set_first(visits);
        let is_set = self.program().and_then(|program| asked(program, attribute, with));
        self.set_first.borrow_mut().insert(attribute.to_owned(), is_set == Some(true));
        is_set == Some(true)
    }

    fn program(&self) -> Option<&Program> {
        self.program.get_or_init(|| Program::read(&self.directories)).as_ref()
    }

    fn filling(&self, attribute: &str, question: Question) -> Filling {
        let key = (attribute.to_owned(), question);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let with = |visits: &[Visit<'_>]| match question {
            Question::Set => lazy::filling(visits),
            Question::Entered => memo::filling(visits),
        };
        let filling = self.program().and_then(|program| asked(program, attribute, with));
        let filling = filling.flatten().unwrap_or(Filling::Unknown);
        self.known.borrow_mut().insert(key, filling);
        filling
    }
}

/// What is said of all code that uses an attribute. None if anything is not understood.
fn asked<T>(
    program: &Program,
    attribute: &str,
    question: impl FnOnce(&[Visit<'_>]) -> T,
) -> Option<T> {
    let (owner, name) = attribute.rsplit_once('.')?;
    let attribute = Attribute { owner, name };
    let sources: Option<Vec<Source>> =
        program.naming(name).map(|(path, text)| Source::parse(path, text?)).collect();
    let sources = sources?;
    let mut visits: Vec<Visit<'_>> = Vec::new();
    for source in &sources {
        visits.extend(uses::visits(source, &attribute, program)?);
    }
    Some(question(&visits))
}
