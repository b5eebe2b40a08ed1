//! Whose static fields are looked at, if the user says so.

use regex::RegexSet;

/// By the name of the class, `com.acme.Foo`.
#[derive(Debug, Clone)]
pub(crate) struct Include(RegexSet);

impl Include {
    /// None if the user did not say. Expressions were tried outside before they came here.
    pub(crate) fn new(expressions: &[String]) -> Option<Include> {
        if expressions.is_empty() {
            return None;
        }
        RegexSet::new(expressions).ok().map(Include)
    }

    pub(crate) fn covers(&self, class: &str) -> bool {
        self.0.is_match(class)
    }
}
