//! Input: the thread that reads lines and does nothing else.

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::thread;

use super::session::Event;

/// Longer lines are dropped, so that an endless one does not fill the memory. A game of a million
/// moves is far shorter.
const LONGEST_LINE: usize = 1 << 26;

/// Starts the thread. Its last event is the end of the input, unless nobody listens any more.
pub(super) fn start<R>(reader: R, events: Sender<Event>) -> io::Result<()>
where
    R: BufRead + Send + 'static,
{
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || forward(reader, &events, LONGEST_LINE))?;
    Ok(())
}

fn forward(mut reader: impl BufRead, events: &Sender<Event>, longest: usize) {
    loop {
        let event = match line(&mut reader, longest) {
            Ok(Some(line)) => line,
            Ok(None) => Event::EndOfInput(Ok(())),
            Err(error) => Event::EndOfInput(Err(error)),
        };
        let last = matches!(event, Event::EndOfInput(_));
        if events.send(event).is_err() || last {
            return;
        }
    }
}

/// The next line, whatever bytes it holds; none at the end of the input.
fn line(reader: &mut impl BufRead, longest: usize) -> io::Result<Option<Event>> {
    let mut bytes = Vec::new();
    let mut any = false;
    let mut dropped = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let mut parts = chunk.split_inclusive(|&byte| byte == b'\n');
        let part = parts.next().unwrap_or_default();
        let (taken, ends) = (part.len(), part.ends_with(b"\n"));
        if dropped || bytes.len() + taken > longest {
            dropped = true;
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(part);
        }
        reader.consume(taken);
        if ends {
            break;
        }
    }
    if !any {
        return Ok(None);
    }
    if dropped {
        return Ok(Some(Event::LineTooLong));
    }
    Ok(Some(Event::Line(String::from_utf8_lossy(&bytes).into_owned())))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;
    use std::sync::mpsc;

    use super::*;

    fn lines(input: &'static [u8]) -> Vec<String> {
        let (events, heard) = mpsc::channel();
        // A tiny buffer, so that lines cross its edges.
        forward(BufReader::with_capacity(3, input), &events, 20);
        drop(events);
        heard
            .iter()
            .map(|event| match event {
                Event::Line(line) => line,
                Event::LineTooLong => "too long".to_owned(),
                Event::EndOfInput(result) => format!("end {}", result.is_ok()),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn lines_of_all_kinds_arrive() {
        let cases: [(&[u8], &[&str]); 6] = [
            (b"", &["end true"]),
            (b"uci\nisready\r\n", &["uci\n", "isready\r\n", "end true"]),
            (b"\n\nquit", &["\n", "\n", "quit", "end true"]),
            (b"a\xffb\n", &["a\u{fffd}b\n", "end true"]),
            (b"123456789012345678901\nd\n", &["too long", "d\n", "end true"]),
            (b"1234567890123456789\nd\n", &["1234567890123456789\n", "d\n", "end true"]),
        ];
        for (input, expected) in cases {
            assert_eq!(lines(input), expected);
        }
    }
}
