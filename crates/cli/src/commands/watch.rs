//! `surefoot watch`: the user's own run, as it is, with the agent in its VMs.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use surefoot_files::Found;
use surefoot_model::event::VmSeen;
use surefoot_model::{Observation, Watch};
use surefoot_report::StatusCounts;
use surefoot_runtime::{LeftBehind, Parent};
use surefoot_store::{CommandEnd, Lock, Store, WatchEnd, WatchHeader};

use crate::args::Format;
use crate::console::{self, Console};
use crate::exit::Exit;
use crate::languages::Agents;
use crate::project;
use crate::signals::{self, Heard};

pub(crate) fn run(project: &Path, command: Vec<String>, console: Console) -> Result<Exit> {
    let store = Store::open(project)?;
    let lock = store.lock(&format!("surefoot watch -- {}", command.join(" ")))?;
    let wanted = Told::Results.into();
    let watched = watch(&store, &lock, &command, CommandOutput::AsItIs, wanted, console)?;
    Ok(if watched.succeeded { Exit::NothingFound } else { Exit::Found })
}

/// Nobody wonders about less.
const WORTH_SAYING: Duration = Duration::from_secs(1);

/// What becomes of what the user's command prints to stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandOutput {
    AsItIs,
    ToStderr,
}

impl CommandOutput {
    /// Whoever reads JSON from stdout must not find the command's own output there.
    pub(crate) fn beside(format: Format) -> CommandOutput {
        match format {
            Format::Json => CommandOutput::ToStderr,
            Format::Text => CommandOutput::AsItIs,
        }
    }
}

/// What the test VMs tell.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told<'a> {
    Results,
    /// And what tests left different.
    State(&'a Observation),
    /// And which classes were initialised.
    Classes,
}

/// What is wanted of the test VMs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    told: Told<'a>,
    parents: bool,
}

impl<'a> From<Told<'a>> for Wanted<'a> {
    fn from(told: Told<'a>) -> Self {
        Wanted { told, parents: false }
    }
}

impl Wanted<'_> {
    /// Also that they leave parents behind, for workers that nothing is chosen in.
    pub(crate) fn with_parents(self) -> Self {
        Wanted { parents: true, ..self }
    }
}

pub(crate) struct Watched {
    pub(crate) number: u32,
    pub(crate) watch: Watch,
    /// The user's command did, if it ran just now.
    pub(crate) succeeded: bool,
    /// Left behind by its VMs, if they were wanted and can be had.
    pub(crate) parents: Vec<(VmSeen, Parent)>,
}

/// Watches the command; without one, takes what was watched last.
pub(crate) fn watch_or_latest(
    store: &Store,
    lock: &Lock,
    command: &[String],
    output: CommandOutput,
    wanted: Wanted<'_>,
    console: Console,
) -> Result<Watched> {
    if !command.is_empty() {
        return watch(store, lock, command, output, wanted, console);
    }
    let (number, watch) = project::latest_watch(store, console)?;
    Ok(Watched { number, watch, succeeded: true, parents: Vec::new() })
}

pub(crate) fn watch(
    store: &Store,
    lock: &Lock,
    command: &[String],
    output: CommandOutput,
    wanted: Wanted<'_>,
    console: Console,
) -> Result<Watched> {
    let agents = Agents::unpack()?;
    let watch_dir = lock.begin_watch(WatchHeader {
        command: command.to_vec(),
        directory: std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned(),
        started: console::now(),
        surefoot: env!("CARGO_PKG_VERSION").to_owned(),
    })?;
    match wanted.told {
        Told::Results => {}
        Told::State(observation) => watch_dir.observe(observation)?,
        Told::Classes => watch_dir.tell_classes()?,
    }
    // Without them workers are started.
    let parents = wanted.parents.then(LeftBehind::expect).and_then(Result::ok);
    if let Some(parents) = &parents {
        watch_dir.leave_parents(parents.name())?;
    }
    let found = Found::in_folder(lock.found_dir());
    found.begin().context("cannot prepare to keep the files that tests find")?;
    watch_dir.keep_files(&lock.found_dir())?;
    let mut process = Command::new(&command[0]);
    process.args(&command[1..]).envs(agents.watch_variables(&watch_dir.vms_dir()));
    if output == CommandOutput::ToStderr {
        process.stdout(std::io::stderr());
    }
    signals::end_with_us(&mut process);
    let heard = Heard::from_now_on()?;
    let mut child = match process.spawn() {
        Ok(child) => child,
        Err(error) => {
            // What was watched before is still the newest.
            watch_dir.discard()?;
            return Err(error).context(cannot_start(&command[0]));
        }
    };
    let number = watch_dir.number();
    let signals = heard.pass_on_to(&child)?;
    let status = child.wait().context("cannot wait for the command")?;
    let interrupted = signals.any();
    let parents = parents.map(LeftBehind::take).unwrap_or_default();
    watch_dir.finish(WatchEnd { command: end(status), finished: console::now() })?;
    if let Err(error) = found.end() {
        console.warn(&format!("which files tests found may not be known: {error}"));
    }
    let (bytes, took) = found.cost();
    if took > WORTH_SAYING {
        let (mib, seconds) = (bytes >> 20, took.as_secs_f64());
        console.say(&format!(
            "before the first test, the files that it found were copied: {mib} MiB in {seconds:.1} s; the next time only what has changed is"
        ));
    }

    let watch = project::watched_just_now(store, console)?;
    if interrupted {
        bail!("stopped before the end; what was seen of {} tests is kept", watch.tests.len());
    }
    if watch.tests.is_empty() {
        warn_of_failures(&watch, console);
        bail!("{}", no_tests(command, status));
    }
    tell(&watch, status, console);
    Ok(Watched { number, watch, succeeded: status.success(), parents })
}

fn cannot_start(program: &str) -> String {
    let advice = if Path::new(program).exists() {
        "is it a program?"
    } else {
        "is it installed and on the PATH?"
    };
    format!("cannot start `{program}`: {advice}")
}

fn end(status: ExitStatus) -> CommandEnd {
    match (status.code(), status.signal()) {
        (Some(status), _) => CommandEnd::Exited { status },
        (None, signal) => CommandEnd::Killed { signal: signal.unwrap_or(0) },
    }
}

fn no_tests(command: &[String], status: ExitStatus) -> String {
    let shown = project::shown(command);
    let mut text = if status.success() {
        format!(
            "`{shown}` ran no test that Surefoot can see\n  \
             If its tests did not run because nothing changed, make them run: `mvn test`, `gradle cleanTest test`.\n  \
             Surefoot sees JUnit 3 to 6 and TestNG 7 on a HotSpot JVM, 11 or later, and pytest 7 or later."
        )
    } else {
        format!(
            "`{shown}` failed ({status}) before any test ran; make it pass first: its output is above"
        )
    };
    if let Some(advice) = daemon_advice(&command[0]) {
        text.push_str(&format!("\n  If tests did run, then in VMs of a daemon that was there before Surefoot: {advice}."));
    }
    if program(&command[0]) == Some("tox") {
        text.push_str(
            "\n  If tests did run: an environment with a `pass_env` of its own must name PYTHONPATH, PYTEST_PLUGINS and SUREFOOT_WATCH there.",
        );
    }
    text
}

fn program(command: &str) -> Option<&str> {
    Path::new(command).file_name()?.to_str()
}

/// A daemon's VMs may have the environment of the command that started the daemon, and thus no agent or a former one.
fn daemon_advice(command: &str) -> Option<&'static str> {
    match program(command)? {
        "gradle" | "gradlew" => Some("add --no-daemon, or stop it with `gradle --stop`"),
        "mvnd" => Some("use mvn, or stop it with `mvnd --stop`"),
        _ => None,
    }
}

fn tell(watch: &Watch, status: ExitStatus, console: Console) {
    let counts: StatusCounts = watch.runs().map(|run| &run.result).collect();
    console.say(&format!(
        "saw {} tests in {} VM{}: {}",
        watch.tests.len(),
        watch.vms.len(),
        if watch.vms.len() == 1 { "" } else { "s" },
        counts.words()
    ));
    let overlapped = watch.runs().filter(|run| run.overlapped).count();
    if overlapped > 0 {
        console.say(&format!(
            "{overlapped} of them ran at the same time as others in their VM; what happened meanwhile is put down to none of them"
        ));
    }
    warn_of_failures(watch, console);
    let abrupt = watch.vms.iter().filter(|vm| vm.end == surefoot_model::VmEnd::Abrupt).count();
    if abrupt > 0 {
        console
            .warn(&format!("{abrupt} test VM(s) ended without a word: crashed, halted or killed"));
    }
    if !status.success() {
        console.say(&format!("your command failed ({status}); its output is above"));
    }
}

fn warn_of_failures(watch: &Watch, console: Console) {
    for failure in &watch.class_failures {
        console.warn(&format!(
            "{} failed as a whole: {}",
            failure.container.id,
            failure.thrown.headline()
        ));
    }
}
