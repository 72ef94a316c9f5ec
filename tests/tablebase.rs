//! Endgame tables against python-chess, damaged tables, and endings played out.
#![expect(clippy::unwrap_used, reason = "a test may end by panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qishou::chess::{Game, Position};
use qishou::tablebase::{Rank, Tablebases, Wdl};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

fn sample() -> Tablebases {
    Tablebases::open(&[SAMPLE.into()])
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}

/// Compares lines of FEN, WDL and DTZ with what the tables say; returns how many distances there were.
fn compare(tables: &Tablebases, rows: &str) -> usize {
    let mut compared = 0;
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let fields: Vec<&str> = row.split('\t').collect();
        let position = position(fields[0]);
        let (wdl, dtz) = (tables.wdl(&position).map(Wdl::number), tables.dtz(&position));
        // Where a table of a later stage is missing, who gives up first is a matter of taste.
        if let Ok(expected) = fields[1].parse() {
            assert_eq!(wdl, Some(expected), "{row}");
        }
        if let Ok(expected) = fields[2].parse() {
            assert_eq!(dtz, Some(expected), "{row}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn sample_tables_agree_with_python_chess() {
    let tables = sample();
    assert_eq!((tables.count(), tables.most_men()), (12, 4));
    let rows = fs::read_to_string(Path::new(SAMPLE).join("expected.tsv")).unwrap();
    assert_eq!(compare(&tables, &rows), 694);
    let complaints: Vec<String> = tables.complaints().iter().map(ToString::to_string).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// `QISHOU_SYZYGY=FOLDER cargo test --test tablebase -- --ignored` with the whole set of tables of
/// three and four men; `QISHOU_SYZYGY_COUNT` positions a table, 10,000 if it is not set.
#[test]
#[ignore = "takes minutes, and needs python-chess and all tables"]
fn every_table_agrees_with_python_chess() {
    let folder = std::env::var("QISHOU_SYZYGY").unwrap();
    let count = std::env::var("QISHOU_SYZYGY_COUNT").unwrap_or("10000".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/syzygy_oracle.py");
    let output = Command::new("python3").args([script, &folder, &count, "7"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tables = Tablebases::open(&[folder.into()]);
    let compared = compare(&tables, &String::from_utf8(output.stdout).unwrap());
    eprintln!("{compared} positions of {} tables", tables.count());
    assert_eq!(compared, tables.count() * count.parse::<usize>().unwrap());
}

/// A folder of its own for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("qishou {name} {}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const KRK: &str = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1";

#[test]
fn folders_and_files_that_fail_are_named_once_and_skipped() {
    let folder = Folder::new("tables ä");
    let at = |name: &str| folder.0.join(name);
    fs::write(at("KRvK.rtbw"), b"no table").unwrap();
    fs::write(at("KQvK.rtbw"), fs::read(Path::new(SAMPLE).join("KQvK.rtbw")).unwrap()).unwrap();
    fs::write(at("KPvK.rtbw"), &fs::read(Path::new(SAMPLE).join("KPvK.rtbw")).unwrap()[..999])
        .unwrap();
    fs::write(at("readme.txt"), b"other files do no harm").unwrap();
    fs::write(at("KXvK.rtbw"), b"").unwrap();
    let tables = Tablebases::open(&[at("missing"), folder.0.clone()]);
    let complaints = || -> Vec<String> {
        tables
            .complaints()
            .iter()
            .map(|told| told.to_string().replace(folder.0.to_str().unwrap(), "F"))
            .collect()
    };
    let told = complaints();
    assert!(told.len() == 1 && told[0].starts_with("tablebase F/missing: "), "{told:?}");
    let queen = position("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1");
    for (turn, expected) in [
        vec![
            "tablebase F/KRvK.rtbw: it does not begin as a table of its kind",
            "tablebase F/KPvK.rtbw: it is cut off",
            "tablebase KQvK: no file KQvK.rtbz",
        ],
        vec![],
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(tables.wdl(&position(KRK)), None);
        assert_eq!(tables.wdl(&position("8/8/8/3k4/8/8/P7/4K3 w - - 0 1")), None);
        assert_eq!(tables.wdl(&queen), Some(Wdl::Win));
        assert_eq!(tables.dtz(&queen), None);
        assert_eq!(complaints(), expected, "turn {turn}");
    }
}

#[test]
fn of_several_folders_the_first_that_has_a_table_counts() {
    let folder = Folder::new("first");
    fs::write(folder.0.join("KRvK.rtbw"), b"no table").unwrap();
    let list = std::env::join_paths([folder.0.as_path(), Path::new(SAMPLE)]).unwrap();
    let tables = Tablebases::open(&Tablebases::folders(list.to_str().unwrap()));
    assert_eq!(tables.count(), 12);
    assert_eq!(tables.wdl(&position(KRK)), None);
    let list = std::env::join_paths([Path::new(SAMPLE), folder.0.as_path()]).unwrap();
    let tables = Tablebases::open(&Tablebases::folders(list.to_str().unwrap()));
    assert_eq!(tables.wdl(&position(KRK)), Some(Wdl::Win));
    assert_eq!(Tablebases::folders(""), Vec::<PathBuf>::new());
}

/// Every file of the sample with bytes changed or cut off, and positions looked up in it: no panic,
/// and no value out of range.
#[test]
fn damaged_tables_never_panic() {
    let rows = fs::read_to_string(Path::new(SAMPLE).join("expected.tsv")).unwrap();
    let mut by_table: BTreeMap<usize, Vec<Position>> = BTreeMap::new();
    for (number, row) in rows.lines().filter(|row| !row.starts_with('#')).enumerate() {
        by_table.entry(number / 60).or_default().push(position(row.split('\t').next().unwrap()));
    }
    let mut names: Vec<_> = fs::read_dir(SAMPLE)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "rtbw"))
        .collect();
    names.sort();
    let folder = Folder::new("damaged");
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut refused, mut answered) = (0, 0);
    for (path, positions) in names.iter().zip(by_table.values()) {
        for round in 0..24 {
            for ending in ["rtbw", "rtbz"] {
                let mut bytes = fs::read(path.with_extension(ending)).unwrap();
                // Mostly in the head, where everything hangs together.
                for _ in 0..=random(3) {
                    let reach = if round % 3 == 0 { bytes.len() } else { bytes.len().min(200) };
                    let at = 4 + random(reach - 4);
                    bytes[at] = random(256) as u8;
                }
                if round % 4 == 3 {
                    bytes.truncate(random(bytes.len()));
                }
                let name = path.with_extension(ending);
                fs::write(folder.0.join(name.file_name().unwrap()), bytes).unwrap();
            }
            let tables = Tablebases::open(std::slice::from_ref(&folder.0));
            for position in positions {
                match (tables.wdl(position), tables.dtz(position)) {
                    (None, _) => refused += 1,
                    (Some(_), _) => answered += 1,
                }
            }
        }
        for ending in ["rtbw", "rtbz"] {
            fs::remove_file(folder.0.join(path.with_extension(ending).file_name().unwrap()))
                .unwrap();
        }
    }
    assert!(refused > 100 && answered > 100, "{refused} {answered}");
}

#[test]
fn castling_rights_and_too_many_men_are_in_no_table() {
    let tables = sample();
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")), None);
    assert_eq!(tables.dtz(&position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")), None);
    assert_eq!(tables.wdl(&Position::startpos()), None);
    assert!(tables.ranking(&Game::default(), true).is_none());
    assert_eq!(Tablebases::default().wdl(&position(KRK)), None);
    assert_eq!(tables.wdl(&position("8/8/8/3k4/8/8/8/4K3 w - - 0 1")), Some(Wdl::Draw));
}

fn ranks(fen: &str, fifty_moves: bool) -> BTreeMap<String, Rank> {
    let ranking = sample().ranking(&Game::new(position(fen)), fifty_moves).unwrap();
    assert!(ranking.moves.is_sorted_by(|a, b| a.rank >= b.rank));
    ranking.moves.iter().map(|ranked| (ranked.mv.to_string(), ranked.rank)).collect()
}

#[test]
fn root_moves_are_ranked_with_the_fifty_move_count_in_sight() {
    // A rook hangs on a1: moving it wins, other moves draw.
    let fen = |clock: u32| format!("8/8/8/8/8/3K4/1k6/R7 w - - {clock} 80");
    let fresh = ranks(&fen(0), true);
    assert_eq!(fresh["a1h1"], Rank::Win(0));
    assert_eq!(fresh["d3d4"], Rank::Draw);
    // With few moves left the win is a draw, but it is tried.
    let late = ranks(&fen(95), true);
    assert!(matches!(late["a1h1"], Rank::CursedWin(_)), "{late:?}");
    assert_eq!(late["d3d4"], Rank::Draw);
    let without = ranks(&fen(95), false);
    assert!(matches!(without["a1h1"], Rank::Win(plies) if plies < 0), "{without:?}");
    // The defender: far from the limit all losses are alike; near it the long ones are saved.
    let lost = "8/8/8/8/3k4/8/8/R3K3 b - - 0 80";
    assert!(ranks(lost, true).values().all(|&rank| rank == Rank::Loss(0)));
    let near = ranks(&lost.replace("0 80", "80 80"), true);
    assert!(near.values().all(|rank| matches!(rank, Rank::BlessedLoss(_))), "{near:?}");
}

#[test]
fn a_mate_counts_more_than_its_distance() {
    let mate = ranks("k7/8/1K6/8/8/8/8/7R w - - 99 90", true);
    assert_eq!(mate["h1h8"], Rank::Win(0));
    assert!(mate.iter().filter(|(_, rank)| matches!(rank, Rank::Win(_))).count() == 1, "{mate:?}");
}
