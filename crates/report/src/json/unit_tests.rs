use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::samples::{LONG, ODD, finding, suppressed, totals};

const SCHEMA: &str = include_str!("../../../../docs/findings.schema.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

/// A new kind fails to compile here, and then belongs in the list and in the schema.
fn every_kind() -> Vec<FindingKind> {
    match FindingKind::Flaky {
        FindingKind::Flaky
        | FindingKind::Assumption
        | FindingKind::Nio
        | FindingKind::Brittle
        | FindingKind::Victim
        | FindingKind::Pollution => vec![
            FindingKind::Flaky,
            FindingKind::Assumption,
            FindingKind::Nio,
            FindingKind::Brittle,
            FindingKind::Victim,
            FindingKind::Pollution,
        ],
    }
}

/// What the schema calls something that the value is not, or the other way round.
fn differences(schema: &Value, value: &Value, root: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return differences(target, value, root, at, found);
    }
    let is_type = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        other => panic!("{at}: the schema has the type {other:?}"),
    };
    if !is_type {
        found.push(format!("{at}: {value} is no {}", schema["type"]));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        found.push(format!("{at}: {value} is not among {allowed:?}"));
    }
    if let Some(properties) = schema["properties"].as_object() {
        let keys = |names: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
            names.map(str::to_owned).collect()
        };
        let said = keys(&mut properties.keys().map(String::as_str));
        let required =
            keys(&mut schema["required"].as_array().unwrap().iter().filter_map(Value::as_str));
        let there = keys(&mut value.as_object().unwrap().keys().map(String::as_str));
        if said != there || said != required || schema["additionalProperties"] != false {
            found.push(format!("{at}: {said:?} in the schema, {there:?} in the value"));
        }
        for (name, schema) in properties {
            differences(schema, &value[name], root, &format!("{at}/{name}"), found);
        }
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        differences(&schema["items"], item, root, &format!("{at}/{number}"), found);
    }
}

#[test]
fn the_output_has_exactly_the_keys_of_the_schema() {
    let schema = schema();
    let findings = [finding(&["a.B#c"]), finding(&[LONG, ODD])];
    for findings in [&findings[..], &[]] {
        let json: Value =
            serde_json::from_str(&findings_json(findings, &suppressed(), &totals())).unwrap();
        let mut found = Vec::new();
        differences(&schema, &json, &schema, "", &mut found);
        assert_eq!(found, [] as [&str; 0]);
    }
}

#[test]
fn the_check_against_the_schema_sees_differences() {
    let schema = schema();
    let json = findings_json(&[finding(&["a.B#c"])], &[], &totals());
    for (old, new) in
        [("\"fix\"", "\"fixes\""), ("\"flaky\"", "\"flacky\""), ("\"seen\": 3", "\"seen\": \"3\"")]
    {
        let changed: Value = serde_json::from_str(&json.replace(old, new)).unwrap();
        let mut found = Vec::new();
        differences(&schema, &changed, &schema, "", &mut found);
        assert!(!found.is_empty(), "{old} to {new}");
    }
}

#[test]
fn the_schema_names_every_kind_and_no_other() {
    let names: Vec<&str> = every_kind().into_iter().map(FindingKind::name).collect();
    assert_eq!(schema()["$defs"]["kind"]["enum"], serde_json::json!(names));
}

#[test]
fn findings_and_totals_as_json() {
    insta::assert_snapshot!(findings_json(&[finding(&["a.B#c", ODD])], &suppressed(), &totals()));
}
