//! How this VM was launched, as far as the process itself can tell; Java's part comes from LaunchFacts.java.

use std::collections::BTreeMap;
use std::fs;

use surefoot_model::event::{PROTOCOL, VmSeen};

/// Facts from Java are triples: section, key, value.
pub(crate) fn vm_seen(loaded_at_ms: u64, java: &[Option<String>]) -> (VmSeen, Vec<String>) {
    let mut seen = process(loaded_at_ms);
    let mut troubles = Vec::new();
    for triple in java.chunks_exact(3) {
        let [Some(section), key, Some(value)] = triple else { continue };
        let key = key.clone().unwrap_or_default();
        let value = value.clone();
        match section.as_str() {
            "property" => drop(seen.properties.insert(key, value)),
            "configuration" => drop(seen.configuration.insert(key, value)),
            "pathing-jar" => seen.pathing_jars.entry(key).or_default().push(value),
            "loader-path" => seen.loader_path.push(value),
            "loader-first" => {
                seen.loader_first = true;
                seen.loader_path.push(value);
            }
            _ => troubles.push(value),
        }
    }
    (seen, troubles)
}

fn process(loaded_at_ms: u64) -> VmSeen {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let command_line = fs::read("/proc/self/cmdline").unwrap_or_default();
    let argv: Vec<String> = command_line
        .strip_suffix(b"\0")
        .unwrap_or(&command_line)
        .split(|byte| *byte == 0)
        .map(text)
        .collect();
    let argument_files = argv
        .iter()
        .filter_map(|argument| argument.strip_prefix('@'))
        .filter_map(|path| Some((path.to_owned(), fs::read_to_string(path).ok()?)))
        .collect();
    VmSeen {
        protocol: PROTOCOL,
        pid: std::process::id(),
        ancestors: ancestors(),
        loaded_at_ms,
        executable: fs::read_link("/proc/self/exe")
            .map(|path| path.to_string_lossy().into_owned())
            .unwrap_or_default(),
        argv,
        argument_files,
        directory: std::env::current_dir()
            .map(|path| path.to_string_lossy().into_owned())
            .unwrap_or_default(),
        environment: std::env::vars_os()
            .map(|(name, value)| {
                (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
            })
            .collect(),
        properties: BTreeMap::new(),
        pathing_jars: BTreeMap::new(),
        loader_path: Vec::new(),
        loader_first: false,
        configuration: BTreeMap::new(),
        pytest: None,
    }
}

/// From the parent up. A chain longer than this is no one's test.
fn ancestors() -> Vec<u32> {
    let parent_of = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The command's name, in parentheses, may hold anything.
        let after_name = stat.rsplit_once(')')?.1;
        after_name.split_whitespace().nth(1)?.parse().ok().filter(|parent| *parent > 0)
    };
    std::iter::successors(Some(std::os::unix::process::parent_id()), parent_of).take(64).collect()
}
