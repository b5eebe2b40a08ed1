//! The `@file`s of the java launcher: options in a file, with its own rules for quotes.

use std::collections::BTreeMap;

/// The command line as the VM gets it: each `@file` replaced by the arguments in its text. One whose text is unknown stays.
pub(crate) fn expand(argv: &[String], files: &BTreeMap<String, String>) -> Vec<String> {
    let mut expanded = Vec::new();
    for argument in argv {
        match argument.strip_prefix('@') {
            // `@@x` is the argument `@x`.
            Some(escaped) if escaped.starts_with('@') => expanded.push(escaped.to_owned()),
            Some(path) if files.contains_key(path) => expanded.extend(arguments(&files[path])),
            _ => expanded.push(argument.clone()),
        }
    }
    expanded
}

/// White space separates; quotes keep it; in quotes a backslash escapes, and at the end of a line it continues the line;
/// `#` starts a comment.
fn arguments(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (None, '#') if current.is_none() => {
                while characters.peek().is_some_and(|c| *c != '\n') {
                    characters.next();
                }
            }
            (None, c) if c.is_whitespace() => found.extend(current.take()),
            (None, '"' | '\'') => {
                quote = Some(c);
                current.get_or_insert_default();
            }
            (Some(q), c) if c == q => quote = None,
            (Some(_), '\\') => match characters.next() {
                Some('n') => current.get_or_insert_default().push('\n'),
                Some('r') => current.get_or_insert_default().push('\r'),
                Some('t') => current.get_or_insert_default().push('\t'),
                Some('f') => current.get_or_insert_default().push('\u{c}'),
                Some('\n') => {
                    while characters.peek().is_some_and(|c| *c == ' ' || *c == '\t') {
                        characters.next();
                    }
                }
                Some(other) => current.get_or_insert_default().push(other),
                None => {}
            },
            (_, c) => current.get_or_insert_default().push(c),
        }
    }
    found.extend(current);
    found
}

/// The text of an argument file with these arguments, one a line.
pub(crate) fn text(arguments: &[String]) -> String {
    let quoted = arguments.iter().map(|argument| {
        let escaped = argument
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('\r', "\\r")
            .replace('\t', "\\t");
        format!("\"{escaped}\"\n")
    });
    quoted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_file_is_read_as_the_launcher_does() {
        let text = "-cp \"a b:\\\\c\" # comment\n-Dx='y z'\n\"con\\\n   tinued\" -Xmx1g";
        assert_eq!(arguments(text), strings(&["-cp", "a b:\\c", "-Dx=y z", "continued", "-Xmx1g"]));
    }

    #[test]
    fn known_files_are_expanded_and_others_stay() {
        let files = BTreeMap::from([("f".to_owned(), "-a -b".to_owned())]);
        let argv = strings(&["java", "@f", "@unknown", "@@literal", "Main"]);
        assert_eq!(
            expand(&argv, &files),
            strings(&["java", "-a", "-b", "@unknown", "@literal", "Main"])
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(given in proptest::collection::vec(any::<String>(), 0..6)) {
            prop_assert_eq!(arguments(&text(&given)), given);
        }
    }
}
