//! What a process has beside its heap: threads that are alive, sockets that wait for connections, and what runs when it ends.
//!
//! Knows no VM: a runtime names the threads, and asks around its tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::os::fd::BorrowedFd;

use rustix::net::sockopt;
use surefoot_model::{Access, Difference, DifferenceKind};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    /// Names, by the number of the thread.
    pub threads: BTreeMap<i64, String>,
    /// Addresses.
    pub sockets: BTreeSet<String>,
    /// What runs when the VM ends, and how many times it is there.
    pub hooks: BTreeMap<String, usize>,
}

impl Process {
    /// What is there and was not before, and hooks that are gone. A thread that ended is nobody's loss, and who closed a socket that
    /// another test left open did well.
    pub fn since(&self, before: &Process) -> Vec<Difference> {
        let threads = self.threads.iter().filter(|(id, _)| !before.threads.contains_key(id));
        let threads = threads.map(|(_, name)| Difference {
            before: before.has_pool_of(name).then(|| OF_POOL.to_owned()),
            ..left("live threads", &format!("{name:?}"), "alive")
        });
        let sockets = self.sockets.difference(&before.sockets);
        let sockets = sockets.map(|address| left("listening sockets", address, "open"));
        let added = more_of(&self.hooks, &before.hooks);
        let added = added.map(|name| left("shutdown hooks", name, REGISTERED));
        let removed = more_of(&before.hooks, &self.hooks).map(|name| Difference {
            kind: DifferenceKind::Removed,
            before: Some(REGISTERED.to_owned()),
            after: None,
            ..left("shutdown hooks", name, REGISTERED)
        });
        threads.chain(sockets).chain(added).chain(removed).collect()
    }

    /// Whether a thread is alive that is called the same but for the last number.
    fn has_pool_of(&self, name: &str) -> bool {
        let pool = pool(name);
        pool.is_some() && self.threads.values().any(|other| pool == self::pool(other))
    }
}

const REGISTERED: &str = "registered";

/// Names of which there are more than among the others.
fn more_of<'a>(
    these: &'a BTreeMap<String, usize>,
    others: &'a BTreeMap<String, usize>,
) -> impl Iterator<Item = &'a str> {
    let more =
        |&(name, number): &(&String, &usize)| others.get(name).is_none_or(|other| number > other);
    these.iter().filter(more).map(|(name, _)| name.as_str())
}

/// What `before` says of a thread whose pool was there before it.
const OF_POOL: &str = "others of its pool";

/// What threads of one pool have in common: all of `pool-2-thread-7` but the 7. The names that Java and Python give to threads
/// without one, `Thread-7` and `Thread-7 (run)`, say nothing.
fn pool(name: &str) -> Option<(&str, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let end = name.rfind(is_digit)? + 1;
    let start = name[..end].trim_end_matches(is_digit);
    (start != "Thread-" && !start.is_empty()).then_some((start, &name[end..]))
}

fn left(root: &str, what: &str, state: &str) -> Difference {
    Difference {
        root: root.to_owned(),
        path: format!("{root}[{what}]"),
        steps: 1,
        field: None,
        through: Vec::new(),
        access: Access::Process,
        kind: DifferenceKind::Added,
        before: None,
        after: Some(state.to_owned()),
    }
}

/// The numbers of all files and sockets that this process has open, with the one that it takes to find out.
pub fn descriptors() -> BTreeSet<i32> {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else { return BTreeSet::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The addresses at which this process waits for connections, with some of these. They are the user's, and are only asked.
pub fn listening_at(descriptors: &BTreeSet<i32>) -> BTreeSet<String> {
    descriptors.iter().filter_map(|number| address(*number)).collect()
}

pub fn listening() -> BTreeSet<String> {
    listening_at(&descriptors())
}

fn address(number: i32) -> Option<String> {
    // SAFETY: nothing is read, written or closed. If the user closes it meanwhile, the call fails, or is about a newer one.
    let socket = unsafe { BorrowedFd::borrow_raw(number) };
    if !sockopt::socket_acceptconn(socket).ok()? {
        return None;
    }
    // Sockets with a name in the file system are files.
    let address = SocketAddr::try_from(rustix::net::getsockname(socket).ok()?).ok()?;
    Some(SocketAddr::new(address.ip().to_canonical(), address.port()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_is_told_and_what_went_is_not() {
        let process = |threads: &[(i64, &str)], sockets: &[&str]| Process {
            threads: threads.iter().map(|(id, name)| (*id, (*name).to_owned())).collect(),
            sockets: sockets.iter().map(|&address| address.to_owned()).collect(),
            ..Process::default()
        };
        let before = process(&[(1, "main"), (2, "pool-1")], &["0.0.0.0:80"]);
        let after = process(&[(1, "main"), (3, "pool-1")], &["0.0.0.0:80", "127.0.0.1:99"]);
        let paths: Vec<String> = after.since(&before).into_iter().map(|one| one.path).collect();
        assert_eq!(paths, ["live threads[\"pool-1\"]", "listening sockets[127.0.0.1:99]"]);
        assert_eq!(before.since(&before), []);
    }

    #[test]
    fn a_thread_of_a_pool_that_was_there_is_told_from_that_of_a_new_pool() {
        let process = |threads: &[&str]| Process {
            threads: (1..).zip(threads.iter().map(|&name| name.to_owned())).collect(),
            ..Process::default()
        };
        let has_grown = |before: &str, new: &str| {
            let since = process(&[before, new]).since(&process(&[before]));
            let [thread] = &since[..] else { panic!("{since:?}") };
            thread.before.is_some()
        };
        assert!(has_grown("server-2-1", "server-2-13"));
        assert!(has_grown("worker 1 of shop", "worker 2 of shop"));
        for (before, new) in [
            ("pool-1-thread-1", "pool-2-thread-1"),
            ("Thread-1", "Thread-2"),
            ("Thread-1 (run)", "Thread-2 (run)"),
            ("watcher", "watcher"),
            ("1", "2"),
            ("server-1 in", "server-2 out"),
        ] {
            assert!(!has_grown(before, new), "{before} and {new}");
        }
        let both = process(&["main", "pool-1-thread-1", "pool-1-thread-2"]);
        let since = both.since(&process(&["main"]));
        assert!(since.iter().all(|one| one.before.is_none()), "the pool is new: {since:?}");
    }

    #[test]
    fn one_hook_more_or_less_of_a_name_is_told() {
        let process = |hooks: &[(&str, usize)]| Process {
            hooks: hooks.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect(),
            ..Process::default()
        };
        let before = process(&[("a.Cleaner", 1), ("b.Saver", 1)]);
        let after = process(&[("a.Cleaner", 2), ("b.Saver", 1), ("c.Closer", 1)]);
        let told = |one: Difference| (one.kind, one.path);
        let changed = |before: &Process, after: &Process| -> Vec<_> {
            after.since(before).into_iter().map(told).collect()
        };
        let both = |kind| {
            ["shutdown hooks[a.Cleaner]", "shutdown hooks[c.Closer]"]
                .map(|path| (kind, path.to_owned()))
        };
        assert_eq!(changed(&before, &after), both(DifferenceKind::Added));
        assert_eq!(changed(&after, &before), both(DifferenceKind::Removed));
        assert_eq!(changed(&after, &after), []);
    }

    #[test]
    fn a_socket_that_waits_for_connections_is_seen_until_it_is_closed() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        assert!(listening().contains(&address));
        let connection = std::net::TcpStream::connect(&address).unwrap();
        assert!(!listening().contains(&connection.local_addr().unwrap().to_string()));
        drop(listener);
        assert!(!listening().contains(&address));
    }

    #[test]
    fn a_file_that_is_open_has_a_number_until_it_is_closed() {
        use std::os::fd::AsRawFd;
        let file = fs::File::open("/dev/null").unwrap();
        // Far from the numbers that other tests, which run meanwhile, get and give back.
        let held = rustix::io::fcntl_dupfd_cloexec(&file, 200).unwrap();
        let number = held.as_raw_fd();
        assert!(descriptors().contains(&number));
        drop(held);
        assert!(!descriptors().contains(&number));
    }
}
