//! A snapshot with names: the graph that the state library compares.

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_state::{
    Digest, EdgeLabel, Graph, GraphBuilder, Label, Names, Node, NodeId, Rules, Target, Texts, Value,
};

use super::classes::{Classes, readable};
use super::fields::Field;
use super::focus::Focus;
use super::roots::Roots;
use super::snapshot::{Array, Edge, Held, Objects, Place, Primitive, Snapshot, Thing};
use super::things::ThingSet;
use super::treatment::{self, Treatment};
use crate::jni::Jni;
use crate::jvmti::Jvmti;

/// What pictures have in common, so that two of one object look alike.
#[derive(Debug)]
pub(crate) struct Painter {
    pub(crate) names: Names,
    /// How collections are seen.
    rules: Rules,
    /// By class, then by the number of the field; none for a field that is no state.
    fields: FxHashMap<usize, Vec<Option<Label>>>,
    classes: FxHashMap<usize, Label>,
    /// How many classes of lambdas have this name.
    lambdas: FxHashMap<String, u32>,
    /// What enum constants are called.
    constants: FxHashMap<Thing, Label>,
    /// Constants whose names were not met yet.
    unnamed: FxHashSet<Thing>,
    /// Objects below this number have been asked whether they are constants.
    asked: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Initialised,
    /// Nothing was put into the static fields yet, but into the final ones: those are constants.
    Untouched,
}

/// What is known of the VM while a picture is made.
pub(crate) struct Scene<'a> {
    pub(crate) classes: &'a mut Classes,
    pub(crate) roots: &'a Roots,
    pub(crate) objects: &'a Objects,
    pub(crate) texts: &'a Texts,
    /// Names, by the numbers of [`Place::Local`].
    pub(crate) threads: &'a [String],
    pub(crate) jvmti: Jvmti,
    pub(crate) jni: Jni,
}

impl Scene<'_> {
    fn treatment(&self, thing: Thing) -> Option<Treatment> {
        self.classes.treatments().get(self.objects.class_of(thing)?).copied()
    }
}

impl Painter {
    pub(crate) fn new() -> Painter {
        let mut names = Names::new();
        let rules = Rules::java(&mut names);
        Painter {
            names,
            rules,
            fields: FxHashMap::default(),
            classes: FxHashMap::default(),
            lambdas: FxHashMap::default(),
            constants: FxHashMap::default(),
            unnamed: FxHashSet::default(),
            asked: 1,
        }
    }

    /// Of the static fields of these classes, which the snapshot was taken from. Of what is not in focus, if there is one, it
    /// shows that it is there.
    pub(crate) fn picture(
        &mut self,
        snapshot: &Snapshot,
        classes: &[usize],
        stage: Stage,
        focus: Option<&Focus>,
        scene: &mut Scene<'_>,
    ) -> Option<Graph> {
        self.name_constants(snapshot, scene);
        let mut canvas = Canvas {
            painter: self,
            focus,
            builder: GraphBuilder::new(),
            nodes: FxHashMap::default(),
            frozen: Vec::new(),
            rooted: FxHashSet::default(),
        };
        // Of what was frozen since, the snapshot has what is also with the frozen objects.
        let frozen = &scene.objects.below_frozen;
        let shown = |thing: Thing| focus.is_none_or(|focus| focus.shows(thing));
        let edges = snapshot.edges().iter().filter(|e| shown(e.from) && !frozen.contains(e.from));
        let held = snapshot.held().iter().filter(|h| shown(h.by) && !frozen.contains(h.by));
        edges.for_each(|edge| canvas.edge(edge, scene));
        held.for_each(|held| canvas.held(held, scene));
        let arrays = || snapshot.arrays().iter().filter(|array| shown(array.thing));
        // What follows references comes upon an array of numbers once for each of them, and reads it once.
        let (unread, read) = (|a: &&Array| a.digest == 0, |a: &&Array| a.digest != 0);
        arrays()
            .filter(unread)
            .chain(arrays().filter(read))
            .for_each(|array| canvas.array(array, scene));
        canvas.thaw(scene);
        canvas.null_roots(classes, stage, scene);
        let raw = canvas.builder.build().ok()?;
        Some(self.rules.apply(&raw))
    }

    pub(crate) fn name_constants(&mut self, snapshot: &Snapshot, scene: &mut Scene<'_>) {
        let objects = scene.objects;
        let new = (self.asked..objects.len())
            .filter_map(|number| Thing::object(u32::try_from(number).ok()?))
            .filter(|thing| scene.treatment(*thing) == Some(Treatment::Enum));
        self.unnamed.extend(new);
        self.asked = objects.len();
        if self.unnamed.is_empty() {
            return;
        }
        // Where its own class holds it, its fields are in the snapshot; else it is read once.
        let mut unnamed = ThingSet::default();
        self.unnamed.iter().for_each(|thing| {
            unnamed.insert(*thing);
        });
        let in_snapshot = snapshot.edges().iter().filter(|edge| unnamed.contains(edge.from));
        let frozen = self.unnamed.iter().filter_map(|thing| objects.frozen.get(thing));
        let edges: Vec<Edge> =
            frozen.flat_map(|frozen| &frozen.edges).chain(in_snapshot).copied().collect();
        edges.iter().for_each(|edge| self.name_constant(edge, scene));
    }

    /// If this is the field with its name.
    fn name_constant(&mut self, edge: &Edge, scene: &mut Scene<'_>) {
        let objects = scene.objects;
        let (Some(class), Place::Field(number), Some(text)) =
            (objects.class_of(edge.from), edge.place, objects.texts.get(&edge.to))
        else {
            return;
        };
        let fields = scene.classes.fields(scene.jvmti, scene.jni, class);
        let field = fields.get(number as usize).and_then(Option::as_ref);
        if field.is_some_and(|f| f.name == "name" && f.declared_by == "Ljava/lang/Enum;") {
            let class = scene.classes.get(class).map_or("", |class| &class.signature);
            let name = format!("{}.{}", readable(class), scene.texts.shown(*text).0);
            self.constants.insert(edge.from, self.names.label(&name));
            self.unnamed.remove(&edge.from);
        }
    }

    fn class(&mut self, index: usize, classes: &Classes) -> Label {
        if let Some(label) = self.classes.get(&index) {
            return *label;
        }
        let class = classes.get(index);
        let mut name = readable(class.map_or("", |class| &class.signature));
        if name.ends_with("$$Lambda") {
            // Without what differs from run to run, all lambdas of a class have one name.
            let known = self.lambdas.entry(name.clone()).or_default();
            *known += 1;
            if *known > 1 {
                name = format!("{name}/{known}");
            }
        }
        let label = self.names.label(&name);
        if let Some(superclass) = class.and_then(|class| class.superclass) {
            let superclass = self.class(superclass, classes);
            self.rules.inherit(label, superclass);
        }
        self.classes.insert(index, label);
        label
    }

    fn field(&mut self, class: usize, number: u32, scene: &mut Scene<'_>) -> Option<Label> {
        let names = &mut self.names;
        let labels = self.fields.entry(class).or_insert_with(|| {
            let fields = scene.classes.fields(scene.jvmti, scene.jni, class);
            let label = |(number, field): (usize, &Option<Field>)| {
                let field = field.as_ref()?;
                if !field.is_state() {
                    return None;
                }
                if treatment::is_wrapped(&field.declared_by, &field.name) {
                    // People see the collection, and not what guards it.
                    return Some(names.label(""));
                }
                // A subclass may have a field of the same name.
                let hidden = fields[number + 1..].iter().flatten().any(|f| f.name == field.name);
                Some(if hidden {
                    names.label(&format!("{}.{}", readable(&field.declared_by), field.name))
                } else {
                    names.label(&field.name)
                })
            };
            fields.iter().enumerate().map(label).collect()
        });
        labels.get(number as usize).copied().flatten()
    }
}

/// A picture that is being made.
struct Canvas<'a> {
    painter: &'a mut Painter,
    focus: Option<&'a Focus>,
    builder: GraphBuilder,
    nodes: FxHashMap<Thing, NodeId>,
    /// Nodes whose fields are with the frozen objects and are still to be added.
    frozen: Vec<Thing>,
    /// Static fields that something was found in.
    rooted: FxHashSet<(usize, u32)>,
}

impl Canvas<'_> {
    fn shows(&self, thing: Thing) -> bool {
        self.focus.is_none_or(|focus| focus.shows(thing))
    }

    fn edge(&mut self, edge: &Edge, scene: &mut Scene<'_>) {
        if let (Some(class), Place::Static(field)) = (edge.from.class_index(), edge.place) {
            let Some(root) = scene.roots.get(class, field) else { return };
            self.rooted.insert((class, field));
            let target = if scene.objects.class_of(edge.to) == Some(class)
                && scene.treatment(edge.to) == Some(Treatment::Enum)
            {
                // A constant where it is declared: its fields are state.
                self.node(edge.to, scene).map(Target::Node)
            } else if root.process && scene.treatment(edge.to) == Some(Treatment::Opaque) {
                self.which(edge.to, scene)
            } else {
                self.target(edge.to, scene)
            };
            if let Some(target) = target {
                self.builder.root(self.painter.names.label(&root.name), target);
            }
            return;
        }
        let label = self.label(edge.from, edge.place, scene);
        let (Some(label), Some(from)) = (label, self.node(edge.from, scene)) else { return };
        if let Some(target) = self.target(edge.to, scene) {
            self.builder.edge(from, label, target);
        }
    }

    fn held(&mut self, held: &Held, scene: &mut Scene<'_>) {
        let value = value(held.value);
        if let (Some(class), Place::Static(field)) = (held.by.class_index(), held.place) {
            if let Some(root) = scene.roots.get(class, field) {
                self.builder.root(self.painter.names.label(&root.name), value);
                self.rooted.insert((class, field));
            }
            return;
        }
        let label = self.label(held.by, held.place, scene);
        if let (Some(label), Some(by)) = (label, self.node(held.by, scene)) {
            self.builder.edge(by, label, value);
        }
    }

    fn array(&mut self, array: &Array, scene: &mut Scene<'_>) {
        if let Some(node) = self.node(array.thing, scene) {
            let hash = [array.digest as u64, (array.digest >> 64) as u64];
            self.builder.set_content(node, Digest { hash, length: u64::from(array.length) });
        }
    }

    /// Adds what frozen objects hold.
    fn thaw(&mut self, scene: &mut Scene<'_>) {
        let objects = scene.objects;
        let mut done: FxHashSet<Thing> = FxHashSet::default();
        while let Some(thing) = self.frozen.pop() {
            let Some(frozen) = objects.frozen.get(&thing).filter(|_| done.insert(thing)) else {
                continue;
            };
            frozen.edges.iter().for_each(|edge| self.edge(edge, scene));
            frozen.held.iter().for_each(|held| self.held(held, scene));
            frozen.array.iter().for_each(|array| self.array(array, scene));
        }
    }

    /// A walk meets no null, but a root that is null is a root.
    fn null_roots(&mut self, classes: &[usize], stage: Stage, scene: &Scene<'_>) {
        for &class in classes {
            let by = u32::try_from(class).ok().and_then(Thing::class);
            if !by.is_some_and(|by| self.shows(by)) {
                continue;
            }
            for (field, root) in scene.roots.of(class) {
                let known = stage == Stage::Initialised || !root.is_final();
                if known && !self.rooted.contains(&(class, field)) {
                    self.builder.root(self.painter.names.label(&root.name), Value::Null);
                }
            }
        }
    }

    fn label(&mut self, of: Thing, place: Place, scene: &mut Scene<'_>) -> Option<EdgeLabel> {
        match place {
            Place::Element(index) => Some(EdgeLabel::Index(index)),
            Place::Local(thread) => {
                let plain = scene.classes.is_plain_thread_local(scene.objects.class_of(of)?);
                let what = if plain { "get()" } else { "value" };
                let text = match scene.threads.get(thread as usize).filter(|_| thread > 0) {
                    Some(name) => format!("{what} in {name}"),
                    None => what.to_owned(),
                };
                Some(EdgeLabel::Field(self.painter.names.label(&text)))
            }
            Place::Field(number) | Place::Static(number) => {
                let class = scene.objects.class_of(of)?;
                self.painter.field(class, number, scene).map(EdgeLabel::Field)
            }
        }
    }

    fn target(&mut self, thing: Thing, scene: &Scene<'_>) -> Option<Target> {
        if let Some(class) = thing.class_index() {
            return Some(Value::Named(self.painter.class(class, scene.classes)).into());
        }
        let value = match scene.treatment(thing)? {
            Treatment::Text => Value::Text(*scene.objects.texts.get(&thing)?),
            Treatment::Boxed => value(*scene.objects.boxed.get(&thing)?),
            Treatment::Enum => Value::Named(*self.painter.constants.get(&thing)?),
            Treatment::Opaque => {
                let class = scene.objects.class_of(thing)?;
                Value::Named(self.painter.class(class, scene.classes))
            }
            Treatment::Walk | Treatment::Frozen => {
                return self.node(thing, scene).map(Target::Node);
            }
        };
        Some(value.into())
    }

    /// An object of which it matters which one it is.
    fn which(&mut self, thing: Thing, scene: &Scene<'_>) -> Option<Target> {
        let class = scene.classes.get(scene.objects.class_of(thing)?)?;
        let name = format!("{}#{}", readable(&class.signature), thing.number());
        Some(Value::Named(self.painter.names.label(&name)).into())
    }

    fn node(&mut self, thing: Thing, scene: &Scene<'_>) -> Option<NodeId> {
        if let Some(node) = self.nodes.get(&thing) {
            return Some(*node);
        }
        let class = self.painter.class(scene.objects.class_of(thing)?, scene.classes);
        let node =
            self.builder.node(Node { class, content: None, identity: u64::from(thing.number()) });
        self.nodes.insert(thing, node);
        // A constant is a node only where it is declared, and its fields are in the snapshot then.
        if self.shows(thing)
            && scene.objects.frozen.contains_key(&thing)
            && scene.treatment(thing) != Some(Treatment::Enum)
        {
            self.frozen.push(thing);
        }
        Some(node)
    }
}

fn value(primitive: Primitive) -> Value {
    match primitive {
        Primitive::Boolean(value) => Value::Bool(value),
        Primitive::Char(unit) => Value::Char(u32::from(unit)),
        Primitive::Byte(value) => Value::Byte(value),
        Primitive::Short(value) => Value::Short(value),
        Primitive::Int(value) => Value::Int(i64::from(value)),
        Primitive::Long(value) => Value::Long(value),
        Primitive::Float(bits) => Value::Float(bits),
        Primitive::Double(bits) => Value::Double(bits),
    }
}
