use super::*;
use crate::chess::Position;

/// Moves as UCI writes them.
fn moves(record: &Record) -> String {
    let mut position: Position = *record.game.start();
    let words: Vec<String> = record
        .game
        .moves()
        .iter()
        .map(|&mv| {
            let word = position.uci(mv, false).to_string();
            position.play(mv);
            word
        })
        .collect();
    words.join(" ")
}

#[test]
fn records_are_read_as_they_are_met() {
    for (text, expected) in [
        ("e4 e5 *", "e2e4 e7e5"),
        ("1.e4 e5 2.Nf3 *", "e2e4 e7e5 g1f3"),
        ("1. e4 {x} 1... e5 ; rest ) } {\n2. Nf3 *", "e2e4 e7e5 g1f3"),
        ("% 1. d4\n1. e4 e5 *", "e2e4 e7e5"),
        ("1. e4 (1. d4 d5 (1... Nf6) {in it}) e5 *", "e2e4 e7e5"),
        ("1.e4$1$146 {} d5$6 2.exd5! *", "e2e4 d7d5 e4d5"),
        ("1. e2-e4 e7e5 2. Ng1-f3 *", "e2e4 e7e5 g1f3"),
        ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 O-O *", "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8"),
        ("1. e4 Nf6 2. e5 d5 3. exd6 e.p. *", "e2e4 g8f6 e4e5 d7d5 e5d6"),
        ("\u{feff}1. e4 e5\r\n2. Nf3\r\n*\r\n", "e2e4 e7e5 g1f3"),
        ("[Result \"*\"]e4*", ""),
    ] {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text}");
        let expected_flaws = usize::from(text.contains("e4*"));
        assert!(games[0].flaws.len() >= expected_flaws, "{text}: {:?}", games[0].flaws);
        assert_eq!(moves(&games[0]), expected, "{text}");
    }
}

#[test]
fn several_games_are_told_apart() {
    for (text, results) in [
        ("1. e4 1-0 1. d4 0-1", vec!["1-0", "0-1"]),
        ("[Event \"a\"]\n1. e4 1-0\n[Event \"b\"]\n1. d4 *", vec!["1-0", "*"]),
        ("[Event \"a\"]\n1. e4\n\n[Event \"b\"]\n1. d4 *", vec!["-", "*"]),
        ("[Event \"a\"]\n\n1/2-1/2\n\n[Event \"b\"]\n\n*", vec!["1/2-1/2", "*"]),
        ("1. e4 (1. d4 d5 \n\n[Event \"b\"]\n1. d4 *", vec!["-", "*"]),
        ("", vec![]),
        ("  \n% only this\n", vec![]),
    ] {
        let mark = |record: &Record| record.result.map_or("-".to_owned(), |mark| mark.to_string());
        assert_eq!(read(text).iter().map(mark).collect::<Vec<_>>(), results, "{text}");
    }
}

#[test]
fn flaws_are_named_and_the_moves_before_them_kept() {
    for (text, plies, flaw) in [
        ("1. e4 e5 2. Kxe4 Nc6 *", 2, "2.: illegal move \"Kxe4\""),
        ("1. e4 Se7 *", 1, "1...: \"Se7\" is no move"),
        ("1. e4 -- 2. d4 *", 1, "1...: null move --"),
        ("1. e4 Z0 *", 1, "1...: null move Z0"),
        ("1. e4 {never\nends *", 1, "line 1: the comment never ends"),
        ("1. e4 (1. d4 *", 1, "line 1: unbalanced parentheses"),
        ("1. e4 e5", 2, "no result at the end of the moves"),
        ("[Result \"1-0\"]\n1. e4 0-1", 1, "result 1-0 in the tag, 0-1 after the moves"),
        ("[Event \"x]\n1. e4 *", 1, "line 1: \"[Event \\\"x]\" is no tag"),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 *", 0, "FEN tag: "),
        ("[FEN \"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1\"]\n1. Nd2 *", 0, "1.: \"Nd2\" means more"),
    ] {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(games[0].game.moves().len(), plies, "{text}");
        let told: Vec<String> = games[0].flaws.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told.starts_with(flaw)), "{text}: {told:?}");
    }
}

#[test]
fn what_is_written_reads_back_the_same() {
    let text = "[Event \"Quote \\\"in\\\" and \\\\\"]\n[White \"Ünïcödé, Наме\"]\n[Zeta \"1\"]\n\
                [Alpha \"2\"]\n[Result \"1-0\"]\n\n{before} 1. e4! {first} {second (} e5?! 2. Bc4 $13 $255 \
                {long words long words long words long words long words long words long words} Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";
    let first = &read(text)[0];
    let written = first.to_string();
    let again = &read(&written)[0];
    assert_eq!(again.flaws, []);
    assert_eq!(moves(again), moves(first));
    assert_eq!((&again.remarks, &again.preface), (&first.remarks, &first.preface));
    assert_eq!(again.tag("Event"), Some("Quote \"in\" and \\"));
    assert_eq!(again.to_string(), written);
    assert!(written.lines().all(|line| line.starts_with('[') || line.chars().count() < 80));
    // Commands stay on one line.
    let mut record = first.clone();
    for (ply, remarks) in record.remarks.iter_mut().enumerate() {
        remarks.comment = format!("{} [%eval 0.{ply},18] {}", "x".repeat(5 * ply), "y".repeat(ply));
    }
    assert_eq!(record.to_string().matches(",18]").count(), record.remarks.len());
    assert!(
        record.to_string().lines().all(|line| line.contains("[%eval 0.") == line.contains(",18]"))
    );
    // The export format wants the number of Black's move after a comment.
    let words: Vec<&str> = written.split_whitespace().collect();
    assert!(words.join(" ").contains("1. e4 $1 {first second (} 1... e5 $6 2. Bc4"), "{written}");
    assert!(written.find("[Alpha").unwrap() < written.find("[Zeta").unwrap());
    assert!(written.find("[Result").unwrap() < written.find("[Alpha").unwrap());
}

#[test]
fn a_game_that_begins_with_black_says_so() {
    let fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 6 8";
    let record = &read(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n8... O-O-O 9. O-O *"))[0];
    assert!(record.to_string().ends_with("\n\n8... O-O-O 9. O-O *\n\n"));
}

#[test]
fn variations_are_written_and_skipped_when_read() {
    let mut record = read("1. e4 e5 {old} 2. Qh5 Nc6 *").remove(0);
    let variation = |text: &str, comment: &str| Variation {
        moves: read(text)[0].game.moves().to_vec(),
        comment: comment.to_owned(),
    };
    let other = variation("1. e4 c5 2. Nf3", "");
    record.remarks[1].variations = vec![Variation { moves: other.moves[1..].to_vec(), ..other }];
    let two = [variation("1. e4 e5 2. Nf3 Nc6", "sound"), variation("1. e4 e5 2. Bc4", "")];
    record.remarks[2].variations =
        two.map(|known| Variation { moves: known.moves[2..].to_vec(), ..known }).to_vec();
    // A move that is not legal ends its variation, and nothing else.
    record.remarks[3].variations = vec![variation("1. d4 d5", "odd")];
    let written = record.to_string();
    let words: Vec<&str> = written.split_whitespace().collect();
    let moves_text = words[14..].join(" ");
    let expected = "1. e4 e5 {old} ( 1... c5 2. Nf3 ) 2. Qh5 ( 2. Nf3 Nc6 {sound} ) ( 2. Bc4 ) \
                    2... Nc6 ( {odd} ) *";
    assert_eq!(moves_text, expected, "{written}");
    let again = &read(&written)[0];
    assert_eq!((moves(again), again.flaws.len()), (moves(&record), 0));
}
