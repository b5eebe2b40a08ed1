//! A project in a directory of its own, and Surefoot run in it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Long enough for a machine that is busy with something else; reached only when a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// The classes of testdata/faults, in the order in which they run.
pub(crate) const FAULTS: &[&str] = &[
    "CloseOutTest",
    "CrashTest",
    "ExitTest",
    "FloodTest",
    "GarbageTest",
    "HaltTest",
    "HangTest",
    "OutOfMemoryExitTest",
    "OutOfMemoryTest",
    "ThreadsTest",
];

const JUPITER: &str = "junit-platform-console-standalone-1.13.4.jar";
const TESTNG: &str = "testng-7.5.1.jar";

/// Maven ends with it, wanted or not.
const RESET: &str = "\u{1b}[0m";

/// What all tests share: made once, and found by the next run.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) jars: PathBuf,
    /// testdata/faults, compiled.
    pub(crate) faults: PathBuf,
    /// testdata/assumptions, compiled.
    pub(crate) assumptions: PathBuf,
    /// testdata/pollution, compiled.
    pub(crate) pollution: PathBuf,
    /// testdata/rerun, compiled.
    pub(crate) rerun: PathBuf,
    /// Virtual environments with pytest, made by scripts/fetch-pythons.
    pub(crate) pythons: PathBuf,
    /// Where Surefoot unpacks its agent.
    cache: PathBuf,
}

pub(crate) fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = scratch.parent().expect("the scratch directory lies in the target directory");
        // Test runners that give each test a process of its own come here many times at once.
        let lock = File::create(scratch.join("cli-tools.lock"))
            .expect("the target directory can be written");
        lock.lock().expect("a file can be locked");
        let jars = target.join("test-jars");
        succeed(Command::new(root().join("scripts/fetch-test-jars")).arg(&jars));
        let pythons = target.join("pythons");
        succeed(Command::new(root().join("scripts/fetch-pythons")).arg(&pythons));
        let compiled = |name: &str| {
            let sources = format!("testdata/{name}/src/test/java/{name}");
            let classes = scratch.join(name);
            compile(&jars, &root().join(sources), &classes);
            classes
        };
        Tools {
            faults: compiled("faults"),
            assumptions: compiled("assumptions"),
            pollution: compiled("pollution"),
            rerun: compiled("rerun"),
            cache: scratch.join("cache"),
            jars,
            pythons,
        }
    })
}

/// The runtimes that scripts/fetch-runtimes fetched, where scripts/test has them put.
pub(crate) fn runtimes() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("runtimes");
    let folder = std::env::var_os("SUREFOOT_RUNTIMES").map_or(beside, PathBuf::from);
    let entries = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}; run scripts/fetch-runtimes", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path().join("bin/java"))
        .filter(|java| java.is_file())
        .collect();
    found.sort();
    assert_eq!(found.len(), 4, "{found:?}");
    found
}

/// The directory of the whole workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn compile(jars: &Path, from: &Path, to: &Path) {
    let mut sources: Vec<PathBuf> = fs::read_dir(from)
        .expect("the sources are there")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    sources.sort();
    let text: String =
        sources.iter().map(|path| fs::read_to_string(path).expect("a source is text")).collect();
    let stamp = to.join("compiled");
    if fs::read_to_string(&stamp).is_ok_and(|known| known == text) {
        return;
    }
    let _ = fs::remove_dir_all(to);
    let frameworks = ["junit-4.13.2.jar", JUPITER, TESTNG];
    let frameworks = frameworks.map(|jar| jars.join(jar).display().to_string());
    succeed(
        Command::new("javac")
            .args(["--release", "11", "-nowarn", "-encoding", "UTF-8", "-cp"])
            .arg(frameworks.join(":"))
            .arg("-d")
            .arg(to)
            .args(&sources)
            .env_remove("JAVA_TOOL_OPTIONS"),
    );
    fs::write(stamp, text).expect("the target directory can be written");
}

pub(crate) fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// None if a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: String,
    /// The project's path is `[project]` in it.
    pub(crate) stderr: String,
}

impl Ended {
    #[track_caller]
    pub(crate) fn expect(&self, status: i32) -> &Ended {
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    /// These words must be among what it said to people.
    #[track_caller]
    pub(crate) fn says(&self, words: &str) -> &Ended {
        assert!(
            self.stderr.contains(words) || self.stdout.contains(words),
            "not said: {words}\n{}{}",
            self.stderr,
            self.stdout
        );
        self
    }

    /// It found these and nothing else, and ended with the status that says so.
    #[track_caller]
    pub(crate) fn finds(&self, found: &BTreeSet<String>, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|&line| line.to_owned()).collect();
        assert_eq!(*found, expected, "{}", self.stderr);
        self.expect(i32::from(!expected.is_empty()));
    }

    /// The lines that Surefoot itself wrote to standard error.
    pub(crate) fn own_words(&self) -> String {
        let mut words = String::new();
        let mut ours = false;
        for line in self.stderr.lines() {
            ours = line.starts_with("surefoot: ") || (ours && line.starts_with("  "));
            if ours {
                words.push_str(line);
                words.push('\n');
            }
        }
        words
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}\n{self:#?}"))
    }
}

/// A directory with a project in it, gone after the test.
#[derive(Debug)]
pub(crate) struct Project {
    folder: TempDir,
    path: PathBuf,
}

impl Project {
    /// Without a single file.
    pub(crate) fn new() -> Project {
        Project::named("project")
    }

    pub(crate) fn named(name: &str) -> Project {
        let folder = tempfile::tempdir().expect("there is room for temporary files");
        let path = folder.path().canonicalize().expect("a new directory is there").join(name);
        fs::create_dir(&path).expect("a new directory can be written");
        Project { folder, path }
    }

    pub(crate) fn copy_of(testdata: &str) -> Project {
        let project = Project::new();
        copy(&root().join("testdata").join(testdata), &project.path);
        project
    }

    /// One in which the tests of testdata/faults passed, watched without a build tool.
    pub(crate) fn of_faults() -> Project {
        let project = Project::new();
        project.watch_faults(FAULTS).expect(0);
        project
    }

    pub(crate) fn watch_faults(&self, classes: &[&str]) -> Ended {
        let mut arguments = vec!["watch".to_owned(), "--".to_owned()];
        arguments.extend(faults_command(classes));
        self.run(&arguments)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Beside the project, for files that are not part of it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The fault that tests of testdata/faults show from now on.
    pub(crate) fn set_fault(&self, fault: &str) {
        fs::write(self.fault_file(), fault).expect("a new file can be written");
    }

    fn fault_file(&self) -> PathBuf {
        self.beside("fault")
    }

    pub(crate) fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        command.args(arguments);
        self.prepare(&mut command);
        command
    }

    /// An environment of which all that matters is known.
    pub(crate) fn prepare(&self, command: &mut Command) {
        for name in
            ["JAVA_TOOL_OPTIONS", "MAVEN_OPTS", "MAVEN_ARGS", "CLICOLOR_FORCE", "SUREFOOT_FAULT"]
        {
            command.env_remove(name);
        }
        for name in ["PYTHONPATH", "PYTEST_PLUGINS", "PYTEST_ADDOPTS", "TOX_OVERRIDE"] {
            command.env_remove(name);
        }
        command
            .current_dir(&self.path)
            .env("XDG_CACHE_HOME", &tools().cache)
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .env("SUREFOOT_FAULT_FILE", self.fault_file())
            .stdin(Stdio::null());
    }

    pub(crate) fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Ended {
        self.start(arguments).end()
    }

    pub(crate) fn start(&self, arguments: &[impl AsRef<OsStr>]) -> Running {
        self.start_command(self.command(arguments))
    }

    /// What it prints goes to files, so that nobody has to read it while it runs.
    pub(crate) fn start_command(&self, mut command: Command) -> Running {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let [out, err] = ["out", "err"].map(|name| self.beside(&format!("{name}-{number}")));
        let create = |path: &Path| File::create(path).expect("a new file can be written");
        let child = command
            .stdout(create(&out))
            .stderr(create(&err))
            .spawn()
            .unwrap_or_else(|e| panic!("{command:?}: {e}"));
        Running { child, out, err, project: self.path.clone() }
    }

    /// What `surefoot run --format json` says of each test: its id and the statuses of its runs.
    #[track_caller]
    pub(crate) fn results(ended: &Ended) -> Vec<(String, Vec<String>)> {
        let text = |value: &Value| value.as_str().expect("a string").to_owned();
        let tests = ended.json();
        let tests = tests["tests"].as_array().expect("a list of tests");
        let statuses = |test: &Value| {
            test["runs"]
                .as_array()
                .expect("a list of runs")
                .iter()
                .map(|run| text(&run["status"]))
                .collect()
        };
        tests.iter().map(|test| (text(&test["test"]), statuses(test))).collect()
    }

    /// The files of the newest watched run's VMs.
    pub(crate) fn vm_records(&self) -> Vec<PathBuf> {
        let newest = |folder: &Path| -> PathBuf {
            let entries = fs::read_dir(folder).expect("something was watched");
            entries
                .map(|entry| entry.expect("a readable folder").path())
                .max()
                .expect("something was watched")
        };
        let vms = newest(&self.path.join(".surefoot/watches")).join("vms");
        fs::read_dir(vms)
            .expect("VMs were seen")
            .map(|entry| entry.expect("a readable folder").path())
            .collect()
    }
}

/// The command that runs these classes of testdata/faults.
pub(crate) fn faults_command(classes: &[&str]) -> Vec<String> {
    // A small heap, so that running out of it takes no time.
    junit4_command(&["java", "-Xmx128m", "-XX:TieredStopAtLevel=1"], &tools().faults, classes)
}

/// The command that runs classes of one package, which is called after its directory.
pub(crate) fn junit4_command(java: &[&str], compiled: &Path, classes: &[&str]) -> Vec<String> {
    let jars = &tools().jars;
    let path = [compiled, &jars.join("junit-4.13.2.jar"), &jars.join("hamcrest-core-1.3.jar")];
    let path = path.map(|path| path.display().to_string()).join(":");
    let package = compiled.file_name().expect("a directory has a name").to_string_lossy();
    let rest = ["-cp", &path, "org.junit.runner.JUnitCore"];
    let mut command: Vec<String> = java.iter().chain(&rest).map(|&word| word.to_owned()).collect();
    command.extend(classes.iter().map(|class| format!("{package}.{class}")));
    command
}

/// The same for classes of Jupiter.
pub(crate) fn jupiter_command(java: &[&str], compiled: &Path, classes: &[&str]) -> Vec<String> {
    let path = [compiled, &tools().jars.join(JUPITER)];
    let path = path.map(|path| path.display().to_string()).join(":");
    let package = compiled.file_name().expect("a directory has a name").to_string_lossy();
    let rest = ["-cp", &path, "org.junit.platform.console.ConsoleLauncher", "execute"];
    let mut command: Vec<String> = java.iter().chain(&rest).map(|&word| word.to_owned()).collect();
    command.extend(classes.iter().map(|class| format!("--select-class={package}.{class}")));
    command
}

/// The same for classes of TestNG.
pub(crate) fn testng_command(java: &[&str], compiled: &Path, classes: &[&str]) -> Vec<String> {
    let jars = &tools().jars;
    let path = [compiled, &jars.join(TESTNG), &jars.join("jcommander-1.78.jar")];
    let path = path.map(|path| path.display().to_string()).join(":");
    let package = compiled.file_name().expect("a directory has a name").to_string_lossy();
    let classes: Vec<String> = classes.iter().map(|class| format!("{package}.{class}")).collect();
    let rest = ["-cp", &path, "org.testng.TestNG", "-usedefaultlisteners", "false", "-testclass"];
    let mut command: Vec<String> = java.iter().chain(&rest).map(|&word| word.to_owned()).collect();
    command.push(classes.join(","));
    command
}

/// A command that runs. It is killed when a test panics.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    out: PathBuf,
    err: PathBuf,
    project: PathBuf,
}

impl Running {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid =
            rustix::process::Pid::from_raw(self.pid() as i32).expect("a process has a number");
        rustix::process::kill_process(pid, signal).expect("it still runs");
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child can be asked for").is_none()
    }

    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.out).expect("its output is there"))
            .replace(RESET, "")
    }

    pub(crate) fn stderr(&self) -> String {
        let text = String::from_utf8_lossy(&fs::read(&self.err).expect("its output is there"))
            .into_owned();
        text.replace(&*self.project.to_string_lossy(), "[project]").replace(RESET, "")
    }

    /// Waits for its end; a panic in Surefoot is never right.
    pub(crate) fn end(mut self) -> Ended {
        wait_until("the command ends", || !self.is_running());
        let status = self.child.wait().expect("it has ended");
        let ended = Ended {
            status: status.code(),
            signal: status.signal(),
            stdout: self.stdout(),
            stderr: self.stderr(),
        };
        assert!(!ended.stderr.contains("panicked at"), "{}", ended.stderr);
        assert!(!ended.stderr.contains("internal error"), "{}", ended.stderr);
        ended
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited {PATIENCE:?} in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())) {
        let entry = entry.expect("a readable folder");
        let target = to.join(entry.file_name());
        if ["target", "build", ".gradle", ".surefoot", "__pycache__"]
            .iter()
            .any(|made| entry.file_name() == *made)
        {
            continue;
        }
        if entry.path().is_dir() {
            fs::create_dir_all(&target).expect("a new directory can be written");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}

/// A process as /proc shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) name: String,
    pub(crate) command_line: String,
}

/// Every process of this system that has not ended.
pub(crate) fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").expect("there is a /proc");
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(process).collect()
}

fn process(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (before, after) = stat.rsplit_once(')')?;
    let name = before.split_once('(')?.1.to_owned();
    let mut fields = after.split_whitespace();
    let (state, parent) = (fields.next()?, fields.next()?);
    if state == "Z" || state == "X" {
        return None;
    }
    let command_line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let command_line = String::from_utf8_lossy(&command_line).replace('\0', " ");
    Some(Process { pid, parent: parent.parse().ok()?, name, command_line })
}

pub(crate) fn children(pid: u32) -> Vec<Process> {
    processes().into_iter().filter(|process| process.parent == pid).collect()
}

pub(crate) fn descendants(pid: u32) -> Vec<Process> {
    let all = processes();
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![pid];
    while let Some(parent) = parents.pop() {
        for process in all.iter().filter(|process| process.parent == parent) {
            parents.push(process.pid);
            found.push(process.clone());
        }
    }
    found
}

/// The processes that were started with this variable of their environment, and their forks.
pub(crate) fn with_variable(name: &str, value: &Path) -> Vec<Process> {
    let wanted = format!("{name}={}", value.display());
    let has_it = |process: &Process| {
        let environment = fs::read(format!("/proc/{}/environ", process.pid)).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == wanted.as_bytes())
    };
    processes().into_iter().filter(has_it).collect()
}

/// Waits until none of these processes is left.
#[track_caller]
pub(crate) fn wait_until_gone(processes: &[Process]) {
    wait_until(&format!("these are gone: {processes:?}"), || {
        processes
            .iter()
            .all(|one| process(one.pid).is_none_or(|now| now.command_line != one.command_line))
    });
}
