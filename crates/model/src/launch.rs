//! How a test VM is started, so that another one can be started like it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Fingerprint;

/// Launches with the same id start the same VM.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LaunchId(pub Fingerprint);

/// Everything that it takes to start the user's test VM again without the build tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The `java` that ran the tests.
    pub executable: String,
    /// The VM's options, in order, without class path and main class.
    pub options: Vec<String>,
    /// As the test code sees it: pathing jars expanded, the loaders of the test runner included.
    pub class_path: Vec<String>,
    /// What `java.class.path` said to the tests; build tools set it to something else than the real one.
    pub class_path_property: String,
    /// System properties that the build tool set from inside, not with `-D`.
    pub properties: BTreeMap<String, String>,
    /// What the build tool passed to the test framework.
    pub configuration: BTreeMap<String, String>,
    pub environment: BTreeMap<String, String>,
    pub directory: String,
}

impl Launch {
    pub fn id(&self) -> LaunchId {
        let parts = [&self.executable, &self.class_path_property, &self.directory];
        let lists = [&self.options, &self.class_path];
        let maps = [&self.properties, &self.configuration, &self.environment];
        let text = parts
            .into_iter()
            .chain(lists.into_iter().flatten())
            .chain(maps.into_iter().flatten().flat_map(|(name, value)| [name, value]));
        LaunchId(Fingerprint::of(text.map(String::as_str)))
    }
}
