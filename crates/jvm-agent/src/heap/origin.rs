//! Where a class's code comes from, which tells the project's own classes from those of its libraries.

use std::path::{Path, PathBuf};

use jvmti_bindings::sys::jni::{jclass, jmethodID, jobject};

use crate::jni::Jni;
use crate::percent;

/// The Java methods that tell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origins {
    domain: jmethodID,
    source: jmethodID,
    location: jmethodID,
    path: jmethodID,
}

// SAFETY: the method ids are of classes of java.base, which are never unloaded, and may be used from any thread.
unsafe impl Send for Origins {}
// SAFETY: as above.
unsafe impl Sync for Origins {}

impl Origins {
    pub(crate) fn new(jni: Jni) -> Option<Origins> {
        let domain = "()Ljava/security/ProtectionDomain;";
        Some(Origins {
            domain: jni.method("java/lang/Class", "getProtectionDomain", domain)?,
            source: jni.method(
                "java/security/ProtectionDomain",
                "getCodeSource",
                "()Ljava/security/CodeSource;",
            )?,
            location: jni.method("java/security/CodeSource", "getLocation", "()Ljava/net/URL;")?,
            path: jni.method("java/net/URL", "getPath", "()Ljava/lang/String;")?,
        })
    }

    /// The directory or jar that a class was loaded from; none for one of the JDK, or made while the program runs.
    pub(crate) fn path(&self, jni: Jni, class: jclass) -> Option<PathBuf> {
        let domain = jni.call(class, self.domain)?;
        let path = self.path_of_domain(jni, domain);
        jni.delete_local(domain);
        path
    }

    /// The same, for a class that is not there yet.
    pub(crate) fn path_of_domain(&self, jni: Jni, domain: jobject) -> Option<PathBuf> {
        let mut object = domain;
        for method in [self.source, self.location, self.path] {
            let next = jni.call(object, method);
            if object != domain {
                jni.delete_local(object);
            }
            object = next?;
        }
        let path = jni.string(object);
        jni.delete_local(object);
        path.map(|path| PathBuf::from(percent::decoded(&path).unwrap_or(path)))
    }
}

/// The project's own code is in directories of classes, or in jars that its own build made.
pub(crate) fn is_of_project(path: &Path, project: &Path) -> bool {
    path.is_dir() || path.starts_with(project)
}
