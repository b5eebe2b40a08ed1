use std::fs;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    text: String,
    number: u64,
}

fn note(text: &str) -> Note {
    Note { text: text.to_owned(), number: text.len() as u64 }
}

fn read_bytes(bytes: &[u8]) -> (Vec<Note>, Reading) {
    let mut notes = Vec::new();
    let reading = read_from(bytes, "notes.jsonl", |note| notes.push(note)).unwrap();
    (notes, reading)
}

fn read_file(path: &Path) -> (Vec<Note>, Reading) {
    read_bytes(&fs::read(path).unwrap())
}

fn damage(first_line: u64, last_line: u64, why: &'static str) -> Damage {
    Damage { file: "notes.jsonl".into(), first_line, last_line, why }
}

fn lines(notes: &[Note]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.jsonl");
    let mut appender = Appender::create(&path).unwrap();
    for note in notes {
        appender.append(note).unwrap();
    }
    fs::read(&path).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_file_cut_at_any_byte_yields_exactly_the_records_that_are_whole(
        texts in prop::collection::vec(any::<String>(), 0..6),
    ) {
        let notes: Vec<Note> = texts.iter().map(|text| note(text)).collect();
        let bytes = lines(&notes);
        let ends: Vec<usize> =
            (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
        prop_assert_eq!(ends.len(), notes.len());
        for cut in 0..=bytes.len() {
            let (found, reading) = read_bytes(&bytes[..cut]);
            let whole = ends.iter().filter(|&&end| end <= cut).count();
            prop_assert_eq!(&found[..], &notes[..whole]);
            prop_assert_eq!(&reading.damages, &[]);
            let between_lines = cut == 0 || ends.iter().any(|&end| cut == end || cut == end + 1);
            prop_assert_eq!(reading.truncated, !between_lines);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_fail(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_bytes(&bytes);
    }
}

#[test]
fn a_file_that_is_cut_at_any_byte_and_appended_to_loses_only_the_torn_line() {
    let notes = [note("first"), note("zwei \u{1f9e6}\nlines"), note("\u{1b}[31m\"third\"")];
    let bytes = lines(&notes);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.jsonl");
    for cut in 0..=bytes.len() {
        fs::write(&path, &bytes[..cut]).unwrap();
        let (mut expected, before) = read_file(&path);

        for text in ["after the kill", "and another"] {
            Appender::reopen(&path).unwrap().append(&note(text)).unwrap();
            expected.push(note(text));
        }

        let (found, after) = read_file(&path);
        assert_eq!(found, expected, "cut at {cut}");
        assert!(!after.truncated);
        assert_eq!(after.damages.len(), usize::from(before.truncated), "cut at {cut}");
    }
}

#[test]
fn a_damaged_line_in_the_middle_is_skipped_and_named() {
    let mut bytes = lines(&[note("one")]);
    bytes.extend(b"{\"text\": oops\n\xff\xfe\n\xff\n{\"text\":\"no number\"}\n\n");
    bytes.extend(lines(&[note("two")]));
    let (found, reading) = read_bytes(&bytes);
    assert_eq!(found, [note("one"), note("two")]);
    assert_eq!(
        reading.damages,
        [
            damage(2, 2, "not JSON"),
            damage(3, 4, "not UTF-8"),
            damage(5, 5, "not a record that this Surefoot knows"),
        ]
    );
    let words: Vec<String> = reading.damages.iter().map(Damage::to_string).collect();
    assert_eq!(words[0], "notes.jsonl line 2 is damaged: skipped (not JSON)");
    assert_eq!(words[1], "notes.jsonl lines 3 to 4 are damaged: skipped (not UTF-8)");
}

#[test]
fn a_damage_does_not_quote_the_line() {
    let (_, reading) = read_bytes(b"{\"text\":\"x\",\"number\":\"hunter2\"}\n");
    assert_eq!(reading.damages.len(), 1);
    assert!(!reading.damages[0].to_string().contains("hunter2"));
}

#[test]
fn a_line_of_absurd_length_is_skipped() {
    let mut bytes = vec![b'x'; LONGEST_LINE + 1];
    bytes.push(b'\n');
    bytes.extend(lines(&[note("still read")]));
    bytes.extend(vec![b'y'; LONGEST_LINE + 1]);
    let (found, reading) = read_bytes(&bytes);
    assert_eq!(found, [note("still read")]);
    let why = "longer than any record";
    assert_eq!(reading.damages, [damage(1, 1, why), damage(3, 3, why)]);
}

#[test]
fn deeply_nested_json_is_a_damage_and_no_crash() {
    let mut bytes = br#"{"number":0,"text":"#.to_vec();
    bytes.extend(vec![b'['; 1 << 20]);
    bytes.push(b'\n');
    assert_eq!(read_bytes(&bytes).1.damages.len(), 1);
}

/// `/dev/full` has no room, ever.
#[test]
fn a_full_disk_is_reported_with_advice_and_the_next_record_starts_a_new_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.jsonl");
    fs::write(&path, b"{\"text\":\"half a li").unwrap();

    let full = OpenOptions::new().append(true).open("/dev/full").unwrap();
    let mut appender = Appender { file: full, path: path.clone(), torn: false };
    let error = appender.append(&note("lost")).unwrap_err();
    assert!(error.to_string().contains("make room"), "{error}");

    appender.file = OpenOptions::new().append(true).open(&path).unwrap();
    appender.append(&note("room again")).unwrap();
    let (found, reading) = read_file(&path);
    assert_eq!(found, [note("room again")]);
    assert_eq!(reading.damages.len(), 1);
}
