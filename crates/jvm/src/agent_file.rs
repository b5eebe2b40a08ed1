//! The agent on disk: unpacked once per user and version, named by its content.

use std::path::{Path, PathBuf};

use surefoot_runtime::{UnpackError, cache_folder, unpack};
use xxhash_rust::xxh3::xxh3_128;

const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent.so"));

/// Where the agent's library lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile(PathBuf);

impl AgentFile {
    /// Unpacks into the per-user cache, unless it is there already.
    pub fn unpack() -> Result<AgentFile, UnpackError> {
        AgentFile::unpack_into(&cache_folder())
    }

    pub fn unpack_into(folder: &Path) -> Result<AgentFile, UnpackError> {
        let name = format!("agent-{:032x}.so", xxh3_128(AGENT));
        unpack(folder, &name, AGENT).map(AgentFile)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_unpacked_whole_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let first = AgentFile::unpack_into(folder.path()).unwrap();
        assert_eq!(std::fs::read(first.path()).unwrap(), AGENT);
        assert_eq!(AgentFile::unpack_into(folder.path()).unwrap(), first);
    }
}
