//! Files that tests leave changed.

use std::collections::BTreeSet;
use std::fs;

use super::{found, pollution};
use crate::support::{Ended, Project};

/// With a directory for temporary files that no other test of ours writes to.
fn with_files(project: &Project, options: &[&str]) -> Ended {
    let temporary = project.beside("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let property = format!("-Djava.io.tmpdir={}", temporary.display());
    pollution(project, options, &["java", &property], &["FilesTest"])
}

#[test]
fn files_that_tests_leave_changed() {
    let project = Project::new();
    let ended = with_files(&project, &[]);
    let temporary = project.beside("temporary").canonicalize().unwrap();
    let shown = |line: &String| line.replace(temporary.to_str().unwrap(), "[tmp]");
    let found: BTreeSet<String> = found(&ended).iter().map(shown).collect();
    let expected = [
        "b_leavesAFile: left.txt was added: file of 5 bytes",
        "c_counts: data/counters was added: file of 1 byte",
        "d_renames: data/after.txt was added: file of 12 bytes",
        "d_renames: data/before.txt was removed: file of 12 bytes",
        "f_changesAMode: data/mode.txt: file of 12 bytes with mode 644 → file of 12 bytes with mode 700",
        "g_leadsALinkElsewhere: data/link: link to one → link to two",
        "i_wantsToBeTheFirst: fails where it is there already: java.nio.file.FileAlreadyExistsException: once.lock",
        "i_wantsToBeTheFirst: once.lock was added: empty file",
        "j_leavesADirectory: made was added: directory with 4 entries",
        "l_leavesAFileWithAFixedNameInTheTemporaryDirectory: [tmp]/shop.db was added: file of 6 bytes",
    ];
    assert_eq!(found, expected.map(str::to_owned).into(), "{}", ended.stderr);
    ended.expect(1);

    // The files are there now, and Surefoot deletes none of them. Looked at again, the tests still write them.
    let again = project.run(&["pollution", "--show-suppressed", "pollution.FilesTest"]);
    again.expect(1).says("leaves left.txt behind");
    again.says("build-directory: a build directory").says("  target  1 test");
    again.says("log-files: a log grows").says("  shop.log  1 test");
    again.says("fresh-name: a file with another name each time").says("shop");
    assert!(!again.stdout.contains("x.txt"), "classes are not looked at: {}", again.stdout);
}

#[test]
fn only_the_named_directories_are_looked_at() {
    let project = Project::new();
    let ended = with_files(
        &project,
        &["--files", "target/index", "--files", "data", "--ignore-files", "c*ers"],
    );
    let found = found(&ended);
    let of = |method: &str| found.iter().filter(|line| line.starts_with(method)).count();
    assert_eq!(
        of("k_writesWhereBuildsAndLogsDo: target/index was added: directory with 1 entry"),
        1
    );
    assert_eq!((of("d_renames"), of("b_leavesAFile"), of("c_counts")), (2, 0, 0), "{found:?}");
    with_files(&Project::new(), &["--no-files"]).expect(0);
}

#[test]
fn what_another_program_writes_meanwhile_is_put_down_to_no_test() {
    let project = Project::new();
    let temporary = project.beside("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut number = 0u64;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                number += 1;
                fs::write(temporary.join("noise.txt"), number.to_string()).unwrap();
                // Gives up its turn; how often it writes does not matter, as long as it does not stop.
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        let ended = with_files(&project, &[]);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        ended
    });
    let found = found(&ended);
    assert!(found.iter().any(|line| line.starts_with("b_leavesAFile")), "{found:?}");
    assert!(!found.iter().any(|line| line.contains("noise")), "{found:?}");
}
