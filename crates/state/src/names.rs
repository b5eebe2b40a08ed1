//! Names of classes, fields and roots, each kept once.

use std::collections::HashMap;
use std::sync::Arc;

/// A name in [`Names`]. Graphs that are compared must take theirs from the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub(crate) u32);

impl Label {
    /// The class of what stands for a map's entry whose key is an object.
    pub const ENTRY: Label = Label(0);
    pub const KEY: Label = Label(1);
    pub const VALUE: Label = Label(2);
    /// An object in a set.
    pub const MEMBER: Label = Label(3);
}

/// In the order of their labels.
const KNOWN: [&str; 4] = ["entry", "key", "value", "member"];

#[derive(Debug)]
pub struct Names {
    texts: Vec<Arc<str>>,
    labels: HashMap<Arc<str>, Label>,
}

impl Default for Names {
    fn default() -> Self {
        Names::new()
    }
}

impl Names {
    pub fn new() -> Self {
        let mut names = Names { texts: Vec::new(), labels: HashMap::new() };
        for known in KNOWN {
            names.label(known);
        }
        names
    }

    pub fn label(&mut self, name: &str) -> Label {
        if let Some(&label) = self.labels.get(name) {
            return label;
        }
        let label = Label(self.texts.len() as u32);
        let text: Arc<str> = name.into();
        self.texts.push(Arc::clone(&text));
        self.labels.insert(text, label);
        label
    }

    pub fn find(&self, name: &str) -> Option<Label> {
        self.labels.get(name).copied()
    }

    /// `?` for a label of other names.
    pub fn text(&self, label: Label) -> &str {
        self.texts.get(label.0 as usize).map_or("?", |text| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_label() {
        let mut names = Names::new();
        let label = names.label("size");
        assert_eq!(names.label("size"), label);
        assert_eq!(names.text(label), "size");
        assert_ne!(names.label("count"), label);
    }

    #[test]
    fn known_labels_have_their_names() {
        let names = Names::new();
        let known = [Label::ENTRY, Label::KEY, Label::VALUE, Label::MEMBER];
        assert_eq!(known.map(|label| names.text(label)), KNOWN);
    }

    #[test]
    fn a_label_of_other_names_is_a_question_mark() {
        assert_eq!(Names::new().text(Label(99)), "?");
    }
}
