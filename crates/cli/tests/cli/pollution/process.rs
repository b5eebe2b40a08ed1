//! What a process has beside static fields.

use std::collections::BTreeSet;

use super::{found, pollution};
use crate::support::{Project, runtimes};

#[test]
fn settings_of_the_process() {
    let project = Project::new();
    let found = found(&pollution(
        &project,
        &[],
        &["java", "-Duser.language=en", "-Duser.region=", "-Duser.timezone=Etc/UTC"],
        &["ProcessTest"],
    ));
    let streams = "f_out: System.err: java.io.PrintStream#";
    let (err, found): (Vec<_>, Vec<_>) = found.iter().partition(|line| line.starts_with(streams));
    assert_eq!(err.len(), 1, "which stream it is has no name");
    assert_eq!(
        found,
        [
            "b_property: System.getProperties()[\"pollution.mode\"] was added: \"fast\"",
            "d_locale: Locale.getDefault().baseLocale.language: \"en\" → \"de\"",
            "d_locale: Locale.getDefault().baseLocale.region: \"\" → \"DE\"",
            "e_zone: TimeZone.getDefault().ID: \"Etc/UTC\" → \"Asia/Tokyo\"",
        ]
    );
}

#[test]
fn what_stays_beside_static_fields() {
    let project = Project::new();
    let ended = pollution(&project, &[], &["java"], &["LeftoversTest"]);
    // Each time it gets another port.
    let port = |line: &String| match line.split_once("[127.0.0.1:") {
        Some((before, after)) => {
            format!(
                "{before}[127.0.0.1:0{}",
                after.trim_start_matches(|c: char| c.is_ascii_digit())
            )
        }
        None => line.clone(),
    };
    let found: BTreeSet<String> = found(&ended).iter().map(port).collect();
    let expected = [
        "b_leavesItsCall: pollution.LeftoversTest.CURRENT.get(): null → LeftoversTest$Call",
        "f_leavesAThread: live threads[\"left behind\"] was added: alive",
        "g_leavesAServer: listening sockets[127.0.0.1:0] was added: open",
        "h_addsAProvider: Security.getProviders()[\"Some\"] was added: provider",
        "i_addsAHook: shutdown hooks[pollution.LeftoversTest$$Lambda] was added: registered",
    ];
    assert_eq!(found, expected.map(str::to_owned).into(), "{}", ended.stderr);
    let shown = project.run(&["pollution", "--show-suppressed", "LeftoversTest#k_*"]);
    shown.says("library-hooks: a shutdown hook").says("  shutdown hooks  1 test");
}

#[test]
fn a_hook_that_a_test_takes_out_is_missed_when_the_vm_ends() {
    let project = Project::new();
    let ended = pollution(&project, &["--no-files"], &["java"], &["HookTest"]);
    let expected =
        "a_takesTheHookOut: shutdown hooks[pollution.HookTest$$Lambda] was removed: registered";
    assert_eq!(found(&ended), [expected.to_owned()].into(), "{}", ended.stderr);
    ended.says("add the hook again with Runtime.addShutdownHook");
}

#[test]
fn a_provider_is_found_where_the_jdk_takes_others_out_meanwhile() {
    for java in runtimes() {
        let project = Project::new();
        let java = java.to_str().unwrap();
        let ended = pollution(&project, &["--no-files"], &[java], &["ProviderTest"]);
        let expected = ["adds: Security.getProviders()[\"Some\"] was added: provider".to_owned()];
        assert_eq!(found(&ended), expected.into(), "{java}: {}", ended.stderr);
    }
}
