//! The only place that prints. Reports go to stdout, everything else to stderr.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use surefoot_model::TestId;
use surefoot_report::Terminal;

use crate::args::Color;

/// Without a terminal, as wide as a terminal was once made.
const COLUMNS: usize = 80;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Console {
    verbose: u8,
}

impl Console {
    pub(crate) fn new(color: Color, verbose: u8) -> Console {
        match color {
            // anstream heeds NO_COLOR, CLICOLOR_FORCE and whether there is a terminal.
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Console { verbose }
    }

    /// How to lay out a report. Colours are always laid in; the stream takes out what is not wanted.
    pub(crate) fn terminal(self) -> Terminal {
        let width = terminal_size::terminal_size_of(std::io::stdout())
            .map(|(width, _)| usize::from(width.0));
        Terminal { width: width.unwrap_or(COLUMNS), colour: true }
    }

    /// What the user asked for.
    pub(crate) fn report(self, text: &str) -> Result<()> {
        let mut stdout = anstream::stdout();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            // A reader that went away (`| head`) has what it wanted.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.context("cannot write the report to the standard output"),
        }
    }

    pub(crate) fn say(self, what: &str) {
        let _ = writeln!(anstream::stderr(), "surefoot: {what}");
    }

    pub(crate) fn detail(self, what: impl FnOnce() -> String) {
        if self.verbose > 0 {
            self.say(&what());
        }
    }

    pub(crate) fn warn(self, what: &str) {
        self.say(&format!("\u{1b}[33mwarning\u{1b}[0m: {what}"));
    }

    pub(crate) fn error(self, error: &anyhow::Error) {
        let mut text = error.to_string();
        for cause in error.chain().skip(1) {
            let cause = cause.to_string().trim_end().to_owned();
            // Some errors repeat what is below them.
            if !text.contains(&cause) {
                text.push_str(&format!("\n  because: {cause}"));
            }
        }
        self.say(&format!("\u{1b}[31merror\u{1b}[0m: {text}"));
    }

    pub(crate) fn progress(self, name: &str, total: usize) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            let template = "{prefix} [{bar:30}] {pos}/{len} {msg}, {eta} left";
            bar.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar.set_prefix(name.to_owned());
            bar.set_message("runs");
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Progress { console: self, name: name.to_owned(), total, done: 0, said: Instant::now(), bar }
    }
}

/// Where lines stay, more of them would hide what they are between.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// How far the experiments are: a line that moves on a terminal; elsewhere a line now and then, and one at the end.
#[derive(Debug)]
pub(crate) struct Progress {
    console: Console,
    name: String,
    total: usize,
    done: usize,
    /// When a line was last said.
    said: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// One more run is done; `notes` is what the user should know by now.
    pub(crate) fn advance(&mut self, notes: &dyn Display) {
        self.done += 1;
        self.show(notes);
    }

    /// One run fewer is to be done.
    pub(crate) fn leave_out(&mut self, notes: &dyn Display) {
        self.total -= 1;
        self.show(notes);
    }

    fn show(&mut self, notes: &dyn Display) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(notes.to_string());
                bar.set_length(self.total as u64);
                bar.set_position(self.done as u64);
            }
            None if self.done == self.total || self.said.elapsed() >= BETWEEN_LINES => {
                self.said = Instant::now();
                self.console
                    .say(&format!("{}: {} of {} {notes}", self.name, self.done, self.total));
            }
            None => {}
        }
    }

    /// Something to say while the line moves.
    pub(crate) fn detail(&self, what: impl FnOnce() -> String) {
        self.around(|| self.console.detail(what));
    }

    pub(crate) fn warn(&self, what: &str) {
        self.around(|| self.console.warn(what));
    }

    fn around(&self, say: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// More names would hide the findings.
const MOST_NAMED: usize = 3;

/// The first of them, and how many more there are.
pub(crate) fn named<'a>(tests: impl ExactSizeIterator<Item = &'a TestId>) -> String {
    let more = tests.len().saturating_sub(MOST_NAMED);
    let named: Vec<&str> = tests.take(MOST_NAMED).map(TestId::as_str).collect();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    named.join(", ") + &more
}

/// Unix time in seconds, for the store.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
