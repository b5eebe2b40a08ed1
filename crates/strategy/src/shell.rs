//! Commands that people copy into a shell.

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
    use super::*;

    #[test]
    fn a_command_to_reproduce_survives_the_shell() {
        assert_eq!(quoted("a.B#c"), "a.B#c");
        assert_eq!(quoted("tests/test_a.py::test_b"), "tests/test_a.py::test_b");
        assert_eq!(quoted("a.B#c(int)[1]"), "'a.B#c(int)[1]'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("a\nb'é"), "$'a\\x0ab\\'é'");
    }
}
