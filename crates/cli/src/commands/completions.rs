//! `surefoot completions`

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::console::Console;
use crate::exit::Exit;

pub(crate) fn run(shell: Shell, console: Console) -> Result<Exit> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "surefoot", &mut script);
    console.report(&String::from_utf8(script)?)?;
    Ok(Exit::NothingFound)
}
