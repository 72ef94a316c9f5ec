//! `qishou`: the engine. Without arguments it speaks UCI on its standard input and output.

use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;

use clap::Parser;

mod cli;

use cli::{Arguments, Task};
use qishou::{complain, console};

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        None => serve(),
        Some(Task::Perft(arguments)) => cli::perft::run(&arguments),
        Some(Task::Analyse(arguments)) => cli::analyse::run(&arguments),
        Some(Task::Spsa) => cli::spsa::run(),
        Some(Task::Prompt(words)) => cli::prompt::run(&words),
    };
    console::status(result.unwrap_or_else(|error| {
        let cause = error.root_cause().downcast_ref::<io::Error>();
        if cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe) {
            // Who read the output has heard enough.
            return ExitCode::SUCCESS;
        }
        complain!("qishou: {error:#}");
        ExitCode::from(2)
    }))
}

fn serve() -> anyhow::Result<ExitCode> {
    if io::stdin().is_terminal() {
        // Only for a person: some hosts show every line before `uci` as a fault.
        complain!("{}: a UCI chess engine. help lists the commands.", qishou::uci::NAME);
    }
    qishou::uci::run(BufReader::new(io::stdin()), cli::colour::output())?;
    Ok(ExitCode::SUCCESS)
}
