//! The numbers of the search as options, for tuners; and switches of its families of techniques,
//! for matches that show what each is worth.

use crate::search::{FAMILIES, PARAMETERS, set_parameter, switch_off};

/// The lines of the handshake that declare them.
pub(crate) fn declarations() -> impl Iterator<Item = String> {
    let switches =
        FAMILIES.iter().map(|name| format!("option name {name} type check default false"));
    let numbers = PARAMETERS.iter().map(|parameter| {
        let (name, default) = (parameter.name, parameter.default);
        let (min, max) = (parameter.min, parameter.max);
        format!("option name {name} type spin default {default} min {min} max {max}")
    });
    numbers.chain(switches)
}

/// Sets one. False if the option is none of them, or the value none it can have.
pub(crate) fn set(name: &str, value: Option<&str>) -> bool {
    let Some(text) = value else { return false };
    match text.to_ascii_lowercase().parse() {
        Ok(off) => switch_off(name, off),
        Err(_) => text.parse().is_ok_and(|value| set_parameter(name, value)),
    }
}
