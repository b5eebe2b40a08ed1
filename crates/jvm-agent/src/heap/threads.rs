//! Threads that are alive, and what their thread locals hold.

use std::collections::{BTreeMap, BTreeSet};

use jvmti_bindings::sys::jni::jobject;

use super::fields::FieldId;
use super::snapshot::{Primitive, Thing};
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};

const THREAD: &str = "java/lang/Thread";
const MAP: &str = "java/lang/ThreadLocal$ThreadLocalMap";
const ENTRY: &str = "java/lang/ThreadLocal$ThreadLocalMap$Entry";

/// How the JDK keeps them: the same in all versions that are supported.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads {
    id: FieldId,
    name: FieldId,
    locals: [FieldId; 2],
    table: FieldId,
    key: FieldId,
    value: FieldId,
}

/// A thread that is alive, as a local reference.
#[derive(Debug)]
struct Live {
    id: i64,
    name: String,
    object: jobject,
}

/// What a thread local holds in a thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Local {
    /// The thread local, which a walk has met.
    pub(crate) key: Thing,
    /// The number of the thread's name; 0 for the thread that asks.
    pub(crate) thread: u32,
    /// A local reference.
    pub(crate) value: jobject,
}

impl Threads {
    pub(crate) fn new(jni: Jni) -> Option<Threads> {
        let map = format!("L{MAP};");
        Some(Threads {
            id: jni.field(THREAD, "tid", "J")?,
            name: jni.field(THREAD, "name", "Ljava/lang/String;")?,
            locals: [
                jni.field(THREAD, "threadLocals", &map)?,
                jni.field(THREAD, "inheritableThreadLocals", &map)?,
            ],
            table: jni.field(MAP, "table", &format!("[L{ENTRY};"))?,
            key: jni.field("java/lang/ref/Reference", "referent", "Ljava/lang/Object;")?,
            value: jni.field(ENTRY, "value", "Ljava/lang/Object;")?,
        })
    }

    /// Names by number. Virtual threads are not among them.
    pub(crate) fn names(
        &self,
        jvmti: Jvmti,
        jni: Jni,
    ) -> Result<BTreeMap<i64, String>, JvmtiError> {
        let live = self.live(jvmti, jni)?;
        live.iter().for_each(|thread| jni.delete_local(thread.object));
        Ok(live.into_iter().map(|thread| (thread.id, thread.name)).collect())
    }

    /// What those thread locals hold that have a tag, in the thread that asks and in these, thread by thread.
    pub(crate) fn locals(
        &self,
        these: &BTreeSet<i64>,
        names: &mut Vec<String>,
        jvmti: Jvmti,
        jni: Jni,
    ) -> Result<Vec<Local>, JvmtiError> {
        let own = jvmti.current_thread()?;
        let mut locals = Vec::new();
        for thread in self.live(jvmti, jni)? {
            let number = match jni.same(thread.object, own) {
                true => Some(0),
                false => these.contains(&thread.id).then(|| numbered(names, thread.name)),
            };
            if let Some(number) = number {
                self.of_thread(thread.object, number, &mut locals, jvmti, jni);
            }
            jni.delete_local(thread.object);
        }
        jni.delete_local(own);
        Ok(locals)
    }

    fn of_thread(
        &self,
        thread: jobject,
        number: u32,
        locals: &mut Vec<Local>,
        jvmti: Jvmti,
        jni: Jni,
    ) {
        for field in self.locals {
            let map = jni.object(thread, field);
            let table = map.and_then(|map| jni.object(map, self.table));
            if let Some(table) = table {
                self.of_table(table, number, locals, jvmti, jni);
            }
            map.into_iter().chain(table).for_each(|object| jni.delete_local(object));
        }
    }

    fn of_table(
        &self,
        table: jobject,
        thread: u32,
        locals: &mut Vec<Local>,
        jvmti: Jvmti,
        jni: Jni,
    ) {
        for entry in (0..jni.length(table)).filter_map(|index| jni.element(table, index)) {
            let key = jni.object(entry, self.key);
            let tag = key.and_then(|key| jvmti.tag(key)).and_then(Thing::from_tag);
            let value = tag.and_then(|_| jni.object(entry, self.value));
            locals.extend(tag.zip(value).map(|(key, value)| Local { key, thread, value }));
            key.into_iter().chain([entry]).for_each(|object| jni.delete_local(object));
        }
    }

    /// In the order in which they were made.
    fn live(&self, jvmti: Jvmti, jni: Jni) -> Result<Vec<Live>, JvmtiError> {
        let mut live: Vec<Live> = Vec::new();
        for object in jvmti.threads()? {
            let Primitive::Long(id) = jni.primitive(object, self.id, Primitive::Long(0)) else {
                continue;
            };
            let name = jni.object(object, self.name);
            let text = name.and_then(|name| jni.string(name)).unwrap_or_default();
            name.into_iter().for_each(|name| jni.delete_local(name));
            live.push(Live { id, name: text, object });
        }
        live.sort_by_key(|thread| thread.id);
        Ok(live)
    }
}

/// Two threads of one name are one to who reads it. Number 0 is taken.
fn numbered(names: &mut Vec<String>, name: String) -> u32 {
    if names.is_empty() {
        names.push(String::new());
    }
    let known = names.iter().skip(1).position(|known| *known == name).map(|at| at + 1);
    let number = known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    });
    u32::try_from(number).unwrap_or(u32::MAX)
}
