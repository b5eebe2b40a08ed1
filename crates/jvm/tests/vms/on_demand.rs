//! What the code of a program says of its fields.

use surefoot_jvm::{Fields, set_by_initialisers};
use surefoot_model::Filling;

use crate::support::classes;

fn fields() -> Fields {
    Fields::new(&[classes(), "no/such/directory".to_owned()])
}

#[test]
fn maps_that_remember_what_is_worked_out_are_filled_on_demand() {
    let fields = fields();
    for field in [
        "byGetAndPut",
        "byEarlyReturn",
        "byContainsKey",
        "byPutIfAbsent",
        "byLambda",
        "byFilling",
        "byReference",
        "bounded",
        "ofNested",
        "preset",
        "withFailures",
        "byHelper",
        "withUnload",
    ] {
        let name = format!("code.Memos.{field}");
        assert_eq!(fields.entered(&name), Filling::OnDemand, "{name}");
    }
}

#[test]
fn maps_whose_entries_somebody_sees_are_not() {
    let fields = fields();
    for field in [
        "registered",
        "filledAndLookedUp",
        "counted",
        "shown",
        "listeners",
        "withDefaults",
        "cleared",
        "oldListeners",
        "replaced",
        "once",
        "taken",
        "hits",
        "topics",
        "presetByTheFirst",
        "presetLists",
        "emptiness",
        "refused",
        "readByAnother",
        "readByName",
        "noSuchField",
    ] {
        let name = format!("code.Registries.{field}");
        assert_eq!(fields.entered(&name), Filling::Unknown, "{name}");
    }
    assert_eq!(fields.entered("java.util.regex.Pattern.map"), Filling::Unknown, "not of theirs");
}

#[test]
fn an_object_that_all_who_use_it_reset_first_is_scratch() {
    let fields = fields();
    assert!(fields.is_reset_before_use("code.Scratch.reset"));
    for field in ["usedAsItIs", "resetTooLate", "handedOut", "handedIn", "looked"] {
        assert!(!fields.is_reset_before_use(&format!("code.Scratch.{field}")), "{field}");
    }
}

#[test]
fn what_set_up_sets_before_each_test_is_nobodys_to_see() {
    let fields = fields();
    for field in ["anew", "ofInstance", "cleared", "emptied", "byConstructor"] {
        assert!(fields.is_set_before_each(&format!("code.SetUp.{field}")), "{field}");
    }
    for field in ["onlyOnce", "onlyAtFirst", "readByAnother", "kept", "cut", "noSuchField"] {
        assert!(!fields.is_set_before_each(&format!("code.SetUp.{field}")), "{field}");
    }
    assert!(fields.is_set_before_each("code.OldSetUp.old"));
    assert!(!fields.is_set_before_each("code.Helper.byHelper"));
}

#[test]
fn arrays_in_which_one_method_remembers_what_it_works_out_are_filled_on_demand() {
    let fields = fields();
    for field in ["byHash", "byOrdinal", "grown"] {
        let name = format!("code.Tables.{field}");
        assert_eq!(fields.entered(&name), Filling::OnDemand, "{name}");
    }
    for field in [
        "firsts",
        "registered",
        "numbered",
        "handedIn",
        "shown",
        "measured",
        "hits",
        "forOthers",
        "last",
    ] {
        let name = format!("code.Tables.{field}");
        assert_eq!(fields.entered(&name), Filling::Unknown, "{name}");
    }
}

#[test]
fn thread_locals_that_are_set_to_what_is_asked_for_are_filled_on_demand() {
    let fields = fields();
    for field in ["ofCharset", "first"] {
        let name = format!("code.Locals.{field}");
        assert_eq!(fields.held(&name), Filling::OnDemand, "{name}");
    }
    for field in ["given", "ofAnother", "looked", "ofThis", "removed", "before"] {
        let name = format!("code.Locals.{field}");
        assert_eq!(fields.held(&name), Filling::Unknown, "{name}");
    }
}

#[test]
fn fields_that_are_set_when_first_asked_for_are_set_on_demand() {
    let fields = fields();
    for field in ["plain", "doubleChecked", "withReset", "askedByAnother", "text"] {
        let name = format!("code.Lazies.{field}");
        assert_eq!(fields.set(&name), Filling::OnDemand, "{name}");
    }
}

#[test]
fn fields_that_somebody_sets_or_looks_at_are_not() {
    let fields = fields();
    for (field, filling) in [
        ("given", Filling::Given),
        ("givenOnce", Filling::Given),
        ("forTheFirst", Filling::Unknown),
        ("looked", Filling::Unknown),
        ("touched", Filling::Unknown),
        ("ofThis", Filling::Unknown),
    ] {
        let name = format!("code.Settings.{field}");
        assert_eq!(fields.set(&name), filling, "{name}");
    }
}

#[test]
fn fields_that_only_the_initialiser_of_another_class_sets() {
    let fields = set_by_initialisers(&[classes()]);
    let here: Vec<&String> =
        fields.iter().filter(|name| name.starts_with("code.Initialisers")).collect();
    assert_eq!(here, ["code.Initialisers$Access.byAnother"]);
}
