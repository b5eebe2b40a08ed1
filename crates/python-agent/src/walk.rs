//! From objects to a snapshot: breadth first from each root, without a word to any of the objects.

mod contents;

use std::collections::HashSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use surefoot_model::Access;
use surefoot_state::{Digest, EdgeLabel, Label, Names, Texts, Value};

use crate::api::Object;
use crate::kinds::{Kind, Kinds, full_name, module_of};
use crate::known::Known;
use crate::labels::{Labels, bytes_or_text};
use crate::last::Last;
use crate::part::{Held, Part};
use crate::places::{Found, Places};
use crate::settings::entry;
use crate::snapshot::{Root, Snapshot};

/// Longer ones are told by their digest.
const MOST_BYTES: usize = 64;

/// More edges than this below one root are not followed: to go through them after each test would take longer than the test.
const MOST_EDGES: usize = 500_000;

/// Before the name of a module that is the value of something.
pub(crate) const MODULE: &str = "module ";

/// What stays from one capture to the next.
#[derive(Debug)]
pub(crate) struct Memory {
    common: Common,
    pub(crate) names: Names,
    pub(crate) texts: Texts,
    pub(crate) kinds: Kinds,
    pub(crate) labels: Labels,
    /// The generator of the module `random`, with what its memory held, and what stands for that.
    pub(crate) generator: Option<((usize, u64), Value)>,
    /// Roots that led to too much, once: they are not looked into any more.
    pub(crate) unread: Vec<Label>,
}

/// Labels that a walk needs all the time.
#[derive(Debug, Clone, Copy)]
struct Common {
    unread: Label,
    none: Label,
    yes: Label,
    no: Label,
    code: Label,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        let mut names = Names::new();
        let common = Common {
            unread: names.label("more objects than are looked at"),
            none: names.label("None"),
            yes: names.label("True"),
            no: names.label("False"),
            code: names.label("__code__"),
        };
        Memory {
            common,
            names,
            texts: Texts::default(),
            kinds: Kinds::default(),
            labels: Labels::default(),
            generator: None,
            unread: Vec::new(),
        }
    }

    /// A new capture begins.
    pub(crate) fn begin(&mut self) {
        self.kinds.begin();
        self.labels.begin();
    }
}

/// What belongs to the project, of this capture.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    /// Addresses of functions and classes that are attributes of the project's module that they were made in: their state is
    /// told there, and elsewhere they are only named.
    pub(crate) residents: FxHashSet<usize>,
    /// Names of the project's modules.
    pub(crate) modules: HashSet<String>,
}

pub(crate) struct Walk<'a, 'm> {
    pub(crate) known: &'m Known,
    pub(crate) memory: &'m mut Memory,
    home: &'m Home,
    pub(crate) snapshot: Snapshot,
    /// Of what the snapshot is built upon.
    ground: Option<&'m Places>,
    places: Places,
    /// What need not be walked through again.
    last: Option<Last>,
    /// What the root at hand leads to.
    part: Part,
    /// What to look into, by the numbers of its things.
    items: Vec<Item<'a>>,
    /// A root led to too much.
    too_large: Option<Label>,
}

/// What modules lead to: the same for all captures until any of it changes.
#[derive(Debug)]
pub(crate) struct Base {
    snapshot: Arc<Snapshot>,
    places: Places,
    too_large: Option<Label>,
}

impl Base {
    /// Whether a walk need not go through all of it again once something has changed.
    pub(crate) fn is_complete(&self) -> bool {
        self.too_large.is_none()
    }
}

/// An entry of a setting.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Setting<'a> {
    Value(Value),
    Object(Object<'a>),
}

#[derive(Clone, Copy)]
enum Item<'a> {
    Object(Object<'a>),
    /// Of a dict, where the key is an object.
    Entry(Held, Held),
    /// Its edges are there already.
    Done,
}

impl<'a, 'm> Walk<'a, 'm> {
    pub(crate) fn new(known: &'m Known, memory: &'m mut Memory, home: &'m Home) -> Self {
        Walk {
            known,
            memory,
            home,
            snapshot: Snapshot::default(),
            ground: None,
            places: Places::default(),
            last: None,
            part: Part::default(),
            items: Vec::new(),
            too_large: None,
        }
    }

    /// One through everything, which is about to be as large as another one was.
    pub(crate) fn anew(mut self, before: Option<&Base>) -> Self {
        if let Some(before) = before {
            self.snapshot = Snapshot::like(&before.snapshot);
            self.places = Places::with_room_for(before.places.len());
        }
        self
    }

    /// One that goes through what may have changed since another one: these objects, and what leads to them.
    pub(crate) fn again(mut self, before: Base, changed: &[usize]) -> Self {
        let Base { snapshot, mut places, .. } = before;
        self.snapshot = Snapshot::like(&snapshot);
        self.last = Some(Last::new(snapshot, &mut places, changed));
        self.places = places;
        self
    }

    /// One that goes on from where another one got to.
    pub(crate) fn upon(mut self, base: &'m Base) -> Self {
        self.snapshot = Snapshot::upon(Arc::clone(&base.snapshot));
        self.ground = Some(&base.places);
        self.too_large = base.too_large;
        self
    }

    /// What it has got to. None if roots have changed places since the last walk: then all has to be walked through.
    pub(crate) fn base(self) -> Option<Base> {
        let Walk { snapshot, mut places, last, too_large, .. } = self;
        if let Some(last) = last {
            if last.is_out_of_order {
                return None;
            }
            last.end(&mut places);
        }
        Some(Base { snapshot: Arc::new(snapshot), places, too_large })
    }

    /// An attribute of a module, of a class, or a setting of the process, with all that it leads to.
    pub(crate) fn root(
        &mut self,
        name: Label,
        owner: Option<Label>,
        access: Access,
        object: Object<'a>,
    ) -> Held {
        self.root_by(Self::held, name, owner, access, object)
    }

    /// A function that is an attribute of the module that it was made in.
    pub(crate) fn resident(
        &mut self,
        name: Label,
        owner: Label,
        access: Access,
        object: Object<'a>,
    ) {
        self.root_by(Self::node, name, Some(owner), access, object);
    }

    fn root_by(
        &mut self,
        held: fn(&mut Self, Object<'a>) -> Held,
        name: Label,
        owner: Option<Label>,
        access: Access,
        object: Object<'a>,
    ) -> Held {
        if self.memory.unread.contains(&name) {
            return self.unread(name, owner, access);
        }
        let before = self.last.as_mut().and_then(|last| last.root(name, &self.places));
        let is_right = |root: &Root| {
            let last = self.last.as_ref();
            last.is_some_and(|last| last.is_right(root, object.address(), &self.places))
        };
        let before = match before {
            Some(root) if is_right(&root) => {
                root.part.iter().for_each(|part| self.places.settle(part.id));
                let held = root.held;
                self.snapshot.root(root);
                return held;
            }
            before => before,
        };
        self.begin_part();
        let held = held(self, object);
        self.follow(0, name);
        self.end_part(name, owner, access, held);
        if let (Some(last), Some(root)) = (&mut self.last, &before) {
            last.leave(root, &self.places);
        }
        held
    }

    /// One that led to too much.
    fn unread(&mut self, name: Label, owner: Option<Label>, access: Access) -> Held {
        if let Some(last) = &mut self.last
            && let Some(root) = last.root(name, &self.places)
        {
            last.leave(&root, &self.places);
        }
        let value = Value::Named(self.memory.common.unread);
        self.value(name, owner, access, value);
        Held::Value(value)
    }

    /// An attribute that is known to hold this value.
    pub(crate) fn constant(&mut self, name: Label, owner: Label, access: Access, value: Value) {
        if let Some(last) = &mut self.last
            && let Some(root) = last.root(name, &self.places)
        {
            if root.held == Held::Value(value) && root.owner == Some(owner) && root.access == access
            {
                return self.snapshot.root(root);
            }
            last.leave(&root, &self.places);
        }
        self.value(name, Some(owner), access, value);
    }

    fn value(&mut self, name: Label, owner: Option<Label>, access: Access, value: Value) {
        let held = Held::Value(value);
        let digest = Part::default().digest(held);
        self.snapshot.root(Root { name, owner, access, held, part: None, digest });
    }

    fn begin_part(&mut self) {
        let id = self.places.part();
        self.part.clear(id);
        self.items.clear();
    }

    fn end_part(&mut self, name: Label, owner: Option<Label>, access: Access, held: Held) {
        let digest = self.part.digest(held);
        let part = match self.part.things().is_empty() {
            // Nothing has its number.
            true => {
                self.places.forget(&self.part);
                None
            }
            false => Some(Arc::new(self.part.clone())),
        };
        self.snapshot.root(Root { name, owner, access, held, part, digest });
    }

    /// Whether what stands for an object stays the same as long as the object is there.
    pub(crate) fn is_constant(&mut self, object: Object<'a>) -> bool {
        match self.kind(object) {
            Kind::None | Kind::Bool | Kind::Int | Kind::Float | Kind::Complex => true,
            Kind::Text | Kind::Bytes | Kind::Builtin | Kind::Module | Kind::Pattern => true,
            Kind::Class => !self.is_open_class(object),
            _ => false,
        }
    }

    /// A setting that no object stands for.
    pub(crate) fn setting(&mut self, name: &str, value: Value) {
        let name = self.memory.names.label(name);
        self.value(name, None, Access::Process, value);
    }

    /// A setting with entries.
    pub(crate) fn table(&mut self, name: &str, entries: Vec<(EdgeLabel, Setting<'a>)>) {
        let name = self.memory.names.label(name);
        if self.memory.unread.contains(&name) {
            self.unread(name, None, Access::Process);
            return;
        }
        self.begin_part();
        let class = self.memory.names.label("dict");
        // No object has an odd address.
        let thing = self.part.thing(1, class, None);
        self.items.push(Item::Done);
        self.part.edges_of(thing);
        for (label, setting) in entries {
            let held = match setting {
                Setting::Value(value) => Held::Value(value),
                Setting::Object(object) => self.held(object),
            };
            self.part.edge(label, held);
        }
        self.follow(thing + 1, name);
        self.end_part(name, None, Access::Process, Held::Node(thing));
    }

    pub(crate) fn text(&mut self, text: &str) -> Value {
        Value::Text(self.memory.texts.intern(text))
    }

    /// Of text or bytes that are likely to be there at the next look.
    pub(crate) fn kept_text(&mut self, object: Object<'a>) -> Value {
        let class = object.type_of();
        let Memory { labels, texts, .. } = &mut *self.memory;
        // Others may have attributes, and are not held.
        match class == self.known.text.get() || class == self.known.bytes.get() {
            true => Value::Text(labels.text(object, texts)),
            false => Value::Text(texts.intern(&bytes_or_text(object))),
        }
    }

    pub(crate) fn named(&mut self, name: &str) -> Value {
        Value::Named(self.memory.names.label(name))
    }

    fn follow(&mut self, first: u32, root: Label) {
        let mut next = first;
        while let Some(item) = self.items.get(next as usize).copied() {
            self.part.edges_of(next);
            match item {
                _ if self.part.edge_count() > MOST_EDGES => self.too_large = Some(root),
                Item::Object(object) => self.look_into(object),
                Item::Entry(key, value) => {
                    self.part.edge(EdgeLabel::Field(Label::KEY), key);
                    self.part.edge(EdgeLabel::Field(Label::VALUE), value);
                }
                Item::Done => {}
            }
            next += 1;
        }
        if self.too_large == Some(root) {
            self.memory.unread.push(root);
        }
    }

    fn kind(&mut self, object: Object<'a>) -> Kind {
        let Memory { names, kinds, .. } = &mut *self.memory;
        kinds.of(object.type_of(), self.known, names).kind
    }

    /// What stands for an object at the end of an edge.
    pub(crate) fn held(&mut self, object: Object<'a>) -> Held {
        let value = match self.kind(object) {
            Kind::None => Value::Named(self.memory.common.none),
            Kind::Bool if object == self.known.yes.get() => Value::Named(self.memory.common.yes),
            Kind::Bool => Value::Named(self.memory.common.no),
            Kind::Int => match object.integer() {
                Some(value) => Value::Int(value),
                None => {
                    let text = object.hexadecimal().unwrap_or_default();
                    self.named(&text)
                }
            },
            Kind::Float => Value::double(object.float()),
            Kind::Complex => {
                let (real, imaginary) = object.complex();
                self.named(&format!("({real:?}+{imaginary:?}j)"))
            }
            Kind::Text => match object.text() {
                Some(text) => self.text(text),
                None => self.text(&object.any_text()),
            },
            Kind::Bytes if object.bytes().len() <= MOST_BYTES => {
                let text = format!("b\"{}\"", object.bytes().escape_ascii());
                self.named(&text)
            }
            Kind::Builtin => {
                let name = self.known.builtin_name(object);
                self.named(&format!("builtin {name}"))
            }
            Kind::Module => {
                let name = object.module_dict().and_then(|dict| entry(dict, "__name__"));
                let name = name.map(Object::any_text).unwrap_or_default();
                self.named(&format!("{MODULE}{name}"))
            }
            Kind::Pattern => {
                let text = self.known.pattern_text(object);
                let Memory { names, labels, .. } = &mut *self.memory;
                Value::Named(labels.pattern(&text, names))
            }
            Kind::Boundary => {
                let Memory { names, kinds, .. } = &mut *self.memory;
                Value::Named(kinds.of(object.type_of(), self.known, names).label)
            }
            Kind::Class if !self.is_open_class(object) => {
                let Memory { names, labels, .. } = &mut *self.memory;
                Value::Named(labels.class(object, names))
            }
            Kind::Function if self.home.residents.contains(&object.address()) => {
                let label = self.function_label(object);
                Value::Named(label)
            }
            _ => return self.node(object),
        };
        Held::Value(value)
    }

    /// A class of the project that no module of it names: nobody else tells of its attributes.
    fn is_open_class(&mut self, class: Object<'a>) -> bool {
        let home = self.home;
        self.memory.kinds.is_open(class, || {
            !home.residents.contains(&class.address())
                && module_of(class).is_some_and(|module| home.modules.contains(module))
        })
    }

    fn node(&mut self, object: Object<'a>) -> Held {
        let address = object.address();
        if let Some(class) = self.ground.and_then(|ground| ground.settled(address)) {
            return Held::Other(address as u64, class);
        }
        match self.places.find(address, self.part.id) {
            Found::Here(number) => return Held::Node(number),
            Found::Elsewhere(class) => return Held::Other(address as u64, class),
            Found::Nowhere => {}
        }
        let (class, content) = match self.kind(object) {
            Kind::Function => (self.function_label(object), None),
            Kind::Class => {
                let name = format!("class {}", full_name(object));
                (self.memory.names.label(&name), None)
            }
            Kind::Bytes => {
                (self.type_label(object), Some(of_bytes(object.bytes(), object.bytes().len())))
            }
            Kind::Buffer => (self.type_label(object), object.with_buffer(of_bytes)),
            _ => (self.type_label(object), None),
        };
        let number = self.part.thing(address, class, content);
        self.places.put(address, self.part.id, number, class);
        self.items.push(Item::Object(object));
        Held::Node(number)
    }

    fn type_label(&mut self, object: Object<'a>) -> Label {
        let Memory { names, kinds, .. } = &mut *self.memory;
        kinds.of(object.type_of(), self.known, names).label
    }

    /// By its name.
    fn function_label(&mut self, function: Object<'a>) -> Label {
        let Memory { names, labels, .. } = &mut *self.memory;
        labels.function(function, names)
    }
}

fn of_bytes(bytes: &[u8], items: usize) -> Digest {
    Digest::of(bytes, items as u64)
}
