//! A worker's process: started from a launch or forked from a parent, and spoken to through a socket.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::net::Shutdown;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use surefoot_model::{Command as WorkerCommand, Death, Event, Launch};

use crate::life::{Life, wait_or_kill};
use crate::output::Tail;

#[derive(Debug)]
pub struct Process {
    life: Arc<dyn Life>,
    socket: UnixStream,
    commands: Sender<WorkerCommand>,
    messages: Receiver<Message>,
    output: Tail,
}

#[derive(Debug)]
pub(crate) enum Message {
    Event(Box<Event>),
    /// A line that is no event: something else got hold of the socket.
    Garbage(String),
    Gone(Death),
    /// There is no process, and never was.
    NotForked,
}

impl Process {
    /// Starts the launch's executable in its directory and with its environment; `arguments` gets the number of the socket
    /// that the VM inherits.
    pub fn start(
        launch: &Launch,
        arguments: impl FnOnce(RawFd) -> io::Result<Vec<OsString>>,
    ) -> io::Result<Process> {
        let Spawned { child, socket, output } = spawn(launch, arguments)?;
        Process::new(Arc::new(Mutex::new(child)), socket, output)
    }

    /// `output` is what it prints.
    pub(crate) fn new(
        life: Arc<dyn Life>,
        socket: UnixStream,
        output: PipeReader,
    ) -> io::Result<Process> {
        let tail = Tail::default();
        tail.follow(output);
        let commands = write_commands(socket.try_clone()?);
        let messages = read_messages(socket.try_clone()?, Arc::clone(&life));
        Ok(Process { life, socket, commands, messages, output: tail })
    }

    pub fn send(&self, command: WorkerCommand) {
        // If the process is gone, its messages say so.
        let _ = self.commands.send(command);
    }

    pub(crate) fn next(&self, patience: Duration) -> Option<Message> {
        self.messages.recv_timeout(patience).ok()
    }

    /// The test VM and whatever it started.
    pub(crate) fn kill(&self) {
        self.life.kill();
    }

    pub(crate) fn output(&self) -> String {
        self.output.text()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The driver takes the end of its commands as the end of its work.
        let _ = self.socket.shutdown(Shutdown::Write);
        self.life.let_go();
        wait_or_kill(&*self.life);
    }
}

/// A new process, our end of its socket, and what it prints.
pub(crate) struct Spawned {
    pub(crate) child: Child,
    pub(crate) socket: UnixStream,
    pub(crate) output: PipeReader,
}

/// The process ends with the thread that this is called on.
pub(crate) fn spawn(
    launch: &Launch,
    arguments: impl FnOnce(RawFd) -> io::Result<Vec<OsString>>,
) -> io::Result<Spawned> {
    let (socket, theirs) = UnixStream::pair()?;
    let (output, writer) = io::pipe()?;
    let fd = theirs.as_raw_fd();
    let mut command = Command::new(&launch.executable);
    command
        .args(arguments(fd)?)
        .env_clear()
        .envs(&launch.environment)
        .current_dir(&launch.directory)
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        // Ctrl-C at the terminal is for Surefoot, which ends its workers in order.
        .process_group(0);
    let us = rustix::process::getpid();
    // SAFETY: between fork and exec only system calls are made, the first on a descriptor that stays open until the spawn
    // below returns; nothing allocates or locks.
    unsafe {
        command.pre_exec(move || {
            let socket = BorrowedFd::borrow_raw(fd);
            rustix::io::fcntl_setfd(socket, rustix::io::FdFlags::empty())?;
            // A crash must not litter the project with gigabytes of core.
            let core = rustix::process::getrlimit(rustix::process::Resource::Core);
            let none = rustix::process::Rlimit { current: Some(0), maximum: core.maximum };
            rustix::process::setrlimit(rustix::process::Resource::Core, none)?;
            // A Surefoot that is killed leaves no test VM behind.
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            // Unless it was killed before that call.
            if rustix::process::getppid() != Some(us) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            Ok(())
        });
    }
    let child = command.spawn()?;
    // `command`, which ends here, holds our copies of the pipe's writing end.
    Ok(Spawned { child, socket, output })
}

/// In a thread of its own: a list of 50,000 tests is more than a socket takes before the VM reads.
fn write_commands(mut socket: UnixStream) -> Sender<WorkerCommand> {
    let (sender, receiver) = mpsc::channel::<WorkerCommand>();
    thread::spawn(move || {
        for command in receiver {
            let Ok(mut line) = serde_json::to_vec(&command) else { continue };
            line.push(b'\n');
            if socket.write_all(&line).is_err() {
                break;
            }
        }
    });
    sender
}

fn read_messages(socket: UnixStream, life: Arc<dyn Life>) -> Receiver<Message> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        if !life.begins() {
            let _ = sender.send(Message::NotForked);
            return;
        }
        let mut reader = BufReader::new(socket);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let message = match serde_json::from_slice(&line) {
                Ok(event) => Message::Event(Box::new(event)),
                Err(_) => Message::Garbage(String::from_utf8_lossy(&line).into_owned()),
            };
            line.clear();
            if sender.send(message).is_err() {
                return;
            }
        }
        // The socket is closed, so the VM is at its end; what remains is to learn how.
        let _ = sender.send(Message::Gone(wait_or_kill(&*life)));
    });
    receiver
}
