//! The command line. Every option can also stand in surefoot.toml.

mod values;

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use serde::Deserialize;
use surefoot_model::CapturePoints;

pub(crate) use values::{
    ChoiceLevel, Color, DeclaredMethod, Format, FreshVmPer, ModelName, RerunMode, SharedOrPerRun,
    TestOrder,
};
use values::{at_least_two, declaration, model, overhead, overhead_of_file, points_of_file};

/// Finds unreliable tests before they fail.
///
/// Surefoot runs your own test command, learns its tests and how it starts its test VMs, and runs the tests again in VMs of
/// its own to see which of them cannot be relied on. It changes no build file and writes only to .surefoot in the project
/// and to your cache.
#[derive(Debug, Parser)]
#[command(
    name = "surefoot",
    version,
    propagate_version = true,
    after_long_help = "\
Examples:
  surefoot check -- mvn test          watch the suite, run every technique, show findings
  surefoot watch -- ./gradlew test    only watch
  surefoot tests                      what was seen
  surefoot run CartTest --repeat 2    run the tests of a class again, each twice in a row
  surefoot pollution -- mvn test      only look for tests that leave shared state changed
  surefoot rerun -- mvn test          only look for tests that fail when they run twice
  surefoot assumptions -- mvn test    only look for tests that rely on what is not specified

Exit status:
  0  the job is done and nothing was found
  1  there are findings, results that differ, or your own command failed
  2  the job could not be done; the message says why and what to do"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// Else they would stand between those of a command.
const EVERYWHERE: &str = "Options of every command";

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The project's directory, where .surefoot is kept [default: here]
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub(crate) project: Option<PathBuf>,
    /// A configuration file [default: surefoot.toml in the project's directory, if there is one]
    #[arg(long, global = true, value_name = "FILE", help_heading = EVERYWHERE)]
    pub(crate) config: Option<PathBuf>,
    /// Say more: every result as it comes
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = EVERYWHERE)]
    pub(crate) verbose: u8,
    /// When to use colours; NO_COLOR is heeded [default: auto]
    #[arg(long, global = true, value_name = "WHEN", help_heading = EVERYWHERE)]
    pub(crate) color: Option<Color>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Run a test command as always, and learn its tests and how its VMs are started
    Watch {
        /// Your test command, after --
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Show the tests that were seen: results, times, VMs, frameworks
    Tests {
        /// Only these: an id, a class, Class#method, or any of them with *
        #[arg(value_name = "TEST")]
        tests: Vec<String>,
        /// How to print the report [default: text]
        #[arg(long, value_name = "FORMAT")]
        format: Option<Format>,
    },
    /// Run tests again without the build tool, and compare the results with the watched ones
    Run {
        /// Only these: an id, a class, Class#method, or any of them with * [default: all]
        #[arg(value_name = "TEST")]
        tests: Vec<String>,
        #[command(flatten)]
        options: RunOptions,
        /// How to print the report [default: text]
        #[arg(long, value_name = "FORMAT")]
        format: Option<Format>,
    },
    /// Watch a test command, then look for unreliable tests with every technique
    Check {
        #[command(flatten)]
        options: CheckOptions,
        /// How to print the report [default: text]
        #[arg(long, value_name = "FORMAT")]
        format: Option<Format>,
        /// Your test command, after --
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Find tests that leave shared state changed: static fields, system properties, locale, files
    ///
    /// With a command, watches it first. Without one, looks at the tests of the newest watched run again in VMs of its own.
    Pollution {
        /// Only these: an id, a class, Class#method, or any of them with * [default: all]
        #[arg(value_name = "TEST")]
        tests: Vec<String>,
        #[command(flatten)]
        options: PollutionOptions,
        /// Run this test once and write down the state before and after it, as (object, field, value)
        #[arg(long, value_name = "TEST", conflicts_with_all = ["tests", "command", "format"])]
        dump_state: Option<String>,
        /// How to print the report [default: text]
        #[arg(long, value_name = "FORMAT")]
        format: Option<Format>,
        /// Your test command, after --
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Find tests that pass once and fail when they run again in the same VM
    ///
    /// With a command, watches it first. Without one, takes the tests of the newest watched run.
    Rerun {
        /// Only these: an id, a class, Class#method, or any of them with * [default: all]
        #[arg(value_name = "TEST")]
        tests: Vec<String>,
        #[command(flatten)]
        options: RerunOptions,
        /// How to print the report [default: text]
        #[arg(long, value_name = "FORMAT")]
        format: Option<Format>,
        /// Your test command, after --
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Find tests that rely on what is not specified: the order of a HashMap, of reflection, of a directory
    ///
    /// Runs tests in VMs of its own, in which such orders are others than usual, by seeds. With a command, watches it first.
    /// Without one, takes the tests of the newest watched run.
    Assumptions {
        /// Only these: an id, a class, Class#method, or any of them with * [default: all]
        #[arg(value_name = "TEST")]
        tests: Vec<String>,
        #[command(flatten)]
        options: AssumptionOptions,
        /// How to print the report [default: text]
        #[arg(long, value_name = "FORMAT")]
        format: Option<Format>,
        /// Your test command, after --
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Show all that is known of the findings about a test, from the runs that are kept
    Explain {
        /// An id, a class, Class#method, or any of them with *; or the fingerprint of a finding, as the JSON prints it
        #[arg(value_name = "TEST", required = true)]
        tests: Vec<String>,
    },
    /// Run again what showed a finding: 1 if it shows again, 0 if not
    Reproduce {
        /// The fingerprint of the finding, as explain prints it, or a test that it is about
        #[arg(value_name = "FINDING")]
        finding: String,
    },
    /// Remove everything that Surefoot wrote into the project
    Clean,
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct RunOptions {
    /// Run each test so often, one run right after the other [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<NonZeroU32>,
    /// Do all of it so often, each time in fresh VMs [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<NonZeroU32>,
    /// What gets a VM of its own [default: what had one when watched]
    #[arg(long, value_name = "WHAT")]
    pub(crate) fresh_vm_per: Option<FreshVmPer>,
    /// as-seen, reverse, random:SEED or given [default: as-seen]
    #[arg(long, value_name = "ORDER", value_parser = TestOrder::parse)]
    pub(crate) order: Option<TestOrder>,
    /// Whether runs of a class share its class-level set-up or get one each [default: shared]
    #[arg(long, value_name = "HOW")]
    pub(crate) class_setup: Option<SharedOrPerRun>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) pool: PoolOptions,
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct CheckOptions {
    /// Run the whole suite again so often, each time in fresh VMs [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) replays: Option<NonZeroU32>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) pool: PoolOptions,
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct PollutionOptions {
    /// Look at the static fields of these classes, and not at those of the project (regular expression; can be given again)
    #[arg(long, value_name = "REGEX")]
    #[serde(default)]
    pub(crate) include_roots: Vec<String>,
    /// Do not report what starts at these static fields (regular expression; can be given again)
    #[arg(long, value_name = "REGEX")]
    #[serde(default)]
    pub(crate) exclude_roots: Vec<String>,
    /// Do not report what these paths lead to (regular expression; can be given again)
    #[arg(long, value_name = "REGEX")]
    #[serde(default)]
    pub(crate) exclude_fields: Vec<String>,
    /// Report whatever changes below this root, named as a finding names it, also what would not be worth a report, and nothing else
    /// (can be given again)
    #[arg(long, value_name = "ROOT", conflicts_with_all = ["files", "ignore_files", "file_limit", "dump_state"])]
    #[serde(skip)]
    pub(crate) root: Vec<String>,
    /// Compare the state between these points of each test, such as before-setup..after-setup; the same point twice: from one
    /// run of a test to the next. The points: before-construction, before-setup, after-setup, before-teardown, after-teardown
    /// [default: around the whole test]
    #[arg(long, value_name = "FROM..TO", conflicts_with = "overhead")]
    #[serde(default, deserialize_with = "points_of_file")]
    pub(crate) capture: Option<CapturePoints>,
    /// Initialise the classes that the watched run initialised before the first test, and not when a test first uses them
    #[arg(long, conflicts_with_all = ["overhead", "dump_state"])]
    #[serde(default)]
    pub(crate) eager: bool,
    /// Look at the files in this directory and below (can be given again) [default: the working directory of the test VM and
    /// its java.io.tmpdir]
    #[arg(long, value_name = "DIR")]
    #[serde(default)]
    pub(crate) files: Vec<String>,
    /// Do not look at files whose path ends so, as in target/classes or *.log (can be given again)
    #[arg(long, value_name = "PATTERN")]
    #[serde(default)]
    pub(crate) ignore_files: Vec<String>,
    /// Do not read files of more than so many KiB: only their size counts [default: 1024]
    #[arg(long, value_name = "KIB")]
    pub(crate) file_limit: Option<u64>,
    /// Look at no files
    #[arg(long, conflicts_with_all = ["files", "ignore_files", "file_limit"])]
    #[serde(default)]
    pub(crate) no_files: bool,
    /// Let looking at the state take at most so many times what the tests take, by looking at several tests together; those
    /// that changed something run again, one by one [default: no limit]
    #[arg(long, value_name = "R", value_parser = overhead)]
    #[serde(default, deserialize_with = "overhead_of_file")]
    pub(crate) overhead: Option<f64>,
    /// Print what surefoot.toml would say if all that was found were meant to be
    #[arg(long)]
    #[serde(default)]
    pub(crate) suggest_rules: bool,
    /// Show also what is not reported, by the rule that it falls under
    #[arg(long)]
    #[serde(default)]
    pub(crate) show_suppressed: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) pool: PoolOptions,
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct RerunOptions {
    /// Run every test twice, also those whose watched run left the state as it was
    #[arg(long)]
    #[serde(default)]
    pub(crate) all: bool,
    /// What shares a VM while each test runs several times in a row [default: what shared one when watched; then each test
    /// alone that this cannot decide]
    #[arg(long, value_name = "WHAT")]
    pub(crate) mode: Option<RerunMode>,
    /// Run each test so often in a row [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    #[serde(default, deserialize_with = "at_least_two")]
    pub(crate) repeat: Option<u32>,
    /// Whether runs of a class share its class-level set-up or get one each [default: shared]
    #[arg(long, value_name = "HOW")]
    pub(crate) class_setup: Option<SharedOrPerRun>,
    /// Look also for tests that fail in the next VM, with the files that they left
    #[arg(long)]
    #[serde(default)]
    pub(crate) across_vms: bool,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) pool: PoolOptions,
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct AssumptionOptions {
    /// How much may be other than usual [default: id]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<ChoiceLevel>,
    /// Run each test that reaches a choice with so many seeds, fewer if it fails [default: 10; 5 in check]
    #[arg(long, value_name = "N")]
    pub(crate) seeds: Option<NonZeroU32>,
    /// The first seed; the others follow it [default: 42]
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
    /// A method, or function of Python, that promises less than it keeps: its class or module and name, and permute, extend or
    /// random, as in com.acme.Catalog.names=permute (can be given again)
    #[arg(long, value_name = "METHOD=KIND", value_parser = declaration)]
    #[serde(default)]
    pub(crate) declare: Vec<DeclaredMethod>,
    /// Only change the order of this, such as java.util.HashMap (can be given again) [default: all in docs/models.md]
    #[arg(long, value_name = "MODEL", value_parser = model)]
    #[serde(default)]
    pub(crate) only: Vec<ModelName>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) pool: PoolOptions,
}

#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct PoolOptions {
    /// Test VMs at a time [default: the number of cores]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroU32>,
    /// A test is hung after so many times its watched time [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) timeout_factor: Option<NonZeroU32>,
    /// But never before so many seconds [default: 30]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout_floor: Option<NonZeroU32>,
}

impl RunOptions {
    pub(crate) fn or(self, other: &RunOptions) -> RunOptions {
        RunOptions {
            repeat: self.repeat.or(other.repeat),
            rounds: self.rounds.or(other.rounds),
            fresh_vm_per: self.fresh_vm_per.or(other.fresh_vm_per),
            order: self.order.or(other.order),
            class_setup: self.class_setup.or(other.class_setup),
            pool: self.pool.or(&other.pool),
        }
    }
}

impl CheckOptions {
    pub(crate) fn or(self, other: &CheckOptions) -> CheckOptions {
        CheckOptions { replays: self.replays.or(other.replays), pool: self.pool.or(&other.pool) }
    }
}

impl PollutionOptions {
    /// Lists of both count.
    pub(crate) fn or(self, other: &PollutionOptions) -> PollutionOptions {
        let both = |mut own: Vec<String>, others: &[String]| {
            own.extend_from_slice(others);
            own
        };
        PollutionOptions {
            include_roots: both(self.include_roots, &other.include_roots),
            exclude_roots: both(self.exclude_roots, &other.exclude_roots),
            exclude_fields: both(self.exclude_fields, &other.exclude_fields),
            root: self.root,
            capture: self.capture.or(other.capture),
            eager: self.eager || other.eager,
            // Directories on the command line are meant instead of others.
            no_files: self.no_files || self.files.is_empty() && other.no_files,
            files: if self.files.is_empty() { other.files.clone() } else { self.files },
            ignore_files: both(self.ignore_files, &other.ignore_files),
            file_limit: self.file_limit.or(other.file_limit),
            overhead: self.overhead.or(other.overhead),
            suggest_rules: self.suggest_rules || other.suggest_rules,
            show_suppressed: self.show_suppressed || other.show_suppressed,
            pool: self.pool.or(&other.pool),
        }
    }
}

impl RerunOptions {
    pub(crate) fn or(self, other: &RerunOptions) -> RerunOptions {
        RerunOptions {
            all: self.all || other.all,
            mode: self.mode.or(other.mode),
            repeat: self.repeat.or(other.repeat),
            class_setup: self.class_setup.or(other.class_setup),
            across_vms: self.across_vms || other.across_vms,
            pool: self.pool.or(&other.pool),
        }
    }
}

impl AssumptionOptions {
    pub(crate) fn or(self, other: &AssumptionOptions) -> AssumptionOptions {
        AssumptionOptions {
            level: self.level.or(other.level),
            seeds: self.seeds.or(other.seeds),
            seed: self.seed.or(other.seed),
            declare: [self.declare, other.declare.clone()].concat(),
            only: if self.only.is_empty() { other.only.clone() } else { self.only },
            pool: self.pool.or(&other.pool),
        }
    }
}

impl PoolOptions {
    fn or(self, other: &PoolOptions) -> PoolOptions {
        PoolOptions {
            jobs: self.jobs.or(other.jobs),
            timeout_factor: self.timeout_factor.or(other.timeout_factor),
            timeout_floor: self.timeout_floor.or(other.timeout_floor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
