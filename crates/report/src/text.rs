//! Text of any origin made fit to print: names, messages and values come from the user's tests, and may
//! hold anything.

use std::fmt::Write;
use std::time::Duration;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(crate) const CUT: &str = "…";

/// Columns that printable text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Without anything that would move the cursor, colour the terminal or reorder the line.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if c.is_control() || moves_text(c) => {
                // Writing to a string does not fail. As Java writes it: `\u001b`.
                let _ = write!(shown, "\\u{:04x}", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    shown
}

/// Line and paragraph separators, and the marks that change the direction of writing.
fn moves_text(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{061c}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The first line with words in it, printable.
pub(crate) fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    printable(line.trim())
}

/// Printable text cut at its end to `most` columns.
pub(crate) fn cut_end(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let start = start_of(text, most.saturating_sub(1));
    format!("{}{CUT}", start.trim_end())
}

/// Printable text cut in its middle to `most` columns.
pub(crate) fn cut_middle(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    let start = start_of(text, room / 2);
    let end = end_of(text, room - width(start));
    format!("{start}{CUT}{end}")
}

/// Printable text within `most` columns. What is called how tells most: the packages of classes give way first, then the end.
pub(crate) fn cut_text(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split(' ').map(without_package).collect();
    cut_end(&words.join(" "), most)
}

/// The same for a path and what happened there, which is at its end: the middle of the path gives way after the packages.
pub(crate) fn cut_path(text: &str, most: usize) -> String {
    /// Of a path, at least.
    const LEAST: usize = 24;
    if width(text) <= most {
        return text.to_owned();
    }
    let mut words: Vec<String> =
        text.split(' ').map(|word| without_package(word).to_owned()).collect();
    let over = width(&words.join(" ")).saturating_sub(most);
    let path = words.iter_mut().filter(|word| word.contains('.')).max_by_key(|word| width(word));
    if let Some(path) = path
        && let Some(room) = width(path).checked_sub(over).filter(|room| *room >= LEAST)
    {
        *path = cut_middle(path, room);
    }
    cut_end(&words.join(" "), most)
}

/// `Shop.open` of `com.acme.Shop.open`
fn without_package(word: &str) -> &str {
    let is_package = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut rest = word;
    while let Some((part, after)) = rest.split_once('.')
        && is_package(part)
    {
        rest = after;
    }
    if rest.starts_with(|c: char| c.is_ascii_uppercase()) { rest } else { word }
}

/// A test's id, printable and within `most` columns. Class, method and number of a case tell most: the
/// package gives way first, then the types of parameters, then the middle of the rest.
pub(crate) fn test_name(id: &str, most: usize) -> String {
    let id = printable(id);
    if width(&id) <= most {
        return id;
    }
    let class_end = id.find(['#', '(', '[', ' ']).unwrap_or(id.len());
    // The directories of a node id of pytest are its package.
    let (class_end, dot) = match id[..class_end].find("::") {
        Some(file_end) => (file_end, '/'),
        None => (class_end, '.'),
    };
    let (package, rest) = id.split_at(id[..class_end].rfind(dot).map_or(0, |at| at + 1));
    match most.checked_sub(width(rest) + 1) {
        Some(room) => format!("{}{CUT}{rest}", start_of(package, room)),
        None => cut_middle(&without_parameters(rest), most),
    }
}

/// `CartTest#total(…)[2]`
fn without_parameters(name: &str) -> String {
    let Some((before, after)) = name.split_once('(') else {
        return name.to_owned();
    };
    match after.split_once(')') {
        Some((parameters, after)) if before.contains('#') && !parameters.is_empty() => {
            format!("{before}({CUT}){after}")
        }
        _ => name.to_owned(),
    }
}

fn start_of(text: &str, most: usize) -> &str {
    let mut end = 0;
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > most {
            break;
        }
        end = at + c.len_utf8();
    }
    fitting(text[..end].char_indices().rev().map(|(at, _)| &text[..at]), &text[..end], most)
}

fn end_of(text: &str, most: usize) -> &str {
    let mut start = text.len();
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > most {
            break;
        }
        start = at;
    }
    let end = &text[start..];
    fitting(end.char_indices().map(|(at, c)| &end[at + c.len_utf8()..]), end, most)
}

/// Some sequences of characters are wider than the sum of their parts.
fn fitting<'a>(shorter: impl Iterator<Item = &'a str>, text: &'a str, most: usize) -> &'a str {
    std::iter::once(text).chain(shorter).find(|text| width(text) <= most).unwrap_or_default()
}

/// Printable text broken at spaces into at most `most_lines` lines of `columns`; what does not fit is cut
/// from the last one.
pub(crate) fn wrap(text: &str, columns: usize, most_lines: usize) -> Vec<String> {
    let lines = broken(text, columns, most_lines);
    lines.into_iter().map(|line| cut_end(&line, columns)).collect()
}

/// The same with as many lines as it takes, and nothing cut: a word that is wider stands in a line of its own.
pub(crate) fn wrap_whole(text: &str, columns: usize) -> Vec<String> {
    broken(text, columns, usize::MAX)
}

fn broken(text: &str, columns: usize, most_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last = lines.len() == most_lines;
        match lines.last_mut() {
            Some(line) if is_last || width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// `text` and spaces up to `columns`.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Spaces up to `columns`, and `text`.
pub(crate) fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 4 min`.
pub(crate) fn duration(duration: Duration) -> String {
    let ms = duration.as_millis();
    let seconds = duration.as_secs();
    match seconds {
        _ if ms == 0 && !duration.is_zero() => "<1 ms".to_owned(),
        _ if ms < 1000 => format!("{ms} ms"),
        // Cut, not rounded: 9.96 s are not 10.0 s.
        0..60 => format!("{seconds}.{} s", ms % 1000 / 100),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// `   (+3 more tests)`, behind the name of the first.
pub(crate) fn more_tests(more: usize) -> String {
    if more == 0 { String::new() } else { format!("   (+{more} more {})", plural(more, "test")) }
}

pub(crate) fn plural(number: usize, one: &str) -> String {
    if number == 1 { one.to_owned() } else { format!("{one}s") }
}

/// `1 test`, `2 tests`.
pub(crate) fn several(number: usize, one: &str) -> String {
    format!("{number} {}", plural(number, one))
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn control_characters_and_marks_of_direction_are_escaped() {
        assert_eq!(printable("a\u{1b}[31mb\nc\td\r"), "a\\u001b[31mb\\nc\\td\\r");
        assert_eq!(printable("\u{9b}\u{7f}\u{202e}\u{2028}"), "\\u009b\\u007f\\u202e\\u2028");
        assert_eq!(printable("C:\\temp \u{e9}\u{1f9e6}"), "C:\\temp \u{e9}\u{1f9e6}");
    }

    #[test]
    fn a_long_test_name_loses_its_package_before_its_class_and_method() {
        let id = "com.acme.shop.checkout.CartTest#total(int)[2]";
        assert_eq!(test_name(id, 45), id);
        assert_eq!(test_name(id, 34), "com.acme.sh…CartTest#total(int)[2]");
        assert_eq!(test_name(id, 23), "…CartTest#total(int)[2]");
        assert_eq!(test_name(id, 22), "CartTest#total(…)[2]");
        let node = "tests/unit/test_cart.py::TestTotal::test_adds[1.5-2]";
        assert_eq!(test_name(node, 46), "test…test_cart.py::TestTotal::test_adds[1.5-2]");
        assert_eq!(test_name(id, 16), "CartTes…al(…)[2]");
    }

    #[test]
    fn packages_give_way_before_what_is_said_of_their_classes() {
        let text = "leaves com.acme.shop.Cart.lines changed";
        assert_eq!(cut_text(text, 39), text);
        assert_eq!(cut_text(text, 38), "leaves Cart.lines changed");
        assert_eq!(cut_text(text, 20), "leaves Cart.lines c…");
        assert_eq!(
            cut_text("java.lang.AssertionError: a.b was 1", 30),
            "AssertionError: a.b was 1"
        );
        assert_eq!(cut_text("shop.cart.RATES was added", 20), "RATES was added");
    }

    #[test]
    fn a_path_gives_way_in_its_middle_before_what_happened_there() {
        let text = "shop.prices.rate_of.__closure__.content.kept[0] was added: 7";
        assert_eq!(cut_path(text, 60), text);
        assert_eq!(cut_path(text, 44), "shop.prices.rat…content.kept[0] was added: 7");
        assert_eq!(cut_path(text, 30), "shop.prices.rate_of.__closure…");
        assert_eq!(cut_path("com.acme.Shop.open: true → false", 26), "Shop.open: true → false");
    }

    #[test]
    fn a_test_name_without_a_package_is_cut_in_the_middle() {
        assert_eq!(test_name("a display name. With dots", 11), "a dis… dots");
        assert_eq!(test_name("", 11), "");
    }

    #[test]
    fn no_cut_is_wider_than_asked_for() {
        let texts = [
            "日本語のテスト名前はとても長い",
            "com.例え.日本語Test#テスト(int)[2]",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{2764}\u{fe0f}\u{2764}\u{fe0f}\u{2764}\u{fe0f}\u{2764}\u{fe0f}",
        ];
        for text in texts {
            for most in 1..40 {
                for cut in [cut_end(text, most), cut_middle(text, most), test_name(text, most)] {
                    assert!(width(&cut) <= most, "{cut:?} in {most}");
                }
            }
        }
    }

    #[test]
    fn wrapped_text_keeps_to_its_lines() {
        assert_eq!(wrap("one two three four", 9, 3), ["one two", "three", "four"]);
        assert_eq!(wrap("one two three four", 9, 2), ["one two", "three fo…"]);
        assert_eq!(wrap("incomprehensibilities", 9, 2), ["incompre…"]);
        let whole = wrap_whole("two incomprehensibilities are one too many", 9);
        assert_eq!(whole, ["two", "incomprehensibilities", "are one", "too many"]);
        assert_eq!(wrap(" ", 9, 2), [] as [&str; 0]);
    }

    #[test]
    fn durations_have_one_unit_that_suits_them() {
        let shown = |ms| duration(Duration::from_millis(ms));
        assert_eq!(duration(Duration::from_micros(3)), "<1 ms");
        assert_eq!(shown(0), "0 ms");
        assert_eq!(shown(999), "999 ms");
        assert_eq!(shown(1250), "1.2 s");
        assert_eq!(shown(59_999), "59.9 s");
        assert_eq!(shown(125_000), "2 min 5 s");
        assert_eq!(shown(3_840_000), "1 h 4 min");
    }
}
