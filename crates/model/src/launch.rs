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
    /// The `java` or `python` that ran the tests.
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
    /// How pytest was started, if the VM is a Python process; class path, properties and configuration are empty then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pytest: Option<Box<PytestLaunch>>,
}

/// What it takes to start pytest again as it was, in the same interpreter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PytestLaunch {
    /// pytest's own version.
    pub version: String,
    /// The interpreter's options: `-W`, `-X`, `-O`, …
    pub options: Vec<String>,
    /// `sys.argv`.
    pub argv: Vec<String>,
    /// `sys.path` before pytest added to it.
    pub path: Vec<String>,
    /// What pytest was given, without what its configuration adds.
    pub arguments: Vec<String>,
    /// Its root directory.
    pub root: String,
    /// Comes before node ids in addresses, where the root is below the project.
    pub prefix: String,
    /// Its configuration file.
    pub configuration: Option<String>,
    /// Installed plug-ins with their versions: `pytest-cov 6.0.0`.
    pub plugins: Vec<String>,
    /// What pytest-randomly seeds the generators with.
    pub seed: Option<String>,
}

impl PytestLaunch {
    fn parts(&self) -> impl Iterator<Item = &String> {
        let lists = [&self.options, &self.argv, &self.path, &self.arguments, &self.plugins];
        let texts = [&self.version, &self.root, &self.prefix].into_iter();
        texts.chain(&self.configuration).chain(&self.seed).chain(lists.into_iter().flatten())
    }
}

impl Launch {
    pub fn id(&self) -> LaunchId {
        let parts = [&self.executable, &self.class_path_property, &self.directory];
        let lists = [&self.options, &self.class_path];
        let maps = [&self.properties, &self.configuration, &self.environment];
        let text = parts
            .into_iter()
            .chain(lists.into_iter().flatten())
            .chain(maps.into_iter().flatten().flat_map(|(name, value)| [name, value]))
            .chain(self.pytest.iter().flat_map(|pytest| pytest.parts()));
        LaunchId(Fingerprint::of(text.map(String::as_str)))
    }
}
