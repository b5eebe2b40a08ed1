//! What is written, who can read it, and what is read back.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::thread;

use surefoot_model::{Event, Outcome};
use surefoot_store::{
    Cleaned, CommandEnd, KEPT, Record, RecordedRun, RunEnd, Store, StoreError, WatchEnd, clean,
};

use crate::values::{experiment, finding, passed, project, run_header, trouble, watch_header};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it exists").permissions().mode() & 0o777
}

/// Every file and directory below `path`, with its mode.
fn modes(path: &Path) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let mut open = vec![path.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("it is a directory") {
            let entry = entry.expect("it can be read").path();
            let name = entry.strip_prefix(path).expect("it is below").display().to_string();
            found.insert(name, mode(&entry));
            if entry.is_dir() {
                open.push(entry);
            }
        }
    }
    found
}

fn write_events(path: &Path, events: &[Event]) {
    let lines: Vec<String> = events
        .iter()
        .map(|event| serde_json::to_string(event).expect("events are JSON") + "\n")
        .collect();
    fs::write(path, lines.concat()).expect("it can be written");
}

#[test]
fn a_new_store_has_a_version_is_ignored_by_git_and_private() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    assert_eq!(fs::read_to_string(store.path().join("version")).unwrap(), "1\n");
    assert_eq!(fs::read_to_string(store.path().join(".gitignore")).unwrap(), "*\n");

    let lock = store.lock("surefoot watch").unwrap();
    lock.begin_watch(watch_header()).unwrap();
    lock.begin_run(run_header()).unwrap();
    assert_eq!(mode(store.path()), 0o700);
    let expected = [
        (".gitignore", 0o600),
        ("lock", 0o600),
        ("runs", 0o700),
        ("runs/0001", 0o700),
        ("runs/0001/run.jsonl", 0o600),
        ("version", 0o600),
        ("watches", 0o700),
        ("watches/0001", 0o700),
        ("watches/0001/vms", 0o700),
        ("watches/0001/watch.jsonl", 0o600),
    ];
    assert_eq!(modes(store.path()), expected.map(|(name, mode)| (name.into(), mode)).into());
}

#[test]
fn a_store_that_others_can_read_is_made_private() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    fs::set_permissions(store.path(), fs::Permissions::from_mode(0o755)).unwrap();
    Store::open(project.path()).unwrap();
    assert_eq!(mode(store.path()), 0o700);
}

#[test]
fn opening_an_existing_store_needs_one_and_writes_nothing() {
    let project = project();
    let error = Store::open_existing(project.path()).unwrap_err();
    assert!(matches!(error, StoreError::NoStore { .. }), "{error}");
    assert!(error.to_string().contains("run `surefoot watch -- <your test command>` first"));
    assert_eq!(fs::read_dir(project.path()).unwrap().count(), 0);

    Store::open(project.path()).unwrap();
    let store = Store::open_existing(project.path()).unwrap();
    assert_eq!(store.latest_watch().unwrap(), None);
    assert_eq!(store.latest_run().unwrap(), None);
}

#[test]
fn a_relative_project_gives_absolute_paths() {
    let store = Store::open_existing(Path::new("."));
    let Err(StoreError::NoStore { path }) = store else { panic!("{store:?}") };
    assert!(path.is_absolute());
}

#[test]
fn a_watched_run_reads_back_as_it_was_written() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    let lock = store.lock("surefoot watch").unwrap();
    let watch = lock.begin_watch(watch_header()).unwrap();
    assert_eq!(watch.number(), 1);
    write_events(&watch.vms_dir().join("100-0.jsonl"), &[trouble(), Event::Ended]);
    write_events(&watch.vms_dir().join("99-1.jsonl"), &[trouble()]);
    fs::write(watch.vms_dir().join("99-0.jsonl"), "{\"event\":\"vm\",\"pid").unwrap();
    fs::write(watch.vms_dir().join("notes.txt"), "not ours").unwrap();
    fs::create_dir(watch.vms_dir().join("directory.jsonl")).unwrap();

    let unfinished = store.latest_watch().unwrap().unwrap();
    assert_eq!(unfinished.end, None);

    let end = WatchEnd { command: CommandEnd::Exited { status: 1 }, finished: 1_700_000_060 };
    watch.finish(end.clone()).unwrap();
    let stored = store.latest_watch().unwrap().unwrap();
    assert_eq!(stored.number, 1);
    assert_eq!(stored.header, watch_header());
    assert_eq!(stored.end, Some(end));
    assert_eq!(stored.damages, []);
    let vms: Vec<_> =
        stored.vms.iter().map(|vm| (vm.file.as_str(), vm.events.len(), vm.truncated)).collect();
    assert_eq!(
        vms,
        [("vms/99-0.jsonl", 0, true), ("vms/99-1.jsonl", 1, false), ("vms/100-0.jsonl", 2, false)]
    );
    assert_eq!(stored.vms[2].events[0], trouble());
}

#[test]
fn a_damaged_line_of_a_vm_is_skipped_and_named() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    let watch = store.lock("surefoot watch").unwrap().begin_watch(watch_header()).unwrap();
    fs::write(
        watch.vms_dir().join("12-0.jsonl"),
        b"{\"event\":\"ended\"}\n{\"event\":\"end\0ed\"}\n{\"event\":\"ended\"}\n",
    )
    .unwrap();
    let stored = store.latest_watch().unwrap().unwrap();
    assert_eq!(stored.vms[0].events, [Event::Ended, Event::Ended]);
    assert_eq!(
        stored.damages.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["vms/12-0.jsonl line 2 is damaged: skipped (not JSON)"]
    );
}

#[test]
fn a_watched_run_whose_header_is_lost_is_an_error_and_not_the_run_before() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    let lock = store.lock("surefoot watch").unwrap();
    lock.begin_watch(watch_header()).unwrap();
    let second = lock.begin_watch(watch_header()).unwrap();
    fs::write(second.path().join("watch.jsonl"), "garbage\n").unwrap();
    let error = store.latest_watch().unwrap_err().to_string();
    assert!(error.contains("0002/watch.jsonl is damaged"), "{error}");
}

#[test]
fn a_run_of_experiments_reads_back_as_it_was_written() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    let mut log = store.lock("surefoot run").unwrap().begin_run(run_header()).unwrap();
    let end = RunEnd { finished: 1_700_000_100, interrupted: true };
    let records = [
        Record::Experiment(experiment(1, &["a.B#c", "a.B#d"])),
        Record::Experiment(experiment(2, &["a.B#c", "a.B#d"])),
        Record::Run(RecordedRun { experiment: 2, index: 0, outcome: passed("a.B#c") }),
        Record::Run(RecordedRun { experiment: 1, index: 1, outcome: passed("a.B#d") }),
        Record::Run(RecordedRun { experiment: 1, index: 0, outcome: passed("a.B#c") }),
        Record::Run(RecordedRun { experiment: 1, index: 9, outcome: passed("a.B#x") }),
        Record::Finding(finding()),
        Record::End(end.clone()),
    ];
    for record in &records {
        log.append(record).unwrap();
    }

    let stored = store.latest_run().unwrap().unwrap();
    assert_eq!(stored.header, run_header());
    assert_eq!(stored.records, records);
    assert_eq!(stored.findings().collect::<Vec<_>>(), [&finding()]);
    assert_eq!(stored.end(), Some(&end));
    assert!(!stored.truncated && stored.damages.is_empty());
    // The second experiment was cut short.
    let first = Outcome {
        experiment: 1,
        runs: vec![passed("a.B#c"), passed("a.B#d")],
        class_changes: Vec::new(),
        in_copy: false,
    };
    assert_eq!(stored.outcomes(), [first]);
}

#[test]
fn a_log_cut_at_any_byte_can_be_read_and_resumed() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    let lock = store.lock("surefoot run").unwrap();
    let mut log = lock.begin_run(run_header()).unwrap();
    let records = [
        Record::Experiment(experiment(1, &["a.B#c"])),
        Record::Run(RecordedRun { experiment: 1, index: 0, outcome: passed("a.B#c") }),
        Record::Finding(finding()),
    ];
    let path = log.path().join("run.jsonl");
    let header = fs::metadata(&path).unwrap().len() as usize;
    let mut ends = Vec::new();
    for record in &records {
        log.append(record).unwrap();
        ends.push(fs::metadata(&path).unwrap().len() as usize - 1);
    }
    let bytes = fs::read(&path).unwrap();

    for cut in header..=bytes.len() {
        fs::write(&path, &bytes[..cut]).unwrap();
        let whole = ends.iter().filter(|&&end| end <= cut).count();
        let stored = store.latest_run().unwrap().unwrap();
        assert_eq!(stored.records, records[..whole], "cut at {cut}");
        assert_eq!(stored.damages, []);

        let end = Record::End(RunEnd { finished: 1, interrupted: false });
        lock.resume_run(1).unwrap().append(&end).unwrap();
        let resumed = store.latest_run().unwrap().unwrap();
        assert_eq!(resumed.records[..whole], records[..whole], "cut at {cut}");
        assert_eq!(resumed.records[whole..], [end]);
        assert_eq!(resumed.damages.len(), usize::from(stored.truncated));
    }
}

#[test]
fn only_the_newest_are_kept_and_numbers_go_on() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    let lock = store.lock("surefoot watch").unwrap();
    fs::create_dir(store.path().join("watches/0001.new")).unwrap();
    fs::create_dir(store.path().join("watches/9998")).unwrap();
    for number in 9999..9999 + 12 {
        assert_eq!(lock.begin_watch(watch_header()).unwrap().number(), number);
    }
    let mut kept: Vec<String> = modes(&store.path().join("watches"))
        .into_keys()
        .filter(|name| !name.contains('/'))
        .collect();
    kept.sort();
    let expected: Vec<String> = (10001..=10010).map(|number| number.to_string()).collect();
    assert_eq!(kept, expected);
    assert_eq!(kept.len(), KEPT);
    assert_eq!(store.latest_watch().unwrap().unwrap().number, 10010);
}

#[test]
fn numbers_that_are_used_up_are_an_error() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    fs::create_dir(store.path().join("runs/4294967295")).unwrap();
    let error = store.lock("surefoot run").unwrap().begin_run(run_header()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_newer_format_is_refused_but_can_be_cleaned() {
    let project = project();
    let store = Store::open(project.path()).unwrap();
    fs::write(store.path().join("version"), "2\n").unwrap();
    for opened in [Store::open(project.path()), Store::open_existing(project.path())] {
        let error = opened.unwrap_err().to_string();
        assert!(error.contains("was written by a newer Surefoot (format 2; this one knows 1)"));
        assert!(error.contains("run `surefoot clean`"), "{error}");
    }
    clean(project.path(), "surefoot clean").unwrap();
    Store::open(project.path()).unwrap();
}

#[test]
fn a_damaged_version_is_refused() {
    for content in ["", "0\n", "-1\n", "one\n", "\u{0}\u{0}"] {
        let project = project();
        let store = Store::open(project.path()).unwrap();
        fs::write(store.path().join("version"), content).unwrap();
        let error = Store::open(project.path()).unwrap_err().to_string();
        assert!(error.contains("version is damaged: it does not hold a format"), "{error}");
    }
}

#[test]
fn a_file_where_the_store_should_be_is_an_error_that_names_it() {
    let project = project();
    fs::write(project.path().join(".surefoot"), "mine").unwrap();
    for error in [
        Store::open(project.path()).unwrap_err(),
        Store::open_existing(project.path()).unwrap_err(),
        clean(project.path(), "surefoot clean").unwrap_err(),
    ] {
        let StoreError::NotADirectory { path } = error else { panic!("{error}") };
        assert_eq!(path, project.path().join(".surefoot"));
    }
    assert_eq!(fs::read_to_string(project.path().join(".surefoot")).unwrap(), "mine");
}

#[test]
fn a_directory_that_is_not_ours_is_neither_used_nor_cleaned() {
    let project = project();
    fs::create_dir(project.path().join(".surefoot")).unwrap();
    fs::write(project.path().join(".surefoot/thesis.tex"), "mine").unwrap();
    for error in [
        Store::open(project.path()).unwrap_err(),
        clean(project.path(), "surefoot clean").unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    }
    assert!(project.path().join(".surefoot/thesis.tex").exists());
}

#[test]
fn a_project_that_does_not_exist_is_an_error() {
    let project = project();
    let error = Store::open(&project.path().join("nowhere")).unwrap_err();
    assert!(matches!(error, StoreError::NoProject { .. }), "{error}");
}

#[test]
fn a_project_that_cannot_be_written_to_is_an_error_with_advice() {
    let project = project();
    fs::set_permissions(project.path(), fs::Permissions::from_mode(0o500)).unwrap();
    let opened = Store::open(project.path());
    fs::set_permissions(project.path(), fs::Permissions::from_mode(0o700)).unwrap();
    // Root may write everywhere.
    if let Err(error) = opened {
        assert!(error.to_string().contains("run Surefoot as the owner"), "{error}");
    }
}

#[test]
fn clean_removes_everything_and_says_how_much() {
    let project = project();
    assert_eq!(clean(project.path(), "surefoot clean").unwrap(), Cleaned::default());

    let store = Store::open(project.path()).unwrap();
    let watch = store.lock("surefoot watch").unwrap().begin_watch(watch_header()).unwrap();
    fs::write(watch.vms_dir().join("1-0.jsonl"), vec![b'x'; 5000]).unwrap();
    fs::write(project.path().join("pom.xml"), "outside").unwrap();
    symlink(project.path().join("pom.xml"), watch.path().join("link")).unwrap();
    let record = fs::metadata(watch.path().join("watch.jsonl")).unwrap().len();
    let link = fs::symlink_metadata(watch.path().join("link")).unwrap().len();

    let cleaned = clean(project.path(), "surefoot clean").unwrap();
    let small = "*\n".len() as u64 + "1\n".len() as u64;
    assert_eq!(cleaned, Cleaned { files: 5, bytes: 5000 + record + link + small });
    assert!(!store.path().exists());
    assert!(project.path().join("pom.xml").exists());
}

#[test]
fn ten_threads_can_open_one_new_store_at_once() {
    let project = project();
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..10).map(|_| scope.spawn(|| Store::open(project.path()).map(|_| ()))).collect();
        for thread in threads {
            thread.join().unwrap().unwrap();
        }
    });
    let names: Vec<String> = modes(&project.path().join(".surefoot")).into_keys().collect();
    assert_eq!(names, [".gitignore", "runs", "version", "watches"]);
}
