//! Answers what is asked while tests run.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{ChoiceId, Choosing, Level};
use xxhash_rust::xxh3::xxh3_64;

use crate::permutation::balanced;

/// Makes the choices of one VM.
#[derive(Debug)]
pub struct Chooser {
    choosing: Choosing,
    only: Option<BTreeSet<ChoiceId>>,
    /// What the test that is under way is called.
    test: u64,
    /// How often each place has asked in this test.
    asked: BTreeMap<u64, u32>,
    /// The same for initialisers of classes, which run once for all tests of a VM.
    asked_by_initialisers: BTreeMap<u64, u32>,
    reached: u32,
}

/// In which order are these elements to be shown?
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What it is about: `java.util.HashMap`.
    pub model: &'a str,
    /// A number for the place in the code that gets to see the order.
    pub place: u64,
    /// The place is in the initialiser of a class: whichever test comes first brings it about.
    pub in_initialiser: bool,
    /// Objects that show the same are the same thing, so that ID is as EQ: two listings of a directory.
    pub by_content: bool,
    /// Whoever asks has asked so often that every level but ONE is as EQ: to know the place takes long, and loops repeat themselves.
    pub often: bool,
    /// The same for objects that are equal.
    pub content: u64,
    pub size: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub id: ChoiceId,
    /// Which element comes at which place; none: as they would come anyway.
    pub order: Option<Vec<u32>>,
}

impl Chooser {
    pub fn new(choosing: Choosing) -> Self {
        let only = choosing.only.as_ref().map(|ids| ids.iter().copied().collect());
        Chooser {
            choosing,
            only,
            test: 0,
            asked: BTreeMap::new(),
            asked_by_initialisers: BTreeMap::new(),
            reached: 0,
        }
    }

    pub fn test_starts(&mut self, address: &str) {
        self.test = hash(&[], address);
        self.asked.clear();
        self.reached = 0;
    }

    /// How many choices have come up in this test.
    pub fn reached(&self) -> u32 {
        self.reached
    }

    pub fn choose(&mut self, question: &Question<'_>) -> Chosen {
        self.reached = self.reached.saturating_add(1);
        let id = ChoiceId(self.key(question));
        let made = self.only.as_ref().is_none_or(|only| only.contains(&id));
        Chosen { id, order: made.then(|| balanced(self.choosing.seed, id.0, question.size)) }
    }

    /// The same key, the same order.
    fn key(&mut self, question: &Question<'_>) -> u64 {
        let Question { model, place, in_initialiser, by_content, often, content, size } = *question;
        let by_content = match self.choosing.level {
            Level::One => return hash(&[u64::from(size)], model),
            Level::Eq => true,
            Level::Id => by_content || (often && !in_initialiser),
            Level::Full => often && !in_initialiser,
        };
        if by_content {
            return hash(&[u64::from(size), content], model);
        }
        let (asked, test) = match in_initialiser {
            true => (&mut self.asked_by_initialisers, 0),
            false => (&mut self.asked, self.test),
        };
        let times = asked.entry(hash(&[place], model)).or_default();
        *times += 1;
        hash(&[test, place, u64::from(*times)], model)
    }
}

fn hash(numbers: &[u64], text: &str) -> u64 {
    // A hash that takes its bytes piece by piece costs more than all else of a choice.
    let mut room = [0; 128];
    let length = size_of_val(numbers) + text.len();
    if length > room.len() {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        return xxh3_64(&bytes.chain(text.bytes()).collect::<Vec<u8>>());
    }
    let (front, back) = room[..length].split_at_mut(size_of_val(numbers));
    for (place, number) in front.chunks_exact_mut(size_of::<u64>()).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    back.copy_from_slice(text.as_bytes());
    xxh3_64(&room[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choosing(level: Level) -> Choosing {
        Choosing {
            seed: 42,
            level,
            only: None,
            models: Vec::new(),
            declared: Vec::new(),
            identity_hash: None,
            trace: false,
        }
    }

    fn question(place: u64) -> Question<'static> {
        Question {
            model: "java.util.HashMap",
            place,
            in_initialiser: false,
            by_content: false,
            often: false,
            content: 7,
            size: 6,
        }
    }

    /// What a test is answered that asks at these places.
    fn answers(chooser: &mut Chooser, test: &str, places: &[u64]) -> Vec<Chosen> {
        chooser.test_starts(test);
        places.iter().map(|place| chooser.choose(&question(*place))).collect()
    }

    #[test]
    fn a_test_is_answered_alone_what_it_is_answered_in_the_suite() {
        for level in [Level::Full, Level::Id, Level::Eq, Level::One] {
            let mut suite = Chooser::new(choosing(level));
            answers(&mut suite, "a", &[1, 2, 1]);
            let among_others = answers(&mut suite, "b", &[1, 2]);
            assert_eq!(
                among_others,
                answers(&mut Chooser::new(choosing(level)), "b", &[1, 2]),
                "{level}"
            );
        }
    }

    #[test]
    fn what_another_thread_asks_elsewhere_changes_nothing() {
        let alone = answers(&mut Chooser::new(choosing(Level::Full)), "a", &[1, 1]);
        let mixed = answers(&mut Chooser::new(choosing(Level::Full)), "a", &[1, 9, 9, 1]);
        assert_eq!(alone, [mixed[0].clone(), mixed[3].clone()]);
        assert_ne!(alone[0].id, alone[1].id, "the second time is another choice");
    }

    #[test]
    fn a_choice_can_be_left_out_without_moving_the_others() {
        let all = answers(&mut Chooser::new(choosing(Level::Id)), "a", &[1, 2, 3]);
        let only = Some(vec![all[0].id, all[2].id]);
        let mut chooser = Chooser::new(Choosing { only, ..choosing(Level::Id) });
        let some = answers(&mut chooser, "a", &[1, 2, 3]);
        assert_eq!((&some[0], &some[2]), (&all[0], &all[2]));
        assert_eq!(some[1], Chosen { id: all[1].id, order: None });
        assert_eq!(chooser.reached(), 3);
    }

    #[test]
    fn an_initialiser_is_answered_the_same_whichever_test_comes_first() {
        let initialiser = Question { in_initialiser: true, ..question(5) };
        let first_in = |test: &str| {
            let mut chooser = Chooser::new(choosing(Level::Id));
            chooser.test_starts(test);
            chooser.choose(&initialiser)
        };
        assert_eq!(first_in("a"), first_in("b"));
    }

    #[test]
    fn what_lies_outside_shows_one_order_to_all_but_full() {
        let listing = |place| Question { by_content: true, ..question(place) };
        for (level, same) in [(Level::Id, true), (Level::Full, false)] {
            let mut chooser = Chooser::new(choosing(level));
            let (one, other) = (chooser.choose(&listing(1)), chooser.choose(&listing(2)));
            assert_eq!(one.id == other.id, same, "{level}");
        }
    }

    #[test]
    fn whoever_asks_often_is_answered_by_content() {
        for level in [Level::Full, Level::Id] {
            let mut chooser = Chooser::new(choosing(level));
            chooser.test_starts("a");
            let often = |place, content| Question { often: true, content, ..question(place) };
            let first = chooser.choose(&often(1, 7));
            assert_eq!(first, chooser.choose(&often(2, 7)), "{level}");
            assert_ne!(first.id, chooser.choose(&often(1, 8)).id, "{level}");
            let initialiser = Question { in_initialiser: true, ..often(1, 7) };
            assert_ne!(chooser.choose(&initialiser).id, chooser.choose(&initialiser).id, "{level}");
        }
    }

    #[test]
    fn another_seed_is_another_order() {
        let with =
            |seed| answers(&mut Chooser::new(Choosing { seed, ..choosing(Level::One) }), "a", &[1]);
        let orders: BTreeSet<Option<Vec<u32>>> =
            (0..20).map(|seed| with(seed)[0].order.clone()).collect();
        assert!(orders.len() > 10, "{}", orders.len());
    }
}
