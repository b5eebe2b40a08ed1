//! Classes that are initialised before the first test, so that what tests do to them is compared from the start. Which ones, a
//! watched VM tells when it ends.

use jvmti_bindings::sys::jni::jclass;

use crate::heap::origin::{Origins, is_of_project};
use crate::heap::roots::is_initialised;
use crate::jni::Jni;
use crate::jvmti::Jvmti;

/// The names of the project's classes that are initialised by now.
pub(crate) fn initialised(jvmti: Jvmti, jni: Jni) -> Vec<String> {
    let (Ok(classes), Some(origins)) = (jvmti.loaded_classes(), Origins::new(jni)) else {
        return Vec::new();
    };
    let project = std::env::current_dir().unwrap_or_default();
    let mut names = Vec::new();
    for class in classes {
        let is_own = || origins.path(jni, class).is_some_and(|path| is_of_project(&path, &project));
        if is_initialised(jvmti, class) && is_own() {
            names.extend(name(jvmti, class));
        }
        jni.delete_local(class);
    }
    names.sort();
    names
}

/// None for an array, and for a class that cannot be asked for by its name.
fn name(jvmti: Jvmti, class: jclass) -> Option<String> {
    let name = jvmti.with_signature(class, |signature| {
        let name = signature.strip_prefix('L')?.strip_suffix(';')?;
        let is_hidden = name.contains(['.', '+']);
        (!is_hidden).then(|| name.replace('/', "."))
    });
    name.flatten()
}

/// Those that this VM has. Code of the program runs here: what its initialisers throw is theirs, and tests will meet it again.
pub(crate) fn initialise(file: &str, jni: Jni) -> Result<(), String> {
    let names = std::fs::read_to_string(file)
        .map_err(|error| format!("classes were not initialised up front: {file}: {error}"))?;
    let loaded = || {
        let loader_class = "java/lang/ClassLoader";
        let get_loader =
            jni.static_method(loader_class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;")?;
        let descriptor = "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
        let for_name = jni.static_method("java/lang/Class", "forName", descriptor)?;
        let (loaders, classes) =
            (jni.find_class(loader_class)?, jni.find_class("java/lang/Class")?);
        let loader = jni.call_static(loaders, get_loader)?;
        for name in names.lines() {
            let name = jni.new_string(name)?;
            if let Some(class) = jni.class_for_name(classes, for_name, name, loader) {
                jni.delete_local(class);
            }
            jni.delete_local(name);
        }
        [loaders, classes, loader].into_iter().for_each(|local| jni.delete_local(local));
        Some(())
    };
    loaded().ok_or_else(|| "classes were not initialised up front: this VM refused".to_owned())
}
