//! Prompt commands given as arguments: `qishou go movetime 3000`.

use std::process::ExitCode;

use anyhow::bail;
use qishou::uci;

use super::colour;

/// Arguments that hold blanks are lines of their own; otherwise all words make one line.
fn lines(arguments: &[String]) -> Vec<String> {
    if arguments.iter().any(|argument| argument.contains(char::is_whitespace)) {
        arguments.to_vec()
    } else {
        vec![arguments.join(" ")]
    }
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let lines = lines(arguments);
    for line in &lines {
        if let Err(error) = uci::Command::parse(line) {
            bail!("{error}");
        }
    }
    uci::run_lines(&lines, colour::output())?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_make_one_line_and_quoted_arguments_one_each() {
        let cases: [(&[&str], &[&str]); 3] = [
            (&["go", "movetime", "3000"], &["go movetime 3000"]),
            (&["position startpos", "d"], &["position startpos", "d"]),
            (&["d"], &["d"]),
        ];
        for (arguments, expected) in cases {
            let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
            assert_eq!(lines(&arguments), expected);
        }
    }
}
