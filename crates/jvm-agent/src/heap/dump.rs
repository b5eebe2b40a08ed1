//! A state written down for people.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use surefoot_state::{Graph, Words, triples};

/// One line for each edge.
pub(crate) fn write(path: &Path, graph: &Graph, words: Words<'_>) -> io::Result<()> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    let mut file = BufWriter::new(file);
    for triple in triples(graph, words) {
        writeln!(file, "{triple}")?;
    }
    file.flush()
}
