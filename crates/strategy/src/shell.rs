//! Commands that people copy into a shell.

use std::str::CharIndices;

/// The words of a command that [`quoted`] made fit for a shell; none if it was made otherwise.
pub fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = command.trim_start();
    while !rest.is_empty() {
        let (word, behind) = word(rest)?;
        words.push(word);
        rest = behind.trim_start_matches(' ');
    }
    Some(words)
}

/// The first word, and what comes after it.
fn word(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' => return Some((word, &text[at..])),
            '$' => {
                (chars.next()?.1 == '\'').then_some(())?;
                escaped(&mut chars, &mut word)?;
            }
            '\'' => loop {
                match chars.next()?.1 {
                    '\'' => break,
                    c => word.push(c),
                }
            },
            '\\' => word.push(chars.next()?.1),
            c => word.push(c),
        }
    }
    Some((word, ""))
}

/// Up to the quote that ends `$'…'`.
fn escaped(chars: &mut CharIndices<'_>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()?.1 {
            '\'' => return Some(()),
            '\\' => match chars.next()?.1 {
                'x' => {
                    let digits: String = chars.by_ref().take(2).map(|(_, c)| c).collect();
                    word.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
                }
                c => word.push(c),
            },
            c => word.push(c),
        }
    }
}

/// As a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-#/:".contains(c);
    if word.chars().any(char::is_control) {
        let escaped: String = word
            .chars()
            .map(|c| match c {
                '\'' | '\\' => format!("\\{c}"),
                c if c.is_ascii_control() => format!("\\x{:02x}", c as u32),
                c => c.to_string(),
            })
            .collect();
        format!("$'{escaped}'")
    } else if word.chars().all(plain) && !word.starts_with('#') {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_made_for_a_shell_can_be_read_back(one in "\\PC*|[a#'\"$ \\x00-\\x1f\\\\]+", other in ".+") {
            let command = format!("surefoot run {} --order {}", quoted(&one), quoted(&other));
            let expected = ["surefoot", "run", &one, "--order", &other].map(str::to_owned);
            let expected: Vec<String> = expected.into_iter().filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(words(&command), Some(expected));
        }
    }

    #[test]
    fn half_a_command_is_no_command() {
        for half in ["surefoot run 'a", "surefoot run $'a", "surefoot run $a", "surefoot run a\\"] {
            assert_eq!(words(half), None, "{half}");
        }
    }

    #[test]
    fn a_command_to_reproduce_survives_the_shell() {
        assert_eq!(quoted("a.B#c"), "a.B#c");
        assert_eq!(quoted("tests/test_a.py::test_b"), "tests/test_a.py::test_b");
        assert_eq!(quoted("a.B#c(int)[1]"), "'a.B#c(int)[1]'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("a\nb'é"), "$'a\\x0ab\\'é'");
    }
}
