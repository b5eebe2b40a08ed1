//! Where state begins: static fields of the project's classes, and those of the JDK that are settings of the whole process.

use std::collections::BTreeMap;
use std::path::Path;

use jvmti_bindings::sys::jni::jclass;
use rustc_hash::FxHashMap;

use super::classes::{Classes, readable};
use super::fields::FieldId;
use super::include::Include;
use super::origin::{self, Origins};
use crate::jni::Jni;
use crate::jvmti::Jvmti;

const ACC_STATIC: i32 = 0x0008;
const ACC_FINAL: i32 = 0x0010;
/// Of `jvmtiClassStatus`.
const INITIALISED: i32 = 4;

pub(crate) fn is_initialised(jvmti: Jvmti, class: jclass) -> bool {
    jvmti.class_status(class) & INITIALISED != 0
}

/// A static field of the JDK that any code of the process sees the effect of.
struct Setting {
    class: &'static str,
    field: &'static str,
    /// What people call it.
    name: &'static str,
    /// It is null until somebody sets it: so it was before its class was initialised.
    unset: bool,
}

const fn setting(class: &'static str, field: &'static str, name: &'static str) -> Setting {
    Setting { class, field, name, unset: false }
}

const fn unset(class: &'static str, field: &'static str, name: &'static str) -> Setting {
    Setting { class, field, name, unset: true }
}

const PROCESS: &[Setting] = &[
    setting("Ljava/lang/System;", "props", "System.getProperties()"),
    setting("Ljava/lang/System;", "in", "System.in"),
    setting("Ljava/lang/System;", "out", "System.out"),
    setting("Ljava/lang/System;", "err", "System.err"),
    setting("Ljava/lang/System;", "security", "System.getSecurityManager()"),
    setting("Ljava/lang/ProcessEnvironment;", "theEnvironment", "System.getenv()"),
    setting("Ljava/lang/ApplicationShutdownHooks;", "hooks", Roots::SHUTDOWN_HOOKS),
    setting(
        "Ljava/lang/Thread;",
        "defaultUncaughtExceptionHandler",
        "Thread.getDefaultUncaughtExceptionHandler()",
    ),
    setting("Lsun/security/jca/Providers;", "providerList", "Security.getProviders()"),
    setting("Ljava/util/Locale;", "defaultLocale", "Locale.getDefault()"),
    setting("Ljava/util/Locale;", "defaultDisplayLocale", "Locale.getDefault(DISPLAY)"),
    setting("Ljava/util/Locale;", "defaultFormatLocale", "Locale.getDefault(FORMAT)"),
    unset("Ljava/util/TimeZone;", "defaultTimeZone", "TimeZone.getDefault()"),
    unset("Ljava/net/URL;", "factory", "URL.setURLStreamHandlerFactory(…)"),
    unset("Ljava/net/Authenticator;", "theAuthenticator", "Authenticator.getDefault()"),
    unset("Ljava/net/CookieHandler;", "cookieHandler", "CookieHandler.getDefault()"),
    unset("Ljava/net/ResponseCache;", "theResponseCache", "ResponseCache.getDefault()"),
    setting("Ljava/net/ProxySelector;", "theProxySelector", "ProxySelector.getDefault()"),
    setting(
        "Ljava/net/HttpURLConnection;",
        "followRedirects",
        "HttpURLConnection.getFollowRedirects()",
    ),
];

/// Where the probes put the object that the tests of a class share.
const SHARED: (&str, &str) = ("Ljava/util/SurefootProbe;", "shared");

/// What its root is called, before the name of its class.
const INSTANCE_OF: &str = "instance of ";

/// Whether a class of the JDK, by its name in a class file, holds settings of the process.
pub(crate) fn holds_settings(name: &str) -> bool {
    PROCESS.iter().any(|setting| {
        let inner = setting.class.strip_prefix('L').and_then(|class| class.strip_suffix(';'));
        inner == Some(name)
    })
}

/// Whether the settings that a class holds are null until somebody sets them.
pub(crate) fn starts_unset(signature: &str) -> bool {
    PROCESS.iter().any(|setting| setting.class == signature && setting.unset)
}

/// A static field that is a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) id: FieldId,
    pub(crate) name: String,
    /// Of its type.
    pub(crate) signature: String,
    pub(crate) modifiers: i32,
    /// A setting of the process: which object is there matters too, not only what it looks like.
    pub(crate) process: bool,
}

impl Root {
    pub(crate) fn is_final(&self) -> bool {
        self.modifiers & ACC_FINAL != 0
    }
}

#[derive(Debug, Default)]
pub(crate) struct Roots {
    /// None for the classes of the project.
    include: Option<Include>,
    /// By the class's index, then by the field's.
    classes: FxHashMap<usize, BTreeMap<u32, Root>>,
    /// Classes with roots that are not initialised yet.
    waiting: Vec<usize>,
    /// Those that are, in the order in which they were found to be.
    initialised: Vec<usize>,
    /// The name of the root that is the object that tests share.
    shared: String,
}

impl Roots {
    pub(crate) const SHUTDOWN_HOOKS: &str = "shutdown hooks";

    pub(crate) fn new(include: Option<Include>) -> Roots {
        Roots { include, shared: INSTANCE_OF.to_owned(), ..Roots::default() }
    }

    pub(crate) fn has(&self, class: usize, field: u32) -> bool {
        self.get(class, field).is_some()
    }

    pub(crate) fn get(&self, class: usize, field: u32) -> Option<&Root> {
        self.classes.get(&class)?.get(&field)
    }

    /// The tests that come share an object of this class.
    pub(crate) fn name_shared(&mut self, class: &str) {
        self.shared = format!("{INSTANCE_OF}{class}");
        let own = self.classes.values_mut().flat_map(BTreeMap::values_mut);
        for root in own.filter(|root| root.name.starts_with(INSTANCE_OF)) {
            root.name.clone_from(&self.shared);
        }
    }

    /// What the object that tests share is called.
    pub(crate) fn shared(&self) -> &str {
        &self.shared
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Root> {
        self.classes.values().flat_map(BTreeMap::values).find(|root| root.name == name)
    }

    /// The one of this name, and where it is; none if several classes of one name have it.
    pub(crate) fn only(&self, name: &str) -> Option<((usize, u32), &Root)> {
        let mut named = self.classes.iter().flat_map(|(class, roots)| {
            let of_class = roots.iter().filter(|(_, root)| root.name == name);
            of_class.map(|(field, root)| ((*class, *field), root))
        });
        named.next().filter(|_| named.next().is_none())
    }

    pub(crate) fn of(&self, class: usize) -> impl Iterator<Item = (u32, &Root)> {
        self.classes.get(&class).into_iter().flatten().map(|(field, root)| (*field, root))
    }

    pub(crate) fn is_initialised(&self, class: usize) -> bool {
        self.initialised.contains(&class)
    }

    /// What these static fields hold can never change: nobody needs to look again. Whether there are any that somebody would.
    pub(crate) fn settle(&mut self, settled: impl IntoIterator<Item = (usize, u32)>) -> bool {
        let mut any = false;
        for (class, field) in settled {
            let Some(roots) = self.classes.get_mut(&class) else { continue };
            if roots.get(&field).is_some_and(|root| root.is_final() && !root.process) {
                roots.remove(&field);
                any = true;
            }
            if roots.is_empty() {
                self.initialised.retain(|index| *index != class);
            }
        }
        any
    }

    /// Looks at classes that have just been prepared.
    pub(crate) fn learn(
        &mut self,
        new: Vec<usize>,
        classes: &mut Classes,
        origins: &Origins,
        project: &Path,
        jvmti: Jvmti,
        jni: Jni,
    ) {
        for index in new {
            let Some(class) = classes.get(index) else { continue };
            let signature = class.signature.clone();
            // A class may have been looked at before it was told of.
            if signature.starts_with('[') || self.classes.contains_key(&index) {
                continue;
            }
            let of_process = PROCESS.iter().any(|setting| setting.class == signature);
            let holds_shared = signature == SHARED.0;
            let is_included = match &self.include {
                _ if holds_shared => true,
                Some(include) => include.covers(&readable(&signature)),
                None => is_of_project(index, classes, origins, project, jvmti, jni),
            };
            if !of_process && !is_included {
                continue;
            }
            let roots: BTreeMap<u32, Root> = (0..)
                .zip(classes.fields(jvmti, jni, index))
                .filter_map(|(number, field)| {
                    let field = field.as_ref().filter(|field| {
                        field.modifiers & ACC_STATIC != 0 && field.declared_by == signature
                    })?;
                    let (name, process) = if holds_shared {
                        let known = (field.name == SHARED.1).then(|| self.shared.clone());
                        (known?, false)
                    } else if of_process {
                        let known = PROCESS.iter().find(|setting| {
                            setting.class == signature && setting.field == field.name
                        });
                        (known?.name.to_owned(), true)
                    } else {
                        (format!("{}.{}", readable(&signature), field.name), false)
                    };
                    let signature = field.signature.clone();
                    let (id, modifiers) = (field.id, field.modifiers);
                    Some((number, Root { id, name, signature, modifiers, process }))
                })
                .collect();
            if !roots.is_empty() {
                self.classes.insert(index, roots);
                self.waiting.push(index);
            }
        }
    }

    /// All classes with roots that are initialised by now, as local references.
    pub(crate) fn gather(
        &mut self,
        classes: &Classes,
        jvmti: Jvmti,
        jni: Jni,
    ) -> Vec<(usize, jclass)> {
        let waiting = std::mem::take(&mut self.waiting);
        for index in waiting {
            match classes.local(jni, index) {
                Some(class) if is_initialised(jvmti, class) => {
                    self.initialised.push(index);
                    jni.delete_local(class);
                }
                Some(class) => {
                    self.waiting.push(index);
                    jni.delete_local(class);
                }
                None => {}
            }
        }
        let mut gathered = Vec::with_capacity(self.initialised.len());
        self.initialised.retain(|index| match classes.local(jni, *index) {
            Some(class) => {
                gathered.push((*index, class));
                true
            }
            None => false,
        });
        gathered
    }
}

fn is_of_project(
    index: usize,
    classes: &Classes,
    origins: &Origins,
    project: &Path,
    jvmti: Jvmti,
    jni: Jni,
) -> bool {
    let Some(class) = classes.local(jni, index) else { return false };
    let loader = jvmti.class_loader(class).filter(|loader| !loader.is_null());
    let path = loader.and_then(|_| origins.path(jni, class));
    loader.into_iter().for_each(|loader| jni.delete_local(loader));
    jni.delete_local(class);
    path.is_some_and(|path| origin::is_of_project(&path, project))
}
