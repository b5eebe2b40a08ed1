//! What to choose where a specification leaves it open.
//!
//! Choices are keyed, not drawn from one stream: what is chosen follows from the seed and from what is asked, by whom, for the
//! how-manieth time. So it does not depend on what other tests or threads do, the same seed means the same alone and in the
//! suite, and one choice can be left out without moving any other. How far a key reaches is the [`Level`].
//!
//! It knows no VM and no collection: an object is a number here. Whoever asks must remember, at every level but FULL, what was
//! chosen for an object that has not changed since. Start reading at [`Chooser::choose`].
//!
//! [`Level`]: surefoot_model::Level

mod chooser;
mod permutation;
#[cfg(test)]
mod table;

pub use chooser::{Chooser, Chosen, Question};
