//! Shutdown hooks, by what they run. As objects they are threads, most of them of one class.

use std::collections::BTreeMap;
use std::path::Path;

use jvmti_bindings::sys::jni::jobject;

use super::classes::{Classes, readable};
use super::fields::FieldId;
use super::origin::{self, Origins};
use super::roots::Roots;
use super::snapshot::Thing;
use crate::jni::Jni;
use crate::jvmti::Jvmti;

const THREAD: &str = "java/lang/Thread";
const RUNNABLE: &str = "Ljava/lang/Runnable;";

/// Where a thread has what it runs.
#[derive(Debug, Clone, Copy)]
enum Task {
    Target(FieldId),
    /// Since JDK 19.
    Holder(FieldId, FieldId),
}

#[derive(Debug)]
pub(crate) struct ShutdownHooks {
    table: FieldId,
    task: Task,
    /// By the tag of the thread.
    names: BTreeMap<i64, String>,
}

impl ShutdownHooks {
    pub(crate) fn new(jni: Jni) -> Option<ShutdownHooks> {
        let holder = "java/lang/Thread$FieldHolder";
        let task = match jni.field(THREAD, "target", RUNNABLE) {
            Some(target) => Task::Target(target),
            None => Task::Holder(
                jni.field(THREAD, "holder", &format!("L{holder};"))?,
                jni.field(holder, "task", RUNNABLE)?,
            ),
        };
        let table = jni.field("java/util/IdentityHashMap", "table", "[Ljava/lang/Object;")?;
        Some(ShutdownHooks { table, task, names: BTreeMap::new() })
    }

    /// How many there are of each name; none until somebody adds the first.
    pub(crate) fn named(
        &mut self,
        roots: &Roots,
        classes: &Classes,
        origins: Option<&Origins>,
        project: &Path,
        jvmti: Jvmti,
        jni: Jni,
    ) -> BTreeMap<String, usize> {
        let mut named = BTreeMap::new();
        let map = roots.only(Roots::SHUTDOWN_HOOKS).and_then(|((index, _), root)| {
            let class = roots.is_initialised(index).then(|| classes.local(jni, index))??;
            let map = jni.static_object(class, root.id);
            jni.delete_local(class);
            map
        });
        let Some(map) = map else { return named };
        if let Some(table) = jni.object(map, self.table) {
            // Keys and values take turns.
            for hook in (0..jni.length(table)).step_by(2).filter_map(|at| jni.element(table, at)) {
                let tag = jvmti.tag(hook).filter(|tag| Thing::from_tag(*tag).is_some());
                let known = tag.and_then(|tag| self.names.get(&tag).cloned());
                let name = known.unwrap_or_else(|| self.name(hook, origins, project, jvmti, jni));
                if let Some(tag) = tag {
                    self.names.insert(tag, name.clone());
                }
                *named.entry(name).or_default() += 1;
                jni.delete_local(hook);
            }
            jni.delete_local(table);
        }
        jni.delete_local(map);
        named
    }

    /// The class of what it runs, and whether that is a library's or the JDK's.
    fn name(
        &self,
        hook: jobject,
        origins: Option<&Origins>,
        project: &Path,
        jvmti: Jvmti,
        jni: Jni,
    ) -> String {
        let task = match self.task {
            Task::Target(target) => jni.object(hook, target),
            Task::Holder(holder, task) => jni.object(hook, holder).and_then(|holder| {
                let task = jni.object(holder, task);
                jni.delete_local(holder);
                task
            }),
        };
        let class = jni.class_of(task.unwrap_or(hook));
        let signature = class.and_then(|class| jvmti.with_signature(class, str::to_owned));
        let path = class.zip(origins).and_then(|(class, origins)| origins.path(jni, class));
        task.into_iter().chain(class).for_each(|local| jni.delete_local(local));
        let name = readable(&signature.unwrap_or_default());
        if path.is_some_and(|path| origin::is_of_project(&path, project)) {
            name
        } else {
            format!("{name} of a library")
        }
    }
}
