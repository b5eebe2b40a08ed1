//! Puts the calls to a probe into a framework's class.
//!
//! Once a class of any framework or of Surefire shows up, the VM hands over the bytes of each class that it loads, and those of
//! the hooked ones are changed. A hooked class that was loaded before is woven when it is prepared, before any of its code
//! runs: it is retransformed, which makes the VM hand over its bytes. [`Pending`] carries what to do from the one callback to
//! the other, in the thread that both run in.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti_bindings::sys::jni::{jclass, jobject};
use jvmti_bindings::sys::jvmti::JVMTI_EVENT_CLASS_FILE_LOAD_HOOK;
use surefoot_classfile::{Argument, Call, ClassFile};

use crate::agent::Agent;
use crate::hooks::{HookedClass, Place};
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};
use crate::{bundle, callbacks};

thread_local! {
    /// The class that this thread is about to get the bytes of.
    static PENDING: Cell<Option<Pending>> = const { Cell::new(None) };
}

#[derive(Debug, Clone, Copy)]
struct Pending {
    hooked: &'static HookedClass,
    slot: i16,
}

/// A class of a framework is being loaded: what to load instead.
pub(crate) fn weave_loading(
    agent: &Agent,
    jvmti: Jvmti,
    jni: Jni,
    loader: jobject,
    hooked: &'static HookedClass,
    bytes: &[u8],
) -> Option<Vec<u8>> {
    let slot = slot(agent, jvmti, jni, loader, hooked)?;
    let woven = woven(agent, hooked, slot, bytes)?;
    agent.frameworks.is_woven(slot, hooked);
    Some(woven)
}

/// A class of a framework was prepared: weave it before any of its code runs, unless it was while it was loaded.
pub(crate) fn weave_prepared(
    agent: &Agent,
    jvmti: Jvmti,
    jni: Jni,
    class: jclass,
    hooked: &'static HookedClass,
) {
    let loader = jvmti.class_loader(class).unwrap_or(std::ptr::null_mut());
    let Some(slot) = slot(agent, jvmti, jni, loader, hooked) else { return };
    if agent.frameworks.was_woven(slot, hooked) {
        return;
    }
    if let Err(why) = retransform(agent, jni, class, Pending { hooked, slot }) {
        not_seen(agent, hooked, &why);
    }
}

fn slot(
    agent: &Agent,
    jvmti: Jvmti,
    jni: Jni,
    loader: jobject,
    hooked: &HookedClass,
) -> Option<i16> {
    agent.watcher.tests_will_run(agent, jvmti, jni);
    let slot = define_probe(jni).and_then(|()| agent.frameworks.slot(jni, loader, hooked.probe));
    slot.map_err(|why| not_seen(agent, hooked, &why)).ok()
}

fn not_seen(agent: &Agent, hooked: &HookedClass, why: &dyn std::fmt::Display) {
    agent.trouble(format!("tests of {} are not seen: {why}", hooked.signature));
}

/// The bytes of a class that is being retransformed; what to replace them with, if it is one of ours.
pub(crate) fn rewrite(agent: &Agent, bytes: &[u8]) -> Option<Vec<u8>> {
    let Pending { hooked, slot } = PENDING.take()?;
    woven(agent, hooked, slot, bytes)
}

fn woven(agent: &Agent, hooked: &HookedClass, slot: i16, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut class =
        ClassFile::parse(bytes).map_err(|refusal| not_seen(agent, hooked, &refusal)).ok()?;
    for hook in hooked.methods {
        let arguments = [
            Argument::Int(slot),
            Argument::Int(hook.hook),
            hook.first.map_or(Argument::Null, Argument::Local),
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
        let woven = match hook.place {
            Place::Start => class.prepend_static_call(index, &call, &arguments),
            Place::Returns => class.append_static_call(index, &call, &arguments),
            Place::Throws => class.append_static_call_on_throw(index, &call, &arguments),
        };
        if let Err(refusal) = woven {
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
    let _shown = ClassFiles::show(jvmti).map_err(words("the VM does not show class files"))?;
    jvmti.retransform_all(classes).map_err(words("the VM does not take the changed classes"))
}

fn retransform(agent: &Agent, jni: Jni, class: jclass, pending: Pending) -> Result<(), String> {
    let jvmti = callbacks::retransforming(agent, jni).ok_or("the VM lets no class be changed")?;
    PENDING.set(Some(pending));
    let woven = jvmti.retransform(class).map_err(|JvmtiError(code)| {
        format!("the VM does not take the changed class (JVMTI error {code})")
    });
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

/// The test frameworks of this VM, and what is woven of each.
#[derive(Debug, Default)]
pub(crate) struct Frameworks(Mutex<Vec<Slot>>);

/// One framework in one class loader: woven code names it by its number.
#[derive(Debug)]
struct Slot {
    probe: &'static str,
    /// A weak reference, as the loader may be collected; none is the boot loader.
    loader: Option<jobject>,
    woven: Vec<&'static str>,
}

// SAFETY: a JNI weak global reference may be used from any thread.
unsafe impl Send for Slot {}

/// As many as SurefootProbe has room for.
const MAX_SLOTS: usize = 128;

impl Frameworks {
    /// Classes of one framework and one loader share a slot, and so a probe.
    fn slot(&self, jni: Jni, loader: jobject, probe: &'static str) -> Result<i16, String> {
        let mut slots = self.slots();
        let known = slots.iter().position(|slot| {
            slot.probe == probe
                && match slot.loader {
                    None => loader.is_null(),
                    Some(weak) => jni.new_local(weak).is_some_and(|known| jni.same(known, loader)),
                }
        });
        if let Some(known) = known {
            return Ok(known as i16);
        }
        if slots.len() == MAX_SLOTS {
            return Err(format!("more than {MAX_SLOTS} class loaders have a test framework"));
        }
        let loader = if loader.is_null() {
            None
        } else {
            Some(jni.new_weak_global(loader).ok_or("out of memory")?)
        };
        slots.push(Slot { probe, loader, woven: Vec::new() });
        Ok((slots.len() - 1) as i16)
    }

    fn is_woven(&self, slot: i16, hooked: &HookedClass) {
        if let Some(slot) = self.slots().get_mut(slot as usize) {
            slot.woven.push(hooked.signature);
        }
    }

    fn was_woven(&self, slot: i16, hooked: &HookedClass) -> bool {
        self.slots().get(slot as usize).is_some_and(|slot| slot.woven.contains(&hooked.signature))
    }

    pub(crate) fn probe(&self, slot: i32) -> Option<&'static str> {
        self.slots().get(usize::try_from(slot).ok()?).map(|slot| slot.probe)
    }

    pub(crate) fn loader(&self, jni: Jni, slot: i32) -> Option<jobject> {
        let weak = self.slots().get(usize::try_from(slot).ok()?)?.loader?;
        jni.new_local(weak)
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
