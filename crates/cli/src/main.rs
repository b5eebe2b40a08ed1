//! The `surefoot` command: arguments in, words and an exit status out.
//!
//! Each command is a file in `commands`; `console` is the only place that prints.

mod args;
mod capture;
mod code;
mod commands;
mod config;
mod console;
mod eager;
mod exit;
mod laboratory;
mod languages;
mod project;
mod signals;
mod spoilt;
mod ways_in;
mod workspaces;

use anyhow::{Context, bail};
use clap::Parser;

use crate::args::{Arguments, Global, Task};
use crate::commands::reproduce::Reproduced;
use crate::config::Config;
use crate::console::Console;
use crate::exit::Exit;

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    let console =
        Console::new(arguments.global.color.unwrap_or_default(), arguments.global.verbose);
    match run(arguments, console) {
        Ok(exit) => exit.into(),
        Err(error) => {
            console.error(&error);
            Exit::CouldNot.into()
        }
    }
}

fn run(arguments: Arguments, console: Console) -> anyhow::Result<Exit> {
    if let Task::Completions { shell } = arguments.task {
        return commands::completions::run(shell, console);
    }
    let directory = project::directory(arguments.global.project.as_deref())?;
    let config = Config::read(arguments.global.config.as_deref(), &directory)?;
    let color = arguments.global.color.or(config.color).unwrap_or_default();
    let console = Console::new(color, arguments.global.verbose.max(u8::from(config.verbose)));
    match arguments.task {
        Task::Watch { command } => commands::watch::run(&directory, command, console),
        Task::Tests { tests, format } => {
            commands::tests::run(&directory, &tests, format.or(config.format), console)
        }
        Task::Run { tests, options, format } => commands::run::run(
            &directory,
            &tests,
            options.or(&config.run),
            format.or(config.format),
            console,
        ),
        Task::Check { options, format, command } => commands::check::run(
            &directory,
            command,
            options.or(&config.check),
            &config,
            format.or(config.format),
            console,
        ),
        Task::Pollution { dump_state: Some(test), options, .. } => {
            commands::dump_state::run(&directory, test, options.or(&config.pollution), console)
        }
        Task::Pollution { tests, options, format, command, .. } => commands::pollution::run(
            &directory,
            &tests,
            command,
            options.or(&config.pollution),
            format.or(config.format),
            console,
        ),
        Task::Rerun { tests, options, format, command } => commands::rerun::run(
            &directory,
            &tests,
            command,
            options.or(&config.rerun),
            &config.pollution,
            format.or(config.format),
            console,
        ),
        Task::Assumptions { tests, options, format, command } => commands::assumptions::run(
            &directory,
            &tests,
            command,
            options.or(&config.assumptions),
            format.or(config.format),
            console,
        ),
        Task::Explain { tests } => commands::explain::run(&directory, &tests, console),
        Task::Reproduce { finding } => {
            let options = &config.assumptions.pool;
            match commands::reproduce::run(&directory, &finding, options, console)? {
                Reproduced::Ended(exit) => Ok(exit),
                Reproduced::By(command) => follow(&command, arguments.global, console),
            }
        }
        Task::Clean => commands::clean::run(&directory, console),
        Task::Completions { shell } => commands::completions::run(shell, console),
    }
}

/// Does what a finding says that shows it.
fn follow(command: &str, global: Global, console: Console) -> anyhow::Result<Exit> {
    console.say(command);
    let words = surefoot_strategy::words(command);
    let parsed = words.and_then(|words| Arguments::try_parse_from(words).ok());
    let Arguments { task, .. } = parsed.with_context(|| {
        format!("the finding is of another version of Surefoot; try it yourself: {command}")
    })?;
    if let Task::Reproduce { .. } = task {
        bail!("the record of the finding is damaged: it refers to itself");
    }
    run(Arguments { global, task }, console)
}
