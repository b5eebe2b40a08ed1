//! Files that processes write which have nothing to do with this one, as the system tells below `/proc`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// More processes above one another are no chain.
const MOST_ABOVE: usize = 64;

/// Those of the paths that such a process has open to write. None of them where the system does not tell.
pub(crate) fn written_by_others(paths: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let mut written = BTreeSet::new();
    let Ok(processes) = fs::read_dir("/proc") else { return written };
    for process in processes.flatten() {
        let is_process = process.file_name().to_string_lossy().bytes().all(|b| b.is_ascii_digit());
        let open = if is_process { open_to_write(&process.path(), paths) } else { Vec::new() };
        if !open.is_empty() && !is_ours(&process.path()) {
            written.extend(open);
        }
    }
    written
}

fn open_to_write(process: &Path, paths: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    // Of another user's there is nothing to be seen.
    let Ok(open) = fs::read_dir(process.join("fd")) else { return Vec::new() };
    let found = open.flatten().filter_map(|file| {
        let path = fs::read_link(file.path()).ok().filter(|path| paths.contains(path))?;
        let info = fs::read_to_string(process.join("fdinfo").join(file.file_name())).ok()?;
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
        let mode = u32::from_str_radix(flags.trim(), 8).ok()? & 0o3;
        (mode != 0).then_some(path)
    });
    found.collect()
}

/// This process, or one that it or one of its children started.
fn is_ours(process: &Path) -> bool {
    let own = std::process::id();
    let mut next = process.file_name().and_then(|name| name.to_string_lossy().parse().ok());
    for _ in 0..MOST_ABOVE {
        match next {
            Some(id) if id == own => return true,
            Some(id) if id > 1 => next = parent(id),
            _ => return false,
        }
    }
    false
}

fn parent(id: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// Somebody's who is gone: `sleep` with its output in `path`.
    fn begin(path: &Path, in_background: bool) -> std::process::Child {
        let (begins, ends) = if in_background { ("", "&") } else { ("exec", "") };
        let script =
            format!("{begins} sleep 20 >>'{}' 2>/dev/null </dev/null {ends}", path.display());
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script).stdin(Stdio::null()).stdout(Stdio::null());
        shell.spawn().unwrap()
    }

    #[test]
    fn a_file_that_a_foreign_process_has_open_is_told_from_one_of_a_child() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path().canonicalize().unwrap();
        let [foreign, own, mine] = ["foreign", "own", "mine"].map(|name| directory.join(name));
        begin(&foreign, true).wait().unwrap();
        let mut child = begin(&own, false);
        let _mine = fs::File::create(&mine).unwrap();
        let all = BTreeSet::from([foreign.clone(), own.clone(), mine]);
        let since = Instant::now();
        // The shells open the files some time after they have begun.
        while !(foreign.exists() && own.exists()) && since.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let written = written_by_others(&all);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(written, BTreeSet::from([foreign]));
    }
}
