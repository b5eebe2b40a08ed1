//! The lock between threads, and between processes: this program starts itself again as other Surefoots.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Barrier, Mutex};
use std::thread;

use surefoot_store::{Store, StoreError, clean};
use tempfile::tempdir;

use crate::values::run_header;

const PROJECT: &str = "SUREFOOT_TEST_PROJECT";
const LOCKED: &str = "has the lock";
const REFUSED: &str = "was refused";

/// Another process that tries to take the lock, says whether it could, and holds it until its input
/// ends.
#[test]
fn other_process() {
    let Some(project) = env::var_os(PROJECT) else {
        return;
    };
    let lock = Store::open(Path::new(&project)).unwrap().lock("surefoot watch -- mvn test");
    let word = match &lock {
        Ok(_) => LOCKED,
        Err(StoreError::Locked { .. }) => REFUSED,
        Err(error) => panic!("{error}"),
    };
    writeln!(io::stdout(), "{word}").unwrap();
    io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

/// That process, seen from here. Its output stays open as long as it lives.
struct Other {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Other {
    fn start(project: &Path) -> Other {
        let mut process = Command::new(env::current_exe().expect("this program has a path"))
            .args(["--exact", "lock::other_process", "--nocapture"])
            .env(PROJECT, project)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts");
        let output = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        Other { process, output }
    }

    /// What it says, in the midst of what the test harness prints.
    fn answer(&mut self) -> &'static str {
        for line in self.output.by_ref().lines() {
            let line = line.expect("its output is text");
            if let Some(word) = [LOCKED, REFUSED].into_iter().find(|word| line.contains(word)) {
                return word;
            }
        }
        panic!("the other process ended without a word")
    }

    fn end(mut self) {
        drop(self.process.stdin.take());
        let status = self.process.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

#[test]
fn a_lock_excludes_another_process_and_names_it() {
    let project = tempdir().unwrap();
    let mut other = Other::start(project.path());
    assert_eq!(other.answer(), LOCKED);

    let refused = Store::open(project.path()).unwrap().lock("surefoot run").unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "another surefoot (pid {}, `surefoot watch -- mvn test`) is using this project; \
             wait for it or stop it",
            other.process.id()
        )
    );
    let refused = clean(project.path(), "surefoot clean").unwrap_err();
    assert!(matches!(refused, StoreError::Locked { .. }), "{refused}");

    other.end();
    Store::open(project.path()).unwrap().lock("surefoot run").unwrap();
}

#[test]
fn the_lock_of_a_process_that_was_killed_does_not_block() {
    let project = tempdir().unwrap();
    let mut other = Other::start(project.path());
    assert_eq!(other.answer(), LOCKED);
    other.process.kill().unwrap();
    other.process.wait().unwrap();
    Store::open(project.path()).unwrap().lock("surefoot run").unwrap();
}

#[test]
fn of_ten_processes_at_once_one_gets_the_lock() {
    let project = tempdir().unwrap();
    let mut others: Vec<Other> = (0..10).map(|_| Other::start(project.path())).collect();
    let answers: Vec<&str> = others.iter_mut().map(Other::answer).collect();
    assert_eq!(answers.iter().filter(|&&answer| answer == LOCKED).count(), 1, "{answers:?}");
    others.into_iter().for_each(Other::end);
}

#[test]
fn of_ten_threads_at_once_one_gets_the_lock() {
    let project = tempdir().unwrap();
    let store = Store::open(project.path()).unwrap();
    let all_have_tried = Barrier::new(10);
    let locked: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..10)
            .map(|_| {
                scope.spawn(|| {
                    let lock = store.lock("surefoot run");
                    all_have_tried.wait();
                    usize::from(lock.is_ok())
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(locked, 1);
}

#[test]
fn opening_locking_and_cleaning_at_once_never_gives_the_lock_to_two() {
    let project = tempdir().unwrap();
    let store = Store::open(project.path()).unwrap();
    let alone = Mutex::new(());
    let write = || match store.lock("surefoot run") {
        Ok(lock) => {
            let _alone = alone.try_lock().expect("two have the lock");
            let number = lock.begin_run(run_header()).unwrap().number();
            assert_eq!(store.latest_run().unwrap().unwrap().number, number);
        }
        Err(StoreError::Locked { .. }) => {}
        Err(error) => panic!("{error}"),
    };
    let open = || drop(Store::open(project.path()).unwrap());
    let remove = || match clean(project.path(), "surefoot clean") {
        Ok(_) | Err(StoreError::Locked { .. }) => {}
        Err(error) => panic!("{error}"),
    };
    let all: [&(dyn Fn() + Sync); 6] = [&write, &write, &write, &open, &remove, &remove];
    thread::scope(|scope| {
        for action in all {
            scope.spawn(move || (0..50).for_each(|_| action()));
        }
    });
}
