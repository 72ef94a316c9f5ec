//! Every command of the README that runs one of this repository's programs is run here, in the order of
//! the page and in one folder.
#![cfg(all(unix, feature = "tools"))]
#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const README: &str = include_str!("../README.md");

/// What stands for hours on the page and would take them here: the same words with small numbers.
const SHORTER: [(&str, &str); 5] = [
    ("--positions 3000000", "--positions 17500 --seed 1"),
    ("--nodes 200 ", "--nodes 40 "),
    ("--epochs 60", "--epochs 1"),
    ("--games 1000", "--games 4"),
    ("--movetime 100 ", "--movetime 10 "),
];

/// The files the commands speak of.
const FILES: [(&str, &str); 3] = [
    (
        "games.pgn",
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n",
    ),
    ("suite.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back rank\";\n"),
    (
        "perft.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\n",
    ),
];

/// The lines of the blocks marked as shell commands.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    let text: String = blocks.map(|rest| rest.split("```").next().unwrap()).collect();
    text.replace("\\\n", " ").lines().map(str::to_owned).collect()
}

#[test]
fn every_command_of_the_readme_works() {
    let folder = env::temp_dir().join(format!("qishou-readme-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in FILES {
        fs::write(folder.join(name), text).unwrap();
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_qishou")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default());
    let commands = commands(README);
    let used = |shorter: &&(&str, &str)| commands.iter().any(|line| line.contains(shorter.0));
    assert_eq!(
        SHORTER.iter().filter(used).count(),
        SHORTER.len(),
        "a number is not there any more"
    );
    for command in &commands {
        let program = command.split(' ').next().unwrap();
        assert!(["qishou", "qishou-arbiter", "qishou-learn"].contains(&program), "{command}");
        let short =
            SHORTER.iter().fold(command.clone(), |line, (long, short)| line.replace(long, short));
        let run = Command::new("sh")
            .args(["-c", &short])
            .current_dir(&folder)
            .env("PATH", &path)
            .output()
            .unwrap();
        let [output, errors] = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(run.status.success(), "{short}\n{output}\n{errors}");
        assert!(!output.contains("error"), "{short}\n{output}");
    }
    for made in ["annotated.pgn", "games.html", "match.pgn", "match.html", "mine.nnue"] {
        assert!(folder.join(made).exists(), "{made}");
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(commands.len() > 15);
}

/// What the page shows is what the program answers.
#[test]
fn the_board_of_the_readme_is_the_answer_of_d() {
    let run = Command::new(env!("CARGO_BIN_EXE_qishou"))
        .args(["position startpos moves e2e4 c7c5", "d"])
        .output()
        .unwrap();
    let shown = README.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let lines =
        |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(shown.trim_end()), lines(String::from_utf8(run.stdout).unwrap().trim_end()));
}

#[test]
fn the_chinese_page_has_the_same_commands() {
    assert_eq!(commands(include_str!("../README.zh.md")), commands(README));
}
