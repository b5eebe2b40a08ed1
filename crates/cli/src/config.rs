//! surefoot.toml: every option of the command line, for those who do not want to type it.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::args::{
    AssumptionOptions, CheckOptions, Color, Format, PollutionOptions, RerunOptions, RunOptions,
};

pub(crate) const FILE: &str = "surefoot.toml";

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) color: Option<Color>,
    pub(crate) verbose: bool,
    pub(crate) format: Option<Format>,
    pub(crate) run: RunOptions,
    pub(crate) check: CheckOptions,
    pub(crate) pollution: PollutionOptions,
    pub(crate) rerun: RerunOptions,
    pub(crate) assumptions: AssumptionOptions,
}

impl Config {
    /// The file that the user named, or the project's own if there is one.
    pub(crate) fn read(named: Option<&Path>, project: &Path) -> Result<Config> {
        let own = project.join(FILE);
        let path = match named {
            Some(path) => path,
            None if own.is_file() => &own,
            None => return Ok(Config::default()),
        };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the configuration {}", path.display()))?;
        toml::from_str(&text)
            .with_context(|| format!("{} is not as docs/configuration.md says", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{FreshVmPer, TestOrder};

    #[test]
    fn every_option_can_be_set() {
        let config: Config = toml::from_str(
            r#"
            color = "never"
            verbose = true
            format = "json"
            [run]
            repeat = 2
            rounds = 3
            fresh-vm-per = "class"
            order = "random:42"
            class-setup = "per-run"
            jobs = 4
            timeout-factor = 3
            timeout-floor = 5
            [check]
            replays = 3
            jobs = 1
            timeout-factor = 3
            timeout-floor = 5
            [pollution]
            include-roots = ["^com\\.acme\\."]
            suggest-rules = false
            exclude-roots = ["^com\\.acme\\.Registry"]
            exclude-fields = ["count$"]
            files = [".", "/tmp"]
            ignore-files = ["*.db"]
            file-limit = 64
            no-files = false
            show-suppressed = true
            overhead = 1.2
            capture = "before-setup..after-teardown"
            eager = true
            jobs = 1
            [rerun]
            all = true
            mode = "class"
            repeat = 3
            class-setup = "per-run"
            across-vms = true
            jobs = 1
            [assumptions]
            level = "full"
            seeds = 3
            seed = 7
            only = ["java.util.HashMap"]
            declare = ["com.acme.Catalog.names=permute"]
            jobs = 1
            "#,
        )
        .unwrap();
        assert_eq!(config.run.order, Some(TestOrder::Random(42)));
        assert_eq!(config.run.fresh_vm_per, Some(FreshVmPer::Class));
        assert_eq!(config.run.pool.jobs.map(|jobs| jobs.get()), Some(4));
        assert_eq!(config.check.replays.map(|replays| replays.get()), Some(3));
        assert_eq!(config.rerun.repeat, Some(3));
    }

    #[test]
    fn a_misspelt_option_is_an_error() {
        for text in [
            "[pollution]\noverhead = 1.0",
            "[pollution]\ncapture = \"before..after\"",
            "colour = \"never\"",
            "[run]\nrepeats = 2",
            "[run]\nrepeat = 0",
            "[check]\nreplay = 1",
            "[rerun]\nrepeat = 1",
            "[assumptions]\nonly = [\"HashMap\"]",
            "[assumptions]\ndeclare = [\"Catalog\"]",
        ] {
            assert!(toml::from_str::<Config>(text).is_err(), "{text}");
        }
    }
}
