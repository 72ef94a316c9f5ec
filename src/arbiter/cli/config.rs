//! Matches described in a TOML file, which says the same as the words of the command line: a key
//! is an option, a table its `name=value` words, an array of tables the option again and again.

use std::path::Path;

use toml::{Table, Value};

/// Puts the words of a description file in the place of `FILE.toml` (the first word) and of
/// `-config FILE.toml`.
///
/// # Errors
/// One line that names the file and what is wrong in it.
pub(super) fn expand(words: &[&str]) -> Result<Vec<String>, String> {
    let mut expanded = Vec::new();
    let mut words = words.iter().copied().enumerate();
    while let Some((i, word)) = words.next() {
        let is_file = i == 0 && Path::new(word).extension().is_some_and(|end| end == "toml");
        if is_file {
            expanded.extend(read(word)?);
        } else if matches!(word, "-config" | "--config") {
            let file = words.next().map(|(_, file)| file.strip_prefix("file=").unwrap_or(file));
            expanded.extend(read(file.ok_or("-config needs a file")?)?);
        } else {
            expanded.push(word.to_owned());
        }
    }
    Ok(expanded)
}

fn read(path: &str) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    parse(path, &text)
}

/// The words of a file with this text.
pub(super) fn parse(path: &str, text: &str) -> Result<Vec<String>, String> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = 1 + before.map_or(0, |before| before.matches('\n').count());
        format!("{path}:{line}: {}", error.message().replace('\n', " "))
    })?;
    words_of(&table).map_err(|error| format!("{path}: {error}"))
}

/// The options of a whole file.
fn words_of(table: &Table) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for (name, value) in table {
        let option = format!("-{name}");
        let tables: Vec<&Table> = match value {
            Value::Table(table) => vec![table],
            Value::Array(values) if values.iter().all(Value::is_table) => {
                values.iter().filter_map(Value::as_table).collect()
            }
            Value::Boolean(false) => continue,
            Value::Boolean(true) => {
                words.push(option);
                continue;
            }
            value => {
                words.push(option);
                words.push(scalar(name, value)?);
                continue;
            }
        };
        for table in tables {
            words.push(option.clone());
            pairs("", table, &mut words)?;
        }
    }
    Ok(words)
}

/// `name=value` for all in a table; a table within is a longer name, an array the name again.
fn pairs(prefix: &str, table: &Table, words: &mut Vec<String>) -> Result<(), String> {
    for (name, value) in table {
        let name = format!("{prefix}{name}");
        match value {
            Value::Table(table) => pairs(&format!("{name}."), table, words)?,
            Value::Array(values) => {
                for value in values {
                    words.push(format!("{name}={}", scalar(&name, value)?));
                }
            }
            value => words.push(format!("{name}={}", scalar(&name, value)?)),
        }
    }
    Ok(())
}

fn scalar(name: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(truth) => Ok(truth.to_string()),
        other => Err(format!("{name}: a {} is no value here", other.type_str())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_the_words_say() {
        let text = r#"
            games = 2
            rounds = 50
            quiet = true
            repeat = false
            pgnout = "games.pgn"

            [each]
            tc = "10+0.1"
            option.Hash = 16

            [[engine]]
            cmd = "./a"
            name = "A B"
            arg = ["-x", "-y"]
            option = { "Move Overhead" = 5, Ponder = true }

            [[engine]]
            cmd = "./b"

            [sprt]
            elo0 = 0.5
        "#;
        let mut words = words_of(&text.parse().unwrap()).unwrap();
        let expected = [
            "-each",
            "option.Hash=16",
            "tc=10+0.1",
            "-engine",
            "arg=-x",
            "arg=-y",
            "cmd=./a",
            "name=A B",
            "option.Move Overhead=5",
            "option.Ponder=true",
            "-engine",
            "cmd=./b",
            "-games",
            "2",
            "-pgnout",
            "games.pgn",
            "-quiet",
            "-rounds",
            "50",
            "-sprt",
            "elo0=0.5",
        ];
        // The order of keys is not promised, that of words within an option hardly matters.
        let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        words.sort();
        expected.sort();
        assert_eq!(words, expected);
        assert!(words_of(&"x = [1]".parse().unwrap()).unwrap_err().starts_with("x: a"));
    }

    #[test]
    fn words_without_a_file_stay_as_they_are() {
        let words = ["-engine", "cmd=a.toml", "-games", "2"];
        assert_eq!(expand(&words).unwrap(), words);
        assert!(expand(&["no-such-file.toml"]).unwrap_err().starts_with("no-such-file.toml: "));
        assert!(expand(&["-config"]).is_err());
    }
}
