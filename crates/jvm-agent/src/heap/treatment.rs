//! How the objects of a class are taken, by the class's name and that of its superclass. Pure.

/// What a walk does when it meets an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Its fields or elements are state.
    Walk,
    /// A value by its characters.
    Text,
    /// A value by the one primitive that it holds.
    Boxed,
    /// A value by its name, but in the static fields of its own class, where its fields are state.
    Enum,
    /// Of the JDK and never changed by anybody, but for caches of what its other fields say: its fields are read once.
    Frozen,
    /// It is there, or another one is; what is inside is none of the program's state.
    Opaque,
}

/// The class itself, or a superclass of it.
const BY_NAME: &[(&str, Treatment)] = &[
    ("Ljava/lang/String;", Treatment::Text),
    ("Ljava/lang/Boolean;", Treatment::Boxed),
    ("Ljava/lang/Byte;", Treatment::Boxed),
    ("Ljava/lang/Character;", Treatment::Boxed),
    ("Ljava/lang/Short;", Treatment::Boxed),
    ("Ljava/lang/Integer;", Treatment::Boxed),
    ("Ljava/lang/Long;", Treatment::Boxed),
    ("Ljava/lang/Float;", Treatment::Boxed),
    ("Ljava/lang/Double;", Treatment::Boxed),
    ("Ljava/lang/Enum;", Treatment::Enum),
    ("Ljava/math/BigInteger;", Treatment::Frozen),
    ("Ljava/math/BigDecimal;", Treatment::Frozen),
    ("Ljava/util/Locale;", Treatment::Frozen),
    ("Ljava/util/TimeZone;", Treatment::Frozen),
    ("Lsun/util/locale/BaseLocale;", Treatment::Frozen),
    ("Ljava/util/UUID;", Treatment::Frozen),
    ("Ljava/util/Currency;", Treatment::Frozen),
    ("Ljava/util/regex/Pattern;", Treatment::Frozen),
    ("Ljava/io/File;", Treatment::Frozen),
    ("Ljava/net/URI;", Treatment::Frozen),
    ("Ljava/net/URL;", Treatment::Frozen),
    // What a proxy does is up to its handler.
    ("Ljava/lang/reflect/Proxy;", Treatment::Walk),
    ("Lsun/security/jca/ProviderList;", Treatment::Walk),
    ("Lsun/security/jca/ProviderConfig;", Treatment::Walk),
    ("Ljava/nio/charset/Charset;", Treatment::Opaque),
    // What a reference refers to is up to the collector.
    ("Ljava/lang/ref/Reference;", Treatment::Opaque),
    ("Ljava/lang/ClassLoader;", Treatment::Opaque),
    ("Ljava/lang/Thread;", Treatment::Opaque),
    ("Ljava/lang/ThreadGroup;", Treatment::Opaque),
    ("Ljava/lang/Throwable;", Treatment::Opaque),
    // Where text goes to is state; how much of it waits in a buffer is not.
    ("Ljava/io/PrintStream;", Treatment::Opaque),
    // They hold the threads that wait, and counts of what is over.
    ("Ljava/util/concurrent/locks/AbstractOwnableSynchronizer;", Treatment::Opaque),
    ("Ljava/util/concurrent/AbstractExecutorService;", Treatment::Opaque),
];

/// Classes of these packages: the VM's own business, or how a service works inside.
const BY_PACKAGE: &[(&str, Treatment)] = &[
    ("Ljava/time/", Treatment::Frozen),
    ("Ljava/lang/invoke/", Treatment::Opaque),
    ("Ljava/lang/reflect/", Treatment::Opaque),
    ("Ljava/lang/module/", Treatment::Opaque),
    ("Ljava/security/", Treatment::Opaque),
    ("Ljavax/crypto/", Treatment::Opaque),
    ("Ljava/util/logging/", Treatment::Opaque),
    ("Ljava/util/zip/", Treatment::Opaque),
    ("Ljava/util/jar/", Treatment::Opaque),
    ("Ljava/util/ResourceBundle", Treatment::Opaque),
    // Of proxies, whose handlers are the program's own.
    ("Ljdk/proxy", Treatment::Walk),
    ("Lcom/sun/proxy/", Treatment::Walk),
    ("Ljdk/", Treatment::Opaque),
    ("Lsun/", Treatment::Opaque),
    ("Lcom/sun/", Treatment::Opaque),
    ("Lorg/slf4j/", Treatment::Opaque),
    ("Lch/qos/logback/", Treatment::Opaque),
    ("Lorg/apache/logging/", Treatment::Opaque),
    ("Lorg/apache/log4j/", Treatment::Opaque),
    ("Lorg/apache/commons/logging/", Treatment::Opaque),
];

/// The keys of these maps are held by references that are looked through.
const ENTRIES: &[&str] =
    &["Ljava/util/WeakHashMap$Entry;", "Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;"];

/// Of a class, given that of its superclass.
pub(crate) fn of(signature: &str, superclass: Treatment) -> Treatment {
    if ENTRIES.contains(&signature) {
        return Treatment::Walk;
    }
    if let Some((_, treatment)) = BY_NAME.iter().find(|(name, _)| *name == signature) {
        return *treatment;
    }
    if superclass != Treatment::Walk {
        return superclass;
    }
    let package = BY_PACKAGE.iter().find(|(package, _)| signature.starts_with(package));
    package.map_or(Treatment::Walk, |(_, treatment)| *treatment)
}

/// Fields that only remember what was worked out from the others, or how. They are no state.
pub(crate) fn is_cache(class: &str, field: &str) -> bool {
    match class {
        "Ljava/math/BigInteger;" => {
            matches!(
                field,
                "bitCountPlusOne"
                    | "bitLengthPlusOne"
                    | "lowestSetBitPlusTwo"
                    | "firstNonzeroIntNumPlusTwo"
            )
        }
        "Ljava/math/BigDecimal;" => matches!(field, "stringCache" | "precision"),
        "Ljava/util/regex/Pattern;" => !matches!(field, "pattern" | "flags"),
        "Ljava/net/URI;" => field != "string",
        "Ljava/net/URL;" => matches!(field, "handler" | "hashCode" | "hostAddress" | "tempState"),
        "Ljava/io/File;" => field != "path",
        "Ljava/util/SimpleTimeZone;" | "Lsun/util/calendar/ZoneInfo;" => true,
        "Ljava/util/TimeZone;" => field != "ID",
        "Lsun/util/locale/BaseLocale;" => field == "hash",
        "Ljava/util/Locale;" => matches!(field, "hashCodeValue" | "languageTag"),
        "Ljava/lang/Enum;" => field == "hash",
        "Ljava/lang/ref/Reference;" => field != "referent",
        "Ljava/lang/ThreadLocal;" => field == "threadLocalHashCode",
        "Lsun/security/jca/ProviderList;" => field != "configs",
        "Lsun/security/jca/ProviderConfig;" => !matches!(field, "provName" | "argument"),
        _ => is_wrapper(class) && !is_wrapped(class, field),
    }
}

/// What `Collections.synchronizedList` and its like return: the collection itself, and how it is guarded.
fn is_wrapper(class: &str) -> bool {
    let name = class.strip_prefix("Ljava/util/Collections$").unwrap_or_default();
    ["Synchronized", "Unmodifiable", "Checked"].iter().any(|kind| name.starts_with(kind))
}

/// The field by which such a wrapper holds the collection. Subclasses hold it a second time under another name.
pub(crate) fn is_wrapped(class: &str, field: &str) -> bool {
    is_wrapper(class)
        && (class.ends_with("Collection;") && field == "c"
            || class.ends_with("Map;") && !class.contains("Sorted") && field == "m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_taken_by_its_name_its_package_or_its_superclass() {
        assert_eq!(of("Ljava/lang/Integer;", Treatment::Walk), Treatment::Boxed);
        assert_eq!(of("Ljava/time/ZonedDateTime;", Treatment::Walk), Treatment::Frozen);
        assert_eq!(of("Lcom/acme/Colour;", Treatment::Enum), Treatment::Enum);
        assert_eq!(of("Lcom/acme/Colour;", Treatment::Walk), Treatment::Walk);
    }

    #[test]
    fn of_a_wrapper_the_collection_in_it_is_all_that_counts() {
        for (class, field, wrapped) in [
            ("SynchronizedCollection", "c", true),
            ("SynchronizedCollection", "mutex", false),
            ("UnmodifiableList", "list", false),
            ("UnmodifiableMap", "m", true),
            ("UnmodifiableMap", "keySet", false),
            ("SynchronizedSortedMap", "sm", false),
        ] {
            let class = format!("Ljava/util/Collections${class};");
            assert_eq!(is_wrapped(&class, field), wrapped, "{class} {field}");
            assert_eq!(is_cache(&class, field), !wrapped, "{class} {field}");
        }
        assert!(!is_cache("Ljava/util/Collections$SetFromMap;", "m"));
        assert!(!is_cache("Lcom/acme/Unmodifiable;", "x"));
    }

    #[test]
    fn a_proxy_is_walked_to_its_handler() {
        let proxy = of("Ljava/lang/reflect/Proxy;", Treatment::Walk);
        assert_eq!(of("Ljdk/proxy2/$Proxy4;", proxy), Treatment::Walk);
        assert_eq!(of("Lcom/sun/proxy/$Proxy4;", proxy), Treatment::Walk);
        assert_eq!(of("Ljdk/internal/Other;", Treatment::Walk), Treatment::Opaque);
    }

    #[test]
    fn entries_are_walked_though_they_are_references() {
        assert_eq!(of("Ljava/util/WeakHashMap$Entry;", Treatment::Opaque), Treatment::Walk);
    }
}
