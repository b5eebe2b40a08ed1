//! The values that options take, on the command line and in the configuration.

use clap::ValueEnum;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use surefoot_model::choice::{IDENTITY_HASH, MODELS, OBJECT_ID};
use surefoot_model::{CapturePoints, ChoiceKind, ClassSetup, Declaration};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For machines, with a version
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ChoiceLevel {
    /// Another order on every call
    Full,
    /// One order for one object as long as it is unchanged
    Id,
    /// One order for equal objects
    Eq,
    /// One other order, always the same
    One,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FreshVmPer {
    Test,
    Class,
    Suite,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SharedOrPerRun {
    Shared,
    PerRun,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RerunMode {
    /// All tests of one kind of VM: t, t, u, u, v, v
    Suite,
    /// The tests of a class: t, t, u, u
    Class,
    /// Only the runs of one test: t, t
    Method,
}

impl From<SharedOrPerRun> for ClassSetup {
    fn from(how: SharedOrPerRun) -> ClassSetup {
        match how {
            SharedOrPerRun::Shared => ClassSetup::Shared,
            SharedOrPerRun::PerRun => ClassSetup::PerRun,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum TestOrder {
    AsSeen,
    Reverse,
    Random(u64),
    Given,
}

impl TestOrder {
    pub(super) fn parse(text: &str) -> Result<TestOrder, String> {
        match text {
            "as-seen" => Ok(TestOrder::AsSeen),
            "reverse" => Ok(TestOrder::Reverse),
            "given" => Ok(TestOrder::Given),
            _ => text
                .strip_prefix("random:")
                .and_then(|seed| seed.parse().ok())
                .map(TestOrder::Random)
                .ok_or_else(|| {
                    "it is as-seen, reverse, given or random: with a whole number, as in random:42"
                        .to_owned()
                }),
        }
    }
}

impl TryFrom<String> for TestOrder {
    type Error = String;

    fn try_from(text: String) -> Result<TestOrder, String> {
        TestOrder::parse(&text)
    }
}

pub(super) fn at_least_two<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u32>, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if number < 2 {
        return Err(D::Error::custom("repeat is at least 2: once shows nothing"));
    }
    Ok(Some(number))
}

/// The name of something whose order can be changed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct ModelName(pub(crate) String);

impl TryFrom<String> for ModelName {
    type Error = String;

    fn try_from(text: String) -> Result<ModelName, String> {
        model(&text)
    }
}

pub(super) fn model(text: &str) -> Result<ModelName, String> {
    if [IDENTITY_HASH, OBJECT_ID].contains(&text) || MODELS.contains(&text) {
        return Ok(ModelName(text.to_owned()));
    }
    let known = MODELS.join(", ");
    Err(format!("there is no model of that name; there are {known}, {IDENTITY_HASH}, {OBJECT_ID}"))
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct DeclaredMethod(pub(crate) Declaration);

impl TryFrom<String> for DeclaredMethod {
    type Error = String;

    fn try_from(text: String) -> Result<DeclaredMethod, String> {
        declaration(&text)
    }
}

pub(super) fn declaration(text: &str) -> Result<DeclaredMethod, String> {
    const EXAMPLE: &str = "as in com.acme.Catalog.names=permute";
    let (method, kind) = text
        .split_once('=')
        .ok_or_else(|| format!("it is a method and permute, extend or random, {EXAMPLE}"))?;
    let kind = ChoiceKind::ALL.into_iter().find(|known| known.name() == kind);
    let kind = kind.ok_or_else(|| format!("a kind is permute, extend or random, {EXAMPLE}"))?;
    let is_name = |part: &str| !part.is_empty() && !part.contains([' ', '(', '/', '#']);
    if !method.contains('.') || !method.split('.').all(is_name) {
        return Err(format!("a method is the full name of its class and its own, {EXAMPLE}"));
    }
    Ok(DeclaredMethod(Declaration { method: method.to_owned(), kind }))
}

/// As [`overhead`], for the configuration.
pub(super) fn overhead_of_file<'d, D: serde::Deserializer<'d>>(
    file: D,
) -> Result<Option<f64>, D::Error> {
    let number: Option<f64> = Deserialize::deserialize(file)?;
    let Some(number) = number else { return Ok(None) };
    overhead(&number.to_string()).map(Some).map_err(serde::de::Error::custom)
}

/// As on the command line.
pub(super) fn points_of_file<'d, D: Deserializer<'d>>(
    file: D,
) -> Result<Option<CapturePoints>, D::Error> {
    let text = String::deserialize(file)?;
    text.parse().map(Some).map_err(D::Error::custom)
}

pub(super) fn overhead(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|overhead: &f64| *overhead > 1.0);
    number.ok_or_else(|| "it is a number above 1, as in 1.2".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_parsed_and_nonsense_is_refused() {
        let parsed = declaration("com.acme.Catalog$Inner.names=extend").map(|one| one.0);
        let method = "com.acme.Catalog$Inner.names".to_owned();
        assert_eq!(parsed, Ok(Declaration { method, kind: ChoiceKind::Extend }));
        for text in ["a.B.c", "a.B.c=shuffle", "names=permute", "a.B.=permute", "a.B#c()=permute"] {
            assert!(declaration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn orders_are_parsed_and_nonsense_is_refused() {
        assert_eq!(TestOrder::parse("random:42"), Ok(TestOrder::Random(42)));
        assert_eq!(TestOrder::parse("reverse"), Ok(TestOrder::Reverse));
        for text in ["random", "random:", "random:x", "sideways", ""] {
            assert!(TestOrder::parse(text).is_err(), "{text}");
        }
    }
}
