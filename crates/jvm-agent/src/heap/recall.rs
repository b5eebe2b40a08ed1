//! Finds out in the VM which objects have changed since they were last read. See [`super::memory`].
//!
//! The objects are in an array that only a weak reference holds: no object of the program lives longer for it, and no weak
//! reference of the program's own is cleared later. The collector takes the array away whenever it runs, and everything is read
//! once more.

use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject};

use super::classes::Classes;
use super::fields::FieldId;
use super::global::Global;
use super::memory::{Holder, KINDS, Memory, Slot};
use super::snapshot::{Primitive, Thing};
use crate::bundle;
use crate::jni::Jni;

/// An array of more objects would be a burden to the program's heap.
const MOST_OBJECTS: usize = 200_000;
const FEWEST_OBJECTS: usize = 4096;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

#[derive(Debug)]
pub(crate) struct Recall {
    java: Java,
    memory: Memory,
    /// A weak reference to the array of objects.
    array: Option<Global>,
    /// A local reference to it while a capture is under way.
    open: Option<Global>,
    capacity: usize,
    /// There are more objects than the array has room for, or something could not be read.
    incomplete: bool,
}

/// How the VM's own code is asked.
#[derive(Debug)]
struct Java {
    class: Global,
    differing: Method,
    /// The one object of its class.
    unsafe_: Global,
    object_offset: Method,
    static_offset: Method,
    static_base: Method,
    /// Where the elements of arrays begin, by their kinds.
    bases: Vec<i32>,
}

#[derive(Debug, Clone, Copy)]
struct Method(jmethodID);

// SAFETY: a method id may be used from any thread, as long as its class is there, which is of the boot loader.
unsafe impl Send for Method {}

impl Java {
    /// None if this VM has not what it takes; JDK 11 has not.
    fn new(jni: Jni) -> Option<Java> {
        let get_unsafe = jni.static_method(UNSAFE, "getUnsafe", "()Ljdk/internal/misc/Unsafe;")?;
        let object_at = "(Ljava/lang/Object;J)Ljava/lang/Object;";
        jni.method(UNSAFE, "getReference", object_at)?;
        let offset = "(Ljava/lang/reflect/Field;)J";
        let [object_offset, static_offset] = ["objectFieldOffset", "staticFieldOffset"]
            .map(|name| jni.method(UNSAFE, name, offset).map(Method));
        let static_base =
            jni.method(UNSAFE, "staticFieldBase", "(Ljava/lang/reflect/Field;)Ljava/lang/Object;")?;
        let unsafe_class = jni.find_class(UNSAFE)?;
        let unsafe_ = jni.call_static(unsafe_class, get_unsafe)?;
        let bases = KINDS.iter().map(|kind| base(*kind, unsafe_, jni)).collect::<Option<_>>()?;
        let bytes = bundle::class(bundle::RECALL)?;
        let class = jni.define_boot_class(bundle::RECALL, bytes)?;
        let descriptor = "([Ljava/lang/Object;JJJJ)I";
        let differing = jni.static_method(bundle::RECALL, "differing", descriptor)?;
        let java = Java {
            class: Global(jni.new_global(class)?),
            differing: Method(differing),
            unsafe_: Global(jni.new_global(unsafe_)?),
            object_offset: object_offset?,
            static_offset: static_offset?,
            static_base: Method(static_base),
            bases,
        };
        [unsafe_class, unsafe_, class].into_iter().for_each(|local| jni.delete_local(local));
        Some(java)
    }

    fn offset(&self, class: jclass, field: FieldId, is_static: bool, jni: Jni) -> Option<i32> {
        let reflected = jni.reflected(class, field, is_static)?;
        let Global(unsafe_) = self.unsafe_;
        let offset = if is_static {
            let Method(base) = self.static_base;
            let base = jni.call_with(unsafe_, base, reflected)?;
            let is_in_class = jni.same(base, class);
            jni.delete_local(base);
            is_in_class.then(|| jni.call_long(unsafe_, self.static_offset.0, reflected))?
        } else {
            jni.call_long(unsafe_, self.object_offset.0, reflected)
        };
        jni.delete_local(reflected);
        i32::try_from(offset?).ok()
    }
}

/// Where the elements of an array of this type begin.
fn base(element: Primitive, unsafe_: jobject, jni: Jni) -> Option<i32> {
    let array = jni.new_primitives(element)?;
    let class = jni.class_of(array)?;
    let parameters = "(Ljava/lang/Class;)";
    let name = "arrayBaseOffset";
    // JDK 25 made it a long.
    let base = match jni.method(UNSAFE, name, &format!("{parameters}J")) {
        Some(method) => jni.call_long(unsafe_, method, class),
        None => {
            let method = jni.method(UNSAFE, name, &format!("{parameters}I"))?;
            jni.call_int(unsafe_, method, class).map(i64::from)
        }
    };
    [array, class].into_iter().for_each(|local| jni.delete_local(local));
    i32::try_from(base?).ok()
}

impl Recall {
    pub(crate) fn new(jni: Jni) -> Option<Recall> {
        let java = Java::new(jni)?;
        let memory = Memory::new(&java.bases);
        let (array, open, capacity) = (None, None, FEWEST_OBJECTS);
        Some(Recall { java, memory, array, open, capacity, incomplete: false })
    }

    /// A capture begins. Where the objects are that hold something else than they did; none if nothing is known of any.
    pub(crate) fn begin(&mut self, jni: Jni) -> Option<Vec<u32>> {
        let array = self.array.and_then(|Global(weak)| jni.new_local(weak));
        if let Some(array) = array.filter(|_| !self.memory.is_worn()) {
            self.open = Some(Global(array));
            let differing = self.differing(array, jni);
            if differing.is_some() {
                return differing;
            }
            self.end(jni);
        }
        self.start_over(jni);
        None
    }

    fn differing(&self, array: jobject, jni: Jni) -> Option<Vec<u32>> {
        let (records, layouts) = (self.memory.records(), self.memory.layouts());
        let mut found = vec![0_i32; self.memory.len()];
        let bounds = records.as_ptr_range();
        let arguments = [
            bounds.start as i64,
            bounds.end as i64,
            layouts.as_ptr() as i64,
            found.as_mut_ptr() as i64,
        ];
        let (Global(class), Method(method)) = (self.java.class, self.java.differing);
        let count = jni.call_static_int(class, method, array, arguments)?;
        found.truncate(usize::try_from(count).ok()?);
        Some(found.into_iter().map(i32::cast_unsigned).collect())
    }

    /// What objects at these positions held is to be read again.
    pub(crate) fn forget(&mut self, positions: &[u32]) {
        positions.iter().for_each(|position| self.memory.forget(*position));
    }

    /// Nothing is known any more, and a capture is under way.
    pub(crate) fn restart(&mut self, jni: Jni) {
        self.end(jni);
        self.start_over(jni);
    }

    fn start_over(&mut self, jni: Jni) {
        self.drop_array(jni);
        // Twice as many as there were, since every test adds some.
        self.capacity = (self.memory.len() * 2).max(self.capacity);
        self.memory = Memory::new(&self.java.bases);
        self.incomplete = self.capacity > MOST_OBJECTS * 2;
        if !self.incomplete {
            self.open = jni.new_object_array(self.capacity).map(Global);
            self.array = self.open.and_then(|Global(array)| jni.new_weak_global(array).map(Global));
        }
    }

    fn drop_array(&mut self, jni: Jni) {
        if let Some(Global(weak)) = self.array.take() {
            jni.delete_weak(weak);
        }
    }

    /// The capture has ended. Whether all that it read is known from now on.
    pub(crate) fn end(&mut self, jni: Jni) -> bool {
        if let Some(Global(array)) = self.open.take() {
            jni.delete_local(array);
        }
        if self.incomplete {
            self.drop_array(jni);
        }
        self.array.is_some()
    }

    /// Something was not read to its end: nothing of this capture may be relied on.
    pub(crate) fn give_up(&mut self) {
        self.incomplete = true;
    }

    /// Whether all that was read is known.
    pub(crate) fn is_complete(&self) -> bool {
        !self.incomplete
    }

    /// Where its record begins.
    pub(crate) fn recorded(&self, thing: Thing) -> Option<usize> {
        self.open.and_then(|_| self.memory.recorded(thing))
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    pub(crate) fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// An object that has a position, as a local reference.
    pub(crate) fn object(&self, thing: Thing, jni: Jni) -> Option<jobject> {
        let (Global(array), position) = (self.open?, self.memory.position_of(thing)?);
        jni.element(array, position)
    }

    /// Another object is this thing from now on.
    pub(crate) fn replace(&self, thing: Thing, object: jobject, jni: Jni) {
        if let (Some(Global(array)), Some(position)) = (self.open, self.memory.position_of(thing)) {
            jni.set_element(array, position, Some(object));
        }
    }

    /// The position of an object, from now on if it had none; 0 if it gets none.
    pub(crate) fn position(&mut self, thing: Thing, object: jobject, jni: Jni) -> u32 {
        let Some(Global(array)) = self.open else { return 0 };
        if let Some(position) = self.memory.position_of(thing) {
            return position;
        }
        let position = self.memory.add(thing).unwrap_or(0);
        if position == 0 || position as usize >= self.capacity {
            self.incomplete = true;
            return 0;
        }
        jni.set_element(array, position, Some(object));
        position
    }

    /// Whether what a holder with so many fields holds can be recorded.
    pub(crate) fn knows_layout(&self, holder: Holder, fields: usize) -> bool {
        self.open.is_some() && self.memory.knows_layout(holder, fields)
    }

    /// The fields of a holder, in their order, with their numbers and types.
    pub(crate) fn learn_layout(
        &mut self,
        holder: Holder,
        fields: &[(u32, FieldId, Option<Primitive>)],
        classes: &Classes,
        jni: Jni,
    ) {
        if self.open.is_none() || self.incomplete {
            return;
        }
        let (index, is_static) = match holder {
            Holder::Object(index) => (index, false),
            Holder::Statics(index) => (index, true),
        };
        let slots = classes.local(jni, index).and_then(|class| {
            let slots = fields.iter().map(|(number, field, primitive)| {
                let offset = self.java.offset(class, *field, is_static, jni)?;
                Some(Slot { number: *number, primitive: *primitive, offset })
            });
            let slots = slots.collect::<Option<Vec<Slot>>>();
            jni.delete_local(class);
            slots
        });
        let learnt = slots.and_then(|slots| self.memory.learn_layout(holder, slots));
        self.incomplete |= learnt.is_none();
    }
}
