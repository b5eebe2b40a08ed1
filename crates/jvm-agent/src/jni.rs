//! The few JNI calls that the agent makes, as a type that cannot be misused.
//!
//! Every call that can leave a Java exception pending clears it and returns `None`: the agent never throws into Java.

use std::ffi::CString;

use jvmti_bindings::sys::jni::{
    JNIEnv, JavaVM, jbyteArray, jclass, jintArray, jmethodID, jobject, jobjectArray, jstring,
    jvalue,
};

use crate::heap::{FieldId, Primitive};

/// Of `ReleasePrimitiveArrayCritical`.
const JNI_ABORT: i32 = 2;
const JNI_COPY_BACK: i32 = 0;

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
        self.units(text).map(|units| {
            // Nearly all are, and every event of every test has some.
            if units.iter().all(|unit| *unit < 0x80) {
                units.iter().map(|unit| char::from(*unit as u8)).collect()
            } else {
                String::from_utf16_lossy(&units)
            }
        })
    }

    pub(crate) fn units(&self, text: jstring) -> Option<Vec<u16>> {
        if text.is_null() {
            return None;
        }
        let length = call!(self, GetStringLength, text);
        let mut units = vec![0u16; usize::try_from(length).ok()?];
        call!(self, GetStringRegion, text, 0, length, units.as_mut_ptr());
        self.unless_thrown(units)
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

    pub(crate) fn new_ints(&self, values: &[i32]) -> Option<jintArray> {
        let length = i32::try_from(values.len()).ok()?;
        let array = call!(self, NewIntArray, length);
        self.unless_thrown(array).filter(|array| !array.is_null())?;
        call!(self, SetIntArrayRegion, array, 0, length, values.as_ptr());
        self.unless_thrown(array)
    }

    pub(crate) fn ints(&self, array: jintArray) -> Vec<i32> {
        let (_, values) = self.with_elements(array, Primitive::Int(0), |bytes| {
            let (numbers, _) = bytes.as_chunks::<4>();
            numbers.iter().map(|number| i32::from_ne_bytes(*number)).collect()
        });
        values
    }

    /// Sets a static field of type int; none if there is no such field.
    pub(crate) fn set_static_int(&self, class: jclass, name: &str, value: i32) -> Option<()> {
        let name = CString::new(name).ok()?;
        let field = call!(self, GetStaticFieldID, class, name.as_ptr(), c"I".as_ptr());
        self.unless_thrown(field).filter(|field| !field.is_null())?;
        call!(self, SetStaticIntField, class, field, value);
        Some(())
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

    pub(crate) fn vm(&self) -> Option<*mut JavaVM> {
        let mut vm = std::ptr::null_mut();
        (call!(self, GetJavaVM, &mut vm) == 0 && !vm.is_null()).then_some(vm)
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

    pub(crate) fn class_of(&self, object: jobject) -> Option<jclass> {
        let class = call!(self, GetObjectClass, object);
        (!class.is_null()).then_some(class)
    }

    pub(crate) fn object(&self, object: jobject, FieldId(field): FieldId) -> Option<jobject> {
        let value = call!(self, GetObjectField, object, field);
        (!value.is_null()).then_some(value)
    }

    pub(crate) fn static_object(&self, class: jclass, FieldId(field): FieldId) -> Option<jobject> {
        let value = call!(self, GetStaticObjectField, class, field);
        (!value.is_null()).then_some(value)
    }

    /// `kind` is any value of the field's type.
    pub(crate) fn primitive(
        &self,
        object: jobject,
        FieldId(field): FieldId,
        kind: Primitive,
    ) -> Primitive {
        match kind {
            Primitive::Boolean(_) => {
                Primitive::Boolean(call!(self, GetBooleanField, object, field) != 0)
            }
            Primitive::Char(_) => Primitive::Char(call!(self, GetCharField, object, field)),
            Primitive::Byte(_) => Primitive::Byte(call!(self, GetByteField, object, field)),
            Primitive::Short(_) => Primitive::Short(call!(self, GetShortField, object, field)),
            Primitive::Int(_) => Primitive::Int(call!(self, GetIntField, object, field)),
            Primitive::Long(_) => Primitive::Long(call!(self, GetLongField, object, field)),
            Primitive::Float(_) => {
                Primitive::Float(call!(self, GetFloatField, object, field).to_bits())
            }
            Primitive::Double(_) => {
                Primitive::Double(call!(self, GetDoubleField, object, field).to_bits())
            }
        }
    }

    pub(crate) fn static_primitive(
        &self,
        class: jclass,
        FieldId(field): FieldId,
        kind: Primitive,
    ) -> Primitive {
        match kind {
            Primitive::Boolean(_) => {
                Primitive::Boolean(call!(self, GetStaticBooleanField, class, field) != 0)
            }
            Primitive::Char(_) => Primitive::Char(call!(self, GetStaticCharField, class, field)),
            Primitive::Byte(_) => Primitive::Byte(call!(self, GetStaticByteField, class, field)),
            Primitive::Short(_) => Primitive::Short(call!(self, GetStaticShortField, class, field)),
            Primitive::Int(_) => Primitive::Int(call!(self, GetStaticIntField, class, field)),
            Primitive::Long(_) => Primitive::Long(call!(self, GetStaticLongField, class, field)),
            Primitive::Float(_) => {
                Primitive::Float(call!(self, GetStaticFloatField, class, field).to_bits())
            }
            Primitive::Double(_) => {
                Primitive::Double(call!(self, GetStaticDoubleField, class, field).to_bits())
            }
        }
    }

    pub(crate) fn new_global(&self, object: jobject) -> Option<jobject> {
        let global = call!(self, NewGlobalRef, object);
        self.unless_thrown(global).filter(|global| !global.is_null())
    }

    /// Nobody may use it any more.
    pub(crate) fn delete_global(&self, global: jobject) {
        call!(self, DeleteGlobalRef, global);
    }

    pub(crate) fn set_object(
        &self,
        object: jobject,
        FieldId(field): FieldId,
        value: Option<jobject>,
    ) {
        call!(self, SetObjectField, object, field, value.unwrap_or(std::ptr::null_mut()));
    }

    pub(crate) fn set_static_object(
        &self,
        class: jclass,
        FieldId(field): FieldId,
        value: Option<jobject>,
    ) {
        call!(self, SetStaticObjectField, class, field, value.unwrap_or(std::ptr::null_mut()));
    }

    pub(crate) fn set_primitive(&self, object: jobject, FieldId(field): FieldId, value: Primitive) {
        match value {
            Primitive::Boolean(value) => {
                call!(self, SetBooleanField, object, field, u8::from(value))
            }
            Primitive::Char(value) => call!(self, SetCharField, object, field, value),
            Primitive::Byte(value) => call!(self, SetByteField, object, field, value),
            Primitive::Short(value) => call!(self, SetShortField, object, field, value),
            Primitive::Int(value) => call!(self, SetIntField, object, field, value),
            Primitive::Long(value) => call!(self, SetLongField, object, field, value),
            Primitive::Float(value) => {
                call!(self, SetFloatField, object, field, f32::from_bits(value))
            }
            Primitive::Double(value) => {
                call!(self, SetDoubleField, object, field, f64::from_bits(value))
            }
        }
    }

    pub(crate) fn set_static_primitive(
        &self,
        class: jclass,
        FieldId(field): FieldId,
        value: Primitive,
    ) {
        match value {
            Primitive::Boolean(value) => {
                call!(self, SetStaticBooleanField, class, field, u8::from(value))
            }
            Primitive::Char(value) => call!(self, SetStaticCharField, class, field, value),
            Primitive::Byte(value) => call!(self, SetStaticByteField, class, field, value),
            Primitive::Short(value) => call!(self, SetStaticShortField, class, field, value),
            Primitive::Int(value) => call!(self, SetStaticIntField, class, field, value),
            Primitive::Long(value) => call!(self, SetStaticLongField, class, field, value),
            Primitive::Float(value) => {
                call!(self, SetStaticFloatField, class, field, f32::from_bits(value))
            }
            Primitive::Double(value) => {
                call!(self, SetStaticDoubleField, class, field, f64::from_bits(value))
            }
        }
    }

    pub(crate) fn set_element(&self, array: jobject, index: u32, element: Option<jobject>) {
        let element = element.unwrap_or(std::ptr::null_mut());
        call!(self, SetObjectArrayElement, array, index.cast_signed(), element);
        self.unless_thrown(());
    }

    /// All elements of an array of primitives, as [`Jni::with_elements`] showed them.
    pub(crate) fn set_elements(&self, array: jobject, bytes: &[u8]) {
        let elements = call!(self, GetPrimitiveArrayCritical, array, std::ptr::null_mut());
        if elements.is_null() {
            return;
        }
        // SAFETY: the bytes are as many as the array had when they were read, and no array changes its length; the VM's
        // memory is ours until it is released below.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), elements.cast::<u8>(), bytes.len())
        };
        call!(self, ReleasePrimitiveArrayCritical, array, elements, JNI_COPY_BACK);
    }

    pub(crate) fn length(&self, array: jobject) -> u32 {
        u32::try_from(call!(self, GetArrayLength, array)).unwrap_or(0)
    }

    pub(crate) fn element(&self, array: jobject, index: u32) -> Option<jobject> {
        let element = call!(self, GetObjectArrayElement, array, index.cast_signed());
        self.unless_thrown(element).filter(|element| !element.is_null())
    }

    /// The length of an array of primitives, and what `of` makes of its bytes. `of` must be quick, and call nothing of the
    /// VM: the collector may have to wait for it.
    pub(crate) fn with_elements<T>(
        &self,
        array: jobject,
        element: Primitive,
        of: impl FnOnce(&[u8]) -> T,
    ) -> (u32, T) {
        let length = self.length(array);
        let elements = call!(self, GetPrimitiveArrayCritical, array, std::ptr::null_mut());
        if elements.is_null() {
            return (length, of(&[]));
        }
        // SAFETY: the VM passes all elements of the array, until they are released below.
        let bytes = unsafe {
            std::slice::from_raw_parts(elements.cast::<u8>(), length as usize * element.width())
        };
        let made = of(bytes);
        // Nothing was changed, so nothing needs to be copied back.
        call!(self, ReleasePrimitiveArrayCritical, array, elements, JNI_ABORT);
        (length, made)
    }

    pub(crate) fn method(&self, class: &str, name: &str, descriptor: &str) -> Option<jmethodID> {
        let class = self.find_class(class)?;
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        let method = call!(self, GetMethodID, class, name.as_ptr(), descriptor.as_ptr());
        self.unless_thrown(method).filter(|method| !method.is_null())
    }

    pub(crate) fn static_method(
        &self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<jmethodID> {
        let class = self.find_class(class)?;
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        let method = call!(self, GetStaticMethodID, class, name.as_ptr(), descriptor.as_ptr());
        self.delete_local(class);
        self.unless_thrown(method).filter(|method| !method.is_null())
    }

    pub(crate) fn field(&self, class: &str, name: &str, signature: &str) -> Option<FieldId> {
        let class = self.find_class(class)?;
        let (name, signature) = (CString::new(name).ok()?, CString::new(signature).ok()?);
        let field = call!(self, GetFieldID, class, name.as_ptr(), signature.as_ptr());
        self.delete_local(class);
        self.unless_thrown(field).filter(|field| !field.is_null()).map(FieldId)
    }

    /// A method without parameters that returns an object; none if it returned null or threw.
    pub(crate) fn call(&self, object: jobject, method: jmethodID) -> Option<jobject> {
        let result = call!(self, CallObjectMethodA, object, method, std::ptr::null());
        self.unless_thrown(result).filter(|result| !result.is_null())
    }

    /// The same for a static method.
    pub(crate) fn call_static(&self, class: jclass, method: jmethodID) -> Option<jobject> {
        let result = call!(self, CallStaticObjectMethodA, class, method, std::ptr::null());
        self.unless_thrown(result).filter(|result| !result.is_null())
    }

    /// `Class.forName` with its initialiser; none if there is no such class, or it cannot be initialised.
    pub(crate) fn class_for_name(
        &self,
        class: jclass,
        for_name: jmethodID,
        name: jstring,
        loader: jobject,
    ) -> Option<jclass> {
        let arguments = [jvalue { l: name }, jvalue { z: 1 }, jvalue { l: loader }];
        let result = call!(self, CallStaticObjectMethodA, class, for_name, arguments.as_ptr());
        self.unless_thrown(result).filter(|result| !result.is_null())
    }

    /// A method that takes one object and returns one.
    pub(crate) fn call_with(
        &self,
        object: jobject,
        method: jmethodID,
        argument: jobject,
    ) -> Option<jobject> {
        let arguments = [jvalue { l: argument }];
        let result = call!(self, CallObjectMethodA, object, method, arguments.as_ptr());
        self.unless_thrown(result).filter(|result| !result.is_null())
    }

    /// A method that takes one object and returns a long.
    pub(crate) fn call_long(
        &self,
        object: jobject,
        method: jmethodID,
        argument: jobject,
    ) -> Option<i64> {
        let arguments = [jvalue { l: argument }];
        let result = call!(self, CallLongMethodA, object, method, arguments.as_ptr());
        self.unless_thrown(result)
    }

    /// A method that takes one object and returns an int.
    pub(crate) fn call_int(
        &self,
        object: jobject,
        method: jmethodID,
        argument: jobject,
    ) -> Option<i32> {
        let arguments = [jvalue { l: argument }];
        let result = call!(self, CallIntMethodA, object, method, arguments.as_ptr());
        self.unless_thrown(result)
    }

    /// A static method that takes an object and four longs and returns an int.
    pub(crate) fn call_static_int(
        &self,
        class: jclass,
        method: jmethodID,
        object: jobject,
        longs: [i64; 4],
    ) -> Option<i32> {
        let [a, b, c, d] = longs.map(|j| jvalue { j });
        let arguments = [jvalue { l: object }, a, b, c, d];
        let result = call!(self, CallStaticIntMethodA, class, method, arguments.as_ptr());
        self.unless_thrown(result)
    }

    /// What reflection calls a field.
    pub(crate) fn reflected(
        &self,
        class: jclass,
        FieldId(field): FieldId,
        is_static: bool,
    ) -> Option<jobject> {
        let reflected = call!(self, ToReflectedField, class, field, u8::from(is_static));
        self.unless_thrown(reflected).filter(|reflected| !reflected.is_null())
    }

    /// An empty array of this type of primitives.
    pub(crate) fn new_primitives(&self, element: Primitive) -> Option<jobject> {
        let array = match element {
            Primitive::Boolean(_) => call!(self, NewBooleanArray, 0),
            Primitive::Char(_) => call!(self, NewCharArray, 0),
            Primitive::Byte(_) => call!(self, NewByteArray, 0),
            Primitive::Short(_) => call!(self, NewShortArray, 0),
            Primitive::Int(_) => call!(self, NewIntArray, 0),
            Primitive::Long(_) => call!(self, NewLongArray, 0),
            Primitive::Float(_) => call!(self, NewFloatArray, 0),
            Primitive::Double(_) => call!(self, NewDoubleArray, 0),
        };
        self.unless_thrown(array).filter(|array| !array.is_null())
    }

    /// An array of objects, all null.
    pub(crate) fn new_object_array(&self, length: usize) -> Option<jobjectArray> {
        let class = self.find_class("java/lang/Object")?;
        let length = i32::try_from(length).ok()?;
        let array = call!(self, NewObjectArray, length, class, std::ptr::null_mut());
        self.delete_local(class);
        self.unless_thrown(array).filter(|array| !array.is_null())
    }

    /// A system property.
    pub(crate) fn property(&self, name: &str) -> Option<String> {
        let class = self.find_class("java/lang/System")?;
        let descriptor = c"(Ljava/lang/String;)Ljava/lang/String;";
        let method =
            call!(self, GetStaticMethodID, class, c"getProperty".as_ptr(), descriptor.as_ptr());
        self.unless_thrown(method).filter(|method| !method.is_null())?;
        let arguments = [jvalue { l: self.new_string(name)? }];
        let value = call!(self, CallStaticObjectMethodA, class, method, arguments.as_ptr());
        self.string(self.unless_thrown(value)?)
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
