//! Which code gets to see an order, and whether it is to see another one than the JDK's.
//!
//! The stack is read from the collection outwards. Code of the JDK that passes the order on to its caller is skipped, and
//! the first code behind it decides: only code of the project or of a library is shown another order. The JDK's own code
//! and the test framework's may count on what it knows.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jvmti_bindings::sys::jni::jmethodID;
use jvmti_bindings::sys::jvmti::jvmtiFrameInfo;
use xxhash_rust::xxh3::xxh3_64;

use crate::jni::Jni;
use crate::jvmti::Jvmti;
use crate::models;

/// How far out the stack is read.
const DEPTH: usize = 64;

/// How far it is read at first, and then: the VM takes its time for every method on it, and mostly the nearest are enough.
const DEPTHS: [usize; 3] = [10, 24, DEPTH];

/// How many methods of the program make a place: a helper that everybody calls is another place for each caller.
const METHODS: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The same for the same place in every VM.
    pub(crate) number: u64,
    /// Below the initialiser of a class.
    pub(crate) in_initialiser: bool,
    /// The method that sees the order: `com.acme.Cart.total`.
    pub(crate) method: Arc<str>,
}

/// What the methods on stacks are, by the VM's numbers for them.
#[derive(Debug, Default)]
pub(crate) struct Places(Mutex<Methods>);

type Methods = HashMap<usize, Method, BuildHasherDefault<Scatter>>;

#[derive(Debug)]
struct Method {
    whose: Whose,
    number: u64,
    name: Arc<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Of the JDK, and only passes on what it sees.
    PassesOn,
    /// Does the same in every order, or is no business of a test.
    NotAsked,
    Program,
    /// The static initialiser of a class of the program.
    Initialiser,
}

impl Places {
    /// Where this thread is; none if whoever asks is to see the order of the JDK. Whether that is below the initialiser of a
    /// class is only looked for if it may be.
    pub(crate) fn find(&self, jvmti: Jvmti, jni: Jni, in_initialiser: bool) -> Option<Place> {
        let mut room = [jvmtiFrameInfo { method: std::ptr::null_mut(), location: 0 }; DEPTH];
        let depths: &[usize] = if in_initialiser { &[DEPTH] } else { &DEPTHS };
        for &depth in depths {
            let frames = jvmti.stack(&mut room[..depth])?;
            let is_all = frames.len() < depth || depth == DEPTH;
            match self.seen_from(jvmti, jni, frames)? {
                Seen::NotAsked => return None,
                Seen::Place { place, methods } if is_all || methods == METHODS => {
                    return Some(place);
                }
                Seen::Place { .. } | Seen::Nobody => {}
            }
        }
        None
    }

    fn seen_from(&self, jvmti: Jvmti, jni: Jni, frames: &[jvmtiFrameInfo]) -> Option<Seen> {
        loop {
            let unknown = match seen(&self.known(), frames) {
                Ok(seen) => return Some(seen),
                Err(unknown) => unknown,
            };
            // The lock is free while the VM is asked.
            let method = method(jvmti, jni, unknown)?;
            self.known().insert(unknown as usize, method);
        }
    }

    fn known(&self) -> MutexGuard<'_, Methods> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who sees an order, as far as some frames tell.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    NotAsked,
    Place { place: Place, methods: usize },
    Nobody,
}

/// Of the nearest frames of a stack; else the first method that is not known.
fn seen(known: &Methods, frames: &[jvmtiFrameInfo]) -> Result<Seen, jmethodID> {
    let mut place: Option<Place> = None;
    let mut numbers = [0; 2 * METHODS * size_of::<u64>()];
    let mut chunks = numbers.chunks_exact_mut(size_of::<u64>());
    let mut methods = 0;
    for frame in frames {
        let method = known.get(&(frame.method as usize)).ok_or(frame.method)?;
        match method.whose {
            Whose::NotAsked if place.is_none() => return Ok(Seen::NotAsked),
            Whose::NotAsked | Whose::PassesOn => continue,
            Whose::Program | Whose::Initialiser => {}
        }
        if let (Some(number), Some(location)) = (chunks.next(), chunks.next()) {
            number.copy_from_slice(&method.number.to_le_bytes());
            location.copy_from_slice(&frame.location.to_le_bytes());
            methods += 1;
        }
        let place = place.get_or_insert_with(|| Place {
            number: 0,
            in_initialiser: false,
            method: Arc::clone(&method.name),
        });
        if method.whose == Whose::Initialiser {
            place.in_initialiser = true;
            // What is further out is whatever happened to use the class first.
            break;
        }
    }
    let number = xxh3_64(&numbers[..2 * methods * size_of::<u64>()]);
    Ok(place
        .map_or(Seen::Nobody, |place| Seen::Place { place: Place { number, ..place }, methods }))
}

fn method(jvmti: Jvmti, jni: Jni, id: jmethodID) -> Option<Method> {
    let (class, name) = jvmti.method(id)?;
    let class_name = jvmti.with_signature(class, stable_name)?;
    let boot = jvmti.class_loader(class).is_some_and(|loader| loader.is_null());
    jni.delete_local(class);
    Some(Method {
        whose: match models::is_declared(&class_name, &name) {
            // What it returns is for its caller.
            true => Whose::PassesOn,
            false => whose(&class_name, &name, boot),
        },
        number: xxh3_64(format!("{class_name}.{name}").as_bytes()),
        name: format!("{}.{name}", class_name.replace('/', ".")).into(),
    })
}

/// Spreads the VM's numbers, which are addresses, over a table. Nobody chooses them to collide.
#[derive(Debug, Default)]
struct Scatter(u64);

impl Hasher for Scatter {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = (self.0 ^ number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(26);
    }

    fn finish(&self) -> u64 {
        self.0
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

pub(crate) fn whose(class: &str, method: &str, boot: bool) -> Whose {
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
        "java/lang/StringConcatHelper",
        "java/lang/Thread",
        "java/lang/runtime/ObjectMethods",
        "java/security/AccessController",
        "java/text/MessageFormat",
    ];
    /// Machinery that happens to lie there.
    const NOT: &[&str] = &[
        // What makes a lambda or a concatenation the first time; what calls them later is elsewhere in the package.
        "java/lang/invoke/AbstractValidatingLambdaMetafactory",
        "java/lang/invoke/BootstrapMethodInvoker",
        "java/lang/invoke/CallSite",
        "java/lang/invoke/InnerClassLambdaMetafactory",
        "java/lang/invoke/LambdaMetafactory",
        "java/lang/invoke/MethodHandleNatives",
        "java/lang/invoke/MethodHandles",
        "java/lang/invoke/MethodType",
        "java/lang/invoke/StringConcatFactory",
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
        "availableLocales" | "getISOCountries" | "getISOLanguages" => class == "java/util/Locale",
        "availableIDs" | "getAvailableIDs" => class == "java/util/TimeZone",
        "getAnnotations" | "getDeclaredAnnotations" => {
            class == "sun/reflect/annotation/AnnotatedTypeFactory$AnnotatedTypeBaseImpl"
        }
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

/// What runs the tests, and what makes classes of mocks for them: a test does not see in which order that reads the members of a
/// class. But assertions look at things for the test.
fn is_framework(class: &str) -> bool {
    const RUNNERS: &[&str] = &[
        "junit/extensions/",
        "junit/framework/JUnit4",
        "junit/framework/Test",
        "junit/runner/",
        "junit/textui/",
        "net/bytebuddy/",
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
        "org/mockito/internal/creation/",
        "org/testng/",
        "surefoot/",
    ];
    RUNNERS.iter().any(|runner| class.starts_with(runner))
        && !class.starts_with("org/testng/Assert")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Methods by their numbers, which are also those of their frames.
    fn known(methods: &[(usize, Whose)]) -> Methods {
        let method = |(id, whose): &(usize, Whose)| {
            let name = format!("com.acme.X.m{id}").into();
            (*id, Method { whose: *whose, number: 100 + *id as u64, name })
        };
        methods.iter().map(method).collect()
    }

    fn stack(ids: &[usize]) -> Vec<jvmtiFrameInfo> {
        let frame = |id: &usize| jvmtiFrameInfo { method: *id as jmethodID, location: 3 };
        ids.iter().map(frame).collect()
    }

    fn place(known: &Methods, ids: &[usize]) -> (Place, usize) {
        match seen(known, &stack(ids)) {
            Ok(Seen::Place { place, methods }) => (place, methods),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_place_is_the_nearest_four_methods_of_the_program() {
        let program = (2..9).map(|id| (id, Whose::Program));
        let known = known(&program.chain([(1, Whose::PassesOn)]).collect::<Vec<_>>());
        let (found, methods) = place(&known, &[1, 2, 1, 3, 4, 5]);
        assert_eq!((&*found.method, found.in_initialiser, methods), ("com.acme.X.m2", false, 4));
        assert_eq!(place(&known, &[2, 3, 4, 5, 6, 7]), (found.clone(), 4));
        assert_ne!(place(&known, &[2, 3, 4, 6]).0, found);
        assert_eq!(place(&known, &[2, 3]).1, 2, "further out there may be more");
        assert_eq!(seen(&known, &stack(&[1, 1])), Ok(Seen::Nobody));
        assert_eq!(seen(&known, &stack(&[2, 77])), Err(77 as jmethodID));
    }

    #[test]
    fn who_uses_a_class_first_is_no_part_of_a_place_in_its_initialiser() {
        let known = known(&[(2, Whose::Program), (3, Whose::Initialiser), (4, Whose::Program)]);
        let (found, _) = place(&known, &[2, 3, 4]);
        assert!(found.in_initialiser);
        assert_eq!(place(&known, &[2, 3, 2, 4]).0, found);
    }

    #[test]
    fn the_first_who_does_more_than_to_pass_on_decides() {
        let known = known(&[(1, Whose::PassesOn), (2, Whose::Program), (3, Whose::NotAsked)]);
        assert_eq!(seen(&known, &stack(&[1, 3, 2])), Ok(Seen::NotAsked));
        assert_eq!(place(&known, &[1, 2, 3, 2]).1, 2);
    }

    #[test]
    fn code_that_only_passes_an_order_on_is_not_who_sees_it() {
        for class in [
            "java/util/HashMap$KeySet",
            "java/util/AbstractCollection",
            "java/util/SurefootHashMap",
            "java/util/stream/ReferencePipeline",
            "java/util/concurrent/ConcurrentHashMap$KeySetView",
            "java/lang/String",
            "java/lang/StringConcatHelper",
            "java/lang/invoke/LambdaForm$MH",
            "java/lang/invoke/Invokers$Holder",
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
        let lookup = "java/lang/invoke/MethodHandles$Lookup$ClassOption";
        assert_eq!(whose(lookup, "optionsToFlag", true), Whose::NotAsked);
        assert_eq!(whose("java/util/Locale", "m", true), Whose::NotAsked);
        assert_eq!(whose("java/util/Locale", "getAvailableLocales", true), Whose::PassesOn);
        assert_eq!(whose("java/lang/reflect/ProxyGenerator", "m", true), Whose::NotAsked);
        assert_eq!(whose("java/util/Collections", "<clinit>", true), Whose::NotAsked);
        assert_eq!(whose("javax/xml/X", "m", true), Whose::NotAsked);
        assert_eq!(whose("javax/inject/X", "m", false), Whose::Program);
    }

    #[test]
    fn a_framework_is_left_alone_but_not_its_assertions() {
        for class in [
            "org/junit/runners/ParentRunner",
            "org/testng/TestRunner",
            "net/bytebuddy/ByteBuddy",
            "surefoot/watch/X",
        ] {
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
