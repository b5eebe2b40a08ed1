//! The tables of functions that the agent calls the VM through, against the headers of a real JDK.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

use jvmti_bindings::sys::jni::{JNIInvokeInterface_, JNINativeInterface_};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_VM_DEATH,
    JVMTI_EVENT_VM_INIT, JVMTI_VERSION_1_2, jvmtiCapabilities, jvmtiEventCallbacks,
    jvmtiInterface_1_,
};

/// What C calls it, and what Rust makes of it.
type Layout = BTreeMap<String, u64>;

macro_rules! offsets {
    ($layout:ident, $c:literal, $rust:ty: $($field:ident)*) => {
        $($layout.insert(format!("offsetof({}, {})", $c, stringify!($field)), offset_of!($rust, $field) as u64);)*
    };
}

/// Every function, callback and number that src/ uses.
fn rust() -> Layout {
    let mut layout = Layout::new();
    offsets!(layout, "struct jvmtiInterface_1_", jvmtiInterface_1_:
        SetEventNotificationMode SetEventCallbacks AddCapabilities RetransformClasses GetClassSignature GetClassLoader
        Allocate Deallocate);
    offsets!(layout, "jvmtiEventCallbacks", jvmtiEventCallbacks: VMInit VMDeath ClassPrepare ClassFileLoadHook);
    offsets!(layout, "struct JNINativeInterface_", JNINativeInterface_:
        GetStringLength GetStringRegion GetArrayLength GetObjectArrayElement DeleteLocalRef NewString NewObjectArray
        SetObjectArrayElement NewByteArray SetByteArrayRegion FindClass DefineClass NewWeakGlobalRef NewLocalRef
        IsSameObject ExceptionCheck ExceptionClear);
    offsets!(layout, "struct JNIInvokeInterface_", JNIInvokeInterface_: GetEnv);
    let numbers = [
        ("sizeof(jvmtiCapabilities)", size_of::<jvmtiCapabilities>() as u64),
        ("JVMTI_VERSION_1_2", JVMTI_VERSION_1_2 as u64),
        ("JVMTI_ENABLE", jvmti_bindings::sys::jvmti::JVMTI_ENABLE as u64),
        ("JVMTI_DISABLE", jvmti_bindings::sys::jvmti::JVMTI_DISABLE as u64),
        ("JVMTI_EVENT_VM_INIT", JVMTI_EVENT_VM_INIT as u64),
        ("JVMTI_EVENT_VM_DEATH", JVMTI_EVENT_VM_DEATH as u64),
        ("JVMTI_EVENT_CLASS_PREPARE", JVMTI_EVENT_CLASS_PREPARE as u64),
        ("JVMTI_EVENT_CLASS_FILE_LOAD_HOOK", JVMTI_EVENT_CLASS_FILE_LOAD_HOOK as u64),
        ("retransform_bit()", retransform_bit()),
    ];
    layout.extend(numbers.map(|(name, number)| (name.to_owned(), number)));
    layout
}

/// Which bit of the capabilities it is: a bit-field has no offset.
fn retransform_bit() -> u64 {
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_retransform_classes(true);
    // SAFETY: the type is an array of integers behind a name, any of whose bytes may be read.
    let bytes: [u8; size_of::<jvmtiCapabilities>()] = unsafe { std::mem::transmute(capabilities) };
    let set: Vec<u64> = (0..8 * bytes.len() as u64)
        .filter(|bit| bytes[*bit as usize / 8] >> (bit % 8) & 1 == 1)
        .collect();
    assert_eq!(set.len(), 1, "one capability is one bit");
    set[0]
}

const RETRANSFORM_BIT: &str = "
static unsigned long long retransform_bit(void) {
    jvmtiCapabilities capabilities;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_retransform_classes = 1;
    const unsigned char *bytes = (const unsigned char *)&capabilities;
    unsigned long long bit = 0;
    while (!(bytes[bit / 8] >> (bit % 8) & 1)) bit++;
    return bit;
}
";

/// The JDK that `javac` belongs to: it has the headers, which a bare runtime has not.
fn include() -> PathBuf {
    let output = Command::new("javac")
        .args(["-J-XshowSettings:properties", "-version"])
        .output()
        .expect("javac can be run");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let home = text.lines().find_map(|line| line.trim().strip_prefix("java.home = "));
    let include = Path::new(home.unwrap_or_else(|| panic!("javac tells no java.home: {text}")))
        .join("include");
    assert!(include.join("jvmti.h").is_file(), "{} has no jvmti.h", include.display());
    include
}

fn c(names: impl Iterator<Item = String>) -> Layout {
    let mut source = format!(
        "#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n#include <jvmti.h>\n{RETRANSFORM_BIT}\nint main(void) {{\n"
    );
    for name in names {
        writeln!(source, "    printf(\"%llu {name}\\n\", (unsigned long long)({name}));")
            .expect("writing to a string");
    }
    source.push_str("    return 0;\n}\n");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join("abi.c"), folder.join("abi"));
    std::fs::write(&file, source).expect("the target directory can be written");
    let include = include();
    let compiled = Command::new("cc")
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg("-o")
        .arg(&program)
        .arg(&file)
        .output()
        .expect("cc can be run");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = Command::new(&program).output().expect("what cc made can be run").stdout;
    let line = |line: &str| {
        let (number, name) = line.split_once(' ').expect("a number and a name");
        (name.to_owned(), number.parse().expect("a number"))
    };
    String::from_utf8(printed).expect("ASCII").lines().map(line).collect()
}

#[test]
fn the_tables_lie_as_the_jdks_headers_say() {
    let rust = rust();
    let size = "sizeof(jvmtiEventCallbacks)".to_owned();
    let mut c = c(rust.keys().cloned().chain([size.clone()]));
    // JDK 21 added callbacks at the end. A VM takes as many as it knows, so ours may be longer but not shorter.
    assert!(c.remove(&size).is_some_and(|size| size <= size_of::<jvmtiEventCallbacks>() as u64));
    assert_eq!(c, rust);
}
