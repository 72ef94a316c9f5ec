//! Network files: what is written is read again, and what is damaged is refused by name.

use std::fs;

use qishou::eval::{Architecture, Network, NetworkError, NetworkFileError};

#[path = "support/random_network.rs"]
mod random_network;

fn network() -> Network {
    random_network::network(Architecture::with_hidden(32), 9)
}

/// Where the bytes of the header begin, see `eval/network/file.rs`.
const HIDDEN: usize = 12;
const BUCKETS: usize = 16;
const FLAGS: usize = 20;
const SCALE: usize = 24;
const TEXT_LENGTH: usize = 28;
const TEXT: usize = 32;
const PAYLOAD_LENGTH: usize = TEXT + "random".len();
const PAYLOAD: usize = PAYLOAD_LENGTH + 8;

/// A sound file with one change and, so that only the change is wrong, a checksum to match.
fn with_change(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = network().to_bytes();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn with_field(at: usize, value: u32) -> Vec<u8> {
    with_change(|bytes| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes()))
}

fn refusal(bytes: &[u8]) -> NetworkError {
    Network::from_bytes(bytes).expect_err("refused")
}

#[test]
fn a_network_survives_the_way_through_a_file() {
    let plain = Architecture { hidden: 96, buckets: 1, mirrored: false, scale: 250 };
    for architecture in [plain, Architecture::with_hidden(128)] {
        let written = random_network::network(architecture, 4);
        let read = Network::from_bytes(&written.to_bytes()).unwrap();
        assert_eq!(*read.architecture(), architecture);
        assert_eq!(read.made_with(), "random");
        assert_eq!(read.weights(), random_network::weights(&architecture, 4));
        assert_eq!(read.checksum(), written.checksum());
    }
}

#[test]
fn what_is_wrong_with_a_header_is_named() {
    for (bytes, expected) in [
        (with_change(|bytes| bytes[0] = b'q'), NetworkError::Magic("qISHOUNN".into())),
        (with_field(8, 2), NetworkError::Version(2)),
        (with_field(HIDDEN, 33), NetworkError::Hidden(33)),
        (with_field(HIDDEN, 0), NetworkError::Hidden(0)),
        (with_field(HIDDEN, 1 << 20), NetworkError::Hidden(1 << 20)),
        (with_field(BUCKETS, 3), NetworkError::Buckets(3)),
        (with_field(FLAGS, 3), NetworkError::Flags(3)),
        (with_field(SCALE, 0), NetworkError::Scale(0)),
        (with_change(|bytes| bytes[TEXT] = 0xFF), NetworkError::MadeWith),
        (
            with_field(HIDDEN, 64),
            NetworkError::PayloadLength {
                needed: 2 * (768 * 64 + 64 + 8 * 128) + 32,
                found: 2 * (768 * 32 + 32 + 8 * 64) + 32,
            },
        ),
    ] {
        assert_eq!(refusal(&bytes), expected);
    }
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let at_output = PAYLOAD + 2 * (768 * 32 + 32);
    let weight = |at: usize, value: i16| {
        with_change(|bytes| bytes[at..at + 2].copy_from_slice(&value.to_le_bytes()))
    };
    for (bytes, expected) in [
        (weight(at_output + 2 * 5, 128), NetworkError::OutputWeight { index: 5, value: 128 }),
        (weight(at_output, i16::MIN), NetworkError::OutputWeight { index: 0, value: i16::MIN }),
        (weight(PAYLOAD + 2 * 3, 1024), NetworkError::Neuron(3)),
        (weight(PAYLOAD + 2 * 3, i16::MIN), NetworkError::Neuron(3)),
    ] {
        assert_eq!(refusal(&bytes), expected);
    }
}

#[test]
fn a_file_cut_anywhere_is_refused_as_cut() {
    let bytes = network().to_bytes();
    for length in (1..bytes.len()).filter(|length| *length < 64 || length % 997 == 0) {
        let found = length as u64;
        match refusal(&bytes[..length]) {
            NetworkError::Truncated { needed, found: stated } => {
                assert!(stated == found && needed > found, "{length}");
            }
            other => panic!("{length}: {other}"),
        }
    }
    assert_eq!(refusal(&[]), NetworkError::Magic(String::new()));
    assert!(matches!(refusal(&bytes[..bytes.len() - 1]), NetworkError::Truncated { .. }));
    assert!(matches!(refusal(&with_field(TEXT_LENGTH, !0)), NetworkError::Truncated { .. }));
}

#[test]
fn a_flipped_bit_anywhere_is_refused() {
    let bytes = network().to_bytes();
    for at in (0..bytes.len()).filter(|at| *at < 64 || at % 499 == 0) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let refusal = refusal(&damaged);
        if at >= PAYLOAD {
            assert!(matches!(refusal, NetworkError::Checksum { .. }), "{at}: {refusal}");
        }
    }
    let longer = [bytes, vec![0; 3]].concat();
    assert_eq!(refusal(&longer), NetworkError::TooLong(3));
}

#[test]
fn numbers_of_the_wrong_count_are_refused() {
    let architecture = Architecture::with_hidden(32);
    let mut weights = random_network::weights(&architecture, 1);
    weights.feature_bias.pop();
    let refusal = Network::new(architecture, &weights, "").unwrap_err();
    assert_eq!(refusal.to_string(), "31 numbers of feature bias instead of 32");
}

#[test]
fn a_bad_file_is_named_and_a_good_one_replaces_the_old_whole() {
    let folder = std::env::temp_dir().join(format!("qishou-network-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.nnue");
    assert!(matches!(Network::load(&path), Err(NetworkFileError::Io { .. })));
    fs::write(&path, "something else").unwrap();
    let message = Network::load(&path).unwrap_err().to_string();
    assert!(message.contains("a.nnue") && message.contains("somethin"), "{message}");
    network().save(&path).unwrap();
    assert_eq!(Network::load(&path).unwrap().weights(), network().weights());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left behind");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_network_in_the_program_is_sound_if_there_is_one() {
    Network::embedded().unwrap();
}

#[test]
fn the_embedded_network_is_sound_and_small() {
    if let Some(network) = Network::embedded().unwrap() {
        assert!(network.to_bytes().len() < 3_000_000, "{network}");
    }
}

#[test]
fn an_endless_file_is_refused_and_not_read_to_its_end() {
    let endless = std::path::Path::new("/dev/zero");
    if endless.exists() {
        let error = Network::load(endless).unwrap_err();
        assert!(error.to_string().starts_with("/dev/zero: not a network file"), "{error}");
    }
}
