//! Parents that watched processes leave behind: they connect to a socket while the command runs, and are taken once it has ended.

use std::io::{self, BufRead, BufReader};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::listen;
use rustix::net::sockopt::socket_peercred;
use rustix::process::{PidfdFlags, Signal, geteuid, pidfd_open, pidfd_send_signal};
use surefoot_model::event::VmSeen;
use surefoot_model::{Death, Event};

use crate::life::Life;
use crate::parent::Parent;

/// How long a parent may take to say where it comes from, which it does as soon as it is there.
const PATIENCE: Duration = Duration::from_secs(2);

/// Each is a process with all that its tests import. A command that starts more of them does without for the others.
const MOST: i32 = 8;

/// A different name each time it is read.
const UNIQUE: &str = "/proc/sys/kernel/random/uuid";

/// Where they connect to.
#[derive(Debug)]
pub struct LeftBehind {
    listener: UnixListener,
    name: String,
}

impl LeftBehind {
    pub fn expect() -> io::Result<LeftBehind> {
        let name = format!("surefoot-{}", std::fs::read_to_string(UNIQUE)?.trim());
        // It is in no folder, so that nothing is left of it however Surefoot ends.
        let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        listener.set_nonblocking(true)?;
        // The system lets one more wait than it is told.
        listen(&listener, MOST - 1)?;
        Ok(LeftBehind { listener, name })
    }

    /// The name of the socket, which lies in the abstract namespace.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All that are there, with what the processes told of themselves that left them. The others end by themselves: nobody listens any more.
    pub fn take(self) -> Vec<(VmSeen, Parent)> {
        let connections = std::iter::from_fn(|| self.listener.accept().ok());
        connections.filter_map(|(socket, _)| adopted(socket).ok().flatten()).collect()
    }
}

fn adopted(socket: UnixStream) -> io::Result<Option<(VmSeen, Parent)>> {
    let peer = socket_peercred(&socket)?;
    if peer.uid != geteuid() {
        return Ok(None);
    }
    let life = Adopted(pidfd_open(peer.pid, PidfdFlags::empty())?);
    socket.set_nonblocking(false)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let mut events = BufReader::new(socket.try_clone()?);
    let mut line = String::new();
    events.read_line(&mut line)?;
    match serde_json::from_str(&line) {
        Ok(Event::Vm(seen)) => Ok(Some((seen, Parent::adopt(socket, events, Arc::new(life))))),
        _ => Ok(None),
    }
}

/// A process that is no child of ours.
#[derive(Debug)]
struct Adopted(OwnedFd);

impl Life for Adopted {
    fn begins(&self) -> bool {
        true
    }

    /// Only whoever started it learns how.
    fn end(&self) -> Option<Death> {
        let mut ends = [PollFd::new(&self.0, PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut ends, Some(&at_once)).is_ok_and(|ended| ended > 0).then_some(Death::Lost)
    }

    fn kill(&self) {
        // If it is gone, that is as good.
        let _ = pidfd_send_signal(&self.0, Signal::KILL);
    }

    fn let_go(&self) {}
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;
    use rustix::net::{
        AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with,
    };

    use super::*;

    #[test]
    fn no_more_wait_than_are_of_use_and_who_says_nothing_is_no_parent() {
        let left_behind = LeftBehind::expect().unwrap();
        let address = SocketAddrUnix::new_abstract_name(left_behind.name().as_bytes()).unwrap();
        let connected = || {
            let flags = SocketFlags::NONBLOCK;
            let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
            connect(&socket, &address).map(|()| socket)
        };
        let waiting: Vec<OwnedFd> = (0..MOST).map(|_| connected().unwrap()).collect();
        assert_eq!(connected().unwrap_err(), Errno::AGAIN);
        drop(waiting);
        assert!(left_behind.take().is_empty());
    }
}
