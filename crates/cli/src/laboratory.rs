//! Runs experiments, keeps every result the moment it is there, and shows how far they are.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use surefoot_files::Found;
use surefoot_model::event::VmSeen;
use surefoot_model::{
    After, Experiment, Finding, Launch, LaunchId, Outcome, RunOutcome, RunResult, TestId, Watch,
    Workspace,
};
use surefoot_runtime::Parent;
use surefoot_scheduler::{Pool, Progress, Stop};
use surefoot_store::{Lock, Record, RecordedRun, RunEnd, RunHeader, RunLog, StoreError};
use surefoot_strategy::{Limits, Strategy};

use crate::args::PoolOptions;
use crate::console::{self, Console};
use crate::languages::{Agents, Runtimes};
use crate::signals;
use crate::spoilt::Spoilt;
use crate::workspaces::{Copies, Workspaces};

/// How many copies of the files of a project there are at a time, unless they are shared.
const MOST_COPIES: usize = 8;

pub(crate) struct Laboratory {
    pool: Pool,
    runtimes: Runtimes,
    workspaces: Workspaces,
    log: RunLog,
    stop: Stop,
    console: Console,
    interrupted: bool,
    /// Directories that people were told of: tests left files there.
    with_files_left: BTreeSet<String>,
    /// Those that cannot be copied.
    not_copied: BTreeSet<String>,
    copies: Copies,
    spoilt: Spoilt,
    /// The store failed: the disk may be full. Told once, at the end.
    lost: Option<StoreError>,
}

impl Laboratory {
    pub(crate) fn open(
        lock: &Lock,
        watch_number: u32,
        watch: &Watch,
        options: &PoolOptions,
        console: Console,
    ) -> Result<Laboratory> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let log = lock.begin_run(RunHeader {
            watch: watch_number,
            command: std::env::args().collect(),
            started: console::now(),
            surefoot: env!("CARGO_PKG_VERSION").to_owned(),
        })?;
        Ok(Laboratory {
            pool: Pool::new(options.jobs.map_or_else(cores, |jobs| jobs.get() as usize)),
            runtimes: Runtimes::new(Agents::unpack()?, watch, log.path()),
            workspaces: Workspaces::new(log.path(), &Found::in_folder(lock.found_dir()), watch),
            log,
            stop: signals::stop_on_signals()?,
            console,
            interrupted: false,
            with_files_left: BTreeSet::new(),
            not_copied: BTreeSet::new(),
            copies: Copies::default(),
            spoilt: Spoilt::default(),
            lost: None,
        })
    }

    /// Parents that VMs of the watched run left behind.
    pub(crate) fn adopt(&mut self, parents: Vec<(VmSeen, Parent)>) {
        self.runtimes.adopt(parents);
    }

    /// How many VMs run at a time.
    pub(crate) fn vms(&self) -> usize {
        self.pool.jobs()
    }

    /// From now on: they disturb each other.
    pub(crate) fn have_one_vm_at_a_time(&mut self) {
        self.pool = Pool::new(1);
    }

    /// Where what is found out is kept.
    pub(crate) fn directory(&self) -> &Path {
        self.log.path()
    }

    /// Files that builds and tools write while tests run: no test left them.
    pub(crate) fn ignore_files(&mut self, patterns: &[String]) {
        self.workspaces.ignore(patterns);
    }

    /// Experiments that need copies of the files get them, few at a time. Those that must not be disturbed come last.
    pub(crate) fn conduct(&mut self, name: &str, experiments: &[Experiment]) -> Vec<Outcome> {
        let choosing = self.launches_with_choices(experiments);
        choosing.iter().for_each(|launch| self.spoilt.begin(launch, &self.workspaces));
        let copied = self.in_need_of_copies(experiments);
        let (undisturbed, others): (Vec<Experiment>, Vec<Experiment>) =
            experiments.iter().cloned().partition(|experiment| experiment.settings.undisturbed);
        let mut outcomes = Vec::new();
        for (experiments, pool) in [(others, self.pool.clone()), (undisturbed, Pool::new(1))] {
            let (copied, in_place): (Vec<Experiment>, Vec<Experiment>) =
                experiments.into_iter().partition(|experiment| copied.contains(&experiment.id));
            if !in_place.is_empty() && !self.interrupted {
                outcomes.extend(self.run(name, &in_place, pool.clone()));
            }
            for some in copied.chunks(MOST_COPIES) {
                if !self.interrupted {
                    outcomes.extend(self.run_in_copies(name, some, pool.clone()));
                }
            }
        }
        if outcomes.iter().flat_map(|outcome| &outcome.runs).any(|run| run.result.is_bad()) {
            for launch in &choosing {
                self.spoilt.look(launch, &self.workspaces, self.console);
            }
        }
        outcomes
    }

    /// Of JVMs.
    fn launches_with_choices(&mut self, experiments: &[Experiment]) -> Vec<Launch> {
        let choosing = experiments.iter().filter(|one| one.settings.choose.is_some());
        let launches: BTreeSet<LaunchId> = choosing.map(|one| one.launch.clone()).collect();
        launches.iter().filter_map(|launch| self.jvm_launch(launch)).collect()
    }

    fn in_need_of_copies(&mut self, experiments: &[Experiment]) -> BTreeSet<u64> {
        let mut left: BTreeMap<LaunchId, bool> = BTreeMap::new();
        let needs_copy = |experiment: &&Experiment| match experiment.settings.workspace {
            Workspace::InPlace => self.is_spoilt(experiment),
            Workspace::SharedCopy(_) => true,
            Workspace::AsFound => *left
                .entry(experiment.launch.clone())
                .or_insert_with(|| self.has_files_left(&experiment.launch)),
        };
        experiments.iter().filter(needs_copy).map(|experiment| experiment.id).collect()
    }

    /// And so the files are not those that the watched run found. Says so once.
    fn has_files_left(&mut self, launch: &LaunchId) -> bool {
        let Some(launch) = self.jvm_launch(launch) else { return false };
        let directory = &launch.directory;
        if self.not_copied.contains(directory) {
            return false;
        }
        match self.workspaces.left_in(&launch) {
            Ok(None) => false,
            Ok(Some(file)) => {
                if self.with_files_left.insert(directory.clone()) {
                    self.console.say(&format!(
                        "tests left other files in {directory} than they found ({}, for one): from here on they run in copies of what they found",
                        file.display()
                    ));
                }
                true
            }
            Err(error) => {
                self.give_up_copies(directory, &format!("{error:#}"));
                false
            }
        }
    }

    /// What it chooses spoilt the directory before.
    fn is_spoilt(&mut self, experiment: &Experiment) -> bool {
        experiment.settings.choose.is_some()
            && self.jvm_launch(&experiment.launch).is_some_and(|launch| {
                self.spoilt.has(&launch.directory) && !self.not_copied.contains(&launch.directory)
            })
    }

    fn jvm_launch(&mut self, launch: &LaunchId) -> Option<Launch> {
        let launch = self.runtimes.jvm().launch(launch);
        launch.filter(|launch| launch.pytest.is_none()).cloned()
    }

    fn run_in_copies(
        &mut self,
        name: &str,
        experiments: &[Experiment],
        pool: Pool,
    ) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut prepared = Vec::new();
        let mut in_copies = BTreeSet::new();
        let mut names: BTreeMap<u64, String> = BTreeMap::new();
        for experiment in experiments {
            let name = match (&experiment.settings.workspace, &experiment.settings.after) {
                (Workspace::SharedCopy(name), _) => name.clone(),
                // It goes on in the VM of another one, and so in its directory.
                (_, Some(After { experiment: other, .. })) if names.contains_key(other) => {
                    names[other].clone()
                }
                _ => experiment.id.to_string(),
            };
            names.insert(experiment.id, name.clone());
            let Some(launch) = self.jvm_launch(&experiment.launch) else {
                outcomes.push(not_run(experiment, "only files of JVM projects are copied"));
                continue;
            };
            match self.launch_in_copy(&launch, &name) {
                Ok(launch) => {
                    in_copies.insert(experiment.id);
                    prepared.push(Experiment { launch, ..experiment.clone() });
                }
                // Better with other files than not at all.
                Err(reason) if !is_shared(experiment) => {
                    self.give_up_copies(&launch.directory, &reason);
                    prepared.push(experiment.clone());
                }
                Err(reason) => outcomes.push(not_run(experiment, &reason)),
            }
        }
        outcomes.extend(self.run(name, &prepared, pool));
        for outcome in &mut outcomes {
            outcome.in_copy = in_copies.contains(&outcome.experiment);
        }
        for experiment in experiments.iter().filter(|experiment| !is_shared(experiment)) {
            self.workspaces.remove(&names[&experiment.id]);
        }
        outcomes
    }

    /// One try takes long enough.
    fn give_up_copies(&mut self, directory: &str, reason: &str) {
        if self.not_copied.insert(directory.to_owned()) {
            self.console.warn(&format!(
                "{directory} cannot be copied: {reason}; tests run with the files that are there"
            ));
        }
    }

    fn launch_in_copy(&mut self, launch: &Launch, name: &str) -> Result<LaunchId, String> {
        let started = Instant::now();
        let copied = self.workspaces.launch_in(launch, name);
        let (in_copy, size) = copied.map_err(|error| format!("{error:#}"))?;
        self.copies.add(size, started.elapsed());
        Ok(self.runtimes.jvm().add(in_copy))
    }

    /// What is chosen for a whole VM is part of how it is launched.
    fn in_chosen_vm(&mut self, experiment: &Experiment) -> Experiment {
        let choose = experiment.settings.choose.as_ref();
        let hash = choose.and_then(|choosing| choosing.identity_hash);
        let launch = self.runtimes.jvm().launch(&experiment.launch);
        match (hash, launch.filter(|launch| launch.pytest.is_none())) {
            (Some(hash), Some(launch)) => {
                let launch = surefoot_jvm::with_identity_hash(launch, hash);
                Experiment { launch: self.runtimes.jvm().add(launch), ..experiment.clone() }
            }
            _ => experiment.clone(),
        }
    }

    fn run(&mut self, name: &str, experiments: &[Experiment], pool: Pool) -> Vec<Outcome> {
        let experiments: Vec<Experiment> =
            experiments.iter().map(|experiment| self.in_chosen_vm(experiment)).collect();
        let experiments = experiments.as_slice();
        for experiment in experiments {
            self.keep(&Record::Experiment(experiment.clone()));
        }
        let total = experiments.iter().map(|experiment| experiment.runs.len()).sum();
        let going_on = experiments.iter().filter(|experiment| experiment.settings.after.is_some());
        let going_on: BTreeSet<u64> = going_on.map(|experiment| experiment.id).collect();
        let mut shown = self.console.progress(name, total);
        let mut bad = 0;
        let stop = self.stop.clone();
        let mut told = Vec::new();
        let prepared = self.runtimes.prepared(experiments);
        let runtimes = &self.runtimes;
        let (log, lost) = (&mut self.log, &mut self.lost);
        let outcomes = pool.run(runtimes, &prepared, &stop, &mut |progress| match progress {
            Progress::RunFinished { experiment, index, outcome } => {
                bad += usize::from(outcome.result.is_bad());
                let is_left_out = !outcome.result.has_ended() && going_on.contains(&experiment);
                shown.detail(|| line(&outcome));
                let record = Record::Run(RecordedRun { experiment, index, outcome: *outcome });
                keep(log, lost, &record);
                if lost.is_some() {
                    stop.set();
                }
                let notes = format_args!("runs, {bad} failed");
                match is_left_out {
                    true => shown.leave_out(&notes),
                    false => shown.advance(&notes),
                }
            }
            Progress::Trouble { what, .. } => {
                // The same trouble in every VM is one trouble.
                if !told.contains(&what) {
                    shown.warn(&what);
                    told.push(what);
                }
            }
            Progress::ExperimentStarted { .. }
            | Progress::ExperimentFinished(_)
            | Progress::ExperimentInterrupted(_) => {}
        });
        self.interrupted |= outcomes.interrupted;
        outcomes.outcomes
    }

    /// By the user, before the end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.interrupted
    }

    /// Lets a technique run its experiments until it has no more, or the user stops.
    pub(crate) fn pursue(&mut self, strategy: &mut dyn Strategy) -> Vec<Finding> {
        while !self.interrupted {
            let experiments = strategy.propose();
            if experiments.is_empty() {
                break;
            }
            let outcomes = self.conduct(strategy.name(), &experiments);
            strategy.observe(outcomes);
        }
        strategy.findings()
    }

    /// Ends the record; fails if any of it was lost or the user stopped.
    pub(crate) fn close(mut self, findings: &[Finding]) -> Result<()> {
        for finding in findings {
            self.keep(&Record::Finding(finding.clone()));
        }
        self.workspaces.remove_all();
        if let Some(words) = self.copies.words() {
            self.console.say(&words);
        }
        self.keep(&Record::End(RunEnd { finished: console::now(), interrupted: self.interrupted }));
        if let Some(error) = self.lost {
            return Err(error.into());
        }
        if self.interrupted {
            anyhow::bail!(
                "stopped before the end; the results so far are kept in {}",
                self.log.path().display()
            );
        }
        Ok(())
    }

    fn keep(&mut self, record: &Record) {
        keep(&mut self.log, &mut self.lost, record);
    }
}

fn is_shared(experiment: &Experiment) -> bool {
    matches!(experiment.settings.workspace, Workspace::SharedCopy(_))
}

fn not_run(experiment: &Experiment, reason: &str) -> Outcome {
    let run = |test: &TestId| RunOutcome {
        test: test.clone(),
        result: RunResult::NotRun { reason: reason.to_owned() },
        duration_ms: 0,
        vm: 0,
        change: None,
        choices: None,
        output: None,
    };
    let runs = experiment.runs.iter().map(|one| run(&one.test)).collect();
    Outcome { experiment: experiment.id, runs, class_changes: Vec::new(), in_copy: false }
}

fn keep(log: &mut RunLog, lost: &mut Option<StoreError>, record: &Record) {
    if lost.is_none() {
        *lost = log.append(record).err();
    }
}

fn line(outcome: &RunOutcome) -> String {
    let reason = outcome.result.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("{} {} in {} ms{reason}", outcome.test, outcome.result.word(), outcome.duration_ms)
}

pub(crate) fn limits(options: &PoolOptions) -> Limits {
    let default = Limits::default();
    Limits {
        factor: options.timeout_factor.map_or(default.factor, NonZeroU32::get),
        floor_ms: options
            .timeout_floor
            .map_or(default.floor_ms, |seconds| u64::from(seconds.get()) * 1000),
    }
}
