//! The Java classes that the agent carries, compiled by build.rs.

/// Class name with slashes, and its bytes.
const CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/classes.rs"));

/// The class that woven code calls.
pub(crate) const PROBE: &str = "java/util/SurefootProbe";
pub(crate) const LOADER: &str = "java/util/SurefootLoader";

/// Asked by woven classes of the JDK.
pub(crate) const CHOICES: &str = "java/util/SurefootChoices";

/// Asked which objects have changed.
pub(crate) const RECALL: &str = "java/util/SurefootRecall";

pub(crate) fn class(name: &str) -> Option<&'static [u8]> {
    CLASSES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    CLASSES.iter().map(|(name, _)| *name)
}
