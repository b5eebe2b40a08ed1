//! The last walk through the project's state, and which of its parts need not be made again.
//!
//! A part is what a root led to that no root before it did. It is still right if nothing in it has changed, as marks tell
//! ([`crate::libraries`]), and if the roots before it still lead to what it leaves to them, and to nothing of what it has. So a walk that
//! makes the other parts again comes to what a walk through everything would come to.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_state::Label;

use crate::part::{Held, Part};
use crate::places::Places;
use crate::snapshot::{Root, Snapshot};

#[derive(Debug)]
pub(crate) struct Last {
    snapshot: Arc<Snapshot>,
    /// The first root that has not been asked for.
    next: usize,
    /// Made when it is needed: nearly always roots are asked for in the order in which they are there.
    by_name: Option<FxHashMap<Label, usize>>,
    /// Objects that may have changed.
    changed: FxHashSet<usize>,
    /// Objects that several roots led to, and that the first of them does not lead to any more.
    left: FxHashSet<usize>,
    /// Parts that this walk does not have.
    gone: Vec<Arc<Part>>,
    /// Roots have changed places: what is reached first from where is another question then.
    pub(crate) is_out_of_order: bool,
}

impl Last {
    /// With the objects that may have changed since.
    pub(crate) fn new(snapshot: Arc<Snapshot>, places: &mut Places, changed: &[usize]) -> Last {
        places.reopen();
        changed.iter().for_each(|address| places.change(*address));
        Last {
            snapshot,
            next: 0,
            by_name: None,
            changed: changed.iter().copied().collect(),
            left: FxHashSet::default(),
            gone: Vec::new(),
            is_out_of_order: false,
        }
    }

    /// The root of this name, if it was there. Those before it that nobody asked for are not there any more.
    pub(crate) fn root(&mut self, name: Label, places: &Places) -> Option<Root> {
        let roots = self.snapshot.own_roots();
        if let Some(root) = roots.get(self.next).filter(|root| root.name == name) {
            self.next += 1;
            return Some(root.clone());
        }
        let all = || roots.iter().enumerate().map(|(at, root)| (root.name, at)).collect();
        let at = *self.by_name.get_or_insert_with(all).get(&name)?;
        if at < self.next {
            self.is_out_of_order = true;
            return None;
        }
        self.leave_until(at, places);
        self.next = at + 1;
        Some(self.snapshot.own_roots()[at].clone())
    }

    fn leave_until(&mut self, end: usize, places: &Places) {
        for at in self.next..end {
            let root = self.snapshot.own_roots()[at].clone();
            self.leave(&root, places);
        }
    }

    /// Whether all that this root led to is as it was, given that it still holds this object.
    pub(crate) fn is_right(&self, root: &Root, address: usize, places: &Places) -> bool {
        let Some(part) = &root.part else {
            let is_it = |identity: u64| identity == address as u64;
            return matches!(root.held, Held::Other(identity, _) if is_it(identity))
                && places.settled(address).is_some();
        };
        let is_left = |held: &Held| match held {
            Held::Other(identity, _) => {
                let address = *identity as usize;
                self.left.contains(&address) && places.settled(address).is_none()
            }
            _ => false,
        };
        places.is_open(part.id)
            && root.held == Held::Node(0)
            && part.things()[0].identity == address as u64
            && !part.depends_on.iter().any(|address| self.changed.contains(address))
            && (self.left.is_empty() || !part.edges().iter().any(|(_, held)| is_left(held)))
    }

    /// What this root led to is not the same any more, and has been walked through again if it is still there.
    pub(crate) fn leave(&mut self, root: &Root, places: &Places) {
        if let Some(part) = &root.part {
            self.left.extend(places.shared_of(part));
            self.gone.push(Arc::clone(part));
        }
    }

    /// All roots have been asked for.
    pub(crate) fn end(mut self, places: &mut Places) {
        self.leave_until(self.snapshot.own_roots().len(), places);
        self.gone.iter().for_each(|part| places.forget(part));
    }
}
