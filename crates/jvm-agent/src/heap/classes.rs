//! What is known of the VM's classes. Each has a number, which is its tag in the VM.

use std::sync::{Mutex, PoisonError};

use jvmti_bindings::sys::jni::{jclass, jobject};

use super::fields::{self, Field, FieldId};
use super::snapshot::{Primitive, Thing};
use super::treatment::{self, Treatment};
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};

/// Classes that were prepared and that nobody has looked at yet, as weak references.
#[derive(Debug, Default)]
pub(crate) struct Arrivals(Mutex<Vec<WeakClass>>);

#[derive(Debug, Clone, Copy)]
struct WeakClass(jobject);

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for WeakClass {}

impl Arrivals {
    pub(crate) fn add(&self, jni: Jni, class: jclass) {
        if let Some(weak) = jni.new_weak_global(class) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(WeakClass(weak));
        }
    }

    fn take(&self) -> Vec<WeakClass> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

const THREAD_LOCAL: &str = "Ljava/lang/ThreadLocal;";

#[derive(Debug)]
pub(crate) struct Class {
    /// `Lcom/acme/Foo;`
    pub(crate) signature: String,
    /// Its index.
    pub(crate) superclass: Option<usize>,
    weak: WeakClass,
    /// Learnt when a picture is made: most classes are never in one.
    fields: Option<Vec<Option<Field>>>,
    state_fields: Option<Vec<StateField>>,
}

#[derive(Debug, Default)]
pub(crate) struct Classes {
    all: Vec<Class>,
    /// Beside them, so that a walk has what it needs close together.
    treatments: Vec<Treatment>,
    started: bool,
    class_of_classes: Option<usize>,
}

/// A field of an object that is state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StateField {
    pub(crate) number: u32,
    pub(crate) id: FieldId,
    /// The initial value, if it is a primitive, which tells its type.
    pub(crate) primitive: Option<Primitive>,
    pub(crate) is_final: bool,
}

impl Classes {
    /// Learns the classes that have been prepared since the last time, and says which those are.
    pub(crate) fn catch_up(
        &mut self,
        arrivals: &Arrivals,
        jvmti: Jvmti,
        jni: Jni,
    ) -> Result<Vec<usize>, JvmtiError> {
        let mut prepared = Vec::new();
        let arrived = arrivals.take();
        if !self.started {
            jvmti.add_tag_capability()?;
            self.started = true;
            self.learn_loaded(jvmti, jni)?;
            prepared.extend(0..self.all.len());
        }
        for WeakClass(weak) in arrived {
            if let Some(class) = jni.new_local(weak) {
                prepared.extend(self.learn(jvmti, jni, class));
                jni.delete_local(class);
            }
            jni.delete_weak(weak);
        }
        Ok(prepared)
    }

    /// All classes that are loaded: array classes come without an event.
    pub(crate) fn learn_loaded(&mut self, jvmti: Jvmti, jni: Jni) -> Result<(), JvmtiError> {
        for class in jvmti.loaded_classes()? {
            self.learn(jvmti, jni, class);
            jni.delete_local(class);
        }
        Ok(())
    }

    /// Superclasses first: a class is treated as its superclass is, unless something else is known of it.
    pub(crate) fn learn(&mut self, jvmti: Jvmti, jni: Jni, class: jclass) -> Option<usize> {
        let known = jvmti.tag(class).and_then(Thing::from_tag).and_then(Thing::class_index);
        if known.is_some() {
            return known;
        }
        let superclass = jni.superclass(class).and_then(|superclass| {
            let index = self.learn(jvmti, jni, superclass);
            jni.delete_local(superclass);
            index
        });
        let inherited = superclass.map_or(Treatment::Walk, |index| self.treatments[index]);
        let signature = jvmti.with_signature(class, str::to_owned)?;
        let index = self.all.len();
        jvmti.set_tag(class, Thing::class(u32::try_from(index).ok()?)?.tag()).ok()?;
        let weak = WeakClass(jni.new_weak_global(class)?);
        if signature == "Ljava/lang/Class;" {
            self.class_of_classes = Some(index);
        }
        self.treatments.push(treatment::of(&signature, inherited));
        self.all.push(Class { signature, superclass, weak, fields: None, state_fields: None });
        Some(index)
    }

    pub(crate) fn treatments(&self) -> &[Treatment] {
        &self.treatments
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Class> {
        self.all.get(index)
    }

    /// A local reference.
    pub(crate) fn local(&self, jni: Jni, index: usize) -> Option<jclass> {
        self.all.get(index).and_then(|class| jni.new_local(class.weak.0))
    }

    pub(crate) fn fields(&mut self, jvmti: Jvmti, jni: Jni, index: usize) -> &[Option<Field>] {
        if self.all.get(index).is_some_and(|class| class.fields.is_none()) {
            let learnt = self.local(jni, index).and_then(|class| {
                let fields = fields::of(jvmti, jni, class);
                jni.delete_local(class);
                fields
            });
            // Of a class that is not prepared the fields are not known yet.
            self.all[index].fields = learnt;
        }
        self.all.get(index).and_then(|class| class.fields.as_deref()).unwrap_or_default()
    }

    /// Those of an object of the class that are neither static nor a cache.
    pub(crate) fn state_fields(&mut self, jvmti: Jvmti, jni: Jni, index: usize) -> &[StateField] {
        if self.all.get(index).is_some_and(|class| class.state_fields.is_none()) {
            let fields = self.fields(jvmti, jni, index).iter();
            let state = (0..).zip(fields).filter_map(|(number, field)| {
                let field = field.as_ref().filter(|field| field.is_state())?;
                let primitive = Primitive::initial(&field.signature);
                Some(StateField { number, id: field.id, primitive, is_final: field.is_final() })
            });
            self.all[index].state_fields = Some(state.collect());
        }
        self.all.get(index).and_then(|class| class.state_fields.as_deref()).unwrap_or_default()
    }

    /// An object of the class has nothing but final fields.
    pub(crate) fn is_final_throughout(&mut self, jvmti: Jvmti, jni: Jni, index: usize) -> bool {
        let is_array = self.all.get(index).is_none_or(|class| class.signature.starts_with('['));
        // What a thread local holds is not in its fields.
        let is_local = self.line(index).any(|class| class.signature == THREAD_LOCAL);
        !is_array
            && !is_local
            && self.state_fields(jvmti, jni, index).iter().all(|field| field.is_final)
    }

    /// The class and its superclasses.
    fn line(&self, index: usize) -> impl Iterator<Item = &Class> {
        let next = |class: &&Class| class.superclass.and_then(|index| self.all.get(index));
        std::iter::successors(self.all.get(index), next)
    }

    /// A thread local that is empty until somebody sets it, and not filled when it is first asked.
    /// A class by its name, and those that it extends.
    pub(crate) fn line_of(&self, name: &str) -> Vec<usize> {
        let signature = format!("L{};", name.replace('.', "/"));
        let first = self.all.iter().position(|class| class.signature == signature);
        let superclass = |index: &usize| self.all.get(*index)?.superclass;
        std::iter::successors(first, superclass).collect()
    }

    pub(crate) fn is_plain_thread_local(&self, index: usize) -> bool {
        let plain = [THREAD_LOCAL, "Ljava/lang/InheritableThreadLocal;"];
        self.all.get(index).is_some_and(|class| plain.contains(&class.signature.as_str()))
    }

    pub(crate) fn class_of_classes(&self) -> Option<usize> {
        self.class_of_classes
    }
}

/// `com.acme.Foo` for `Lcom/acme/Foo;`, `int[]` for `[I`; hidden classes, such as lambdas, without what differs from run to
/// run.
pub(crate) fn readable(signature: &str) -> String {
    let element = signature.trim_start_matches('[');
    let dimensions = signature.len() - element.len();
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        _ => {
            let path = element.strip_prefix('L').unwrap_or(element);
            let path = path.strip_suffix(';').unwrap_or(path);
            // `com/acme/Foo$$Lambda$14+0x0000000800c03000`, with `.` or `/` for `+` in other versions.
            let stable = path.find("$$Lambda").map(|end| &path[..end + "$$Lambda".len()]);
            let stable = stable.or_else(|| path.split_once(['+', '.']).map(|(name, _)| name));
            stable.unwrap_or(path).replace('/', ".")
        }
    };
    name + &"[]".repeat(dimensions)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn signatures_are_read_as_java_writes_them() {
        assert_eq!(readable("Lcom/acme/Foo$Bar;"), "com.acme.Foo$Bar");
        assert_eq!(readable("[[I"), "int[][]");
        assert_eq!(readable("[Ljava/lang/String;"), "java.lang.String[]");
    }

    #[test]
    fn lambdas_have_one_name_in_all_runs() {
        assert_eq!(
            readable("Lcom/acme/Foo$$Lambda$14+0x0000000800c03000;"),
            "com.acme.Foo$$Lambda"
        );
        assert_eq!(readable("Lcom/acme/Foo$$Lambda.0x00007f1c;"), "com.acme.Foo$$Lambda");
        assert_eq!(readable("Lcom/acme/Hidden.0x00007f1c;"), "com.acme.Hidden");
    }
}
