//! The option `EvalFile`: which network the engine evaluates with, and what is said about it.

use std::path::Path;
use std::sync::Arc;

use super::words::shown;
use crate::eval::{Network, NetworkFileError};
use crate::search::Engine;

/// Where the network in use comes from, and whether the host knows.
#[derive(Debug, Default)]
pub(super) struct NetworkInUse {
    /// The file it was loaded from; none if it is the embedded one.
    file: Option<String>,
    told: bool,
}

impl NetworkInUse {
    /// Gives the engine the network of a file, or the embedded one if no name is given. If that
    /// fails, the old network stays and the reason is returned.
    pub(super) fn load(&mut self, engine: &mut Engine, name: &str) -> Result<(), String> {
        if name.is_empty() {
            engine.set_network(Network::usual());
            *self = Self::default();
            return Ok(());
        }
        let network = Network::load(Path::new(name)).map_err(|error| {
            // The name may be endless; that of the error is left out.
            let reason = match error {
                NetworkFileError::Io { source, .. } => source.to_string(),
                NetworkFileError::Format { source, .. } => source.to_string(),
            };
            format!("option EvalFile: {:?}: {reason}; the network stays", shown(name))
        })?;
        engine.set_network(Some(Arc::new(network)));
        *self = Self { file: Some(shown(name)), told: false };
        Ok(())
    }

    /// The first time it is asked: what the engine evaluates with, in one line.
    pub(super) fn introduction(&mut self, engine: &Engine) -> Option<String> {
        if std::mem::replace(&mut self.told, true) {
            return None;
        }
        Some(match engine.network() {
            Some(network) => {
                let origin = self.file.as_deref().unwrap_or("embedded");
                format!("network {} {:08x}, {origin}", network.architecture(), network.checksum())
            }
            None => match Network::embedded() {
                Err(fault) => format!("evaluation by hand; the embedded network: {fault}"),
                Ok(_) => "evaluation by hand, no network is embedded".to_owned(),
            },
        })
    }
}
