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
        Attributes { directories, program: OnceCell::new(), known: RefCell::default() }
    }

    /// How one that was `None`, or not there, is set. It is named by what it belongs to: `shop.cart.Cart.total`.
    pub fn set(&self, attribute: &str) -> Filling {
        self.filling(attribute, Question::Set)
    }

    /// How a dict gets its entries.
    pub fn entered(&self, attribute: &str) -> Filling {
        self.filling(attribute, Question::Entered)
    }

    fn filling(&self, attribute: &str, question: Question) -> Filling {
        let key = (attribute.to_owned(), question);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let program = self.program.get_or_init(|| Program::read(&self.directories));
        let filling = program.as_ref().and_then(|program| judged(program, attribute, question));
        let filling = filling.unwrap_or(Filling::Unknown);
        self.known.borrow_mut().insert(key, filling);
        filling
    }
}

/// None if anything is not understood.
fn judged(program: &Program, attribute: &str, question: Question) -> Option<Filling> {
    let (owner, name) = attribute.rsplit_once('.')?;
    let attribute = Attribute { owner, name };
    let sources: Option<Vec<Source>> =
        program.naming(name).map(|(path, text)| Source::parse(path, text?)).collect();
    let sources = sources?;
    let mut visits: Vec<Visit<'_>> = Vec::new();
    for source in &sources {
        visits.extend(uses::visits(source, &attribute, program)?);
    }
    match question {
        Question::Set => lazy::filling(&visits),
        Question::Entered => memo::filling(&visits),
    }
}
