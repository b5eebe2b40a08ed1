//! What to do about an assumption: where the order comes from, or where the test compares.

use surefoot_model::choice::HASH_SEED;
use surefoot_model::{ChoiceKind, MadeChoice, RunResult, Thrown};

use super::{frames, words};

/// `failed`: how the test ends with this choice made.
pub(super) fn advice(choice: &MadeChoice, failed: Option<&RunResult>) -> String {
    let at_the_source = of_library(choice).map_or_else(|| words::fix(&choice.model), str::to_owned);
    let is_order = choice.kind == ChoiceKind::Permute && choice.model != HASH_SEED;
    match failed {
        Some(RunResult::Failed { thrown }) if is_order && thrown.assertion => {
            format!("{at_the_source}, or {}", where_compared(thrown))
        }
        _ => at_the_source,
    }
}

const MEMBERS: &[&str] = &["java.lang.Class"];
const MAPS: &[&str] = &[
    "java.util.HashMap",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.Hashtable",
    "java.util.WeakHashMap",
    "java.util.Set.of",
];

/// Whose order a library shows, by the beginning of its method's name, and what the library has for that.
const LIBRARIES: &[(&str, &[&str], &str)] = &[
    (
        "com.fasterxml.jackson.",
        MEMBERS,
        "give the class @JsonPropertyOrder, or switch MapperFeature.SORT_PROPERTIES_ALPHABETICALLY on",
    ),
    (
        "com.fasterxml.jackson.databind.ser.std.MapSerializer",
        MAPS,
        "use a LinkedHashMap or a TreeMap, or switch SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS on",
    ),
    (
        "com.google.gson.",
        MEMBERS,
        "compare what JsonParser.parseString makes of both: Gson writes fields as reflection returns them",
    ),
    ("com.alibaba.fastjson.", MAPS, "write maps with SerializerFeature.MapSortField"),
    ("com.alibaba.fastjson2.", MAPS, "write maps with JSONWriter.Feature.MapSortField"),
    ("org.json.JSONObject.", MAPS, "compare with JSONObject.similar: a JSONObject has no order"),
    (
        "org.apache.commons.lang3.builder.",
        MEMBERS,
        "append the fields one by one, which gives them an order, instead of by reflection",
    ),
];

fn of_library(choice: &MadeChoice) -> Option<&'static str> {
    let reader = frames::reader(&choice.detail.as_ref()?.stack, &choice.model).frame;
    let fits = |(library, models, _): &&(&str, &[&str], &str)| {
        reader.starts_with(library) && models.contains(&choice.model.as_str())
    };
    LIBRARIES.iter().find(fits).map(|(_, _, fix)| *fix)
}

/// By the words with which the assertion failed; those of a stack do not tell, as AssertJ takes its own frames out.
fn where_compared(thrown: &Thrown) -> &'static str {
    let is_python = !thrown.class.contains('.');
    let message = thrown.message.as_deref().unwrap_or_default();
    let has = |words: &[&str]| words.iter().any(|words| message.contains(words));
    // `"name":` of an object. Comparisons may show no more of it than what is around the first difference.
    let is_json = has(&["\":", "\" :"]);
    match is_python {
        true if is_json => "compare what json.loads makes of both",
        true if has(&["First differing element"]) => "compare with assertCountEqual",
        true if has(&["assert [", "assert ("]) => "compare sorted(…) of both, or sets",
        true => "compare without order",
        false if is_json => "compare as JSON, without order (JSONassert)",
        false if has(&["in same order", "expected: ["]) => {
            "compare with containsExactlyInAnyOrder (AssertJ)"
        }
        false if has(&["Expected: iterable containing [", "Expected: is <["]) => {
            "compare with containsInAnyOrder (Hamcrest)"
        }
        false if has(&["<[", "expected [[", "contents differ at index", "first differed at"]) => {
            "compare sets with sets"
        }
        false => "compare without order",
    }
}

#[cfg(test)]
mod tests {
    use surefoot_model::{ChoiceDetail, ChoiceId};

    use super::*;

    fn choice(model: &str, reader: &str) -> MadeChoice {
        let stack = ["java.util.HashMap$KeySet.iterator(HashMap.java:912)", reader];
        MadeChoice {
            id: ChoiceId(1),
            model: model.into(),
            kind: ChoiceKind::Permute,
            place: "com.acme.Shop.open".into(),
            detail: Some(ChoiceDetail {
                stack: stack.map(str::to_owned).to_vec(),
                elements: vec!["a".into(), "b".into()],
                order: vec![1, 0],
                again: Vec::new(),
            }),
        }
    }

    fn failed(class: &str, message: &str, assertion: bool) -> RunResult {
        let message = Some(message.to_owned());
        RunResult::Failed {
            thrown: Thrown { class: class.into(), message, assertion, ..Thrown::default() },
        }
    }

    #[test]
    fn an_assertion_without_order_is_proposed_in_the_terms_of_the_one_that_failed() {
        let java = "java.lang.AssertionError";
        for (class, message, fix) in [
            (
                java,
                "\nExpecting actual:\n  [\"b\", \"a\"]\nto contain exactly (and in same order):",
                "containsExactlyInAnyOrder (AssertJ)",
            ),
            (
                "org.opentest4j.AssertionFailedError",
                "\nexpected: [1, 2]\n but was: [2, 1]",
                "containsExactlyInAnyOrder (AssertJ)",
            ),
            (
                java,
                "\nExpected: is <[a, b]>\n     but: was <[b, a]>",
                "containsInAnyOrder (Hamcrest)",
            ),
            (
                java,
                "\nExpected: iterable containing [\"a\", \"b\"]\n     but: item 0: was \"b\"",
                "containsInAnyOrder (Hamcrest)",
            ),
            (java, "expected:<[a, b]> but was:<[b, a]>", "compare sets with sets"),
            (
                java,
                "arrays first differed at element [0]; expected:<1> but was:<2>",
                "compare sets with sets",
            ),
            (
                "org.opentest4j.AssertionFailedError",
                "expected: <{\"a\":1,\"b\":2}> but was: <{\"b\":2,\"a\":1}>",
                "(JSONassert)",
            ),
            (
                "org.junit.ComparisonFailure",
                "expected:<{\"[a\":1,\"b\":2]}> but was:<{\"[b\":2,\"a\":1]}>",
                "(JSONassert)",
            ),
            (java, "expected:<a=1&b=2> but was:<b=2&a=1>", "compare without order"),
            ("AssertionError", "assert [2, 1] == [1, 2]", "compare sorted(…) of both, or sets"),
            (
                "AssertionError",
                "Lists differ: [2, 1] != [1, 2]\n\nFirst differing element 0:\n2\n1",
                "assertCountEqual",
            ),
            (
                "AssertionError",
                "assert '{\"a\": 1, \"b\": 2}' == '{\"b\": 2, \"a\": 1}'",
                "json.loads",
            ),
        ] {
            let failed = failed(class, message, true);
            let advice = advice(
                &choice("java.util.HashMap", "com.acme.Shop.open(Shop.java:9)"),
                Some(&failed),
            );
            assert!(advice.contains(fix), "{message}: {advice}");
        }
    }

    #[test]
    fn where_nothing_was_compared_no_other_comparison_is_proposed() {
        let choice = choice("java.util.HashMap", "com.acme.Shop.open(Shop.java:9)");
        let fails = failed("java.lang.NullPointerException", "expected:<[a]>", false);
        for failed in [None, Some(&fails), Some(&RunResult::TimedOut { limit_ms: 1 })] {
            assert!(!advice(&choice, failed).contains("compare"), "{failed:?}");
        }
    }

    #[test]
    fn what_a_library_has_for_order_is_proposed_where_the_library_reads() {
        let reads = "com.fasterxml.jackson.databind.introspect.AnnotatedFieldCollector._findFields(A.java:1)";
        assert!(advice(&choice("java.lang.Class", reads), None).contains("@JsonPropertyOrder"));
        let reads =
            "com.fasterxml.jackson.databind.ser.std.MapSerializer.serialize(MapSerializer.java:1)";
        assert!(advice(&choice("java.util.HashMap", reads), None).contains("ORDER_MAP_ENTRIES"));
        let reads =
            "com.fasterxml.jackson.databind.ser.std.CollectionSerializer.serialize(C.java:1)";
        assert_eq!(
            advice(&choice("java.util.HashMap", reads), None),
            words::fix("java.util.HashMap")
        );
        let reads = "org.json.JSONObject.write(JSONObject.java:2500)";
        assert!(advice(&choice("java.util.HashMap", reads), None).contains("similar"));
    }
}
