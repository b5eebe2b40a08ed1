//! The few JVMTI calls that the agent makes, as a type that cannot be misused.

use std::ffi::{CStr, c_char, c_void};

use jvmti_bindings::sys::jni::{JavaVM, jclass, jfieldID, jmethodID, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_DISABLE, JVMTI_ENABLE, JVMTI_VERSION_1_2, jvmtiCapabilities, jvmtiEnv, jvmtiEvent,
    jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiHeapCallbacks,
};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Jvmti(*mut jvmtiEnv);

/// The code of a JVMTI error; the specification lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JvmtiError(pub(crate) i32);

impl JvmtiError {
    /// Of our own: the heap did not hold still long enough to be read.
    pub(crate) const UNSETTLED: JvmtiError = JvmtiError(-1);
}

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

    /// Asked for as the VM loads the agent. A VM of which it is asked later has not written down which compiled code depends
    /// on which class, and throws away all compiled code with the first change.
    pub(crate) fn add_retransform_capability(&self) -> Result<(), JvmtiError> {
        let mut capabilities = jvmtiCapabilities::default();
        capabilities.set_can_retransform_classes(true);
        call!(self, AddCapabilities, &capabilities)
    }

    pub(crate) fn retransform(&self, class: jclass) -> Result<(), JvmtiError> {
        call!(self, RetransformClasses, 1, &class)
    }

    /// All at once: if the VM refuses one, none is changed.
    pub(crate) fn retransform_all(&self, classes: &[jclass]) -> Result<(), JvmtiError> {
        call!(self, RetransformClasses, classes.len() as i32, classes.as_ptr())
    }

    /// The methods on the stack of this thread, innermost first, with the place in each: as many as there is room for.
    pub(crate) fn stack<'a>(&self, room: &'a mut [jvmtiFrameInfo]) -> Option<&'a [jvmtiFrameInfo]> {
        let this_thread = std::ptr::null_mut();
        let most = i32::try_from(room.len()).ok()?;
        let mut count = 0;
        call!(self, GetStackTrace, this_thread, 0, most, room.as_mut_ptr(), &mut count).ok()?;
        room.get(..usize::try_from(count).ok()?)
    }

    /// The class of a method, for the caller to delete, and the method's name.
    pub(crate) fn method(&self, method: jmethodID) -> Option<(jclass, String)> {
        let mut class = std::ptr::null_mut();
        call!(self, GetMethodDeclaringClass, method, &mut class).ok()?;
        let mut name = std::ptr::null_mut();
        let unwanted = std::ptr::null_mut();
        call!(self, GetMethodName, method, &mut name, unwanted, unwanted).ok()?;
        Some((class, self.text(name)?))
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

    /// Asked for only when state is to be compared.
    pub(crate) fn add_tag_capability(&self) -> Result<(), JvmtiError> {
        let mut capabilities = jvmtiCapabilities::default();
        capabilities.set_can_tag_objects(true);
        call!(self, AddCapabilities, &capabilities)
    }

    pub(crate) fn set_tag(&self, object: jobject, tag: i64) -> Result<(), JvmtiError> {
        call!(self, SetTag, object, tag)
    }

    /// 0 for none.
    pub(crate) fn tag(&self, object: jobject) -> Option<i64> {
        let mut tag = 0;
        call!(self, GetTag, object, &mut tag).ok()?;
        Some(tag)
    }

    /// Local references, all the caller's to delete.
    pub(crate) fn loaded_classes(&self) -> Result<Vec<jclass>, JvmtiError> {
        let (mut count, mut classes) = (0, std::ptr::null_mut());
        call!(self, GetLoadedClasses, &mut count, &mut classes)?;
        Ok(self.taken(count, classes))
    }

    /// Those that are alive, as local references.
    pub(crate) fn threads(&self) -> Result<Vec<jobject>, JvmtiError> {
        let (mut count, mut threads) = (0, std::ptr::null_mut());
        call!(self, GetAllThreads, &mut count, &mut threads)?;
        Ok(self.taken(count, threads))
    }

    /// A local reference.
    pub(crate) fn current_thread(&self) -> Result<jobject, JvmtiError> {
        let mut thread = std::ptr::null_mut();
        call!(self, GetCurrentThread, &mut thread)?;
        Ok(thread)
    }

    /// Those that a class implements itself.
    pub(crate) fn interfaces(&self, class: jclass) -> Result<Vec<jclass>, JvmtiError> {
        let (mut count, mut interfaces) = (0, std::ptr::null_mut());
        call!(self, GetImplementedInterfaces, class, &mut count, &mut interfaces)?;
        Ok(self.taken(count, interfaces))
    }

    /// Those that a class declares itself, in its order.
    pub(crate) fn fields(&self, class: jclass) -> Result<Vec<jfieldID>, JvmtiError> {
        let (mut count, mut fields) = (0, std::ptr::null_mut());
        call!(self, GetClassFields, class, &mut count, &mut fields)?;
        Ok(self.taken(count, fields))
    }

    /// Its name and its type's signature.
    pub(crate) fn field_name(&self, class: jclass, field: jfieldID) -> Option<(String, String)> {
        let (mut name, mut signature) = (std::ptr::null_mut(), std::ptr::null_mut());
        let generic = std::ptr::null_mut();
        call!(self, GetFieldName, class, field, &mut name, &mut signature, generic).ok()?;
        self.text(name).zip(self.text(signature))
    }

    /// The class whose method called the native one that is running.
    pub(crate) fn calling_class(&self) -> Option<jclass> {
        let this_thread = std::ptr::null_mut();
        let (mut method, mut location) = (std::ptr::null_mut(), 0);
        call!(self, GetFrameLocation, this_thread, 1, &mut method, &mut location).ok()?;
        let mut class = std::ptr::null_mut();
        call!(self, GetMethodDeclaringClass, method, &mut class).ok()?;
        (!class.is_null()).then_some(class)
    }

    /// A string that JVMTI allocated, as our own.
    fn text(&self, text: *mut c_char) -> Option<String> {
        if text.is_null() {
            return None;
        }
        // SAFETY: JVMTI returned a string that ends in a zero and is ours until it is deallocated below.
        let owned = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        let _ = call!(self, Deallocate, text.cast());
        Some(owned)
    }

    pub(crate) fn field_modifiers(&self, class: jclass, field: jfieldID) -> i32 {
        let mut modifiers = 0;
        let _ = call!(self, GetFieldModifiers, class, field, &mut modifiers);
        modifiers
    }

    /// The bits of `jvmtiClassStatus`.
    pub(crate) fn class_status(&self, class: jclass) -> i32 {
        let mut status = 0;
        let _ = call!(self, GetClassStatus, class, &mut status);
        status
    }

    /// # Safety
    /// The callbacks take `data` for what it is, and do nothing that JVMTI forbids while the heap is walked.
    pub(crate) unsafe fn follow_references(
        &self,
        from: jobject,
        callbacks: &jvmtiHeapCallbacks,
        data: *mut c_void,
    ) -> Result<(), JvmtiError> {
        call!(self, FollowReferences, 0, std::ptr::null_mut(), from, callbacks, data.cast_const())
    }

    /// A list that JVMTI allocated, as our own.
    fn taken<T: Copy>(&self, count: i32, list: *mut T) -> Vec<T> {
        if list.is_null() {
            return Vec::new();
        }
        // SAFETY: JVMTI returned as many elements as it says, ours until they are deallocated below.
        let taken =
            unsafe { std::slice::from_raw_parts(list, usize::try_from(count).unwrap_or(0)) }
                .to_vec();
        let _ = call!(self, Deallocate, list.cast());
        taken
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
