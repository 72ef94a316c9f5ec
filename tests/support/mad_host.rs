//! A host out of its mind: seeded streams of commands, most of them near to what is right.
#![allow(dead_code, reason = "not every user needs all of it")]

use qishou::chess::{Fen, Position};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

/// FENs with something wrong or odd about them.
pub(crate) fn odd_fens() -> Vec<&'static str> {
    [include_str!("../data/illegal_fens.tsv"), include_str!("../data/odd_fens.tsv")]
        .into_iter()
        .flat_map(str::lines)
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split('\t').next())
        .collect()
}

/// Places where games begin.
pub(crate) const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 80",
    "bqnbr1kr/pp1ppppp/3n4/2p5/8/2PN4/PP1PPPPP/BQNBR1KR w HEhe - 4 30",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 b - - 0 1",
    "4k3/P6p/8/8/5p2/8/4P3/4K2R w K - 0 1",
    "6k1/5ppp/8/8/8/8/8/K6R b - - 0 1",
];

const BLANKS: [&str; 6] = [" ", "  ", "\t", "\u{feff}", "\u{0}", "\r"];
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "+3",
    "7",
    "255",
    "65536",
    "2147483648",
    "-9223372036854775808",
    "99999999999999999999999",
    "1e3",
    "0x10",
    "3.5",
    "\u{663}",
];
static WORDS: [&str; 46] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "stop",
    "ponderhit",
    "setoption",
    "name",
    "value",
    "Hash",
    "Threads",
    "MultiPV",
    "Clear",
    "UCI_Chess960",
    "true",
    "false",
    "d",
    "eval",
    "flip",
    "perft",
    "debug",
    "register",
    "e2e4",
    "e7e5",
    "e1g1",
    "a7a8q",
    "0000",
    "w",
    "KQkq",
    "-",
];

/// A position some random moves on from a start, and the moves that lead there.
fn game(rng: &mut impl Rng) -> (Position, String, Vec<String>) {
    let fen = *STARTS.choose(rng).expect("there are starts");
    let mut position: Position = fen.parse().expect("starts are legal");
    let start = if rng.random_bool(0.4) {
        position = Position::startpos();
        "startpos".to_owned()
    } else {
        format!("fen {fen}")
    };
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(0..12) {
        let Some(&mv) = position.legal_moves().choose(rng) else { break };
        moves.push(position.uci(mv, rng.random_bool(0.5)).to_string());
        position.play(mv);
    }
    (position, start, moves)
}

fn position(rng: &mut impl Rng) -> String {
    let (_, start, mut moves) = game(rng);
    if rng.random_bool(0.1) {
        let at = rng.random_range(0..=moves.len());
        moves.insert(at, WORDS.choose(rng).expect("words").to_string());
    }
    let word = if moves.is_empty() && rng.random_bool(0.5) { "" } else { " moves " };
    format!("position {start}{word}{}", moves.join(" "))
}

fn number(rng: &mut impl Rng) -> String {
    if rng.random_bool(0.15) {
        return NUMBERS.choose(rng).expect("numbers").to_string();
    }
    rng.random_range(0..40_u32).to_string()
}

/// The words that `go` knows.
fn go_fields() -> &'static [&'static str] {
    let place = |word| WORDS.iter().position(|&other| other == word).expect("it is a word");
    &WORDS[place("depth")..=place("searchmoves")]
}

fn go(rng: &mut impl Rng) -> String {
    let mut line = "go".to_owned();
    for _ in 0..rng.random_range(0..4) {
        let field = *go_fields().choose(rng).expect("fields");
        line += " ";
        line += field;
        match field {
            "infinite" | "ponder" => {}
            "searchmoves" => line += " e2e4 d2d4 a7a8q h7h5",
            _ => {
                line += " ";
                line += &number(rng);
            }
        }
    }
    line
}

fn option(rng: &mut impl Rng) -> String {
    let declared = qishou::uci::declarations().choose(rng).expect("options").name();
    let value = match rng.random_range(0..6) {
        0 => "true".to_owned(),
        1 => "false".to_owned(),
        2 => "<empty>".to_owned(),
        3 => String::new(),
        _ => number(rng),
    };
    format!("setoption name {declared} value {value}")
}

/// A line that is right, or nearly.
fn sane(rng: &mut impl Rng) -> String {
    match rng.random_range(0..22) {
        0..=4 => position(rng),
        5..=9 => go(rng),
        10..=11 => option(rng),
        12..=13 => "stop".to_owned(),
        14 => "ponderhit".to_owned(),
        15..=16 => "isready".to_owned(),
        17 => ["uci", "ucinewgame", "d", "eval", "flip", "help", "compiler", "debug on"]
            .choose(rng)
            .expect("words")
            .to_string(),
        18 => format!("perft {}", rng.random_range(0..4)),
        19 => format!("position fen {}", odd_fens().choose(rng).expect("FENs")),
        20 => format!("position fen {}", mutated(STARTS.choose(rng).expect("starts"), rng)),
        _ => ["bench 1 1 1", "speedtest 1 1 1", "genfens 1 seed 3", "quit", ""]
            .choose(rng)
            .expect("words")
            .to_string(),
    }
}

/// A text with a few letters changed, as a typing error or a broken line does.
pub(crate) fn mutated(text: &str, rng: &mut impl Rng) -> String {
    const LETTERS: &[char] = &[
        'k',
        'K',
        'q',
        'Q',
        'r',
        'R',
        'b',
        'B',
        'n',
        'N',
        'p',
        'P',
        '/',
        '1',
        '2',
        '3',
        '4',
        '5',
        '6',
        '7',
        '8',
        '9',
        '0',
        ' ',
        ' ',
        '-',
        'w',
        'b',
        'e',
        'a',
        'h',
        'H',
        '+',
        '~',
        '\u{e9}',
        '\u{0}',
        '\t',
        '\u{1f3c1}',
        '[',
        ']',
    ];
    let mut letters: Vec<char> = text.chars().collect();
    let times = if rng.random_bool(0.6) { 1 } else { rng.random_range(2..=5) };
    for _ in 0..times {
        let at = rng.random_range(0..=letters.len());
        // Half of the time something that may stand on a board.
        let few = if rng.random_bool(0.5) { &LETTERS[..21] } else { LETTERS };
        let new = *few.choose(rng).expect("letters");
        match rng.random_range(0..9) {
            0 => letters.insert(at, new),
            1 if at < letters.len() => drop(letters.remove(at)),
            2 => {
                let other = rng.random_range(0..=letters.len());
                let (from, to) = (at.min(other), at.max(other));
                let part: Vec<char> = letters[from..to].to_vec();
                let place = rng.random_range(0..=letters.len());
                letters.splice(place..place, part);
                letters.truncate(200);
            }
            3 if at + 1 < letters.len() => letters.swap(at, at + 1),
            4 if rng.random_bool(0.2) => letters.truncate(at),
            _ if at < letters.len() => letters[at] = new,
            _ => {}
        }
    }
    letters.into_iter().collect()
}

/// A line as somebody sends it who is not right in the head.
fn mad(rng: &mut impl Rng) -> Vec<u8> {
    match rng.random_range(0..8) {
        0 => (0..rng.random_range(0..60)).map(|_| rng.random::<u8>()).collect(),
        1 => {
            let mut line = String::new();
            for _ in 0..rng.random_range(0..12) {
                line += if rng.random_bool(0.8) {
                    WORDS.choose(rng).expect("words")
                } else {
                    NUMBERS.choose(rng).expect("numbers")
                };
                line += BLANKS.choose(rng).expect("blanks");
            }
            line.into_bytes()
        }
        2 => sane(rng).repeat(rng.random_range(1..20)).into_bytes(),
        3 => {
            let line = sane(rng);
            let mut words: Vec<&str> = line.split(' ').collect();
            let at = rng.random_range(0..words.len());
            if rng.random_bool(0.5) {
                words.remove(at);
            } else {
                words.insert(at, words[rng.random_range(0..words.len())]);
            }
            words.join(BLANKS.choose(rng).expect("blanks")).into_bytes()
        }
        4 => {
            let mut bytes = sane(rng).into_bytes();
            for _ in 0..rng.random_range(1..6) {
                if !bytes.is_empty() {
                    let at = rng.random_range(0..bytes.len());
                    bytes[at] = rng.random();
                }
            }
            bytes
        }
        _ => mutated(&sane(rng), rng).into_bytes(),
    }
}

/// A whole session, in parts between which there is a short pause. Every line may be sent
/// without harm, as `harmless` says.
pub(crate) fn session(rng: &mut impl Rng, harmless: impl Fn(&str) -> bool) -> Vec<Vec<u8>> {
    let mut parts = vec![Vec::new()];
    for _ in 0..rng.random_range(1..30) {
        let mut line = if rng.random_bool(0.5) { sane(rng).into_bytes() } else { mad(rng) };
        line.push(b'\n');
        let all = line.split(|&byte| byte == b'\n');
        if !all.into_iter().all(|line| harmless(&String::from_utf8_lossy(line))) {
            continue;
        }
        if rng.random_bool(0.1) {
            parts.push(Vec::new());
        }
        parts.last_mut().expect("there is one").extend(line);
    }
    parts
}

/// A FEN with something changed in it: of a usual position, of a random one or of an odd one.
pub(crate) fn fen(rng: &mut impl Rng, odd: &[&str]) -> String {
    if rng.random_bool(0.2) {
        return mutated(odd.choose(rng).expect("FENs"), rng);
    }
    let (position, ..) = game(rng);
    mutated(&Fen::of(&position).to_string(), rng)
}
