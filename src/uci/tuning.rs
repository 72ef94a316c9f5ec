//! The numbers of the search as options, for tuners.

use crate::search::{PARAMETERS, set_parameter};

/// The lines of the handshake that declare them.
pub(crate) fn declarations() -> impl Iterator<Item = String> {
    PARAMETERS.iter().map(|parameter| {
        let (name, default) = (parameter.name, parameter.default);
        let (min, max) = (parameter.min, parameter.max);
        format!("option name {name} type spin default {default} min {min} max {max}")
    })
}

/// Sets one. False if the option is none of them, or the value none it can have.
pub(crate) fn set(name: &str, value: Option<&str>) -> bool {
    value.and_then(|text| text.parse().ok()).is_some_and(|value| set_parameter(name, value))
}
