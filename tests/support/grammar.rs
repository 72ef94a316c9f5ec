//! The grammar of all output, as the pickiest of the hosts reads it.
#![allow(dead_code, reason = "not every test file needs all of it")]

/// What fastchess, the strictest, asks of a search: a move in small letters, and before it an exact
/// scored line of the first variation whose line begins with that move.
pub(crate) fn fault_of_search(lines: &[String]) -> Option<&'static str> {
    let best = lines.last()?.split(' ').nth(1)?;
    let exact = lines.iter().rev().find(|line| {
        line.starts_with("info depth")
            && line.contains(" score ")
            && !line.contains("bound")
            && (line.contains(" multipv 1 ") || !line.contains(" multipv "))
    });
    let Some(exact) = exact else { return Some("no exact line") };
    if best == "(none)" {
        return None;
    }
    let pv = exact.split_once(" pv ").map(|(_, pv)| pv.split(' ').next());
    (pv != Some(Some(best))).then_some("the best move is not the head of the line")
}

/// What is wrong with a line of output, whatever it answers: the grammar of all output.
pub(crate) fn fault(line: &str) -> Option<&'static str> {
    if !line.is_ascii() || line.contains("  ") || line.trim() != line {
        return Some("blanks or letters");
    }
    let words: Vec<&str> = line.split(' ').collect();
    match words[0] {
        "id" | "option" => None,
        "uciok" | "readyok" => (words.len() > 1).then_some("more than one word"),
        "bestmove" => match words[1..] {
            ["(none)"] => None,
            [mv] if is_move(mv) => None,
            [mv, "ponder", answer] if is_move(mv) && is_move(answer) => None,
            _ => Some("best move"),
        },
        "info" if words.get(1) == Some(&"string") => None,
        "info" => fault_of_info(&words[1..]),
        _ => Some("no such line"),
    }
}

pub(crate) fn is_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    (4..=5).contains(&bytes.len())
        && bytes[..4]
            .chunks(2)
            .all(|square| (b'a'..=b'h').contains(&square[0]) && (b'1'..=b'8').contains(&square[1]))
        && bytes.get(4).is_none_or(|letter| b"qrbn".contains(letter))
}

/// The fields of a line of thinking, in the one order that all programs read.
fn fault_of_info(words: &[&str]) -> Option<&'static str> {
    let mut words = words.iter().copied().peekable();
    let whole = |word: Option<&str>| word.is_some_and(|word| word.parse::<u64>().is_ok());
    if words.next() != Some("depth") {
        return Some("depth");
    }
    let depth = words.next();
    if !whole(depth) {
        return Some("depth");
    }
    if words.peek() == Some(&"currmove") {
        let rest: Vec<&str> = words.collect();
        let well = matches!(rest[..], ["currmove", mv, "currmovenumber", number]
            if is_move(mv) && whole(Some(number)));
        return (!well).then_some("currmove");
    }
    let ended = depth == Some("0");
    if !ended {
        for field in ["seldepth", "multipv"] {
            if words.next() != Some(field) || !whole(words.next()) {
                return Some(field);
            }
        }
    }
    if words.next() != Some("score") || !matches!(words.next(), Some("cp" | "mate")) {
        return Some("score");
    }
    if !words.next().is_some_and(|word| !word.starts_with('+') && word.parse::<i32>().is_ok()) {
        return Some("score");
    }
    if matches!(words.peek(), Some(&("lowerbound" | "upperbound"))) {
        words.next();
    }
    if words.peek() == Some(&"wdl") {
        words.next();
        let sum: Option<u32> = (0..3).map(|_| words.next()?.parse::<u32>().ok()).sum();
        if sum != Some(1000) {
            return Some("wdl");
        }
    }
    if ended {
        return words.next().map(|_| "more after the end");
    }
    for field in ["nodes", "nps", "hashfull", "tbhits", "time"] {
        if words.next() != Some(field) || !whole(words.next()) {
            return Some(field);
        }
    }
    (words.next() != Some("pv") || !words.all(is_move)).then_some("pv")
}
