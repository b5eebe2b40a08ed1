//! What happens when something is other than usual, and what to do about it, in the user's terms.

use surefoot_model::ChoiceKind;
use surefoot_model::choice::HASH_SEED;

/// What a method that was declared returns instead.
pub(super) fn of_kind(kind: ChoiceKind) -> &'static str {
    match kind {
        ChoiceKind::Permute => "its elements in another order",
        ChoiceKind::Extend => "more elements than usual",
        ChoiceKind::Random => "another number",
    }
}

/// What to do where it is not known which order it is.
pub(super) const NOT_NARROWED: &str = "look at what is read in no promised order on the way to the line that fails: `--only java.util.HashMap` and the like leave all other orders as usual";

pub(super) fn fix(model: &str) -> String {
    match of_model(model) {
        Some((_, fix)) => fix.to_owned(),
        None => format!("rely on no more than what {model} promises, or let it promise more"),
    }
}

/// What happens, and what to do about it; none of a method that a user has declared.
pub(super) fn of_model(model: &str) -> Option<(&'static str, &'static str)> {
    const SORT: &str = "sort before the order matters";
    const MEMBERS: &str = "look members up by name (getDeclaredField, getMethod; getEnumConstants of an enum), or sort them before their order matters";
    const ANNOTATIONS: &str =
        "look annotations up by type, or sort them before their order matters";
    const NAMES: &str = "sort the names before their order matters";
    const QUEUE: &str = "poll the elements one by one, or sort them, before their order matters";
    const SORTED: &str = "use sorted(…) before the order matters";
    Some(match model {
        "java.util.HashMap" => (
            "a HashMap or HashSet is read in another order",
            "use a LinkedHashMap or a TreeMap (LinkedHashSet, TreeSet)",
        ),
        "java.util.concurrent.ConcurrentHashMap" => {
            ("a ConcurrentHashMap is read in another order", SORT)
        }
        "java.util.Hashtable" => ("a Hashtable is read in another order", SORT),
        "java.util.WeakHashMap" => ("a WeakHashMap is read in another order", SORT),
        "java.util.IdentityHashMap" => ("an IdentityHashMap is read in another order", SORT),
        "java.util.Set.of" => (
            "a set or map of Set.of, Map.of or copyOf is read in another order",
            "use a LinkedHashSet, a LinkedHashMap or a list, or copy it sorted, as in List.copyOf(new TreeSet<>(…))",
        ),
        "java.util.PriorityQueue" => ("a PriorityQueue is traversed in another order", QUEUE),
        "java.util.concurrent.PriorityBlockingQueue" => {
            ("a PriorityBlockingQueue is traversed in another order", QUEUE)
        }
        "java.lang.Class" => ("reflection returns members in another order", MEMBERS),
        "java.lang.reflect.AnnotatedElement" => {
            ("reflection returns annotations in another order", ANNOTATIONS)
        }
        "java.util.Locale" => {
            ("locales, countries or time zones are listed in another order", SORT)
        }
        "java.text.DateFormatSymbols" => (
            "rows of time zone names are longer than usual",
            "rely on the first five columns of getZoneStrings alone, or use java.time",
        ),
        "java.io.File" | "java.nio.file.DirectoryStream" => {
            ("a directory is listed in another order", NAMES)
        }
        "set" => (
            "a set is read in another order",
            "use sorted(…) before the order matters, or keep a list or the keys of a dict",
        ),
        "os.listdir" => ("a directory is listed in another order", SORTED),
        "concurrent.futures.as_completed" => (
            "futures complete in another order",
            "keep what belongs to each future, as in {future: name}, or use Executor.map, which keeps the order",
        ),
        "asyncio.as_completed" => (
            "tasks complete in another order",
            "let each task return what tells it apart, or use asyncio.gather, which keeps the order",
        ),
        "multiprocessing.pool.imap_unordered" => (
            "results of imap_unordered come in another order",
            "use Pool.imap, which keeps the order",
        ),
        "sqlite3" => (
            "rows of a SELECT without ORDER BY come in reverse",
            "add ORDER BY to the query (in Django order_by)",
        ),
        HASH_SEED => (
            "hashes of str and bytes are others",
            "use sorted(…) where the order of a set matters, and hashlib where a hash must be the same tomorrow",
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_words_of_its_own() {
        for model in surefoot_model::choice::MODELS {
            assert!(of_model(model).is_some(), "{model}");
        }
    }
}
