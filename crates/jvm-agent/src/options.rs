//! What the agent is loaded with: `watch=DIR` or `work=FD`.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Options {
    /// Tell what happens in a new file in this folder.
    Watch { folder: PathBuf },
    /// Take commands from, and tell what happens on, this inherited socket.
    Work { socket: i32 },
}

/// Descriptors up to this one are the user's.
const STDERR: i32 = 2;

impl Options {
    pub(crate) fn parse(text: &str) -> Option<Options> {
        let (name, value) = text.split_once('=')?;
        match name {
            "watch" if !value.is_empty() => {
                Some(Options::Watch { folder: PathBuf::from(unescape(value)?) })
            }
            "work" => Some(Options::Work {
                socket: value.parse().ok().filter(|socket| *socket > STDERR)?,
            }),
            _ => None,
        }
    }
}

/// `%20` and its like: the VM splits `JAVA_TOOL_OPTIONS` at white space.
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let digits = after.get(..2).and_then(|d| std::str::from_utf8(d).ok())?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_may_have_any_characters() {
        let parsed = Options::parse("watch=/a%20b/%25c%27");
        assert_eq!(parsed, Some(Options::Watch { folder: PathBuf::from("/a b/%c'") }));
    }

    #[test]
    fn nonsense_is_no_options() {
        for text in [
            "",
            "watch",
            "work=x",
            "work=-1",
            "work=1",
            "play=1",
            "watch=%4",
            "watch=%zz",
            "watch=%ff",
            "watch=",
        ] {
            assert_eq!(Options::parse(text), None, "{text}");
        }
    }
}
