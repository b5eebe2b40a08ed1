//! Which code gets to see an order, and whether it is to see another one than the JDK's.
//!
//! The stack is read from the collection outwards. Code of the JDK that passes the order on to its caller is skipped, and
//! the first code behind it decides: only code of the project or of a library is shown another order. The JDK's own code
//! and the test framework's may count on what it knows.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jvmti_bindings::sys::jni::jmethodID;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::jni::Jni;
use crate::jvmti::Jvmti;
use crate::models;

/// How far out the stack is read.
const DEPTH: usize = 64;

/// How many methods of the program make a place: a helper that everybody calls is another place for each caller.
const METHODS: usize = 4;

#[derive(Debug)]
pub(crate) struct Place {
    /// The same for the same place in every VM.
    pub(crate) number: u64,
    /// Below the initialiser of a class.
    pub(crate) in_initialiser: bool,
    /// The method that sees the order: `com.acme.Cart.total`.
    pub(crate) method: String,
}

/// What the methods on stacks are, by the VM's numbers for them.
#[derive(Debug, Default)]
pub(crate) struct Places(Mutex<HashMap<usize, Method>>);

#[derive(Debug, Clone)]
struct Method {
    whose: Whose,
    number: u64,
    name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// Of the JDK, and only passes on what it sees.
    PassesOn,
    /// Does the same in every order, or is no business of a test.
    NotAsked,
    Program,
    /// The static initialiser of a class of the program.
    Initialiser,
}

impl Places {
    /// Where this thread is; none if whoever asks is to see the order of the JDK.
    pub(crate) fn find(&self, jvmti: Jvmti, jni: Jni) -> Option<Place> {
        let mut place: Option<Place> = None;
        let mut hash = Xxh3::new();
        let mut methods = 0;
        for (method, location) in jvmti.stack::<DEPTH>()? {
            let method = self.method(jvmti, jni, method)?;
            match method.whose {
                Whose::NotAsked if place.is_none() => return None,
                Whose::NotAsked | Whose::PassesOn => continue,
                Whose::Program | Whose::Initialiser => {}
            }
            if methods < METHODS {
                hash.update(&method.number.to_le_bytes());
                hash.update(&location.to_le_bytes());
                methods += 1;
            }
            let place = place.get_or_insert_with(|| Place {
                number: 0,
                in_initialiser: false,
                method: method.name.clone(),
            });
            place.in_initialiser |= method.whose == Whose::Initialiser;
        }
        place.map(|place| Place { number: hash.digest(), ..place })
    }

    fn method(&self, jvmti: Jvmti, jni: Jni, id: jmethodID) -> Option<Method> {
        if let Some(known) = self.known().get(&(id as usize)) {
            return Some(known.clone());
        }
        let (class, name) = jvmti.method(id)?;
        let class_name = jvmti.with_signature(class, stable_name)?;
        let boot = jvmti.class_loader(class).is_some_and(|loader| loader.is_null());
        jni.delete_local(class);
        let method = Method {
            whose: match models::is_declared(&class_name, &name) {
                // What it returns is for its caller.
                true => Whose::PassesOn,
                false => whose(&class_name, &name, boot),
            },
            number: xxh3_64(format!("{class_name}.{name}").as_bytes()),
            name: format!("{}.{name}", class_name.replace('/', ".")),
        };
        self.known().insert(id as usize, method.clone());
        Some(method)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Method>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `a/B` of `La/B;`, without the numbers that the VM or a library gives to a class that it makes.
fn stable_name(signature: &str) -> String {
    let name = signature.strip_prefix('L').unwrap_or(signature);
    let name = name.strip_suffix(';').unwrap_or(name);
    let cut = ["$$", "$Proxy", "$MockitoMock$", "$ByteBuddy$", ".0x", "/0x"]
        .iter()
        .filter_map(|mark| name.find(mark))
        .filter(|at| *at > 0)
        .min();
    name[..cut.unwrap_or(name.len())].to_owned()
}

fn whose(class: &str, method: &str, boot: bool) -> Whose {
    let is_in = |folders: &[&str]| folders.iter().any(|folder| class.starts_with(folder));
    let jdk = is_in(&["java/", "jdk/", "sun/"]) || (boot && is_in(&["javax/", "com/sun/"]));
    if jdk {
        if method == "<clinit>"
            || is_same_in_every_order(class, method)
            || !passes_on(class, method)
        {
            return Whose::NotAsked;
        }
        return Whose::PassesOn;
    }
    if is_framework(class) {
        return Whose::NotAsked;
    }
    if method == "<clinit>" { Whose::Initialiser } else { Whose::Program }
}

/// Collections, streams, and what makes text of objects or calls methods for others.
fn passes_on(class: &str, method: &str) -> bool {
    /// Or beginnings of the names of classes.
    const PACKAGES: &[&str] = &[
        "java/util/",
        "java/lang/Class$",
        "java/lang/invoke/",
        "java/lang/reflect/",
        "java/nio/file/FileTree",
        "java/nio/file/Files",
        "jdk/internal/reflect/",
        "sun/nio/fs/UnixDirectoryStream",
        "sun/nio/fs/UnixSecureDirectoryStream",
    ];
    const CLASSES: &[&str] = &[
        "java/io/File",
        "java/io/PrintStream",
        "java/io/PrintWriter",
        "java/io/StringWriter",
        "java/io/Writer",
        "java/lang/AbstractStringBuilder",
        "java/lang/Class",
        "java/lang/Iterable",
        "java/lang/String",
        "java/lang/StringBuffer",
        "java/lang/StringBuilder",
        "java/lang/Thread",
        "java/lang/runtime/ObjectMethods",
        "java/security/AccessController",
        "java/text/MessageFormat",
    ];
    /// Machinery that happens to lie there.
    const NOT: &[&str] = &[
        "java/lang/reflect/Proxy",
        "java/util/Calendar",
        "java/util/Currency",
        "java/util/Locale",
        "java/util/ResourceBundle",
        "java/util/ServiceLoader",
        "java/util/TimeZone",
        "java/util/jar/",
        "java/util/logging/",
        "java/util/prefs/",
        "java/util/spi/",
        "java/util/zip/",
    ];
    CLASSES.contains(&class)
        || lists(class, method)
        || (PACKAGES.iter().any(|package| class.starts_with(package))
            && !NOT.iter().any(|not| class.starts_with(not)))
}

/// Classes with other business of their own return these lists as they are.
fn lists(class: &str, method: &str) -> bool {
    match method {
        "getAvailableLocales" => class.starts_with("java/text/") || class.starts_with("java/util/"),
        "getISOCountries" | "getISOLanguages" => class == "java/util/Locale",
        "getAvailableIDs" => class == "java/util/TimeZone",
        "getZoneStrings" => class == "java/text/DateFormatSymbols",
        _ => false,
    }
}

/// What these do with the elements shows no order, so a test that only comes there need not run again.
fn is_same_in_every_order(class: &str, method: &str) -> bool {
    match class {
        "java/util/AbstractMap" => matches!(method, "equals" | "hashCode" | "containsValue"),
        "java/util/AbstractSet" => matches!(method, "equals" | "hashCode" | "removeAll"),
        "java/util/AbstractCollection" => {
            matches!(method, "contains" | "containsAll" | "remove" | "removeAll" | "retainAll")
        }
        // Not what they put in by: a LinkedHashMap does so by the same method.
        "java/util/HashMap" => method == "<init>",
        "java/util/HashSet" | "java/util/TreeSet" | "java/util/TreeMap" => {
            matches!(method, "<init>" | "putAll" | "addAll")
        }
        "java/util/Hashtable" => matches!(method, "<init>" | "equals" | "putAll"),
        "java/util/WeakHashMap" => matches!(method, "<init>" | "putAll"),
        "java/util/IdentityHashMap" => {
            matches!(method, "<init>" | "equals" | "hashCode" | "putAll" | "containsValue")
        }
        "java/util/IdentityHashMap$KeySet" => matches!(method, "hashCode" | "removeAll"),
        "java/util/IdentityHashMap$EntrySet" => method == "removeAll",
        "java/util/concurrent/ConcurrentHashMap" => {
            matches!(method, "equals" | "hashCode" | "putAll" | "<init>")
        }
        "java/util/concurrent/ConcurrentHashMap$CollectionView" => {
            matches!(method, "containsAll" | "removeAll" | "retainAll")
        }
        _ => false,
    }
}

/// What runs the tests; but its assertions look at things for the test.
fn is_framework(class: &str) -> bool {
    const RUNNERS: &[&str] = &[
        "junit/extensions/",
        "junit/framework/JUnit4",
        "junit/framework/Test",
        "junit/runner/",
        "junit/textui/",
        "org/apache/maven/surefire/",
        "org/gradle/",
        "org/junit/internal/builders/",
        "org/junit/internal/requests/",
        "org/junit/internal/runners/",
        "org/junit/jupiter/api/extension/",
        "org/junit/jupiter/engine/",
        "org/junit/jupiter/params/",
        "org/junit/platform/",
        "org/junit/rules/",
        "org/junit/runner/",
        "org/junit/runners/",
        "org/junit/validator/",
        "org/junit/vintage/",
        "org/testng/",
        "surefoot/",
    ];
    RUNNERS.iter().any(|runner| class.starts_with(runner))
        && !class.starts_with("org/testng/Assert")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_only_passes_an_order_on_is_not_who_sees_it() {
        for class in [
            "java/util/HashMap$KeySet",
            "java/util/AbstractCollection",
            "java/util/SurefootHashMap",
            "java/util/stream/ReferencePipeline",
            "java/util/concurrent/ConcurrentHashMap$KeySetView",
            "java/lang/String",
            "jdk/internal/reflect/DirectMethodHandleAccessor",
        ] {
            assert_eq!(whose(class, "m", true), Whose::PassesOn, "{class}");
        }
    }

    #[test]
    fn the_jdks_own_business_is_left_alone() {
        for class in
            ["sun/security/provider/Sun", "java/net/URL", "java/util/ServiceLoader", "java/time/X"]
        {
            assert_eq!(whose(class, "m", true), Whose::NotAsked, "{class}");
        }
        assert_eq!(whose("sun/nio/fs/UnixChannelFactory$Flags", "toFlags", true), Whose::NotAsked);
        assert_eq!(whose("java/util/Currency$1", "m", true), Whose::NotAsked);
        assert_eq!(whose("java/util/Locale", "m", true), Whose::NotAsked);
        assert_eq!(whose("java/util/Locale", "getAvailableLocales", true), Whose::PassesOn);
        assert_eq!(whose("java/lang/reflect/ProxyGenerator", "m", true), Whose::NotAsked);
        assert_eq!(whose("java/util/Collections", "<clinit>", true), Whose::NotAsked);
        assert_eq!(whose("javax/xml/X", "m", true), Whose::NotAsked);
        assert_eq!(whose("javax/inject/X", "m", false), Whose::Program);
    }

    #[test]
    fn a_framework_is_left_alone_but_not_its_assertions() {
        for class in ["org/junit/runners/ParentRunner", "org/testng/TestRunner", "surefoot/watch/X"]
        {
            assert_eq!(whose(class, "m", false), Whose::NotAsked, "{class}");
        }
        for class in [
            "org/junit/Assert",
            "org/junit/jupiter/api/AssertIterableEquals",
            "org/testng/Assert",
            "org/hamcrest/X",
            "junit/framework/Assert",
        ] {
            assert_eq!(whose(class, "m", false), Whose::Program, "{class}");
        }
    }

    #[test]
    fn what_shows_no_order_is_not_asked() {
        assert_eq!(whose("java/util/AbstractSet", "equals", true), Whose::NotAsked);
        assert_eq!(whose("java/util/AbstractCollection", "toString", true), Whose::PassesOn);
        assert_eq!(whose("java/util/AbstractCollection", "addAll", true), Whose::PassesOn);
    }

    #[test]
    fn names_that_are_made_up_in_each_vm_are_cut() {
        assert_eq!(stable_name("La/B;"), "a/B");
        assert_eq!(stable_name("La/B$$Lambda.0x00007f1;"), "a/B");
        assert_eq!(stable_name("La/B$$Lambda$14/0x0000000800c1;"), "a/B");
        assert_eq!(stable_name("Lcom/sun/proxy/$Proxy12;"), "com/sun/proxy/");
        assert_eq!(stable_name("La/B$MockitoMock$12345;"), "a/B");
    }
}
