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

const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

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
    if has_ended(&socket)? {
        // Another process, which is none of ours, may have its number by now.
        return Ok(None);
    }
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

fn has_ended(peer: &UnixStream) -> io::Result<bool> {
    let mut ends = [PollFd::new(peer, PollFlags::empty())];
    poll(&mut ends, Some(&AT_ONCE))?;
    Ok(ends[0].revents().contains(PollFlags::HUP))
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
        poll(&mut ends, Some(&AT_ONCE)).is_ok_and(|ended| ended > 0).then_some(Death::Lost)
    }

    fn kill(&self) {
        // If it is gone, that is as good.
        let _ = pidfd_send_signal(&self.0, Signal::KILL);
    }

    fn let_go(&self) {}
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use rustix::io::Errno;
    use rustix::net::{
        AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with,
    };

    use super::*;

    fn connect_to(left_behind: &LeftBehind) -> rustix::io::Result<UnixStream> {
        let address = SocketAddrUnix::new_abstract_name(left_behind.name().as_bytes())?;
        let flags = SocketFlags::NONBLOCK;
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
        connect(&socket, &address).map(|()| socket.into())
    }

    #[test]
    fn no_more_wait_than_are_of_use_and_who_says_nothing_is_no_parent() {
        let left_behind = LeftBehind::expect().unwrap();
        let connected = || connect_to(&left_behind);
        let mut waiting: Vec<UnixStream> = (0..MOST).map(|_| connected().unwrap()).collect();
        assert_eq!(connected().unwrap_err(), Errno::AGAIN);
        for silent in &mut waiting {
            silent.write_all(b"nothing\n").unwrap();
        }
        assert!(left_behind.take().is_empty());
    }

    /// The number of a process that has ended may be another's, as here it is this one's, which must not be killed for it.
    #[test]
    fn one_that_has_said_where_it_comes_from_and_ended_is_no_parent() {
        let left_behind = LeftBehind::expect().unwrap();
        let seen = r#"{"event":"vm","protocol":2,"pid":1,"ancestors":[],"loaded_at_ms":0,"executable":"python","argv":[],"directory":"/","environment":{}}"#;
        let mut ended = connect_to(&left_behind).unwrap();
        ended.write_all(format!("{seen}\n").as_bytes()).unwrap();
        drop(ended);
        assert!(left_behind.take().is_empty());
    }
}
