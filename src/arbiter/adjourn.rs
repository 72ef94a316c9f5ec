//! Adjourned games: what stands on the envelope, and the sealed move in it (RULES 4.2).
//!
//! The file is one JSON object: `arguments` and `directory` say which match it is and how it is
//! gone on with, `games` has the games. It is replaced as a whole, so a kill leaves the old one.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::clock::Reading;
use super::player::{Info, Score, Thought};
use super::scoresheet::Scoresheet;
use crate::chess::{Color, Fen, Game, Position};
use crate::files;
use crate::pgn::Remarks;
use crate::referee::Trends;

/// A game that was adjourned.
#[derive(Clone, Debug)]
pub struct Adjourned {
    /// The game up to the sealed move, which is not played yet.
    pub game: Game,
    /// What was written down beside the moves.
    pub sheet: Scoresheet,
    /// What the side to move has answered; nobody has looked whether it is legal.
    pub sealed: Thought,
    /// What the clocks show; the sealed move is paid for.
    pub clocks: [Reading; Color::COUNT],
    /// What the scores before the sealed move have come to, for `-resign` and `-draw`.
    pub trends: Trends,
    /// Whether the opponent of the side that sealed has offered a draw that stands.
    pub offered: bool,
}

/// An adjourned game with what stands on its envelope.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// Which match it belongs to.
    pub identity: u32,
    /// The `Round` of the game.
    pub round: String,
    /// Who plays, White first.
    pub players: [String; Color::COUNT],
    /// The game.
    pub game: Adjourned,
}

/// All that was kept of a match: how it is gone on with, and its games with their numbers.
#[derive(Clone, Debug, Default)]
pub struct Envelopes {
    /// The words of the command line that the match was described with.
    pub arguments: Vec<String>,
    /// The directory they were given in.
    pub directory: String,
    /// The games.
    pub games: Vec<Envelope>,
}

/// Nanoseconds, for as long as time controls can be.
fn nanos(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

fn thought_to_json(thought: &Thought) -> Value {
    let score = thought.info.score.map(|score| match score {
        Score::Centipawns(value) => json!({"cp": value}),
        Score::Mate(moves) => json!({"mate": moves}),
    });
    json!({
        "move": thought.best,
        "nanoseconds": nanos(thought.used),
        "score": score,
        "depth": thought.info.depth,
        "nodes": thought.info.nodes,
        "said": thought.messages,
    })
}

fn thought_of_json(value: &Value) -> Option<Thought> {
    let number = |name: &str| value[name].as_u64();
    let score = &value["score"];
    let signed = |value: &Value| value.as_i64().and_then(|number| i32::try_from(number).ok());
    let score = signed(&score["cp"])
        .map(Score::Centipawns)
        .or_else(|| signed(&score["mate"]).map(Score::Mate));
    Some(Thought {
        best: value["move"].as_str()?.to_owned(),
        ponder: None,
        used: Duration::from_nanos(number("nanoseconds")?),
        info: Info {
            depth: number("depth").and_then(|depth| u32::try_from(depth).ok()),
            score,
            nodes: number("nodes"),
            line: Vec::new(),
        },
        messages: texts(&value["said"])?,
    })
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

/// One value for each side.
fn sides<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<[T; Color::COUNT]> {
    Some([read(&value["white"])?, read(&value["black"])?])
}

fn trends_to_json(trends: &Trends) -> Value {
    let Trends { losing, winning, level } = trends;
    let of = |side: Color| json!({"losing": losing[side], "winning": winning[side], "level": level[side]});
    json!({"white": of(Color::White), "black": of(Color::Black)})
}

fn trends_of_json(value: &Value) -> Option<Trends> {
    let counts = |name: &str| {
        sides(value, |side| side[name].as_u64().and_then(|count| u32::try_from(count).ok()))
    };
    Some(Trends { losing: counts("losing")?, winning: counts("winning")?, level: counts("level")? })
}

impl Envelope {
    fn to_json(&self) -> Value {
        let Self { identity, round, players, game } = self;
        let clock = |reading: &Reading| json!({"nanoseconds": nanos(reading.left), "period": reading.period, "moves": reading.moves});
        let mut position = *game.game.start();
        let mut moves = Vec::new();
        for &mv in game.game.moves() {
            moves.push(position.uci(mv, true).to_string());
            position.play(mv);
        }
        json!({
            "match": identity,
            "round": round,
            "white": players[0],
            "black": players[1],
            "start": Fen::shredder(game.game.start()).to_string(),
            "moves": moves.join(" "),
            "position": Fen::shredder(game.game.position()).to_string(),
            "move_number": game.game.position().fullmove_number(),
            "comments": game.sheet.remarks.iter().map(|remarks| &remarks.comment).collect::<Vec<_>>(),
            "sealed": thought_to_json(&game.sealed),
            "draw_offered": game.offered,
            "clocks": {"white": clock(&game.clocks[0]), "black": clock(&game.clocks[1])},
            "used": {"white": nanos(game.sheet.used[0]), "black": nanos(game.sheet.used[1])},
            "scores": trends_to_json(&game.trends),
            "rulings": game.sheet.rulings,
        })
    }

    fn of_json(value: &Value) -> Option<Self> {
        let mut game = Game::new(value["start"].as_str()?.parse::<Position>().ok()?);
        for word in value["moves"].as_str()?.split_whitespace() {
            let mv = game.position().parse_uci(word).ok()?;
            game.play(mv).ok()?;
        }
        let remark = |comment| Remarks { comment, ..Remarks::default() };
        let remarks: Vec<Remarks> = texts(&value["comments"])?.into_iter().map(remark).collect();
        let same_position =
            value["position"].as_str()? == Fen::shredder(game.position()).to_string();
        if remarks.len() != game.moves().len() || !same_position {
            return None;
        }
        let clock = |value: &Value| {
            Some(Reading {
                left: Duration::from_nanos(value["nanoseconds"].as_u64()?),
                period: usize::try_from(value["period"].as_u64()?).ok()?,
                moves: u32::try_from(value["moves"].as_u64()?).ok()?,
            })
        };
        let adjourned = Adjourned {
            game,
            sheet: Scoresheet {
                remarks,
                used: sides(&value["used"], |value| value.as_u64().map(Duration::from_nanos))?,
                rulings: texts(&value["rulings"])?,
            },
            sealed: thought_of_json(&value["sealed"])?,
            clocks: sides(&value["clocks"], clock)?,
            trends: trends_of_json(&value["scores"])?,
            offered: value["draw_offered"].as_bool()?,
        };
        Some(Self {
            identity: u32::try_from(value["match"].as_u64()?).ok()?,
            round: value["round"].as_str()?.to_owned(),
            players: sides(value, |name| name.as_str().map(str::to_owned))?,
            game: adjourned,
        })
    }
}

impl Envelopes {
    /// Reads a file; one that does not exist holds nothing.
    ///
    /// # Errors
    /// If it can't be read or is no such file.
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            bytes => bytes?,
        };
        let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
        let value: Value =
            serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        let games = value["games"].as_array().ok_or_else(|| wrong("no \"games\"".into()))?;
        let games = games.iter().enumerate().map(|(i, game)| {
            Envelope::of_json(game).ok_or_else(|| wrong(format!("game {} is damaged", i + 1)))
        });
        Ok(Self {
            arguments: texts(&value["arguments"])
                .ok_or_else(|| wrong("no \"arguments\"".into()))?,
            directory: value["directory"].as_str().unwrap_or(".").to_owned(),
            games: games.collect::<io::Result<_>>()?,
        })
    }

    /// Replaces the file; without games there is none.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if self.games.is_empty() {
            return match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let games: Vec<Value> = self.games.iter().map(Envelope::to_json).collect();
        let text = serde_json::to_string_pretty(&json!({
            "arguments": self.arguments,
            "directory": self.directory,
            "games": games,
        }))?;
        files::replace(path, (text + "\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RULES 4.2: position, clocks, move number, players and the sealed move are kept.
    #[test]
    fn rule_4_2_an_envelope_keeps_everything() {
        let mut game = Game::new(Position::chess960(17).unwrap());
        let mv = game.position().legal_moves()[3];
        game.play(mv).unwrap();
        let reading = |seconds| Reading { left: Duration::new(seconds, 7), period: 1, moves: 3 };
        let adjourned = Adjourned {
            game,
            sheet: Scoresheet {
                remarks: vec![Remarks { comment: "+0.31/9 0.1s".into(), ..Remarks::default() }],
                used: [Duration::from_secs(1), Duration::from_secs(2)],
                rulings: vec!["move 1: White offers a draw".into()],
            },
            sealed: Thought {
                best: "e9e5".into(),
                ponder: None,
                used: Duration::from_millis(77),
                info: Info {
                    depth: Some(9),
                    score: Some(Score::Mate(-3)),
                    nodes: None,
                    ..Info::default()
                },
                messages: vec!["offer draw".into()],
            },
            clocks: [reading(50), reading(60)],
            trends: Trends { losing: [0, 3], winning: [2, 0], level: [0, 1] },
            offered: true,
        };
        let path = std::env::temp_dir().join(format!("qishou-envelope-{}", std::process::id()));
        let mut envelopes = Envelopes {
            arguments: vec!["-games".into(), "2".into()],
            directory: "somewhere".into(),
            games: vec![Envelope {
                identity: 5,
                round: "1.2".into(),
                players: ["A".into(), "B".into()],
                game: adjourned.clone(),
            }],
        };
        envelopes.write(&path).unwrap();
        let read = Envelopes::read(&path).unwrap();
        assert_eq!(
            (&read.arguments, &read.directory),
            (&envelopes.arguments, &envelopes.directory)
        );
        let Envelope { identity, round, players, game } = &read.games[0];
        assert_eq!((*identity, round.as_str()), (5, "1.2"));
        assert_eq!(*players, ["A", "B"]);
        assert_eq!(game.game.moves(), adjourned.game.moves());
        assert_eq!(game.game.position(), adjourned.game.position());
        assert_eq!(game.sheet, adjourned.sheet);
        assert_eq!(game.sealed, adjourned.sealed);
        assert_eq!((game.clocks, game.trends), (adjourned.clocks, adjourned.trends));
        assert!(game.offered);
        // A lost move, a changed position: what is damaged is not played on.
        let text = std::fs::read_to_string(&path).unwrap();
        for (old, new) in [("\"moves\": \"", "\"moves\": \"a1a8 "), (" b ", " w "), ("sealed", "x")]
        {
            assert!(text.contains(old));
            std::fs::write(&path, text.replace(old, new)).unwrap();
            assert!(Envelopes::read(&path).is_err(), "{old}");
        }
        envelopes.games.clear();
        envelopes.write(&path).unwrap();
        assert!(!path.exists());
        assert!(Envelopes::read(&path).unwrap().games.is_empty());
    }
}
