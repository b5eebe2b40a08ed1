//! Which tests a user means.

use std::collections::BTreeSet;

use surefoot_model::{Framework, Test, TestId, Watch};
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no test {wanted:?} was seen{}", self.hint())]
pub struct UnknownTest {
    pub wanted: String,
    pub similar: Vec<TestId>,
}

impl UnknownTest {
    fn hint(&self) -> String {
        if self.similar.is_empty() {
            return "; `surefoot tests` lists those that were".to_owned();
        }
        let names: Vec<&str> = self.similar.iter().map(TestId::as_str).collect();
        format!("; did you mean {}?", names.join(" or "))
    }
}

/// The tests that the words mean, in the order of the words; all tests for no words.
///
/// A word is a test's id, its class with or without the package, its method (then all its invocations are meant), or any of
/// these with `*` for any characters. For pytest it is a node id or the beginning of one (a directory, a file, a class, a
/// function without its parameters), with or without what comes before it.
pub fn select(watch: &Watch, words: &[String]) -> Result<Vec<TestId>, UnknownTest> {
    if words.is_empty() {
        return Ok(watch.tests.keys().cloned().collect());
    }
    let mut selected = Vec::new();
    let mut known = BTreeSet::new();
    for word in words {
        let before = selected.len();
        let mut any = false;
        for run in watch.runs() {
            let Some(test) = watch.tests.get(&run.test) else {
                continue;
            };
            if means(word, test) {
                any = true;
                if known.insert(&run.test) {
                    selected.push(run.test.clone());
                }
            }
        }
        if !any {
            debug_assert_eq!(before, selected.len());
            return Err(UnknownTest { wanted: word.clone(), similar: similar(watch, word) });
        }
    }
    Ok(selected)
}

fn means(word: &str, test: &Test) -> bool {
    match test.framework {
        Framework::Pytest => means_node(word, test.id.as_str()),
        _ => means_method(word, test),
    }
}

fn means_node(word: &str, id: &str) -> bool {
    let word = word.strip_prefix("./").unwrap_or(word).trim_end_matches('/');
    // Parameters may hold anything.
    let plain = id.find('[').map_or(id, |at| &id[..at]);
    let ends = ["/", "::"].into_iter().flat_map(|mark| plain.match_indices(mark));
    let ends = ends.map(|(at, _)| at).chain([plain.len(), id.len()]);
    let after = |mark: &'static str| plain.match_indices(mark).map(move |(at, _)| at + mark.len());
    let starts: Vec<usize> = after("/").chain(after("::")).chain([0]).collect();
    ends.into_iter().any(|end| {
        starts.iter().any(|start| id.get(*start..end).is_some_and(|name| glob(word, name)))
    })
}

fn means_method(word: &str, test: &Test) -> bool {
    let id = test.id.as_str();
    let package = test.class.rfind('.').map_or(0, |dot| dot + 1);
    let short = id.strip_prefix(&test.class[..package]).unwrap_or(id);
    let class = test.class.as_str();
    // A class means its nested classes too.
    let outer = class.match_indices('$').map(|(at, _)| &class[..at]);
    let classes = outer.chain([class]).flat_map(|name| [name, &name[package..]]);
    // `Class#method` for `Class#method(int)[3]`, and `Class#method(int)` too.
    let methods = [id, short].into_iter().flat_map(|name| {
        let ends = ['(', '['].into_iter().flat_map(move |c| name.match_indices(c));
        ends.map(move |(at, _)| &name[..at])
    });
    [id, short].into_iter().chain(classes).chain(methods).any(|name| glob(word, name))
}

/// `*` stands for any characters, everything else for itself.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Up to three tests that share the word's last part, whatever their case.
fn similar(watch: &Watch, word: &str) -> Vec<TestId> {
    let part = word
        .rsplit(['#', '.', ':', '/', '*'])
        .find(|part| !part.is_empty())
        .unwrap_or(word)
        .to_lowercase();
    watch
        .tests
        .keys()
        .filter(|id| id.as_str().to_lowercase().contains(&part))
        .take(3)
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::watch;

    fn selected(words: &[&str]) -> Result<Vec<String>, UnknownTest> {
        let watch = watch(&[&[
            "a.b.Cart#sum(int)[1]",
            "a.b.Cart#sum(int)[2]",
            "a.b.Cart#empty",
            "a.c.Cat#purrs",
            "a.c.Cat$Kitten#meows",
        ]]);
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        select(&watch, &words).map(|tests| tests.into_iter().map(|id| id.0).collect())
    }

    #[test]
    fn a_word_may_be_an_id_a_class_or_a_method() {
        let sums = ["a.b.Cart#sum(int)[1]", "a.b.Cart#sum(int)[2]"];
        assert_eq!(selected(&["a.b.Cart#sum(int)[2]"]).unwrap(), [sums[1]]);
        assert_eq!(selected(&["a.b.Cart#sum(int)"]).unwrap(), sums);
        assert_eq!(selected(&["Cart#sum"]).unwrap(), sums);
        assert_eq!(selected(&["Cart"]).unwrap().len(), 3);
        assert_eq!(selected(&["a.c.Cat"]).unwrap(), ["a.c.Cat#purrs", "a.c.Cat$Kitten#meows"]);
        assert_eq!(selected(&["Cat$Kitten"]).unwrap(), ["a.c.Cat$Kitten#meows"]);
        assert_eq!(selected(&["a.*#*[2]", "*purrs"]).unwrap(), [sums[1], "a.c.Cat#purrs"]);
    }

    #[test]
    fn a_word_may_be_a_node_id_of_pytest_or_the_beginning_of_one() {
        let one = |word: &str, id: &str| means_node(word, id);
        let id = "tests/unit/test_cart.py::TestSum::test_adds[a/b::c-1]";
        for word in [
            id,
            "tests",
            "tests/",
            "./tests/unit",
            "unit",
            "test_cart.py",
            "unit/test_cart.py::TestSum",
            "test_cart.py::TestSum::test_adds",
            "test_cart.py::TestSum::test_adds[a/b::c-1]",
            "TestSum",
            "test_adds",
            "*::test_adds",
            "*b::c-1]",
        ] {
            assert!(one(word, id), "{word}");
        }
        for word in ["test", "cart.py", "c-1]", "adds", "tests/unit/test_cart", "b"] {
            assert!(!one(word, id), "{word}");
        }
        assert!(one("README.rst", "docs/README.rst::README.rst"));
    }

    #[test]
    fn tests_come_in_the_order_of_the_words_and_once() {
        let first_two = ["a.c.Cat#purrs", "a.b.Cart#empty"];
        assert_eq!(selected(&["Cat#purrs", "Cart#empty", "a.*"]).unwrap()[..2], first_two);
        assert_eq!(selected(&["Cat", "a.*"]).unwrap().len(), 5);
    }

    #[test]
    fn an_unknown_test_is_an_error_with_a_hint() {
        let error = selected(&["a.b.Cart#Empty"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no test \"a.b.Cart#Empty\" was seen; did you mean a.b.Cart#empty?"
        );
        let error = selected(&["zzz"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no test \"zzz\" was seen; `surefoot tests` lists those that were"
        );
    }
}
