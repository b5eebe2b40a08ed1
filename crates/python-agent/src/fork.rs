//! Forks this process in such a way that it does not notice.

use std::ffi::c_int;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3_ffi::PyObject;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Result, fcntl_dupfd_cloexec};
use rustix::process::{Pid, child_subreaper, getpid};
use rustix::stdio::{dup2_stderr, dup2_stdout, stderr, stdout};

use crate::entry::guarded;

unsafe extern "C" {
    fn fork() -> c_int;
    fn _exit(status: c_int) -> !;
    fn PyOS_BeforeFork();
    fn PyOS_AfterFork_Child();
}

/// As `os.fork`, with the result as text; but what is registered to run around forks runs in the new process alone, and
/// prints nothing. The caller has seen that there is one thread.
pub(crate) unsafe extern "C" fn fork_aside(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    guarded(|| {
        if inherits_children() {
            return Err("what a child leaves behind would be a child".to_owned());
        }
        // SAFETY: there is no other thread that might hold a lock, and the new process goes on with this one's stack.
        let process = unsafe { fork() };
        if process < 0 {
            return Err(io::Error::last_os_error().to_string());
        }
        if process == 0 {
            // SAFETY: the GIL is held, as it was before the fork. Python sees the two calls of any fork, in their order; that the first is
            // made on this side of it makes no difference, since the memory is the same.
            let around = || unsafe {
                PyOS_BeforeFork();
                PyOS_AfterFork_Child();
            };
            let done = catch_unwind(AssertUnwindSafe(|| quietly(around)));
            if !matches!(done, Ok(Ok(()))) {
                // SAFETY: it ends the process, which must not go on as if it were the one that was forked.
                unsafe { _exit(1) }
            }
        }
        Ok(Some(process.to_string()))
    })
}

/// Whether a process whose parent ends becomes a child of this one.
fn inherits_children() -> bool {
    getpid() == Pid::INIT || !matches!(child_subreaper(), Ok(None))
}

/// What is printed is lost.
fn quietly(work: impl FnOnce()) -> Result<()> {
    let (out, error) = (fcntl_dupfd_cloexec(stdout(), 3)?, fcntl_dupfd_cloexec(stderr(), 3)?);
    let nothing = open("/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    work();
    dup2_stdout(out)?;
    dup2_stderr(error)
}
