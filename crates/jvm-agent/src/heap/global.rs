//! Objects that are held on to from one test to another.

use jvmti_bindings::sys::jni::jobject;

/// A global reference. Whoever made it deletes it, or leaves it until the VM ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Global(pub(super) jobject);

// SAFETY: a JNI global reference may be used from any thread.
unsafe impl Send for Global {}
