//! What the VM calls, in the order in which it does.

use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{JNIEnv, JavaVM, jclass, jint, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE,
    JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT, jvmtiEnv, jvmtiEventCallbacks,
};

use crate::agent::Agent;
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};
use crate::options::Options;
use crate::{hooks, models, weave};

/// The environment that the agent was loaded with.
static JVMTI: OnceLock<Shared> = OnceLock::new();

struct Shared(Jvmti);

// SAFETY: a JVMTI environment may be used from any thread.
unsafe impl Send for Shared {}
// SAFETY: as above; its functions lock inside the VM.
unsafe impl Sync for Shared {}

pub(crate) fn jvmti() -> Option<Jvmti> {
    JVMTI.get().map(|shared| shared.0)
}

/// An environment that may retransform classes. That of a watched VM may not: one that was shown class files before it could
/// never can, so the rare class that needs it makes another.
pub(crate) fn retransforming(agent: &Agent, jni: Jni) -> Option<Jvmti> {
    static OTHER: OnceLock<Option<Shared>> = OnceLock::new();
    if agent.is_worker() {
        return jvmti();
    }
    let other = OTHER.get_or_init(|| {
        // SAFETY: this is the VM that loaded the agent; there is one for each process.
        let jvmti = unsafe { Jvmti::of(jni.vm()?) }?;
        let mut callbacks = jvmtiEventCallbacks::default();
        callbacks.ClassFileLoadHook = Some(class_retransformed);
        jvmti.set_callbacks(&callbacks).ok()?;
        jvmti.add_retransform_capability().ok()?;
        jvmti.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK).ok()?;
        Some(Shared(jvmti))
    });
    other.as_ref().map(|shared| shared.0)
}

/// The VM loads the agent. Whatever goes wrong, the VM is told that all is well: it would not start otherwise.
///
/// # Safety
/// Only the VM calls it, as the JVMTI specification says.
#[unsafe(no_mangle)]
#[allow(unreachable_pub, reason = "the VM reaches it by its name")]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *mut c_char,
    _: *mut c_void,
) -> jint {
    // The default hook prints to the user's stderr.
    std::panic::set_hook(Box::new(|_| {}));
    let _ = catch_unwind(|| {
        if options.is_null() {
            return;
        }
        // SAFETY: the VM passes a string that ends in a zero.
        let text = unsafe { CStr::from_ptr(options) };
        // SAFETY: `vm` is what the VM passed.
        let jvmti = unsafe { Jvmti::of(vm) };
        if let (Some(options), Some(jvmti)) = (text.to_str().ok().and_then(Options::parse), jvmti) {
            let _ = JVMTI.set(Shared(jvmti));
            Agent::start(&options);
            let Some(agent) = Agent::get() else { return };
            if let Err(JvmtiError(code)) = listen(agent, jvmti) {
                agent.trouble(format!("the agent cannot listen to the VM (JVMTI error {code})"));
            }
        }
    });
    0
}

fn listen(agent: &Agent, jvmti: Jvmti) -> Result<(), JvmtiError> {
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ClassLoad = Some(class_load);
    callbacks.ClassPrepare = Some(class_prepare);
    callbacks.ClassFileLoadHook = Some(class_file_load_hook);
    jvmti.set_callbacks(&callbacks)?;
    if agent.is_worker() {
        // Where it comes later, the VM throws all compiled code away when the first class is changed. But code that may be
        // thrown away so takes longer to compile: a watched VM is spared that.
        jvmti.add_retransform_capability()?;
    }
    jvmti.enable(JVMTI_EVENT_VM_INIT)?;
    jvmti.enable(JVMTI_EVENT_VM_DEATH)
}

extern "system" fn vm_init(jvmti: *mut jvmtiEnv, jni: *mut JNIEnv, _: jobject) {
    guarded(jvmti, jni, |agent, jvmti, jni| {
        if agent.is_worker() {
            weave::prepare_worker(agent, jni);
        }
        if let Err(JvmtiError(code)) = jvmti.enable(JVMTI_EVENT_CLASS_LOAD) {
            agent
                .trouble(format!("tests are not seen: classes are not shown (JVMTI error {code})"));
        }
    });
}

/// For every class of a VM until a test framework is near, and so for all of most VMs: it must be quick.
extern "system" fn class_load(jvmti: *mut jvmtiEnv, jni: *mut JNIEnv, _: jobject, class: jclass) {
    guarded(jvmti, jni, |agent, jvmti, _| {
        if jvmti.with_signature(class, hooks::is_herald) == Some(true) {
            let shown = jvmti
                .enable(JVMTI_EVENT_CLASS_PREPARE)
                .and_then(|()| weave::show_all_classes(jvmti));
            if let Err(JvmtiError(code)) = shown {
                agent.trouble(format!(
                    "tests may not be seen: classes are not shown (JVMTI error {code})"
                ));
            }
            let _ = jvmti.disable(JVMTI_EVENT_CLASS_LOAD);
        }
    });
}

extern "system" fn class_prepare(
    jvmti: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    _: jobject,
    class: jclass,
) {
    guarded(jvmti, jni, |agent, jvmti, jni| {
        agent.watcher.class_prepared(jni, class);
        let points = agent.watcher.wants_points();
        let find = |signature: &str| hooks::find(signature, points);
        if let Some(hooked) = jvmti.with_signature(class, find).flatten() {
            weave::weave_prepared(agent, jvmti, jni, class, hooked);
        }
    });
}

/// Only comes once a test framework is near, and while some thread retransforms a class.
extern "system" fn class_file_load_hook(
    jvmti: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    guarded(jvmti, jni, |agent, jvmti, jni| {
        let length = usize::try_from(length).unwrap_or(0);
        if bytes.is_null() || length == 0 {
            return;
        }
        // SAFETY: the VM passes as many bytes as it says, for the time of this call.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, length) };
        let woven = if redefined.is_null() {
            // SAFETY: the VM passes null or a string that ends in a zero, for the time of this call.
            let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
            let points = agent.watcher.wants_points();
            match name.and_then(|name| hooks::find_by_name(name.to_bytes(), points)) {
                Some(hooked) => weave::weave_loading(agent, jvmti, jni, loader, hooked, bytes),
                None => {
                    let text = name.and_then(|name| name.to_str().ok()).unwrap_or_default();
                    let declared = models::woven(agent, text, bytes);
                    let bytes = declared.as_deref().unwrap_or(bytes);
                    let initialisers = &agent.choices.initialisers;
                    let counted = initialisers.class_loaded(text, loader.is_null(), bytes);
                    let bytes = counted.as_deref().unwrap_or(bytes);
                    agent.watcher.class_loaded(jni, name, domain, bytes).or(counted).or(declared)
                }
            }
        } else {
            models::rewrite(agent, bytes).or_else(|| weave::rewrite(agent, bytes))
        };
        if let Some(woven) = woven {
            // SAFETY: the VM passes these places, for the time of this call.
            unsafe { replace(jvmti, &woven, new_length, new_bytes) };
        }
    });
}

/// See [`retransforming`].
extern "system" fn class_retransformed(
    jvmti: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    redefined: jclass,
    _: jobject,
    _: *const c_char,
    _: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    guarded(jvmti, jni, |agent, jvmti, _| {
        let length = usize::try_from(length).unwrap_or(0);
        if redefined.is_null() || bytes.is_null() || length == 0 {
            return;
        }
        // SAFETY: the VM passes as many bytes as it says, for the time of this call.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, length) };
        if let Some(woven) = weave::rewrite(agent, bytes) {
            // SAFETY: the VM passes these places, for the time of this call.
            unsafe { replace(jvmti, &woven, new_length, new_bytes) };
        }
    });
}

/// # Safety
/// Both places can be written to.
unsafe fn replace(jvmti: Jvmti, woven: &[u8], new_length: *mut jint, new_bytes: *mut *mut c_uchar) {
    let Ok(length) = jint::try_from(woven.len()) else { return };
    if let Some(memory) = jvmti.copy_for_vm(woven) {
        // SAFETY: the caller's promise.
        unsafe {
            *new_bytes = memory;
            *new_length = length;
        }
    }
}

extern "system" fn vm_death(jvmti: *mut jvmtiEnv, jni: *mut JNIEnv) {
    guarded(jvmti, jni, |agent, jvmti, jni| agent.ends(agent.watcher.classes(jvmti, jni)));
}

/// Nothing unwinds into the VM.
fn guarded(jvmti: *mut jvmtiEnv, jni: *mut JNIEnv, work: impl FnOnce(&Agent, Jvmti, Jni)) {
    // SAFETY: the VM passes its environments to a callback.
    let (jvmti, jni) = unsafe { (Jvmti::new(jvmti), Jni::new(jni)) };
    let (Some(agent), Some(jvmti), Some(jni)) = (Agent::get(), jvmti, jni) else { return };
    if catch_unwind(AssertUnwindSafe(|| work(agent, jvmti, jni))).is_err() {
        let _ = catch_unwind(AssertUnwindSafe(|| agent.trouble("the agent failed in a callback")));
    }
}
