//! Surefoot's domain as plain values.
//!
//! Everything the other crates say to each other is said in these types: a [`Test`] has a [`RunResult`];
//! an [`Experiment`] is an ordered list of tests to run in one VM, and its [`Outcome`] is a result for
//! each; a [`Launch`] is how a test VM is started; a [`Finding`] is what a user is told.
//!
//! This crate does no IO and knows no VM, no build tool and no technique. Start reading at
//! [`experiment`].

pub mod capture;
pub mod choice;
pub mod command;
pub mod comparison;
pub mod event;
pub mod experiment;
pub mod finding;
pub mod fingerprint;
pub mod launch;
pub mod parent;
pub mod result;
pub mod state;
pub mod test;
pub mod watch;

pub use capture::{CapturePoint, CapturePoints};
pub use choice::{
    ChoiceDetail, ChoiceId, ChoiceKind, Choosing, Declaration, IdentityHash, Level, MadeChoice,
    RunChoices,
};
pub use command::Command;
pub use comparison::{Comparison, Standing};
pub use event::Event;
pub use experiment::{
    After, ClassSetup, Experiment, Observe, Outcome, Reuse, Run, RunOutcome, Settings, Start,
    Workspace,
};
pub use finding::{Confidence, Evidence, Finding, FindingKind, Remark};
pub use fingerprint::Fingerprint;
pub use launch::{Launch, LaunchId, PytestLaunch};
pub use parent::{ParentCommand, ParentEvent};
pub use result::{Death, RunResult, Thrown};
pub use state::{
    Access, ClassChange, Difference, DifferenceKind, FileScope, Filling, Observation, RunChange,
    StateChange, Suppressed,
};
pub use test::{Framework, Test, TestId};
pub use watch::{ClassFailure, VmEnd, Watch, WatchedRun, WatchedVm};
