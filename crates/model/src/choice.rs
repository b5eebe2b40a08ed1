//! Choices: where a specification leaves open what happens, and what to let happen.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much of what a specification leaves open is used (dissertation, 2.3.2), most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Anything goes on every call.
    Full,
    /// The same for the same unmodified object.
    Id,
    /// The same for equal objects.
    Eq,
    /// One other behaviour, as deterministic as the original.
    One,
}

impl Level {
    /// Most freedom first.
    pub const ALL: [Level; 4] = [Level::Full, Level::Id, Level::Eq, Level::One];

    pub fn name(self) -> &'static str {
        match self {
            Level::Full => "full",
            Level::Id => "id",
            Level::Eq => "eq",
            Level::One => "one",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a specification leaves open what happens (dissertation, Table 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceKind {
    /// Elements come in any order.
    #[default]
    Permute,
    /// There may be more elements.
    Extend,
    /// Any number.
    Random,
}

impl ChoiceKind {
    pub const ALL: [ChoiceKind; 3] = [ChoiceKind::Permute, ChoiceKind::Extend, ChoiceKind::Random];

    pub fn name(self) -> &'static str {
        match self {
            ChoiceKind::Permute => "permute",
            ChoiceKind::Extend => "extend",
            ChoiceKind::Random => "random",
        }
    }

    fn is_permute(&self) -> bool {
        *self == ChoiceKind::Permute
    }
}

impl fmt::Display for ChoiceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a user says of a method: that it promises less than it keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declaration {
    /// `com.acme.Catalog.names`: all methods of that name.
    pub method: String,
    pub kind: ChoiceKind,
}

/// What can be chosen, by the name of what it is a choice of. docs/models.md describes them.
pub const MODELS: &[&str] = &[
    "java.util.HashMap",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.Hashtable",
    "java.util.WeakHashMap",
    "java.util.IdentityHashMap",
    "java.util.Set.of",
    "java.util.PriorityQueue",
    "java.util.concurrent.PriorityBlockingQueue",
    "java.lang.Class",
    "java.lang.reflect.AnnotatedElement",
    "java.util.Locale",
    "java.text.DateFormatSymbols",
    "java.io.File",
    "java.nio.file.DirectoryStream",
    "set",
    "os.listdir",
    "concurrent.futures.as_completed",
    "asyncio.as_completed",
    "multiprocessing.pool.imap_unordered",
    "sqlite3",
    HASH_SEED,
];

/// What hashes of `str` and `bytes` follow from: chosen for a whole process of Python, before it starts.
pub const HASH_SEED: &str = "PYTHONHASHSEED";

/// The name of the hash codes that a VM gives to objects, which are chosen for a whole VM, as one of [`MODELS`].
pub const IDENTITY_HASH: &str = "java.lang.Object.hashCode";

/// The name of the ids of Python's objects, and of the hashes that follow from them, which are chosen for a whole process.
pub const OBJECT_ID: &str = "id";

/// What tells objects apart that are not told apart by their content is chosen for a whole VM; the least unusual comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdentityHash {
    /// Of the JVM: `Object.hashCode` and `System.identityHashCode` return 1, 2, 3 and so on, as objects are first asked.
    Counted,
    /// Of the JVM: they return the same for all objects.
    Same,
    /// Of Python: objects lie elsewhere in memory, and `id` tells where.
    Moved,
}

impl IdentityHash {
    pub fn name(self) -> &'static str {
        match self {
            IdentityHash::Counted => "counted",
            IdentityHash::Same => "same",
            IdentityHash::Moved => "moved",
        }
    }
}

/// What a runtime is to choose while tests run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choosing {
    pub seed: u64,
    pub level: Level,
    /// Only these choices are made; where another comes up, everything stays as it would be. None for all choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<ChoiceId>>,
    /// Only what these models are of; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// Methods that can be chosen for too, unless it is only for some models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<Declaration>,
    /// Of the whole VM, which has to be started so; none for the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity_hash: Option<IdentityHash>,
    /// Tell each choice that is made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trace: bool,
}

impl Choosing {
    /// Everything as it would be without: choices are only counted.
    pub fn nothing(&self) -> Choosing {
        Choosing { only: Some(Vec::new()), trace: false, ..self.clone() }
    }

    /// What any seed, level and set of choices have in common.
    pub fn in_general(&self) -> Choosing {
        let (seed, level, identity_hash) = (0, Level::Id, None);
        Choosing { seed, level, identity_hash, ..self.nothing() }
    }

    /// What a process of Python is to start with, if that is chosen: only where it is named, as all other choices of the
    /// process would follow from it. 0 is what is usual.
    pub fn hash_seed(&self) -> Option<u32> {
        let is_made = self.only.as_ref().is_none_or(|only| only.contains(&ChoiceId::HASH_SEED));
        let is_named = self.models.iter().any(|model| model == HASH_SEED);
        let seed = (self.seed & u64::from(u32::MAX)) as u32;
        (is_named && is_made).then_some(if seed == 0 { u32::MAX } else { seed })
    }
}

/// Which choice of a run it is; the same one has the same id whenever the test runs with the same seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ChoiceId(pub u64);

impl ChoiceId {
    /// The one of [`HASH_SEED`]: a process has no other.
    pub const HASH_SEED: ChoiceId = ChoiceId(0x5059_4841_5348_0000);
}

impl fmt::Display for ChoiceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<ChoiceId> for String {
    fn from(id: ChoiceId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for ChoiceId {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<ChoiceId, Self::Error> {
        u64::from_str_radix(&text, 16).map(ChoiceId)
    }
}

/// The choices of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunChoices {
    /// How many came up, made or not.
    pub reached: u32,
    /// Those that were made, if that was wanted: the first of each id, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<MadeChoice>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeChoice {
    pub id: ChoiceId,
    /// What it is a choice of: `java.util.HashMap`.
    pub model: String,
    #[serde(default, skip_serializing_if = "ChoiceKind::is_permute")]
    pub kind: ChoiceKind,
    /// The method that saw the order, as `com.acme.Cart.total`.
    pub place: String,
    /// Told for the first choices of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ChoiceDetail>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceDetail {
    /// From what was called down to the test; one frame each, as Java prints it.
    pub stack: Vec<String>,
    /// The elements in the usual order; only the first ones if they are many. What is usual comes first, and what it
    /// may be instead after it, where the choice is not one of an order.
    pub elements: Vec<String>,
    /// Which of all elements came at each place instead.
    pub order: Vec<u32>,
    /// The stacks of others that saw the same order of the same object later; some of them, if they are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_chosen_only_where_that_is_asked_for() {
        let choosing = |models: &[&str], only: Option<Vec<ChoiceId>>, seed: u64| Choosing {
            seed,
            level: Level::Id,
            only,
            models: models.iter().map(|&model| model.to_owned()).collect(),
            declared: Vec::new(),
            identity_hash: None,
            trace: false,
        };
        assert_eq!(choosing(&[HASH_SEED], None, 42).hash_seed(), Some(42));
        assert_eq!(choosing(&[HASH_SEED], None, 0).hash_seed(), Some(u32::MAX), "0 is usual");
        assert_eq!(choosing(&[HASH_SEED], None, 1 << 32).hash_seed(), Some(u32::MAX));
        assert_eq!(choosing(&[HASH_SEED], None, 42).nothing().hash_seed(), None);
        let only = Some(vec![ChoiceId::HASH_SEED]);
        assert_eq!(choosing(&[HASH_SEED], only, 7).hash_seed(), Some(7));
        assert_eq!(choosing(&[], None, 42).hash_seed(), None);
    }

    #[test]
    fn an_id_is_text_that_every_reader_of_json_keeps() {
        let id = ChoiceId(u64::MAX - 1);
        let text = serde_json::to_string(&id).expect("an id is text");
        assert_eq!(text, "\"fffffffffffffffe\"");
        assert_eq!(serde_json::from_str::<ChoiceId>(&text).ok(), Some(id));
        assert!(serde_json::from_str::<ChoiceId>("\"x\"").is_err());
    }
}
