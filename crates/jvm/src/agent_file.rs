//! The agent on disk: unpacked once per user and version, named by its content.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent.so"));

/// Where the agent's library lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile(PathBuf);

#[derive(Debug, Error)]
#[error(
    "cannot unpack the agent to {path}: {source}\n\
     Surefoot keeps it in the per-user cache; set XDG_CACHE_HOME to a directory that can be written"
)]
pub struct AgentFileError {
    path: PathBuf,
    source: io::Error,
}

impl AgentFile {
    /// Unpacks into the per-user cache, unless it is there already.
    pub fn unpack() -> Result<AgentFile, AgentFileError> {
        AgentFile::unpack_into(&cache_folder())
    }

    /// Safe when many processes do it at once: each writes a file of its own and renames it to the same name, and whoever
    /// comes last replaces equal bytes by equal bytes.
    pub fn unpack_into(folder: &Path) -> Result<AgentFile, AgentFileError> {
        let path = folder.join(format!("agent-{:032x}.so", xxh3_128(AGENT)));
        let failed = |source| AgentFileError { path: path.clone(), source };
        if is_complete(&path) {
            return Ok(AgentFile(path));
        }
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let unfinished =
            folder.join(format!(".agent-{}-{:?}", std::process::id(), std::thread::current().id()));
        write(&unfinished).and_then(|()| fs::rename(&unfinished, &path)).map_err(|source| {
            let _ = fs::remove_file(&unfinished);
            failed(source)
        })?;
        Ok(AgentFile(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// A file of the right name could still have been damaged: its length tells, and costs nothing to ask.
fn is_complete(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == AGENT.len() as u64)
}

fn write(path: &Path) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.set_permissions(fs::Permissions::from_mode(0o700))?;
    file.write_all(AGENT)?;
    file.sync_all()
}

fn cache_folder() -> PathBuf {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("surefoot")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_at_once_leave_one_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<AgentFile> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..10)
                .map(|_| {
                    scope.spawn(|| AgentFile::unpack_into(&folder.path().join("new")).unwrap())
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(paths.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(fs::read(paths[0].path()).unwrap(), AGENT);
        assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let first = AgentFile::unpack_into(folder.path()).unwrap();
        fs::write(first.path(), b"half").unwrap();
        let second = AgentFile::unpack_into(folder.path()).unwrap();
        assert_eq!(fs::read(second.path()).unwrap(), AGENT);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), b"").unwrap();
        let error = AgentFile::unpack_into(&folder.path().join("file/below")).unwrap_err();
        assert!(error.to_string().contains("XDG_CACHE_HOME"), "{error}");
    }
}
