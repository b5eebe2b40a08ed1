//! What VMs load, on disk: unpacked once per user and version into a cache.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
#[error(
    "cannot unpack the agent to {path}: {source}\n\
     Surefoot keeps it in the per-user cache; set XDG_CACHE_HOME to a directory that can be written"
)]
pub struct UnpackError {
    path: PathBuf,
    source: io::Error,
}

/// Surefoot's part of the per-user cache.
pub fn cache_folder() -> PathBuf {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("surefoot")
}

/// Puts `content` into a file, unless it is there already; the name must tell the content.
///
/// Safe when many processes do it at once: each writes a file of its own and renames it to the same name, and whoever comes
/// last replaces equal bytes by equal bytes.
pub fn unpack(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, UnpackError> {
    let path = folder.join(name);
    let failed = |source| UnpackError { path: path.clone(), source };
    if is_complete(&path, content) {
        return Ok(path);
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    let unfinished =
        folder.join(format!(".{}-{:?}", std::process::id(), std::thread::current().id()));
    write(&unfinished, content).and_then(|()| fs::rename(&unfinished, &path)).map_err(
        |source| {
            let _ = fs::remove_file(&unfinished);
            failed(source)
        },
    )?;
    Ok(path)
}

/// A file of the right name could still have been damaged: its length tells, and costs nothing to ask.
fn is_complete(path: &Path, content: &[u8]) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == content.len() as u64)
}

fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.set_permissions(fs::Permissions::from_mode(0o700))?;
    file.write_all(content)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: &[u8] = b"what a VM loads";

    #[test]
    fn many_at_once_leave_one_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..10)
                .map(|_| scope.spawn(|| unpack(&folder.path().join("new"), "a", CONTENT).unwrap()))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(paths.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(fs::read(&paths[0]).unwrap(), CONTENT);
        assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let first = unpack(folder.path(), "a", CONTENT).unwrap();
        fs::write(first, b"half").unwrap();
        let second = unpack(folder.path(), "a", CONTENT).unwrap();
        assert_eq!(fs::read(second).unwrap(), CONTENT);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), b"").unwrap();
        let error = unpack(&folder.path().join("file/below"), "a", CONTENT).unwrap_err();
        assert!(error.to_string().contains("XDG_CACHE_HOME"), "{error}");
    }
}
