//! Makes choices while tests run, if that is wanted.

use std::sync::{Mutex, MutexGuard, PoisonError};

use surefoot_choice::{Chooser, Question};
use surefoot_model::{ChoiceDetail, ChoiceId, Choosing, Level, MadeChoice, RunChoices};

use crate::agent::Agent;
use crate::initialisers::Initialisers;
use crate::jni::Jni;
use crate::jvmti::Jvmti;
use crate::models::Asked;
use crate::place::Places;
use crate::{bundle, models};

/// Most choices that a run tells of. A run with more is not narrowed further down than to these.
const MOST_TOLD: usize = 4000;

/// Most further looks that are told of a choice.
const MOST_LOOKS: usize = 4;

/// Most choices that are told with their stacks.
const MOST_DETAILS: usize = 40;

#[derive(Debug, Default)]
pub(crate) struct Choices {
    making: Mutex<Option<Making>>,
    places: Places,
    pub(crate) initialisers: Initialisers,
}

#[derive(Debug)]
struct Making {
    chooser: Chooser,
    trace: bool,
    /// How many tests have started; names the one that is under way.
    tests: i32,
    made: Vec<MadeChoice>,
    /// The orders of `made`, to go with the details.
    orders: Vec<Vec<u32>>,
}

impl Choices {
    /// From now on, in every test.
    pub(crate) fn make(&self, agent: &Agent, jvmti: Jvmti, jni: Jni, choosing: Choosing) {
        if let Err(why) = models::weave(agent, jvmti, jni, &choosing.models) {
            return agent.trouble(format!("no choices are made: {why}"));
        }
        self.initialisers.count();
        let declared = if choosing.models.is_empty() {
            choosing.declared.as_slice()
        } else {
            Default::default()
        };
        if let Err(why) = models::declare(agent, jvmti, declared) {
            agent.trouble(format!("methods that were declared are left as they are: {why}"));
        }
        let set = |name, value: bool| {
            let class = jni.find_class(bundle::CHOICES)?;
            jni.set_static_int(class, name, i32::from(value))
        };
        set("remembers", choosing.level != Level::Full);
        set("tracing", choosing.trace);
        set("narrowed", choosing.only.is_some());
        let trace = choosing.trace;
        let tests = self.locked().as_ref().map_or(0, |making| making.tests);
        *self.locked() = Some(Making {
            chooser: Chooser::new(choosing),
            trace,
            tests,
            made: Vec::new(),
            orders: Vec::new(),
        });
    }

    pub(crate) fn test_starts(&self, jni: Jni, address: &str) {
        let number = {
            let mut making = self.locked();
            let Some(making) = making.as_mut() else { return };
            making.chooser.test_starts(address);
            making.made.clear();
            making.orders.clear();
            making.tests = making.tests.wrapping_add(1).max(1);
            making.tests
        };
        under_way(jni, number);
    }

    /// The choices of the test that was under way; none if nobody chose.
    pub(crate) fn test_ends(&self, jni: Jni) -> Option<RunChoices> {
        self.locked().as_ref()?;
        under_way(jni, 0);
        let mut making = self.locked();
        let making = making.as_mut()?;
        making.orders.clear();
        Some(RunChoices {
            reached: making.chooser.reached(),
            made: std::mem::take(&mut making.made),
        })
    }

    /// The order for whoever is on the stack of this thread; an empty one for that of the JDK, and none if it is not a
    /// question for a test. `initialising`: an initialiser of a class is under way, in some thread.
    pub(crate) fn choose(
        &self,
        jvmti: Jvmti,
        jni: Jni,
        asking: Asking,
        initialising: bool,
    ) -> Option<Vec<u32>> {
        let asked = models::find(asking.model)?;
        let in_initialiser = initialising || !self.initialisers.are_counted();
        let place = self.places.find(jvmti, jni, in_initialiser)?;
        let mut making = self.locked();
        let making = making.as_mut()?;
        let chosen = making.chooser.choose(&Question {
            place: place.number,
            in_initialiser: place.in_initialiser,
            often: asking.often,
            ..asking.by_content(&asked)
        });
        let order = chosen.order.unwrap_or_default();
        if making.trace && !order.is_empty() {
            making.note(chosen.id, &asked, &place.method, &order);
        }
        Some(order)
    }

    /// The same order as for somebody who asks often, without a look at who it is; none if it may be an initialiser.
    pub(crate) fn choose_by_content(&self, asking: Asking) -> Option<Vec<u32>> {
        let asked = models::find(asking.model).filter(|_| self.initialisers.are_counted())?;
        let mut making = self.locked();
        making.as_mut()?.chooser.choose(&asking.by_content(&asked)).order
    }

    /// Somebody sees an order that was chosen, for the first time or again; `shown` is that order counted from the usual one,
    /// and `elements` are in the usual one.
    pub(crate) fn traced(
        &self,
        order: &[i32],
        shown: &[i32],
        stack: Vec<String>,
        elements: Vec<String>,
    ) {
        let mut making = self.locked();
        let Some(making) = making.as_mut() else { return };
        let [order, shown] =
            [order, shown].map(|all| all.iter().map(|at| at.cast_unsigned()).collect::<Vec<u32>>());
        // The latest that looks the same: a choice is told right after it was made.
        let same = making.made.iter_mut().zip(&making.orders).rfind(|(made, known)| {
            let elements_fit =
                made.detail.as_ref().is_none_or(|detail| detail.elements == elements);
            **known == order && elements_fit
        });
        let Some((made, _)) = same else { return };
        match &mut made.detail {
            None => {
                let again = Vec::new();
                made.detail = Some(ChoiceDetail { stack, elements, order: shown, again });
            }
            Some(detail) => {
                let known = detail.stack == stack || detail.again.contains(&stack);
                if !known && detail.again.len() < MOST_LOOKS {
                    detail.again.push(stack);
                }
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Making>> {
        // A panic under the lock is caught at the VM's edge; what is there is still the best there is.
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an object of this content and size is to show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking {
    /// The number of the model.
    pub(crate) model: usize,
    pub(crate) content: u64,
    pub(crate) size: u32,
    /// By content, unless an initialiser asks.
    pub(crate) often: bool,
}

impl Asking {
    fn by_content<'a>(&self, asked: &'a Asked) -> Question<'a> {
        Question {
            model: &asked.name,
            place: 0,
            in_initialiser: false,
            by_content: asked.by_content,
            often: true,
            content: self.content,
            size: self.size,
        }
    }
}

impl Making {
    fn note(&mut self, id: ChoiceId, asked: &Asked, place: &str, order: &[u32]) {
        if self.made.len() >= MOST_TOLD || self.made.iter().rev().any(|made| made.id == id) {
            return;
        }
        let (model, place) = (asked.name.to_string(), place.to_owned());
        self.made.push(MadeChoice { id, model, kind: asked.kind, place, detail: None });
        self.orders.push(if self.made.len() <= MOST_DETAILS { order.to_vec() } else { Vec::new() });
    }
}

/// Woven classes look at this number before they ask.
fn under_way(jni: Jni, test: i32) {
    if let Some(class) = jni.find_class(bundle::CHOICES) {
        jni.set_static_int(class, "test", test);
        jni.delete_local(class);
    }
}
