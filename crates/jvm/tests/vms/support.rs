//! Real VMs for the tests: where they come from, how one is run, and what it left behind.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use surefoot_jvm::{AgentFile, Jvm, JvmRuntime, inject};
use surefoot_model::{ClassSetup, Event, IdentityHash, RunResult, Settings, Start, TestId, Watch};
use surefoot_scheduler::{Report, Runtime as _, Worker};
use tempfile::TempDir;

/// Long enough for a machine that is busy with something else; reached only when a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

const COMPILED_WITH: [&str; 3] =
    ["junit-4.13.2.jar", "junit-platform-console-standalone-1.13.4.jar", "testng-7.5.1.jar"];

/// Guava's suites for collections.
pub(crate) const CONFORMANCE: &[&str] = &[
    "guava-33.6.0-jre.jar",
    "failureaccess-1.0.3.jar",
    "guava-testlib-33.6.0-jre.jar",
    "jspecify-1.0.0.jar",
];

/// Spring Boot with a web server, for Java 8 to 21.
pub(crate) const BOOT_2: &[&str] = &[
    "spring-boot-2.7.18.jar",
    "spring-boot-autoconfigure-2.7.18.jar",
    "spring-aop-5.3.31.jar",
    "spring-beans-5.3.31.jar",
    "spring-context-5.3.31.jar",
    "spring-core-5.3.31.jar",
    "spring-expression-5.3.31.jar",
    "spring-jcl-5.3.31.jar",
    "spring-web-5.3.31.jar",
    "spring-webmvc-5.3.31.jar",
    "logback-classic-1.2.12.jar",
    "logback-core-1.2.12.jar",
    "slf4j-api-1.7.32.jar",
    "jakarta.annotation-api-1.3.5.jar",
    "snakeyaml-1.30.jar",
    "jackson-annotations-2.13.5.jar",
    "jackson-core-2.13.5.jar",
    "jackson-databind-2.13.5.jar",
    "tomcat-embed-core-9.0.83.jar",
    "tomcat-embed-el-9.0.83.jar",
];

/// Spring Boot with a web server, for Java 17 and later.
pub(crate) const BOOT_3: &[&str] = &[
    "spring-boot-3.5.7.jar",
    "spring-boot-autoconfigure-3.5.7.jar",
    "spring-aop-6.2.12.jar",
    "spring-beans-6.2.12.jar",
    "spring-context-6.2.12.jar",
    "spring-core-6.2.12.jar",
    "spring-expression-6.2.12.jar",
    "spring-jcl-6.2.12.jar",
    "spring-web-6.2.12.jar",
    "spring-webmvc-6.2.12.jar",
    "logback-classic-1.5.20.jar",
    "logback-core-1.5.20.jar",
    "slf4j-api-2.0.17.jar",
    "jakarta.annotation-api-2.1.1.jar",
    "snakeyaml-2.4.jar",
    "jackson-annotations-2.19.2.jar",
    "jackson-core-2.19.2.jar",
    "jackson-databind-2.19.2.jar",
    "tomcat-embed-core-10.1.48.jar",
    "tomcat-embed-el-10.1.48.jar",
    "micrometer-commons-1.14.12.jar",
    "micrometer-observation-1.14.12.jar",
];

/// What all tests share: made once, and found by the next run.
#[derive(Debug)]
struct Tools {
    runtimes: PathBuf,
    jars: PathBuf,
    classes: PathBuf,
    agent: AgentFile,
}

fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = scratch.parent().expect("the scratch directory lies in the target directory");
        // Test runners that give each test a process of its own come here many times at once.
        let lock =
            File::create(scratch.join("tools.lock")).expect("the target directory can be written");
        lock.lock().expect("a file can be locked");
        let runtimes =
            std::env::var_os("SUREFOOT_RUNTIMES").map_or(target.join("runtimes"), PathBuf::from);
        let jars = target.join("test-jars");
        // Both leave alone what is there.
        let complete = |java: u32| runtimes.join(format!("jdk-{java}/bin/java")).is_file();
        if ![11, 17, 21, 25].into_iter().all(complete) {
            succeed(Command::new(project().join("scripts/fetch-runtimes")).arg(&runtimes));
        }
        succeed(Command::new(project().join("scripts/fetch-test-jars")).arg(&jars));
        let classes = scratch.join("fixtures");
        compile_fixtures(&jars, &classes);
        let agent =
            AgentFile::unpack_into(&scratch.join("agent")).expect("the agent can be unpacked");
        Tools { runtimes, jars, classes, agent }
    })
}

fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Java 8 byte code runs on every JDK. What it cannot say is apart, and not there for older JDKs.
fn compile_fixtures(jars: &Path, to: &Path) {
    let folder =
        |name| files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name), "java");
    let (sources, newer) = (folder("fixtures"), folder("fixtures-17"));
    let all = [&sources[..], &newer].concat();
    let newest = |paths: &[PathBuf]| {
        paths.iter().filter_map(|path| fs::metadata(path).and_then(|m| m.modified()).ok()).max()
    };
    let stamp = to.join("compiled");
    let names: String = all.iter().map(|path| format!("{}\n", path.display())).collect();
    let same_names = fs::read_to_string(&stamp).is_ok_and(|known| known == names);
    if same_names && newest(&all) < newest(std::slice::from_ref(&stamp)) {
        return;
    }
    let _ = fs::remove_dir_all(to);
    let mut path: Vec<String> = [&COMPILED_WITH[..], CONFORMANCE, BOOT_2]
        .concat()
        .iter()
        .map(|name| jars.join(name).display().to_string())
        .collect();
    path.push(to.display().to_string());
    for (release, sources) in [("8", sources), ("17", newer)] {
        succeed(
            Command::new("javac")
                .args(["--release", release])
                .args(["-Xlint:-options", "-nowarn", "-encoding", "UTF-8", "-g", "-cp"])
                .arg(path.join(":"))
                .arg("-d")
                .arg(to)
                .args(&sources)
                .env_remove(inject::VARIABLE),
        );
    }
    fs::write(stamp, names).expect("the target directory can be written");
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

pub(crate) fn java(version: u32) -> PathBuf {
    tools().runtimes.join(format!("jdk-{version}/bin/java"))
}

pub(crate) fn jar(name: &str) -> String {
    tools().jars.join(name).display().to_string()
}

/// The fixtures and these jars.
pub(crate) fn class_path(jars: &[&str]) -> String {
    let mut path = classes();
    for name in jars {
        path.push(':');
        path.push_str(&jar(name));
    }
    path
}

pub(crate) fn classes() -> String {
    tools().classes.display().to_string()
}

pub(crate) fn agent() -> &'static AgentFile {
    &tools().agent
}

/// A VM that has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs VMs in a directory of its own, with an environment of which all is known.
#[derive(Debug)]
pub(crate) struct Place {
    folder: TempDir,
    variables: BTreeMap<String, String>,
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = tempfile::tempdir().expect("there is room for temporary files");
        for name in ["records", "home"] {
            fs::create_dir(folder.path().join(name)).expect("a new directory can be written");
        }
        Place { folder, variables: BTreeMap::new() }
    }

    /// What the VMs started here find in their environment besides the path.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// Every VM started here, and those it starts, are watched, as `surefoot` does it; `users` is what the user has in
    /// the variable.
    pub(crate) fn inject(&mut self, users: Option<&str>) {
        let options = inject::watch_options(users, agent(), &self.records_folder());
        self.set(inject::VARIABLE, &options);
    }

    /// The option that makes one VM watched; unlike the variable, the VM does not print it.
    pub(crate) fn watch_option(&self) -> String {
        agent_option(&format!("watch={}", self.records_folder().display()))
    }

    pub(crate) fn run(&self, java: &Path, arguments: &[impl AsRef<OsStr>]) -> Ended {
        let output = Command::new(java)
            .args(arguments)
            .current_dir(self.folder.path().join("home"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LC_ALL", "C.UTF-8")
            .envs(&self.variables)
            .output()
            .unwrap_or_else(|e| panic!("{}: {e}", java.display()));
        let text = |bytes| String::from_utf8(bytes).expect("the fixtures print UTF-8");
        Ended {
            status: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// What the VMs recorded, one list for each that did.
    pub(crate) fn records(&self) -> Vec<Vec<Event>> {
        let event =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        files(&self.records_folder(), "jsonl")
            .iter()
            .map(|path| {
                fs::read_to_string(path).expect("a record can be read").lines().map(event).collect()
            })
            .collect()
    }

    pub(crate) fn watch(&self) -> Watch {
        surefoot_runtime::watch(self.records(), |_| &Jvm)
    }

    pub(crate) fn records_folder(&self) -> PathBuf {
        self.folder.path().join("records")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The option that makes the fixtures say what they do.
    pub(crate) fn trace_option(&self) -> String {
        format!("-Dtrace={}", self.path("trace").display())
    }

    /// What the fixtures said since the last time, joined with commas.
    pub(crate) fn take_trace(&self) -> String {
        let path = self.path("trace");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let _ = fs::remove_file(path);
        text.lines().collect::<Vec<_>>().join(", ")
    }
}

pub(crate) fn agent_option(options: &str) -> String {
    format!("-agentpath:{}={options}", agent().path().display())
}

/// The lines in which JUnit says how long it took.
pub(crate) fn without_times(text: &str) -> String {
    let timeless = |line: &str| match line.split_inclusive(' ').next() {
        Some("Time: ") => "Time: …\n".to_owned(),
        Some("Test ") if line.starts_with("Test run finished after ") => {
            "Test run finished after …\n".to_owned()
        }
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(timeless).collect()
}

/// A result without the parts of it that differ from run to run: the frames below the test.
pub(crate) fn brief(result: &RunResult) -> String {
    match result.reason() {
        Some(reason) => format!("{}: {reason}", result.word()),
        None => result.word().to_owned(),
    }
}

/// The watched runs in their order, briefly.
pub(crate) fn brief_runs(watch: &Watch) -> Vec<(String, String)> {
    watch.runs().map(|run| (run.test.to_string(), brief(&run.result))).collect()
}

pub(crate) fn start_worker(watch: &Watch) -> Box<dyn Worker> {
    let runtime = JvmRuntime::new(agent().clone(), watch, &std::env::temp_dir());
    let launch = watch.launches.keys().next().expect("the watched VM has a launch");
    runtime.start(launch, Start::Plain).expect("a worker can be started")
}

/// One that gives objects other hash codes.
pub(crate) fn start_worker_with(watch: &Watch, hash: IdentityHash) -> Box<dyn Worker> {
    let mut runtime = JvmRuntime::new(agent().clone(), watch, &std::env::temp_dir());
    let launch = watch.launches.values().next().expect("the watched VM has a launch");
    let launch = runtime.add(surefoot_jvm::with_identity_hash(launch, hash));
    runtime.start(&launch, Start::Plain).expect("a worker can be started")
}

/// The results of these runs; they must come in order, and all of them.
pub(crate) fn run_in(
    worker: &mut dyn Worker,
    tests: &[TestId],
    class_setup: ClassSetup,
) -> Vec<RunResult> {
    worker.submit(tests, &Settings { class_setup, ..Settings::default() });
    let mut results = Vec::new();
    loop {
        match worker.next(PATIENCE) {
            Report::Started { run } => {
                assert_eq!(run, results.len(), "{tests:?} must start in order")
            }
            Report::Finished { run, result, .. } => {
                assert_eq!(run, results.len(), "{tests:?} must end in order");
                results.push(result);
            }
            Report::Done { not_run } => {
                let missing = tests.get(results.len());
                assert_eq!(missing, None, "not run: {not_run}\n{}", worker.output());
                return results;
            }
            other => panic!("{other:?} after {} of {tests:?}\n{}", results.len(), worker.output()),
        }
    }
}
