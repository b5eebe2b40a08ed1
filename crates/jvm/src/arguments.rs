//! The java launcher's arguments for a worker.

use std::ffi::OsString;
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::thread;

use surefoot_model::Launch;

use crate::{AgentFile, argument_file, inject};

/// The class that the agent defines and the java launcher starts.
const MAIN: &str = "java.util.SurefootProbe";

/// Linux takes no single argument longer than 128 KiB.
const LONGEST_ARGUMENT: usize = 100 * 1024;

pub(crate) fn arguments(
    launch: &Launch,
    agent: &AgentFile,
    folder: &Path,
    socket: RawFd,
) -> io::Result<Vec<OsString>> {
    let mut arguments: Vec<OsString> = crash_option(launch, folder).into_iter().collect();
    arguments.extend(launch.options.iter().map(OsString::from));
    arguments.push(inject::work_option(agent, socket).into());
    arguments.extend(class_path(launch, folder)?);
    arguments.push(MAIN.into());
    Ok(arguments)
}

/// A crash must not litter the project with a report. None where the user says what becomes of reports.
fn crash_option(launch: &Launch, folder: &Path) -> Option<OsString> {
    // On the command line, the user's own option comes after ours and wins; in these variables, it would lose.
    let variables =
        ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"].map(|name| launch.environment.get(name));
    if variables.iter().flatten().any(|value| value.contains("-XX:ErrorFile=")) {
        return None;
    }
    let mut option = OsString::from("-XX:ErrorFile=");
    // The VM puts its number in the place of `%p`, and takes `%%` for a plain `%`.
    option.push(OsString::from_vec(doubled_percents(folder.as_os_str().as_bytes())));
    option.push("/hs_err_pid%p.log");
    Some(option)
}

fn doubled_percents(path: &[u8]) -> Vec<u8> {
    path.iter()
        .flat_map(|&byte| std::iter::repeat_n(byte, if byte == b'%' { 2 } else { 1 }))
        .collect()
}

fn class_path(launch: &Launch, folder: &Path) -> io::Result<Vec<OsString>> {
    let joined = launch.class_path.join(":");
    if joined.len() <= LONGEST_ARGUMENT {
        return Ok(vec!["-cp".into(), joined.into()]);
    }
    let path = folder.join(format!("class-path-{}.args", launch.id().0));
    if !path.exists() {
        // Renamed when whole: another VM may start from it right now.
        let unfinished = path.with_extension(format!("{:?}", thread::current().id()));
        std::fs::write(&unfinished, argument_file::text(&["-cp".to_owned(), joined]))?;
        std::fs::rename(&unfinished, &path)?;
    }
    let mut argument = OsString::from("@");
    argument.push(path);
    Ok(vec![argument])
}
