//! Names of attributes, functions and code, by the objects that hold them: making a label of a text each time would take longer
//! than the rest of a walk.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use surefoot_model::Access;
use surefoot_state::{Label, Names, TextId, Texts};

use crate::api::{Object, Owned};

/// With more than this in it, a table begins anew: a program may make names without end.
const MOST: usize = 200_000;

#[derive(Debug, Default)]
pub(crate) struct Labels {
    /// Keyed by address; the reference keeps another object from getting it.
    attributes: FxHashMap<usize, (Owned, Label)>,
    roots: FxHashMap<(Label, usize), (Owned, Label, Access)>,
    codes: FxHashMap<usize, Code>,
    /// Keyed by the address of the class and of its C name: classes may go away, and are not kept for the sake of their names.
    classes: FxHashMap<(usize, usize), Label>,
    /// Of text and bytes, as attributes.
    texts: FxHashMap<usize, (Owned, TextId)>,
    /// By their text.
    patterns: HashMap<String, Label>,
}

#[derive(Debug)]
struct Code {
    _code: Owned,
    name: Label,
    place: Label,
    variables: Arc<[Label]>,
}

impl Labels {
    /// A new capture begins.
    pub(crate) fn begin(&mut self) {
        let kept = self.attributes.len() + self.roots.len() + self.codes.len();
        if kept + self.patterns.len() + self.texts.len() > MOST {
            *self = Labels::default();
        }
    }

    /// The name of an attribute; none if the key is no text.
    pub(crate) fn attribute(&mut self, key: Object<'_>, names: &mut Names) -> Option<Label> {
        if let Some((_, label)) = self.attributes.get(&key.address()) {
            return Some(*label);
        }
        let label = names.label(key.text()?);
        self.attributes.insert(key.address(), (key.to_owned(), label));
        Some(label)
    }

    /// What a text or bytes say. Only of those that are exactly `str` or `bytes`, which have no state.
    pub(crate) fn text(&mut self, object: Object<'_>, texts: &mut Texts) -> TextId {
        if let Some((_, text)) = self.texts.get(&object.address()) {
            return *text;
        }
        let text = texts.intern(&bytes_or_text(object));
        self.texts.insert(object.address(), (object.to_owned(), text));
        text
    }

    /// `shop.cart` and `items` are `shop.cart.items`; a name that begins with an underscore is its module's own.
    pub(crate) fn root(
        &mut self,
        owner: Label,
        key: Object<'_>,
        names: &mut Names,
    ) -> Option<(Label, Access)> {
        if let Some((_, label, access)) = self.roots.get(&(owner, key.address())) {
            return Some((*label, *access));
        }
        let name = key.text()?;
        let is_private = name.starts_with('_') && !name.ends_with("__");
        let access = if is_private { Access::Private } else { Access::Public };
        let full = format!("{}.{name}", names.text(owner));
        let label = names.label(&full);
        self.roots.insert((owner, key.address()), (key.to_owned(), label, access));
        Some((label, access))
    }

    /// A class of a library, by its full name.
    pub(crate) fn class(&mut self, class: Object<'_>, names: &mut Names) -> Label {
        let key = (class.address(), crate::layout::name_address(class));
        *self.classes.entry(key).or_insert_with(|| names.label(&crate::kinds::full_name(class)))
    }

    /// `re.compile("[a-z]+")`
    pub(crate) fn pattern(&mut self, text: &str, names: &mut Names) -> Label {
        if let Some(label) = self.patterns.get(text) {
            return *label;
        }
        let label = names.label(&format!("re.compile({text:?})"));
        self.patterns.insert(text.to_owned(), label);
        label
    }

    /// `function total`
    pub(crate) fn function(&mut self, function: Object<'_>, names: &mut Names) -> Label {
        match function.function().code {
            Some(code) => self.known(code, names).name,
            None => names.label("function"),
        }
    }

    /// Where the code stands, and the names of the variables that it has from around it.
    pub(crate) fn code(&mut self, code: Object<'_>, names: &mut Names) -> (Label, Arc<[Label]>) {
        let known = self.known(code, names);
        (known.place, Arc::clone(&known.variables))
    }

    fn known(&mut self, code: Object<'_>, names: &mut Names) -> &Code {
        self.codes.entry(code.address()).or_insert_with(|| {
            let code = code.to_owned();
            let text = |name| code.attribute(name).map(|text| text.get().any_text());
            let name = text(c"co_name").unwrap_or_default();
            let file = text(c"co_filename").unwrap_or_default();
            let file = file.rsplit('/').next().unwrap_or_default().to_owned();
            let line = code.attribute(c"co_firstlineno");
            let line = line.and_then(|line| line.get().integer()).unwrap_or(0);
            let variables = code.attribute(c"co_freevars");
            let variables = variables.iter().flat_map(|all| all.get().tuple_items());
            let variables = variables
                .map(|name| names.label(&format!("__closure__.{}", name.any_text())))
                .collect();
            Code {
                name: names.label(&format!("function {name}")),
                place: names.label(&format!("{file}:{line}")),
                variables,
                _code: code,
            }
        })
    }
}

/// What a text says, or bytes as far as they are one.
pub(crate) fn bytes_or_text(object: Object<'_>) -> String {
    match object.is_text() {
        true => object.any_text(),
        false => String::from_utf8_lossy(object.bytes()).into_owned(),
    }
}
