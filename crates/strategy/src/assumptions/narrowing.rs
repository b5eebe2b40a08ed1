//! From the many choices of a run that fails, or tests before it, to the few that it takes: delta debugging.

/// A run that takes more than so many is not known to take any of them: as a rule it does not fail each time, since what is usual is not the
/// same in each VM.
pub(super) const MOST_NEEDED: usize = 16;

/// The search for one failing run's minimal set of choices, or of tests that ran before it.
#[derive(Debug, Clone)]
pub(super) struct Narrowing<T> {
    /// A set that fails; shrinks.
    failing: Vec<T>,
    /// Guesses that are tried before anything else.
    guesses: Vec<Vec<T>>,
    /// Into how many parts the set is cut next.
    parts: usize,
    executions: u32,
    done: bool,
}

impl<T: Clone> Narrowing<T> {
    /// `failing` are the choices of a run that failed; `guesses` are parts of them that may be enough.
    pub(super) fn new(failing: Vec<T>, guesses: Vec<Vec<T>>) -> Self {
        let guesses = guesses.into_iter().filter(|guess| guess.len() < failing.len()).collect();
        let done = failing.len() <= 1;
        Narrowing { failing, guesses, parts: 2, executions: 0, done }
    }

    /// The smallest set that is known to fail.
    pub(super) fn failing(&self) -> &[T] {
        &self.failing
    }

    /// How many times the test was run for it.
    pub(super) fn executions(&self) -> u32 {
        self.executions
    }

    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// The sets to try next, the most wanted first; none when done.
    pub(super) fn candidates(&self) -> Vec<Vec<T>> {
        if self.done {
            return Vec::new();
        }
        if !self.guesses.is_empty() {
            return self.guesses.clone();
        }
        let parts = self.cut();
        let mut candidates: Vec<Vec<T>> = parts.iter().map(|part| part.to_vec()).collect();
        if parts.len() > 2 {
            candidates.extend((0..parts.len()).map(|left_out| {
                let kept = parts.iter().enumerate().filter(|(at, _)| *at != left_out);
                kept.flat_map(|(_, part)| part.iter().cloned()).collect()
            }));
        }
        candidates
    }

    /// Which of the candidates failed.
    pub(super) fn observe(&mut self, failed: &[bool]) {
        let candidates = self.candidates();
        self.executions += failed.len() as u32;
        let first = candidates.iter().zip(failed).position(|(_, failed)| *failed);
        if !self.guesses.is_empty() {
            self.guesses.clear();
            if let Some(first) = first {
                self.failing.clone_from(&candidates[first]);
            }
            self.done = self.failing.len() <= 1;
            return;
        }
        let parts = self.cut().len();
        match first {
            Some(first) => {
                self.failing.clone_from(&candidates[first]);
                self.parts = if first < parts { 2 } else { (parts - 1).max(2) };
                self.done = self.failing.len() <= 1;
            }
            // Every part alone, and all but every part, were tried. What needs few would have failed without one of many parts.
            None if parts >= self.failing.len().min(MOST_NEEDED + 1) => self.done = true,
            None => self.parts = (2 * parts).min(self.failing.len()),
        }
    }

    fn cut(&self) -> Vec<&[T]> {
        let size = self.failing.len().div_ceil(self.parts).max(1);
        self.failing.chunks(size).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use surefoot_model::ChoiceId;

    use super::*;

    fn ids(numbers: impl IntoIterator<Item = u64>) -> Vec<ChoiceId> {
        numbers.into_iter().map(ChoiceId).collect()
    }

    /// Narrows until done; a set fails if `fails` says so.
    fn narrowed(
        mut narrowing: Narrowing<ChoiceId>,
        fails: impl Fn(&[ChoiceId]) -> bool,
    ) -> (Vec<ChoiceId>, u32) {
        while !narrowing.is_done() {
            let failed: Vec<bool> =
                narrowing.candidates().iter().map(|candidate| fails(candidate)).collect();
            narrowing.observe(&failed);
        }
        (narrowing.failing().to_vec(), narrowing.executions())
    }

    #[test]
    fn one_choice_of_many_is_found_in_a_few_runs() {
        let fails = |set: &[ChoiceId]| set.contains(&ChoiceId(77));
        let (found, runs) = narrowed(Narrowing::new(ids(0..128), Vec::new()), fails);
        assert_eq!(found, ids([77]));
        assert_eq!(runs, 14, "two for each halving");
    }

    #[test]
    fn a_good_guess_saves_them() {
        let fails = |set: &[ChoiceId]| set.contains(&ChoiceId(77));
        let narrowing = Narrowing::new(ids(0..128), vec![ids([3]), ids([77])]);
        assert_eq!(narrowed(narrowing, fails), (ids([77]), 2));
        let narrowing = Narrowing::new(ids(0..128), vec![ids([3])]);
        assert_eq!(narrowed(narrowing, fails), (ids([77]), 15));
    }

    #[test]
    fn what_never_fails_again_is_given_up_after_a_few_runs() {
        let (left, runs) = narrowed(Narrowing::new(ids(0..200), Vec::new()), |_| false);
        assert_eq!(left.len(), 200);
        assert!(runs < 130, "{runs}");
    }

    proptest! {
        #[test]
        fn what_is_found_fails_and_nothing_can_be_left_out(
            size in 1_u64..60,
            needed in prop::collection::btree_set(0_u64..60, 1..4),
        ) {
            let needed: Vec<u64> = needed.into_iter().filter(|n| *n < size).collect();
            prop_assume!(!needed.is_empty());
            let fails = |set: &[ChoiceId]| needed.iter().all(|n| set.contains(&ChoiceId(*n)));
            let (mut found, _) = narrowed(Narrowing::new(ids(0..size), Vec::new()), fails);
            found.sort_unstable();
            prop_assert_eq!(found, ids(needed));
        }
    }
}
