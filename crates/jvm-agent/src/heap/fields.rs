//! The fields of a class by the numbers that the VM gives them while it walks the heap.

use jvmti_bindings::sys::jni::{jclass, jfieldID};

use super::treatment;
use crate::jni::Jni;
use crate::jvmti::Jvmti;

/// How the VM knows a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldId(pub(crate) jfieldID);

// SAFETY: a field id may be used from any thread, as long as its class is there.
unsafe impl Send for FieldId {}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) id: FieldId,
    pub(crate) name: String,
    /// Of its type.
    pub(crate) signature: String,
    /// The signature of the class that declares it.
    pub(crate) declared_by: String,
    /// As in a class file.
    pub(crate) modifiers: i32,
}

const ACC_STATIC: i32 = 0x0008;
const ACC_FINAL: i32 = 0x0010;

impl Field {
    pub(crate) fn is_final(&self) -> bool {
        self.modifiers & ACC_FINAL != 0
    }

    /// It belongs to each object, and does not only remember what the others say.
    pub(crate) fn is_state(&self) -> bool {
        self.modifiers & ACC_STATIC == 0 && !treatment::is_cache(&self.declared_by, &self.name)
    }
}

/// The numbers count the fields of all interfaces first, then those of the superclasses from the top, then the class's own.
/// Fields of interfaces are static and never met at an object: there are as many empty places.
pub(crate) fn of(jvmti: Jvmti, jni: Jni, class: jclass) -> Option<Vec<Option<Field>>> {
    let mut line = vec![class];
    while let Some(superclass) = jni.superclass(*line.last()?) {
        line.push(superclass);
    }
    let mut interfaces: Vec<jclass> = Vec::new();
    for class in &line {
        add_interfaces(jvmti, jni, *class, &mut interfaces);
    }
    let mut fields: Vec<Option<Field>> = Vec::new();
    for interface in interfaces {
        fields.resize(fields.len() + jvmti.fields(interface).ok()?.len(), None);
        jni.delete_local(interface);
    }
    for declaring in line.iter().rev() {
        let declared_by = jvmti.with_signature(*declaring, str::to_owned)?;
        for field in jvmti.fields(*declaring).ok()? {
            let (name, signature) = jvmti.field_name(*declaring, field)?;
            fields.push(Some(Field {
                id: FieldId(field),
                name,
                signature,
                declared_by: declared_by.clone(),
                modifiers: jvmti.field_modifiers(*declaring, field),
            }));
        }
    }
    line.into_iter().skip(1).for_each(|class| jni.delete_local(class));
    Some(fields)
}

/// With all that they extend, each once.
fn add_interfaces(jvmti: Jvmti, jni: Jni, class: jclass, known: &mut Vec<jclass>) {
    let mut open = jvmti.interfaces(class).unwrap_or_default();
    while let Some(interface) = open.pop() {
        if known.iter().any(|other| jni.same(*other, interface)) {
            jni.delete_local(interface);
        } else {
            open.extend(jvmti.interfaces(interface).unwrap_or_default());
            known.push(interface);
        }
    }
}
