//! What the agent is loaded with: `watch=DIR` or `work=FD`.

use std::path::PathBuf;

use crate::percent;

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
                Some(Options::Watch { folder: PathBuf::from(percent::decoded(value)?) })
            }
            "work" => Some(Options::Work {
                socket: value.parse().ok().filter(|socket| *socket > STDERR)?,
            }),
            _ => None,
        }
    }
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
