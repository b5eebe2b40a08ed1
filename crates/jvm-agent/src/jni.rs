//! The few JNI calls that the agent makes, as a type that cannot be misused.
//!
//! Every call that can leave a Java exception pending clears it and returns `None`: the agent never throws into Java.

use std::ffi::CString;

use jvmti_bindings::sys::jni::{
    JNIEnv, jbyteArray, jclass, jmethodID, jobject, jobjectArray, jstring,
};

/// The JNI environment of the current thread, for as long as the VM's call to us lasts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jni(*mut JNIEnv);

macro_rules! call {
    ($self:ident, $function:ident $(, $argument:expr)*) => {{
        // SAFETY: `Jni::new` demands a valid environment of this thread; the arguments are references and buffers that
        // live through the call.
        unsafe { ((**$self.0).$function)($self.0 $(, $argument)*) }
    }};
}

impl Jni {
    /// # Safety
    /// `env` is the environment that the VM passed to the function that is running, or null.
    pub(crate) unsafe fn new(env: *mut JNIEnv) -> Option<Jni> {
        (!env.is_null()).then_some(Jni(env))
    }

    pub(crate) fn string(&self, text: jstring) -> Option<String> {
        if text.is_null() {
            return None;
        }
        let length = call!(self, GetStringLength, text);
        let mut units = vec![0u16; usize::try_from(length).ok()?];
        call!(self, GetStringRegion, text, 0, length, units.as_mut_ptr());
        self.unless_thrown(())?;
        Some(String::from_utf16_lossy(&units))
    }

    pub(crate) fn strings(&self, array: jobjectArray) -> Vec<Option<String>> {
        if array.is_null() {
            return Vec::new();
        }
        let length = call!(self, GetArrayLength, array);
        (0..length)
            .map(|index| {
                let element = call!(self, GetObjectArrayElement, array, index);
                let text = self.string(element);
                // An array of properties is longer than the room for local references.
                call!(self, DeleteLocalRef, element);
                text
            })
            .collect()
    }

    pub(crate) fn new_string(&self, text: &str) -> Option<jstring> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let string = call!(self, NewString, units.as_ptr(), i32::try_from(units.len()).ok()?);
        self.unless_thrown(string).filter(|string| !string.is_null())
    }

    pub(crate) fn new_strings(&self, texts: &[String]) -> Option<jobjectArray> {
        let class = self.find_class("java/lang/String")?;
        let length = i32::try_from(texts.len()).ok()?;
        let array = call!(self, NewObjectArray, length, class, std::ptr::null_mut());
        self.unless_thrown(array).filter(|array| !array.is_null())?;
        for (index, text) in (0..length).zip(texts) {
            let string = self.new_string(text)?;
            call!(self, SetObjectArrayElement, array, index, string);
            call!(self, DeleteLocalRef, string);
            self.unless_thrown(())?;
        }
        Some(array)
    }

    pub(crate) fn new_bytes(&self, bytes: &[u8]) -> Option<jbyteArray> {
        let length = i32::try_from(bytes.len()).ok()?;
        let array = call!(self, NewByteArray, length);
        self.unless_thrown(array).filter(|array| !array.is_null())?;
        call!(self, SetByteArrayRegion, array, 0, length, bytes.as_ptr().cast());
        self.unless_thrown(array)
    }

    /// Searches the boot loader when no Java code is on the stack, and the caller's loader otherwise; for classes of
    /// java.base that is the same.
    pub(crate) fn find_class(&self, name: &str) -> Option<jclass> {
        let name = CString::new(name).ok()?;
        let class = call!(self, FindClass, name.as_ptr());
        self.unless_thrown(class).filter(|class| !class.is_null())
    }

    /// Defines a class in the boot loader.
    pub(crate) fn define_boot_class(&self, name: &str, bytes: &[u8]) -> Option<jclass> {
        let name = CString::new(name).ok()?;
        let length = i32::try_from(bytes.len()).ok()?;
        let class = call!(
            self,
            DefineClass,
            name.as_ptr(),
            std::ptr::null_mut(),
            bytes.as_ptr().cast(),
            length
        );
        self.unless_thrown(class).filter(|class| !class.is_null())
    }

    pub(crate) fn new_weak_global(&self, object: jobject) -> Option<jobject> {
        let weak = call!(self, NewWeakGlobalRef, object);
        self.unless_thrown(weak).filter(|weak| !weak.is_null())
    }

    pub(crate) fn delete_weak(&self, weak: jobject) {
        call!(self, DeleteWeakGlobalRef, weak);
    }

    /// A local reference to what a weak one refers to, unless that is gone.
    pub(crate) fn new_local(&self, weak: jobject) -> Option<jobject> {
        let local = call!(self, NewLocalRef, weak);
        (!local.is_null()).then_some(local)
    }

    pub(crate) fn delete_local(&self, local: jobject) {
        call!(self, DeleteLocalRef, local);
    }

    pub(crate) fn superclass(&self, class: jclass) -> Option<jclass> {
        let superclass = call!(self, GetSuperclass, class);
        (!superclass.is_null()).then_some(superclass)
    }

    pub(crate) fn new_objects(&self, objects: &[jobject]) -> Option<jobjectArray> {
        let class = self.find_class("java/lang/Object")?;
        let length = i32::try_from(objects.len()).ok()?;
        let array = call!(self, NewObjectArray, length, class, std::ptr::null_mut());
        self.unless_thrown(array).filter(|array| !array.is_null())?;
        for (index, object) in (0..length).zip(objects) {
            call!(self, SetObjectArrayElement, array, index, *object);
        }
        self.unless_thrown(array)
    }

    pub(crate) fn method(&self, class: &str, name: &str, descriptor: &str) -> Option<jmethodID> {
        let class = self.find_class(class)?;
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        let method = call!(self, GetMethodID, class, name.as_ptr(), descriptor.as_ptr());
        self.unless_thrown(method).filter(|method| !method.is_null())
    }

    /// A method without parameters that returns an object; none if it returned null or threw.
    pub(crate) fn call(&self, object: jobject, method: jmethodID) -> Option<jobject> {
        let result = call!(self, CallObjectMethodA, object, method, std::ptr::null());
        self.unless_thrown(result).filter(|result| !result.is_null())
    }

    pub(crate) fn same(&self, a: jobject, b: jobject) -> bool {
        call!(self, IsSameObject, a, b) != 0
    }

    fn unless_thrown<T>(&self, value: T) -> Option<T> {
        if call!(self, ExceptionCheck) != 0 {
            call!(self, ExceptionClear);
            return None;
        }
        Some(value)
    }
}
