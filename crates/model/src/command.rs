//! What a worker is told to do: one line of JSON each, on the socket that its events come back on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Choosing, ClassSetup, Framework, Observation, PytestLaunch};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Command {
    /// Look at this around each test from now on. Comes before any test runs.
    Observe(Observation),
    /// Make these choices while tests run, from now on. Comes before any test runs.
    Choose(Choosing),
    /// System properties to set before anything runs.
    Properties { values: BTreeMap<String, String> },
    /// What the build tool passed to the test framework.
    Configuration { values: BTreeMap<String, String> },
    /// Run no tests, but fork workers that do: see [`crate::parent`]. Comes before all others, and only for Python.
    Warm {
        /// The only files that tests need be looked for in; empty if in all.
        files: Vec<String>,
        /// Change what workers may be told to choose for, and choose nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choose: Option<Choosing>,
    },
    /// Start pytest like this. Comes before any test runs, and only for Python.
    Pytest(Box<PytestLaunch>),
    /// Run these tests in this order, then say [`crate::Event::Done`].
    Run {
        framework: Framework,
        class_setup: ClassSetup,
        addresses: Vec<String>,
        /// The only files that tests need be looked for in; empty if in all. Only for pytest.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
        /// Addresses of what makes tests while it runs (a parameterised method, a test factory), where all the tests that it
        /// makes are wanted each time: it can then run as a whole, however many they are.
        whole: Vec<String>,
    },
}
