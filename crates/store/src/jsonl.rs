//! JSON lines that survive a kill at any byte.
//!
//! Each record is one line, handed to the system in one `write`. A kill can therefore tear the last line
//! and no other. The reader takes a last line that has lost nothing but its end of line: no proper prefix
//! of a JSON object is one, so what parses is whole. The writer starts a new line after a torn one, so
//! that the torn one alone is lost.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::damage::Damage;
use crate::error::StoreError;
use crate::files::private_file;

/// No record comes near it. A longer line is skipped without being held in memory.
const LONGEST_LINE: usize = 16 << 20;

#[derive(Debug)]
pub(crate) struct Appender {
    file: File,
    path: PathBuf,
    /// The file ends, or may end, in the middle of a line.
    torn: bool,
}

impl Appender {
    pub(crate) fn create(path: &Path) -> Result<Self, StoreError> {
        let file =
            private_file().append(true).open(path).map_err(StoreError::io("create", path))?;
        Ok(Appender { file, path: path.to_owned(), torn: false })
    }

    pub(crate) fn reopen(path: &Path) -> Result<Self, StoreError> {
        let open = || {
            let mut file = OpenOptions::new().read(true).append(true).open(path)?;
            let torn = ends_in_a_line(&mut file)?;
            Ok(Appender { file, path: path.to_owned(), torn })
        };
        open().map_err(StoreError::io("open", path))
    }

    pub(crate) fn append<T: Serialize>(&mut self, record: &T) -> Result<(), StoreError> {
        let mut line = Vec::new();
        if self.torn {
            line.push(b'\n');
        }
        serde_json::to_writer(&mut line, record)
            .map_err(io::Error::from)
            .and_then(|()| {
                line.push(b'\n');
                // Until all of it is out: a full disk may take half a line.
                self.torn = true;
                self.file.write_all(&line)
            })
            .map_err(StoreError::io("write", &self.path))?;
        self.torn = false;
        Ok(())
    }
}

fn ends_in_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// What reading a file showed beside its records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) damages: Vec<Damage>,
    /// The last line is torn, as a kill leaves it.
    pub(crate) truncated: bool,
}

impl Reading {
    fn skip(&mut self, file: &str, line: u64, why: &'static str) {
        match self.damages.last_mut() {
            Some(last) if last.last_line + 1 == line && last.why == why => last.last_line = line,
            _ => self.damages.push(Damage {
                file: file.to_owned(),
                first_line: line,
                last_line: line,
                why,
            }),
        }
    }
}

/// Reads a file record by record. `name` is what damages call it.
pub(crate) fn read<T: DeserializeOwned>(
    path: &Path,
    name: &str,
    take: impl FnMut(T),
) -> Result<Reading, StoreError> {
    File::open(path)
        .and_then(|file| read_from(BufReader::with_capacity(1 << 16, file), name, take))
        .map_err(StoreError::io("read", path))
}

fn read_from<T: DeserializeOwned>(
    mut from: impl BufRead,
    name: &str,
    mut take: impl FnMut(T),
) -> io::Result<Reading> {
    let mut reading = Reading::default();
    let mut line = Vec::new();
    for number in 1.. {
        let end = next_line(&mut from, &mut line)?;
        match end {
            LineEnd::NoLine => break,
            LineEnd::TooLong => reading.skip(name, number, "longer than any record"),
            // What a writer leaves that did not know whether its last line was torn.
            LineEnd::Whole if line.is_empty() => {}
            LineEnd::Whole | LineEnd::Missing => match parse(&line) {
                Ok(record) => take(record),
                Err(_) if end == LineEnd::Missing => reading.truncated = true,
                Err(why) => reading.skip(name, number, why),
            },
        }
    }
    Ok(reading)
}

/// The parser's own message would quote the line, and with it secrets.
fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, &'static str> {
    let text = str::from_utf8(line).map_err(|_| "not UTF-8")?;
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => "not a record that this Surefoot knows",
        Category::Syntax | Category::Eof | Category::Io => "not JSON",
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    /// The line and its end are there.
    Whole,
    /// The file ends before the line does.
    Missing,
    TooLong,
    NoLine,
}

/// The next line, without its end, into `line`.
fn next_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<LineEnd> {
    line.clear();
    let most = LONGEST_LINE as u64 + 1;
    let length = from.by_ref().take(most).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(LineEnd::Whole);
    }
    if length == 0 {
        return Ok(LineEnd::NoLine);
    }
    if length as u64 == most {
        from.skip_until(b'\n')?;
        return Ok(LineEnd::TooLong);
    }
    Ok(LineEnd::Missing)
}

#[cfg(test)]
mod tests;
