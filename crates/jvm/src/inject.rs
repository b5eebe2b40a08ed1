//! How every VM that a command starts comes to load the agent: through `JAVA_TOOL_OPTIONS`, which each reads by itself.

use std::fmt::Write as _;
use std::path::Path;

use crate::AgentFile;

pub const VARIABLE: &str = "JAVA_TOOL_OPTIONS";

/// The variable's value for a watched command: what the user has there, and our agent.
pub fn watch_options(user: Option<&str>, agent: &AgentFile, folder: &Path) -> String {
    let ours = quote(&format!("{}watch={}", agent_option(agent), escape(folder)));
    match user.map(str::trim).filter(|user| !user.is_empty()) {
        Some(user) => format!("{user} {ours}"),
        None => ours,
    }
}

/// What the user had in the variable before we added to it; none if nothing.
pub fn without_agent(options: &str) -> Option<String> {
    let start = options.rfind("-agentpath:").filter(|at| options[*at..].contains("=watch="))?;
    let before = options[..start].trim_end_matches(['"', ' ']);
    (!before.is_empty()).then(|| before.to_owned())
}

/// The option for a worker's command line.
pub(crate) fn work_option(agent: &AgentFile, socket: i32) -> String {
    format!("{}work={socket}", agent_option(agent))
}

fn agent_option(agent: &AgentFile) -> String {
    format!("-agentpath:{}=", agent.path().display())
}

/// The VM takes quoted strings in the variable, but no escapes.
fn quote(option: &str) -> String {
    if option.contains(char::is_whitespace) { format!("\"{option}\"") } else { option.to_owned() }
}

/// `%20` for everything that the VM or we could take for something else.
fn escape(path: &Path) -> String {
    let mut escaped = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-+@:".contains(byte) {
            escaped.push(char::from(*byte));
        } else {
            write!(escaped, "%{byte:02x}").expect("writing to a string");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> AgentFile {
        AgentFile::unpack_into(&tempfile::tempdir().unwrap().path().join("x")).unwrap()
    }

    #[test]
    fn the_users_options_are_kept_and_come_first() {
        let agent = agent();
        let options = watch_options(Some("-Xmx1g -Da='b c'"), &agent, Path::new("/p q/.surefoot"));
        assert!(options.starts_with("-Xmx1g -Da='b c' -agentpath:"), "{options}");
        assert!(options.ends_with("=watch=/p%20q/.surefoot"), "{options}");
        assert_eq!(without_agent(&options).as_deref(), Some("-Xmx1g -Da='b c'"));
    }

    #[test]
    fn without_options_of_the_users_nothing_is_left() {
        let agent = agent();
        for user in [None, Some(""), Some("  ")] {
            let options = watch_options(user, &agent, Path::new("/p"));
            assert_eq!(without_agent(&options), None);
        }
        assert_eq!(without_agent("-Xmx1g"), None);
    }
}
