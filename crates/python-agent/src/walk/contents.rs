//! What an object of the walk holds, by its kind.

use std::sync::Arc;

use surefoot_state::{EdgeLabel, Label, Value};

use crate::api::{DICT, INT, LIST, Object, TUPLE};
use crate::kinds::{Contents, Kind};
use crate::layout;
use crate::own_names::is_of_class_itself;
use crate::part::Held;
use crate::walk::{Item, Memory, Walk};

impl<'a> Walk<'a, '_> {
    pub(super) fn look_into(&mut self, object: Object<'a>) {
        match self.kind(object) {
            Kind::Function => self.look_into_function(object),
            Kind::Class => self.look_into_class(object),
            Kind::Method => {
                let (function, instance) = object.method();
                self.field("__func__", function);
                self.field("__self__", instance);
            }
            Kind::Cell => self.field("cell_contents", object.cell_content()),
            Kind::ContextVariable => self.field("get()", object.context_value()),
            Kind::Reduced => self.look_into_reduced(object),
            Kind::Parts => self.look_into_parts(object),
            _ => {}
        }
    }

    fn field(&mut self, name: &str, value: Option<Object<'a>>) {
        if let Some(value) = value {
            let label = EdgeLabel::Field(self.memory.names.label(name));
            let held = self.held(value);
            self.part.edge(label, held);
        }
    }

    fn look_into_function(&mut self, function: Object<'a>) {
        let parts = function.function();
        self.field("__defaults__", parts.defaults);
        self.field("__kwdefaults__", parts.keyword_defaults);
        if let Some(code) = parts.code {
            let Memory { names, labels, .. } = &mut *self.memory;
            let (place, variables) = labels.code(code, names);
            let label = EdgeLabel::Field(self.memory.common.code);
            self.part.edge(label, Held::Value(Value::Named(place)));
            let cells = parts.closure.into_iter().flat_map(Object::tuple_items);
            for (name, cell) in variables.iter().copied().zip(cells) {
                if let Some(content) = cell.cell_content() {
                    let held = self.held(content);
                    self.part.edge(EdgeLabel::Field(name), held);
                }
            }
        }
        if let Some(dict) = function.instance_dict() {
            self.attributes(dict, |_| true);
        }
    }

    fn look_into_class(&mut self, class: Object<'a>) {
        if let Some(dict) = layout::class_dict(class) {
            self.attributes(dict, |name| !is_of_class_itself(name));
        }
    }

    fn attributes(&mut self, dict: Object<'a>, is_state: impl Fn(&str) -> bool) {
        for (key, value) in dict.entries() {
            let Memory { names, labels, .. } = &mut *self.memory;
            let Some(label) = labels.attribute(key, names) else { continue };
            if is_state(names.text(label)) {
                let held = self.held(value);
                self.part.edge(EdgeLabel::Field(label), held);
            }
        }
    }

    fn look_into_reduced(&mut self, object: Object<'a>) {
        let Memory { names, kinds, .. } = &mut *self.memory;
        let reading = kinds.of(object.type_of(), self.known, names);
        let Some(reduced) = reading.reduce.as_ref().and_then(|reduce| reduce.call(&[object]))
        else {
            return;
        };
        if reduced.get().flags() & TUPLE == 0 {
            return;
        }
        let parts = reduced.get().tuple_items().nth(1).into_iter().flat_map(Object::tuple_items);
        for (at, part) in parts.enumerate() {
            // The object itself refers to what is no value here, such as a time zone.
            let held = match self.kind_of_temporary(part) {
                true => self.held_briefly(part),
                // SAFETY: as said; and the walk is over before anything goes away.
                false => unsafe { Object::borrowed(part.as_ptr()) }
                    .map_or(Held::Value(Value::Null), |part| self.held(part)),
            };
            self.part.edge(EdgeLabel::Index(at as u32), held);
        }
    }

    fn kind_of_temporary(&self, object: Object<'_>) -> bool {
        let class = object.type_of();
        [&self.known.bytes, &self.known.text, &self.known.int].iter().any(|one| one.get() == class)
    }

    /// Of a number or text that nobody else need refer to.
    fn held_briefly(&mut self, object: Object<'_>) -> Held {
        Held::Value(if object.is_text() {
            self.text(&object.any_text())
        } else if object.type_of() == self.known.bytes.get() {
            self.named(&format!("b\"{}\"", object.bytes().escape_ascii()))
        } else {
            object.integer().map_or(Value::Null, Value::Int)
        })
    }

    fn look_into_parts(&mut self, object: Object<'a>) {
        let Memory { names, kinds, .. } = &mut *self.memory;
        let reading = kinds.of(object.type_of(), self.known, names);
        let (contents, has_dict) = (reading.contents, reading.has_dict);
        let slots = Arc::clone(&reading.slots);
        let (on_demand, stands_for) = (Arc::clone(&reading.on_demand), reading.stands_for);
        for (name, offset) in slots.iter().copied() {
            if let Some(value) = layout::slot(object, offset) {
                let held = self.held(value);
                self.part.edge(EdgeLabel::Field(name), held);
            }
        }
        if let Some(dict) = has_dict.then(|| object.instance_dict()).flatten() {
            for (key, value) in dict.entries() {
                let Memory { names, labels, .. } = &mut *self.memory;
                let Some(label) = labels.attribute(key, names) else { continue };
                let is_state = match stands_for {
                    // Until it is needed, a plain object takes its place.
                    Some(wrapped) => label == wrapped && layout::name(value.type_of()) != "object",
                    None => !on_demand.contains(&label),
                };
                if is_state {
                    let held = self.held(value);
                    self.part.edge(EdgeLabel::Field(label), held);
                }
            }
        }
        self.look_at_contents(object, contents);
    }

    fn look_at_contents(&mut self, object: Object<'a>, contents: Contents) {
        let iterator = match contents {
            Contents::Nothing => return,
            Contents::Items => return self.items(object.list_items()),
            Contents::TupleItems => return self.items(object.tuple_items()),
            Contents::Entries => return self.entries(object, |_| true),
            // To ask for a key is enough to have it there, with nothing in it.
            Contents::DefaultEntries => {
                let empty =
                    object.entries().map(|(_, value)| value).filter(|value| is_empty(*value));
                self.part.depends_on.extend(empty.map(Object::address));
                return self.entries(object, |value| !is_empty(value));
            }
            Contents::Text => {
                let value = self.text(&object.any_text());
                return self.part.edge(EdgeLabel::Index(0), Held::Value(value));
            }
            Contents::Integer => {
                let value = object.integer().map_or(Value::Null, Value::Int);
                return self.part.edge(EdgeLabel::Index(0), Held::Value(value));
            }
            Contents::SetMembers => self.known.set_iterator.call(&[object]),
            Contents::FrozenSetMembers => self.known.frozen_set_iterator.call(&[object]),
            Contents::DequeItems => self.known.deque_iterator.call(&[object]),
        };
        let Some(iterator) = iterator else { return };
        // SAFETY: the iterator is ours for as long as it is used; what it yields is the container's.
        let Some(iterated) = (unsafe { Object::<'a>::borrowed(iterator.pointer()) }) else {
            return;
        };
        if contents == Contents::DequeItems {
            return self.items(iterated.iterated());
        }
        for member in iterated.iterated() {
            match self.held(member) {
                Held::Value(value) => {
                    self.part.edge(EdgeLabel::Key(value), Held::Value(Value::Present));
                }
                node => self.part.edge(EdgeLabel::Unordered(Label::MEMBER), node),
            }
        }
    }

    fn items(&mut self, items: impl Iterator<Item = Object<'a>>) {
        for (at, item) in items.enumerate() {
            let held = self.held(item);
            self.part.edge(EdgeLabel::Index(at as u32), held);
        }
    }

    fn entries(&mut self, dict: Object<'a>, is_state: impl Fn(Object<'a>) -> bool) {
        for (key, value) in dict.entries().filter(|(_, value)| is_state(*value)) {
            let held = self.held(value);
            match self.held(key) {
                Held::Value(key) => self.part.edge(EdgeLabel::Key(key), held),
                object => {
                    // No object has an odd address.
                    let entry = self.part.thing(key.address() | 1, Label::ENTRY, None);
                    self.items.push(Item::Entry(object, held));
                    let label = EdgeLabel::Unordered(Label::ENTRY);
                    self.part.edge(label, Held::Node(entry));
                }
            }
        }
    }
}

/// A list, a tuple, a dict or a set without anything, or the number 0.
fn is_empty(object: Object<'_>) -> bool {
    let flags = object.flags();
    if flags & DICT != 0 {
        object.entries().next().is_none()
    } else if flags & LIST != 0 {
        object.list_items().next().is_none()
    } else if flags & TUPLE != 0 {
        object.tuple_items().next().is_none()
    } else {
        flags & INT != 0 && object.integer() == Some(0) || object.is_empty_set()
    }
}
