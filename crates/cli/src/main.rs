//! The `surefoot` command: arguments in, words and an exit status out.
//!
//! Each command is a file in `commands`; `console` is the only place that prints.

mod args;
mod commands;
mod config;
mod console;
mod exit;
mod laboratory;
mod project;
mod signals;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Task};
use crate::config::Config;
use crate::console::Console;
use crate::exit::Exit;

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    let console = Console::new(arguments.global.color.unwrap_or_default(), arguments.global.verbose);
    match run(arguments, console) {
        Ok(exit) => exit.into(),
        Err(error) => {
            console.error(&error);
            Exit::CouldNot.into()
        }
    }
}

fn run(arguments: Arguments, console: Console) -> anyhow::Result<Exit> {
    let directory = project::directory(arguments.global.project.as_deref())?;
    if let Task::Completions { shell } = arguments.task {
        clap_complete::generate(shell, &mut Arguments::command(), "surefoot", &mut std::io::stdout());
        return Ok(Exit::NothingFound);
    }
    let config = Config::read(arguments.global.config.as_deref(), &directory)?;
    let console = match arguments.global.color.or(config.color) {
        Some(color) => Console::new(color, arguments.global.verbose.max(u8::from(config.verbose))),
        None => console,
    };
    match arguments.task {
        Task::Watch { command } => commands::watch::run(&directory, command, console),
        Task::Tests { tests, format } => commands::tests::run(&directory, &tests, format.or(config.format), console),
        Task::Run { tests, options, format } => {
            commands::run::run(&directory, &tests, options.or(&config.run), format.or(config.format), console)
        }
        Task::Check { options, format, command } => {
            commands::check::run(&directory, command, options.or(&config.check), format.or(config.format), console)
        }
        Task::Clean => commands::clean::run(&directory, console),
        Task::Completions { .. } => Ok(Exit::NothingFound),
    }
}
