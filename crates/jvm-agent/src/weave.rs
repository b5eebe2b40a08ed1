//! Puts the calls to a probe into a framework's class.
//!
//! The class has just been prepared and none of its code has run. It is retransformed, which makes the VM hand over its
//! bytes: [`Pending`] carries what to do from the one callback to the other, in the thread that both run in.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use jvmti_bindings::sys::jni::{jclass, jobject};
use jvmti_bindings::sys::jvmti::JVMTI_EVENT_CLASS_FILE_LOAD_HOOK;
use surefoot_classfile::{Argument, Call, ClassFile};

use crate::agent::Agent;
use crate::bundle;
use crate::hooks::HookedClass;
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};

thread_local! {
    /// The class that this thread is about to get the bytes of.
    static PENDING: Cell<Option<Pending>> = const { Cell::new(None) };
}

#[derive(Debug, Clone, Copy)]
struct Pending {
    hooked: &'static HookedClass,
    slot: i16,
}

/// A class of a framework was prepared: weave it before any of its code runs.
pub(crate) fn weave(
    agent: &Agent,
    jvmti: Jvmti,
    jni: Jni,
    class: jclass,
    hooked: &'static HookedClass,
) {
    agent.watcher.tests_will_run(agent, jvmti, jni);
    let woven = define_probe(jni)
        .and_then(|()| agent.slots.slot(jvmti, jni, class, hooked.probe))
        .and_then(|slot| retransform(jvmti, class, Pending { hooked, slot }));
    if let Err(why) = woven {
        agent.trouble(format!("tests of {} are not seen: {why}", hooked.signature));
    }
}

/// The bytes of a class that is being retransformed; what to replace them with, if it is one of ours.
pub(crate) fn rewrite(agent: &Agent, bytes: &[u8]) -> Option<Vec<u8>> {
    let Pending { hooked, slot } = PENDING.take()?;
    let mut class = match ClassFile::parse(bytes) {
        Ok(class) => class,
        Err(refusal) => {
            agent.trouble(format!("tests of {} are not seen: {refusal}", hooked.signature));
            return None;
        }
    };
    for hook in hooked.methods {
        let arguments = [
            Argument::Int(slot),
            Argument::Int(hook.hook),
            Argument::Local(hook.first),
            hook.second.map_or(Argument::Null, Argument::Local),
        ];
        let call = Call {
            class: bundle::PROBE,
            method: "event",
            descriptor: "(IILjava/lang/Object;Ljava/lang/Object;)V",
        };
        let found = class.methods().find(|(_, method)| {
            method.name() == hook.name.as_bytes()
                && hook.descriptor.is_none_or(|d| method.descriptor() == d.as_bytes())
        });
        let Some((index, _)) = found else {
            // Old versions lack some methods: nothing can come from there.
            continue;
        };
        if let Err(refusal) = class.prepend_static_call(index, &call, &arguments) {
            agent.trouble(format!("{} {} is not watched: {refusal}", hooked.signature, hook.name));
        }
    }
    Some(class.to_bytes())
}

/// Two threads may do this at once; the second finds the class there.
fn define_probe(jni: Jni) -> Result<(), String> {
    if jni.find_class(bundle::PROBE).is_some() {
        return Ok(());
    }
    for name in [bundle::LOADER, bundle::PROBE] {
        let bytes = bundle::class(name).ok_or_else(|| format!("{name} is not in the agent"))?;
        if jni.define_boot_class(name, bytes).is_none() && jni.find_class(name).is_none() {
            return Err(format!("the VM does not take {name}"));
        }
    }
    Ok(())
}

/// For a worker, whose main class is the probe: define it before the launcher looks for it.
pub(crate) fn prepare_worker(agent: &Agent, jni: Jni) {
    if let Err(why) = define_probe(jni) {
        agent.trouble(format!("the worker cannot start: {why}"));
    }
}

/// Lets the VM hand over the bytes of all these classes, in this thread, and takes what it is given for them.
pub(crate) fn retransform_all(jvmti: Jvmti, classes: &[jclass]) -> Result<(), String> {
    let words = |what: &'static str| move |e: JvmtiError| format!("{what} (JVMTI error {})", e.0);
    jvmti.add_retransform_capability().map_err(words("the VM does not let classes be changed"))?;
    let _shown = ClassFiles::show(jvmti).map_err(words("the VM does not show class files"))?;
    jvmti.retransform_all(classes).map_err(words("the VM does not take the changed classes"))
}

fn retransform(jvmti: Jvmti, class: jclass, pending: Pending) -> Result<(), String> {
    let words = |what: &'static str| move |e: JvmtiError| format!("{what} (JVMTI error {})", e.0);
    let _shown = ClassFiles::show(jvmti).map_err(words("the VM does not show class files"))?;
    PENDING.set(Some(pending));
    let woven = jvmti.retransform(class).map_err(words("the VM does not take the changed class"));
    PENDING.set(None);
    woven
}

/// From now on, every class that is loaded.
pub(crate) fn show_all_classes(jvmti: Jvmti) -> Result<(), JvmtiError> {
    // For as long as the VM lives.
    std::mem::forget(ClassFiles::show(jvmti)?);
    Ok(())
}

/// Class files are shown to the agent as long as one of these lives. The VM has one switch for all threads, and two
/// threads may weave at a time.
struct ClassFiles(Jvmti);

static WEAVING: Mutex<u32> = Mutex::new(0);

impl ClassFiles {
    fn show(jvmti: Jvmti) -> Result<ClassFiles, JvmtiError> {
        let mut weaving = WEAVING.lock().unwrap_or_else(PoisonError::into_inner);
        if *weaving == 0 {
            jvmti.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)?;
        }
        *weaving += 1;
        Ok(ClassFiles(jvmti))
    }
}

impl Drop for ClassFiles {
    fn drop(&mut self) {
        let mut weaving = WEAVING.lock().unwrap_or_else(PoisonError::into_inner);
        *weaving -= 1;
        if *weaving == 0 {
            let _ = self.0.disable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
        }
    }
}

/// Woven classes by number: woven code names its framework by it.
#[derive(Debug, Default)]
pub(crate) struct Slots(Mutex<Vec<Slot>>);

#[derive(Debug, Clone, Copy)]
struct Slot {
    probe: &'static str,
    /// A weak reference: the framework's loader may be collected.
    class: jobject,
}

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for Slot {}

/// As many as SurefootProbe has room for.
const MAX_SLOTS: usize = 128;

impl Slots {
    /// Classes of one framework and one loader share a slot, and so a probe.
    fn slot(
        &self,
        jvmti: Jvmti,
        jni: Jni,
        class: jclass,
        probe: &'static str,
    ) -> Result<i16, String> {
        let loader = jvmti.class_loader(class).ok_or("its class loader is unknown")?;
        let known = self.all().iter().copied().enumerate().find(|(_, slot)| {
            slot.probe == probe
                && jni
                    .new_local(slot.class)
                    .and_then(|class| jvmti.class_loader(class))
                    .is_some_and(|known| jni.same(known, loader))
        });
        if let Some((index, _)) = known {
            return Ok(index as i16);
        }
        let class = jni.new_weak_global(class).ok_or("out of memory")?;
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() == MAX_SLOTS {
            return Err(format!("more than {MAX_SLOTS} class loaders have a test framework"));
        }
        slots.push(Slot { probe, class });
        Ok((slots.len() - 1) as i16)
    }

    pub(crate) fn probe(&self, slot: i32) -> Option<&'static str> {
        self.get(slot).map(|slot| slot.probe)
    }

    pub(crate) fn class(&self, slot: i32) -> Option<jobject> {
        self.get(slot).map(|slot| slot.class)
    }

    fn get(&self, slot: i32) -> Option<Slot> {
        self.all().get(usize::try_from(slot).ok()?).copied()
    }

    fn all(&self) -> Vec<Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
