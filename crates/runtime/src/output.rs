//! What a worker prints: read to the end so that it never blocks, and only the last of it kept.

use std::collections::VecDeque;
use std::io::{PipeReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// A gigabyte of output must not become a gigabyte of memory.
const KEPT: usize = 16 * 1024;

#[derive(Debug, Clone, Default)]
pub(crate) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads until every process that holds the other end is gone.
    pub(crate) fn follow(&self, mut pipe: PipeReader) {
        let tail = self.clone();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 64 * 1024];
            while let Ok(length) = pipe.read(&mut buffer) {
                if length == 0 {
                    break;
                }
                tail.push(&buffer[..length]);
            }
        });
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&bytes[bytes.len().saturating_sub(KEPT)..]);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }

    pub(crate) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept.iter().copied().collect::<Vec<u8>>()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Tail::default();
        for n in 0..100_000 {
            tail.push(format!("{n}\n").as_bytes());
        }
        let text = tail.text();
        assert_eq!(text.len(), KEPT);
        assert!(text.ends_with("99998\n99999\n"));
    }

    #[test]
    fn garbage_is_text_all_the_same() {
        let tail = Tail::default();
        tail.push(&[0xff, b'a']);
        assert_eq!(tail.text(), "\u{fffd}a");
    }
}
