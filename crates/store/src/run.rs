//! One run of experiments: `runs/0001/run.jsonl`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use surefoot_model::{Experiment, Finding, Outcome, RunOutcome, RunResult, TestId};

use crate::damage::Damage;
use crate::error::StoreError;
use crate::jsonl::{self, Appender};
use crate::lock::Lock;
use crate::numbered;

const RECORD: &str = "run.jsonl";

/// A line of `run.jsonl`, under the record's name: `{"experiment":{...}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// The first line; [`Lock::begin_run`] writes it.
    Header(RunHeader),
    /// An experiment that is about to run.
    Experiment(Experiment),
    /// One of its runs has ended.
    Run(RecordedRun),
    Finding(Finding),
    /// The last line.
    End(RunEnd),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The watched run that the experiments repeat.
    pub watch: u32,
    /// The `surefoot` command and its arguments.
    pub command: Vec<String>,
    /// Unix time in seconds.
    pub started: u64,
    /// The Surefoot that ran them.
    pub surefoot: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRun {
    pub experiment: u64,
    /// Which of the experiment's runs it is, from 0.
    pub index: usize,
    #[serde(flatten)]
    pub outcome: RunOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnd {
    /// Unix time in seconds.
    pub finished: u64,
    /// The user stopped it before it was done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// A run of experiments that is going on.
#[derive(Debug)]
pub struct RunLog {
    number: u32,
    path: PathBuf,
    record: Appender,
}

impl Lock {
    /// Starts the record of a run of experiments and removes the oldest ones.
    pub fn begin_run(&self, header: RunHeader) -> Result<RunLog, StoreError> {
        let (number, _) = numbered::begin(&self.store.runs(), |unfinished| {
            Appender::create(&unfinished.join(RECORD))?.append(&Record::Header(header))
        })?;
        self.resume_run(number)
    }

    /// Goes on with a record, also with one whose last line a kill has torn.
    pub fn resume_run(&self, number: u32) -> Result<RunLog, StoreError> {
        let path = self.store.runs().join(numbered::name(number));
        let record = Appender::reopen(&path.join(RECORD))?;
        Ok(RunLog { number, path, record })
    }
}

impl RunLog {
    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When it returns, no kill of this process can undo it.
    pub fn append(&mut self, record: &Record) -> Result<(), StoreError> {
        self.record.append(record)
    }
}

/// A run of experiments, read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    pub number: u32,
    pub path: PathBuf,
    pub header: RunHeader,
    /// All but the header, in the order in which they were written.
    pub records: Vec<Record>,
    pub damages: Vec<Damage>,
    /// Surefoot was killed while it wrote the last line.
    pub truncated: bool,
}

impl StoredRun {
    pub(crate) fn read(runs: &Path, number: u32) -> Result<Self, StoreError> {
        let path = runs.join(numbered::name(number));
        let mut header = None;
        let mut records = Vec::new();
        let record = &path.join(RECORD);
        let reading = jsonl::read(record, RECORD, |record| match record {
            Record::Header(it) => header = Some(it),
            other => records.push(other),
        })?;
        let header = header.ok_or_else(|| StoreError::Damaged {
            path: record.clone(),
            what: "its first line, on what was run, cannot be read",
        })?;
        Ok(StoredRun {
            number,
            path,
            header,
            records,
            damages: reading.damages,
            truncated: reading.truncated,
        })
    }

    /// Outcomes of the experiments of which every run is on record, by experiment.
    pub fn outcomes(&self) -> Vec<Outcome> {
        let mut runs: BTreeMap<u64, Vec<Option<&RunOutcome>>> = BTreeMap::new();
        for record in &self.records {
            match record {
                Record::Experiment(experiment) => {
                    runs.insert(experiment.id, vec![None; experiment.runs.len()]);
                }
                Record::Run(run) => {
                    let place =
                        runs.get_mut(&run.experiment).and_then(|runs| runs.get_mut(run.index));
                    if let Some(place) = place {
                        *place = Some(&run.outcome);
                    }
                }
                Record::Header(_) | Record::Finding(_) | Record::End(_) => {}
            }
        }
        let complete = runs.into_iter().filter_map(|(experiment, runs)| {
            let runs = runs.into_iter().map(|run| run.cloned()).collect::<Option<_>>()?;
            // What class-level set-up changed is in the findings only.
            Some(Outcome { experiment, runs, class_changes: Vec::new(), in_copy: false })
        });
        complete.collect()
    }

    /// How a run of this test ended badly, the first time that one did.
    pub fn failure(&self, test: &TestId) -> Option<&RunResult> {
        self.records.iter().find_map(|record| match record {
            Record::Run(RecordedRun { outcome, .. }) => {
                (outcome.test == *test && outcome.result.is_bad()).then_some(&outcome.result)
            }
            _ => None,
        })
    }

    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.records.iter().filter_map(|record| match record {
            Record::Finding(finding) => Some(finding),
            _ => None,
        })
    }

    /// None if it is still going on, or Surefoot was killed meanwhile.
    pub fn end(&self) -> Option<&RunEnd> {
        self.records.iter().find_map(|record| match record {
            Record::End(end) => Some(end),
            _ => None,
        })
    }
}
