use insta::assert_snapshot;
use serde_json::Value;

use super::*;
use crate::samples::{NARROW, SECRET, WIDE, watch};

#[test]
fn the_table_at_80_columns() {
    assert_snapshot!(tests_table(&test_rows(&watch()), NARROW));
}

#[test]
fn the_table_at_120_columns() {
    assert_snapshot!(tests_table(&test_rows(&watch()), WIDE));
}

#[test]
fn no_tests() {
    assert_snapshot!(tests_table(&[], NARROW));
}

#[test]
fn the_narrowest_terminal_still_shows_a_part_of_the_names() {
    let text = tests_table(&test_rows(&watch()), Terminal { width: 0, colour: false });
    assert!(text.contains("CartTest"), "{text}");
}

#[test]
fn json_has_a_version_and_a_row_for_each_run() {
    let watch = watch();
    let json: Value = serde_json::from_str(&tests_json(&test_rows(&watch), &[])).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["tests"].as_array().unwrap().len(), 5);
    insta::assert_json_snapshot!(json["tests"][1]);
}

#[test]
fn the_environment_is_not_shown() {
    let watch = watch();
    assert!(format!("{watch:?}").contains(SECRET));
    let rows = test_rows(&watch);
    for report in [tests_table(&rows, WIDE), tests_json(&rows, &[])] {
        assert!(!report.contains(SECRET), "{report}");
    }
}
