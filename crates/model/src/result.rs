//! How one run of a test can end.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the framework reported, or, where it could not, what became of the VM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum RunResult {
    Passed,
    Failed {
        thrown: Thrown,
    },
    /// An assumption of the test's own did not hold.
    Aborted {
        thrown: Option<Thrown>,
    },
    /// Ignored, disabled, or skipped because something it depends on failed.
    Skipped {
        reason: Option<String>,
    },
    TimedOut {
        limit_ms: u64,
    },
    /// The VM ended while the test ran.
    Died {
        death: Death,
    },
    /// The framework never started the test.
    NotRun {
        reason: String,
    },
}

impl RunResult {
    /// The word people see for it.
    pub fn word(&self) -> &'static str {
        match self {
            RunResult::Passed => "passed",
            RunResult::Failed { .. } => "failed",
            RunResult::Aborted { .. } => "aborted",
            RunResult::Skipped { .. } => "skipped",
            RunResult::TimedOut { .. } => "timed out",
            RunResult::Died { .. } => "died",
            RunResult::NotRun { .. } => "not run",
        }
    }

    pub fn passed(&self) -> bool {
        matches!(self, RunResult::Passed)
    }

    /// It was run, whatever came of it.
    pub fn has_ended(&self) -> bool {
        !matches!(self, RunResult::NotRun { .. })
    }

    /// A build would be red because of it.
    pub fn is_bad(&self) -> bool {
        match self {
            RunResult::Failed { .. } | RunResult::TimedOut { .. } | RunResult::Died { .. } => true,
            RunResult::Passed
            | RunResult::Aborted { .. }
            | RunResult::Skipped { .. }
            | RunResult::NotRun { .. } => false,
        }
    }

    /// Whether two runs ended the same way, as far as a person would say so: messages and stacks may
    /// hold times and addresses, so only the kind of ending counts.
    pub fn same_ending(&self, other: &RunResult) -> bool {
        self.word() == other.word()
    }

    /// One line on why, where there is something to say.
    pub fn reason(&self) -> Option<String> {
        match self {
            RunResult::Passed => None,
            RunResult::Failed { thrown } => Some(thrown.headline()),
            RunResult::Aborted { thrown } => thrown.as_ref().map(Thrown::headline),
            RunResult::Skipped { reason } => reason.clone(),
            RunResult::TimedOut { limit_ms } => {
                Some(format!("still running after {:.1} s", *limit_ms as f64 / 1000.0))
            }
            RunResult::Died { death } => Some(death.to_string()),
            RunResult::NotRun { reason } => Some(reason.clone()),
        }
    }
}

/// A throwable, as text: it outlives its VM.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Thrown {
    pub class: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The stack trace, cut at a limit.
    pub stack: String,
    /// An assertion that failed, where build tools tell "failure" from "error".
    #[serde(default)]
    pub assertion: bool,
}

impl Thrown {
    /// Class and first line of the message.
    pub fn headline(&self) -> String {
        let first_line =
            self.message.as_deref().and_then(|m| m.lines().find(|l| !l.trim().is_empty()));
        match first_line {
            Some(line) => format!("{}: {}", self.class, line.trim()),
            None => self.class.clone(),
        }
    }
}

/// How a VM came to its end before it was told to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum Death {
    /// `System.exit`, `Runtime.halt`, or a VM that gave up by itself.
    Exited {
        status: i32,
    },
    Killed {
        signal: i32,
    },
    /// It is gone, and nobody could say how.
    Lost,
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Death::Exited { status } => write!(f, "the VM exited with status {status}"),
            Death::Killed { signal } => write!(f, "the VM was killed by {}", signal_name(*signal)),
            Death::Lost => f.write_str("the VM disappeared"),
        }
    }
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT (a crash of the VM)",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL (by hand, or the system ran out of memory)",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_is_the_class_and_the_first_line_with_words() {
        let thrown = Thrown {
            class: "java.lang.AssertionError".into(),
            message: Some("\n\nexpected: <1>\n but was: <2>".into()),
            ..Thrown::default()
        };
        assert_eq!(thrown.headline(), "java.lang.AssertionError: expected: <1>");
    }

    #[test]
    fn endings_are_compared_by_kind_alone() {
        let failed = |message: &str| RunResult::Failed {
            thrown: Thrown { message: Some(message.into()), ..Thrown::default() },
        };
        assert!(failed("at 10:31").same_ending(&failed("at 10:32")));
        assert!(!failed("x").same_ending(&RunResult::Passed));
    }
}
