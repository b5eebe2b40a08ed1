//! Columns of text that line up.

use crate::terminal::{FAINT, Terminal};
use crate::text::{cut_end, pad, pad_left, width};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// The width that each column needs. Cells must be printable.
pub(crate) fn widths<'a, const N: usize>(
    rows: impl IntoIterator<Item = &'a [String; N]>,
) -> [usize; N] {
    let mut widths = [0; N];
    for row in rows {
        for (most, cell) in widths.iter_mut().zip(row) {
            *most = width(cell).max(*most);
        }
    }
    widths
}

/// The cells at their final widths.
pub(crate) fn aligned<const N: usize>(
    row: &[String; N],
    widths: [usize; N],
    align: [Align; N],
) -> [String; N] {
    std::array::from_fn(|at| match align[at] {
        Align::Left => pad(&row[at], widths[at]),
        Align::Right => pad_left(&row[at], widths[at]),
    })
}

/// Name, number and detail, a line each.
pub(crate) fn totals(rows: &[[String; 3]], terminal: Terminal) -> String {
    const ALIGN: [Align; 3] = [Align::Left, Align::Right, Align::Left];
    let widths = widths(rows);
    let mut text = String::new();
    for row in rows {
        let [name, number, _] = aligned(row, widths, ALIGN);
        let room = terminal.columns().saturating_sub(width(&name) + width(&number) + 4);
        let detail = cut_end(&row[2], room);
        let line = format!("{}  {number}  {detail}", terminal.paint(FAINT, &name));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
