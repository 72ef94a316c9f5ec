use super::*;
use crate::pgn;

fn opinion(position: &Position, score: i32, line: &str) -> Opinion {
    let mut end = *position;
    let mut moves = Vec::new();
    for word in line.split_whitespace() {
        let mv = end.parse_san(word).unwrap();
        end.play(mv);
        moves.push(mv);
    }
    Opinion { score: Score(score), depth: 9, line: moves }
}

/// A game with an opinion for each position: scores in internal centipawns from the side to move.
fn review(text: &str, opinions: &[(i32, &str)]) -> Review {
    let mut review = Review::new(pgn::read(text).remove(0));
    for (ply, &(score, line)) in opinions.iter().enumerate() {
        let game = review.game_before(ply);
        review.opinions[ply] = Opinion::of_the_rules(game.position())
            .or_else(|| Some(opinion(game.position(), score, line)));
    }
    review
}

/// The scores that win and lose every other time, whatever the fitted model says today.
fn half() -> i32 {
    WinModel::FITTED.half_at(WinModel::MIDDLE) as i32
}

/// The fool's mate, seen by an engine.
fn fools_mate() -> Review {
    let mate = Score::mate_in(1).0;
    let half = half();
    review(
        "[White \"Fool <1>\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 {slow [%eval 0.0]} e5 2. g4 Qh4# 0-1",
        &[(half, "e4 e5"), (half, "e5"), (-half, "d3"), (mate, "Qh4#"), (0, "")],
    )
}

fn moves_text(review: &Review) -> String {
    let text = review.annotated().to_string();
    let words: Vec<&str> = text.split_once("\n\n").unwrap().1.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn moves_get_scores_glyphs_and_better_lines() {
    let review = fools_mate();
    let shown = |score: i32| format!("{:.2}", WinModel::FITTED.shown(f64::from(score)) / 100.0);
    let (best, after, later) = (shown(half()), shown(-half()), shown(-half()));
    assert_eq!(
        moves_text(&review),
        format!(
            "1. f3 $4 {{[%eval {after},9] slow}} ( 1. e4 e5 {{[%eval {best},9]}} ) 1... e5 \
             {{[%eval {later},9]}} 2. g4 $4 {{[%eval #-1,9]}} ( 2. d3 {{[%eval {later},9]}} ) 2... Qh4# 0-1"
        )
    );
    let marks: Vec<_> = (0..4).map(|ply| review.mark(ply)).collect();
    assert_eq!(marks, [Some(Mark::Blunder), None, Some(Mark::Blunder), None]);
    // It is PGN that reads back.
    let again = &pgn::read(&review.annotated().to_string())[0];
    assert_eq!((again.flaws.as_slice(), again.remarks[2].glyphs.as_slice()), (&[][..], &[4][..]));
}

#[test]
fn marks_go_by_points_not_by_pawns() {
    let losing = |points_lost: f64| {
        (0..10_000).find(|&cp| points(Score(0)) - points(Score(-cp)) >= points_lost).unwrap()
    };
    let slight = losing(Mark::Inaccuracy.least_loss());
    for (before, after, mark) in [
        (0, 0, None),
        (0, 1 - slight, None),
        (0, -slight, Some(Mark::Inaccuracy)),
        (0, -losing(Mark::Mistake.least_loss()), Some(Mark::Mistake)),
        (0, -2000, Some(Mark::Blunder)),
        // Winning by more or less is no fault, nor is losing by more.
        (3000, 2000, None),
        (-2000, -3000, None),
        // A better score after the move than before it.
        (0, 100, None),
    ] {
        let review = review("1. a3 *", &[(before, "e4"), (-after, "e5")]);
        assert_eq!(review.mark(0), mark, "{before} {after}");
    }
    let mut marks = Mark::ALL.to_vec();
    marks.sort_by(|a, b| a.least_loss().total_cmp(&b.least_loss()));
    assert_eq!(marks, Mark::ALL);
}

#[test]
fn the_move_the_engine_would_play_is_no_fault() {
    let review = review("1. e4 *", &[(0, "e4"), (500, "e5")]);
    assert_eq!(review.mark(0), None);
}

#[test]
fn what_nobody_has_looked_at_stays_as_it_was() {
    let review = review("1. e4! {good} e5 2. Nf3 *", &[(0, "e4")]);
    assert_eq!(moves_text(&review), "1. e4 $1 {good} 1... e5 2. Nf3 *");
    assert!((0..3).all(|ply| review.loss(ply).is_none()));
}

#[test]
fn glyphs_of_an_annotator_are_kept() {
    let review = review("1. f3?! *", &[(60, "e4"), (2000, "e5")]);
    assert!(moves_text(&review).starts_with("1. f3 $6 {"), "{}", moves_text(&review));
}

#[test]
fn scores_are_seen_by_white_whoever_moves() {
    let start: Position = "7k/8/8/8/8/8/q7/7K b - - 0 1".parse().unwrap();
    let lines =
        vec![opinion(&start, Score::mate_in(3).0, "Kg7 Kg1 Qb2"), opinion(&start, 900, "Qb2")];
    let review = Review::of_position(start, lines);
    let text = moves_text(&review);
    let second = WinModel::FITTED.shown(-900.0) / 100.0;
    let expected =
        format!("{{[%eval #-2,9]}} 1... Kg7 ( 1... Qb2 {{[%eval {second:.2},9]}} ) 2. Kg1 Qb2 *");
    assert_eq!(text, expected);
    assert!(review.annotated().to_string().contains("[SetUp \"1\"]\n"));
    // Without a move there is still a score.
    let stuck: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    let review = Review::of_position(stuck, Opinion::of_the_rules(&stuck).into_iter().collect());
    assert_eq!(moves_text(&review), "{[%eval 0.00,0]} *");
}

#[test]
fn the_page_needs_nothing_else_and_is_safe_against_odd_names() {
    let page = page(&[fools_mate(), Review::new(pgn::read("1. e4 {</script><b>} *").remove(0))]);
    for needed in
        ["Fool &lt;1&gt; – B", "class=\"move blunder\"", "g4??", "class=\"graph\"", "man-Q"]
    {
        assert!(page.contains(needed), "{needed}");
    }
    // Nothing is fetched, and no text of a game ends the script it stands in.
    for banned in ["http:", "https:", "src=", "url(", "@import", "</script><b>"] {
        assert!(!page.contains(banned), "{banned}");
    }
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    let data = page.split("<script type=\"application/json\">").nth(1).unwrap();
    let data: serde_json::Value =
        serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    assert_eq!(data.as_array().unwrap().len(), 5);
    assert_eq!(data[4]["men"], "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR");
    assert_eq!((&data[3]["mark"], &data[2]["best"]), (&"blunder".into(), &"d2d3".into()));
    assert_eq!(data[1]["words"], "slow");
}
