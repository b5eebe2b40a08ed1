//! What is known about where text goes.

use anstyle::{AnsiColor, Style};

/// How text for people is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// In columns.
    pub width: usize,
    pub colour: bool,
}

/// Below this, lines would hold nothing but dots.
const NARROWEST: usize = 40;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();

impl Terminal {
    pub(crate) fn columns(self) -> usize {
        self.width.max(NARROWEST)
    }

    /// `text` must have its final width: styles take none, but cannot be measured either.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}
