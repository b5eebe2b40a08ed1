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
];

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
    /// Tell each choice that is made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trace: bool,
}

impl Choosing {
    /// Everything as it would be without: choices are only counted.
    pub fn nothing(&self) -> Choosing {
        Choosing { only: Some(Vec::new()), trace: false, ..self.clone() }
    }
}

/// Which choice of a run it is; the same one has the same id whenever the test runs with the same seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ChoiceId(pub u64);

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
    /// From the JDK's method down to the test; one frame each, as Java prints it.
    pub stack: Vec<String>,
    /// The elements in the order of the JDK; only the first ones if they are many. What is usual comes first, and what it
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
    fn an_id_is_text_that_every_reader_of_json_keeps() {
        let id = ChoiceId(u64::MAX - 1);
        let text = serde_json::to_string(&id).expect("an id is text");
        assert_eq!(text, "\"fffffffffffffffe\"");
        assert_eq!(serde_json::from_str::<ChoiceId>(&text).ok(), Some(id));
        assert!(serde_json::from_str::<ChoiceId>("\"x\"").is_err());
    }
}
