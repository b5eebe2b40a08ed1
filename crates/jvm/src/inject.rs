//! How every VM that a command starts comes to load the agent: through `JAVA_TOOL_OPTIONS`, which each reads by itself.

use std::collections::BTreeMap;
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

/// What the variable holds besides our agent; none if nothing.
pub fn without_agent(options: &str) -> Option<String> {
    let rest = match agent_at(options) {
        Some((start, end)) => {
            format!("{} {}", options[..start].trim_end(), options[end..].trim_start())
        }
        None => options.to_owned(),
    };
    let rest = rest.trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The environment as the user's command had it before we added the agent.
pub fn restore(environment: &mut BTreeMap<String, String>) {
    if let Some(options) = environment.remove(VARIABLE)
        && let Some(users) = without_agent(&options)
    {
        environment.insert(VARIABLE.to_owned(), users);
    }
}

/// Where our option is, with its quotes.
fn agent_at(options: &str) -> Option<(usize, usize)> {
    for (start, _) in options.match_indices("-agentpath:") {
        let quoted = options[..start].ends_with('"');
        let length = if quoted {
            options[start..].find('"').map_or(options.len() - start, |at| at + 1)
        } else {
            options[start..].find(char::is_whitespace).unwrap_or(options.len() - start)
        };
        if options[start..start + length].contains("=watch=") {
            return Some((start - usize::from(quoted), start + length));
        }
    }
    None
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
    }

    #[test]
    fn quotes_and_what_others_added_are_the_users() {
        let agent = agent();
        let ours = watch_options(Some("-Dx=\"b c\""), &agent, Path::new("/p"));
        assert_eq!(without_agent(&ours).as_deref(), Some("-Dx=\"b c\""));
        assert_eq!(
            without_agent(&format!("{ours} -Dlater=1")).as_deref(),
            Some("-Dx=\"b c\" -Dlater=1")
        );
        let spaced = "-Da=1 \"-agentpath:/a b/c.so=watch=/p\" -Db=2";
        assert_eq!(without_agent(spaced).as_deref(), Some("-Da=1 -Db=2"));
        let others = "-agentpath:/profiler.so=start";
        assert_eq!(without_agent(others).as_deref(), Some(others));
    }
}
