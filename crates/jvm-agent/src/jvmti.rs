//! The few JVMTI calls that the agent makes, as a type that cannot be misused.

use std::ffi::{CStr, c_void};

use jvmti_bindings::sys::jni::{JavaVM, jclass, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_DISABLE, JVMTI_ENABLE, JVMTI_VERSION_1_2, jvmtiCapabilities, jvmtiEnv, jvmtiEvent,
    jvmtiEventCallbacks,
};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Jvmti(*mut jvmtiEnv);

/// The code of a JVMTI error; the specification lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JvmtiError(pub(crate) i32);

const ALL_THREADS: jobject = std::ptr::null_mut();

/// A function that this VM does not have; JVMTI's own code for it.
const NOT_AVAILABLE: JvmtiError = JvmtiError(98);

macro_rules! call {
    ($self:ident, $function:ident $(, $argument:expr)*) => {{
        // SAFETY: `Jvmti` holds an environment of this VM, which lives as long as the VM; the arguments are references and
        // buffers that live through the call.
        let code = unsafe {
            (*(*$self.0).functions).$function.map(|function| function($self.0 $(, $argument)*).raw())
        };
        match code {
            Some(0) => Ok(()),
            Some(code) => Err(JvmtiError(code)),
            None => Err(NOT_AVAILABLE),
        }
    }};
}

impl Jvmti {
    /// # Safety
    /// `vm` is the VM that loads the agent.
    pub(crate) unsafe fn of(vm: *mut JavaVM) -> Option<Jvmti> {
        let mut env: *mut c_void = std::ptr::null_mut();
        // SAFETY: the caller's promise; `env` is a place for one pointer. JVMTI 1.2 is what JDK 8 and later all have.
        let status = unsafe { ((**vm).GetEnv)(vm, &mut env, JVMTI_VERSION_1_2) };
        (status == 0 && !env.is_null()).then_some(Jvmti(env.cast()))
    }

    /// # Safety
    /// `env` is the environment that the VM passed to the callback that is running.
    pub(crate) unsafe fn new(env: *mut jvmtiEnv) -> Option<Jvmti> {
        (!env.is_null()).then_some(Jvmti(env))
    }

    pub(crate) fn set_callbacks(&self, callbacks: &jvmtiEventCallbacks) -> Result<(), JvmtiError> {
        call!(self, SetEventCallbacks, callbacks, size_of::<jvmtiEventCallbacks>() as i32)
    }

    /// In all threads.
    pub(crate) fn enable(&self, event: jvmtiEvent) -> Result<(), JvmtiError> {
        call!(self, SetEventNotificationMode, JVMTI_ENABLE, event, ALL_THREADS)
    }

    pub(crate) fn disable(&self, event: jvmtiEvent) -> Result<(), JvmtiError> {
        call!(self, SetEventNotificationMode, JVMTI_DISABLE, event, ALL_THREADS)
    }

    /// Asked for only when a test framework shows up: a VM without tests pays nothing for it.
    pub(crate) fn add_retransform_capability(&self) -> Result<(), JvmtiError> {
        let mut capabilities = jvmtiCapabilities::default();
        capabilities.set_can_retransform_classes(true);
        call!(self, AddCapabilities, &capabilities)
    }

    pub(crate) fn retransform(&self, class: jclass) -> Result<(), JvmtiError> {
        call!(self, RetransformClasses, 1, &class)
    }

    /// Hands the signature (`La/B;`) to `with` without copying it: this is called for every class of every VM.
    pub(crate) fn with_signature<T>(
        &self,
        class: jclass,
        with: impl FnOnce(&str) -> T,
    ) -> Option<T> {
        let mut signature = std::ptr::null_mut();
        call!(self, GetClassSignature, class, &mut signature, std::ptr::null_mut()).ok()?;
        if signature.is_null() {
            return None;
        }
        // SAFETY: JVMTI returned a string that ends in a zero and is ours until it is deallocated below.
        let text = unsafe { CStr::from_ptr(signature) };
        let result = text.to_str().ok().map(with);
        let _ = call!(self, Deallocate, signature.cast());
        result
    }

    /// Null is the boot loader.
    pub(crate) fn class_loader(&self, class: jclass) -> Option<jobject> {
        let mut loader = std::ptr::null_mut();
        call!(self, GetClassLoader, class, &mut loader).ok()?;
        Some(loader)
    }

    /// A copy in memory that the VM will free.
    pub(crate) fn copy_for_vm(&self, bytes: &[u8]) -> Option<*mut u8> {
        let mut memory = std::ptr::null_mut();
        let length = i64::try_from(bytes.len()).ok()?;
        call!(self, Allocate, length, &mut memory).ok()?;
        if memory.is_null() {
            return None;
        }
        // SAFETY: the VM just allocated as many bytes for us, and they overlap nothing.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }
}
