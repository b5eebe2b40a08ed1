//! Lets tests see orders that are other than usual, where Python's documentation leaves them open. docs/models.md lists them.
//!
//! What shows an order is CPython's own: its functions and types are made to ask here first (`hooks.rs`, `sets.rs`,
//! `directories.rs`). Nothing is asked unless a test is under way. `place.rs` says who is asking, and the crate `choice` what is
//! chosen. All of it runs with the GIL held, and none of it runs code of Python's, so that what cannot be interrupted without
//! Surefoot cannot be with it.

mod addresses;
mod directories;
pub(crate) mod entry;
mod frames;
mod hashes;
mod hooks;
mod interpreter;
mod iterator;
pub(crate) mod lists;
mod place;
mod sets;
mod values;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use serde::Deserialize;
use surefoot_choice::{Chooser, Question};
use surefoot_model::choice::HASH_SEED;
use surefoot_model::{
    ChoiceDetail, ChoiceId, ChoiceKind, Choosing, IdentityHash, Level, MadeChoice, RunChoices,
};
use xxhash_rust::xxh3::Xxh3;

use crate::api::{Object, Owned};
use place::{Place, Places};
use values::Sorted;

/// Most choices that a run tells of. A run with more is not narrowed further down than to these.
const MOST_TOLD: usize = 4000;

/// Most choices that are told with their stacks.
const MOST_DETAILS: usize = 40;

/// Most elements that are told of a choice.
const MOST_ELEMENTS: usize = 24;

/// Most further looks that are told of a choice.
const MOST_LOOKS: usize = 4;

static MAKING: Mutex<Option<Making>> = Mutex::new(None);

/// A test is under way, and its own code may be asking.
static UNDER_WAY: AtomicBool = AtomicBool::new(false);

/// How the plug-in wants it.
#[derive(Debug, Deserialize)]
pub(crate) struct Wanted {
    choosing: Choosing,
    /// The folder of the standard library.
    library: String,
    /// Where people look for files.
    roots: Vec<String>,
}

#[derive(Debug)]
struct Making {
    choosing: Choosing,
    chooser: Chooser,
    places: Places,
    /// The test that is under way.
    test: String,
    made: Vec<MadeChoice>,
    /// Where hashes of text were asked for in this test, in a process that has others than usual.
    hashed: Vec<Vec<String>>,
    /// What objects showed in this test, by their addresses.
    memory: HashMap<usize, Remembered>,
}

/// What an object shows as long as it is not modified.
#[derive(Debug)]
struct Remembered {
    alive: Owned,
    /// The same as long as the same elements come in the same order.
    elements: u64,
    id: ChoiceId,
    order: Option<Vec<u32>>,
}

impl Remembered {
    fn is_of(&self, object: Object<'_>) -> bool {
        let referred = self.alive.call(&[]);
        referred.is_some_and(|referred| referred.get().address() == object.address())
    }
}

/// What is to be put in order.
struct Asked<'a> {
    model: &'a str,
    kind: ChoiceKind,
    place: &'a Place,
    by_content: bool,
    size: u32,
    /// None if the usual order is the same in every process, or cannot be told from it.
    sorted: Option<&'a Sorted>,
}

/// None while somebody else is at it: then everything is as usual.
fn making() -> Option<MutexGuard<'static, Option<Making>>> {
    match MAKING.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(guard)) => Some(PoisonError::into_inner(guard)),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// What is chosen for the whole process is so from now on. What could not be done is told.
fn begin(wanted: Wanted) -> Vec<String> {
    let Wanted { choosing, library, roots } = wanted;
    interpreter::begin();
    if choosing.identity_hash == Some(IdentityHash::Moved) {
        addresses::change();
    }
    let hashes = choosing.hash_seed().map_or(Ok(()), |_| hashes::hook());
    let begun = Making {
        chooser: Chooser::new(choosing.clone()),
        choosing,
        places: Places::new(&library, &roots),
        test: String::new(),
        made: Vec::new(),
        hashed: Vec::new(),
        memory: HashMap::new(),
    };
    if let Some(mut making) = making() {
        *making = Some(begun);
    }
    hashes.err().into_iter().collect()
}

fn test_starts(address: &str) {
    let Some(mut guard) = making() else { return };
    if let Some(making) = guard.as_mut() {
        making.chooser.test_starts(address);
        address.clone_into(&mut making.test);
        making.made.clear();
        making.hashed.clear();
        making.memory.clear();
        UNDER_WAY.store(true, Ordering::Relaxed);
    }
}

/// Something runs that is not the test's own, or no longer does.
fn pause(paused: bool) {
    UNDER_WAY.store(!paused, Ordering::Relaxed);
}

fn test_ends() -> Option<RunChoices> {
    UNDER_WAY.store(false, Ordering::Relaxed);
    let mut guard = making()?;
    let making = guard.as_mut()?;
    making.memory.clear();
    let mut choices =
        RunChoices { reached: making.chooser.reached(), made: std::mem::take(&mut making.made) };
    if let Some(seed) = making.choosing.hash_seed() {
        choices.reached += 1;
        let mut hashed = std::mem::take(&mut making.hashed).into_iter();
        choices.made.push(MadeChoice {
            id: ChoiceId::HASH_SEED,
            model: HASH_SEED.to_owned(),
            kind: ChoiceKind::Random,
            place: making.test.clone(),
            detail: Some(ChoiceDetail {
                stack: hashed.next().unwrap_or_default(),
                elements: vec!["PYTHONHASHSEED=0".into(), format!("PYTHONHASHSEED={seed}")],
                order: vec![1],
                again: hashed.collect(),
            }),
        });
    }
    Some(choices)
}

/// Whether anybody is to see another order now. Other interpreters in this process see the usual ones.
fn is_under_way() -> bool {
    UNDER_WAY.load(Ordering::Relaxed) && interpreter::is_that_of_the_tests()
}

/// Who is asking; none if everything is to be as usual. Surefoot's own code asks for others where it says so.
fn place(model: &str, api: &str, for_others: bool) -> Option<Place> {
    if !is_under_way() {
        return None;
    }
    let mut guard = making()?;
    let making = guard.as_mut()?;
    let models = &making.choosing.models;
    if !models.is_empty() && !models.iter().any(|wanted| wanted == model) {
        return None;
    }
    making.places.find(api, for_others, making.choosing.trace)
}

/// Which of the elements comes at which place; none: as usual.
fn order(
    model: &str,
    place: &Place,
    elements: &[Owned],
    sorted: Option<&Sorted>,
) -> Option<Vec<u32>> {
    chosen(ChoiceKind::Permute, model, place, elements, sorted)
}

/// The same for other kinds, of which the first element in the order is what comes instead of the first of all.
fn chosen(
    kind: ChoiceKind,
    model: &str,
    place: &Place,
    elements: &[Owned],
    sorted: Option<&Sorted>,
) -> Option<Vec<u32>> {
    let mut guard = making()?;
    let making = guard.as_mut()?;
    let (by_content, size) = (sorted.is_some(), elements.len() as u32);
    let asked = Asked { model, kind, place, by_content, size, sorted };
    let shown = || elements.iter().take(MOST_ELEMENTS).map(|one| values::shown(one.get()));
    making.choose(&asked, || shown().collect()).1
}

/// The same for an object, which shows one order as long as it is not modified.
fn order_of(
    model: &str,
    place: &Place,
    object: Object<'_>,
    elements: &[Owned],
) -> Option<Vec<u32>> {
    let mut hash = Xxh3::new();
    for element in elements {
        hash.update(&element.get().address().to_le_bytes());
    }
    let print = hash.digest();
    let sorted = values::sorted(elements);
    let alive = object.weak_reference()?;
    let mut guard = making()?;
    let making = guard.as_mut()?;
    let remembers = making.choosing.level != Level::Full;
    if remembers
        && let Some(known) = making.memory.get(&object.address())
        && known.elements == print
        && known.is_of(object)
    {
        let (id, order) = (known.id, known.order.clone());
        making.seen_again(id, place);
        return order;
    }
    let (by_content, size) = (false, elements.len() as u32);
    let kind = ChoiceKind::Permute;
    let asked = Asked { model, kind, place, by_content, size, sorted: sorted.as_ref() };
    let shown = || elements.iter().take(MOST_ELEMENTS).map(|one| values::shown(one.get()));
    let (id, order) = making.choose(&asked, || shown().collect());
    if remembers {
        let remembered = Remembered { alive, elements: print, id, order: order.clone() };
        making.memory.insert(object.address(), remembered);
    }
    order
}

impl Making {
    fn choose(
        &mut self,
        asked: &Asked<'_>,
        elements: impl FnOnce() -> Vec<String>,
    ) -> (ChoiceId, Option<Vec<u32>>) {
        let Asked { model, place, by_content, size, sorted, .. } = *asked;
        let question = Question {
            model,
            place: place.number,
            in_initialiser: place.in_initialiser,
            by_content,
            often: false,
            content: sorted.map_or(0, |sorted| sorted.content),
            size,
        };
        let chosen = self.chooser.choose(&question);
        let order = chosen.order.map(|order| match sorted {
            Some(Sorted { positions, .. }) => {
                order.into_iter().map(|at| positions[at as usize]).collect()
            }
            None => order,
        });
        if let Some(order) = &order
            && self.choosing.trace
        {
            self.note(chosen.id, asked, order, elements);
        }
        (chosen.id, order)
    }

    fn note(
        &mut self,
        id: ChoiceId,
        asked: &Asked<'_>,
        order: &[u32],
        elements: impl FnOnce() -> Vec<String>,
    ) {
        let Asked { model, kind, place, .. } = *asked;
        if self.made.iter().any(|made| made.id == id) {
            return self.seen_again(id, place);
        }
        if self.made.len() >= MOST_TOLD {
            return;
        }
        let detail = (self.made.len() < MOST_DETAILS).then(|| ChoiceDetail {
            stack: place.stack.clone(),
            elements: elements(),
            order: order.to_vec(),
            again: Vec::new(),
        });
        self.made.push(MadeChoice {
            id,
            model: model.to_owned(),
            kind,
            place: place.function.clone(),
            detail,
        });
    }

    fn seen_again(&mut self, id: ChoiceId, place: &Place) {
        let made = self.made.iter_mut().find(|made| made.id == id);
        let Some(detail) = made.and_then(|made| made.detail.as_mut()) else { return };
        let known = detail.stack == place.stack || detail.again.contains(&place.stack);
        if !known && detail.again.len() < MOST_LOOKS {
            detail.again.push(place.stack.clone());
        }
    }
}
