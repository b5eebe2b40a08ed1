//! Files and directories that only their owner can read.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::StoreError;

const DIRECTORY_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// How the name of a file ends that is not yet what it is to become.
pub(crate) const UNFINISHED: &str = ".new";

/// Makes the directory, or takes the one that is there.
pub(crate) fn ensure_directory(path: &Path) -> Result<(), StoreError> {
    match DirBuilder::new().mode(DIRECTORY_MODE).create(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let metadata = fs::metadata(path).map_err(StoreError::io("look at", path))?;
            if metadata.is_dir() {
                Ok(())
            } else {
                Err(StoreError::NotADirectory { path: path.to_owned() })
            }
        }
        Err(error) => Err(StoreError::io("create the directory", path)(error)),
    }
}

/// Takes others' permissions away from a directory, if they have any.
pub(crate) fn keep_private(path: &Path) -> Result<(), StoreError> {
    let metadata = fs::metadata(path).map_err(StoreError::io("look at", path))?;
    if metadata.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(DIRECTORY_MODE))
        .map_err(StoreError::io("make private", path))
}

/// Options that make a private file where there is none.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).mode(FILE_MODE);
    options
}

/// Writes a whole file so that nobody ever sees a part of it.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{number}{UNFINISHED}", process::id()));
    let unfinished = Path::new(&name);

    private_file()
        .write(true)
        .truncate(true)
        .open(unfinished)
        .and_then(|mut file: File| file.write_all(content))
        .and_then(|()| fs::rename(unfinished, path))
        .map_err(StoreError::io("write", path))
        .inspect_err(|_| {
            // What matters has failed already.
            let _ = fs::remove_file(unfinished);
        })
}

/// Whether the disk has room for what a test VM writes at a time.
pub(crate) fn try_for_room(directory: &Path) -> io::Result<()> {
    let path = directory.join(format!("room{UNFINISHED}"));
    let tried = private_file()
        .write(true)
        .truncate(true)
        .open(&path)
        .and_then(|mut file| file.write_all(&[1; 1 << 16]));
    // If it cannot be removed, then it could not be written.
    let _ = fs::remove_file(&path);
    tried
}
