//! The options about endgame tables.

use std::sync::Arc;

use crate::search::{Engine, Tables};
use crate::tablebase::Tablebases;

/// What the host has set.
#[derive(Debug, Default)]
pub(super) struct Endgames {
    tables: Tables,
}

impl Endgames {
    /// Changes a setting and hands all of them to the engine.
    pub(super) fn set(&mut self, engine: &mut Engine, change: impl FnOnce(&mut Tables)) {
        change(&mut self.tables);
        engine.set_endgame_tables(self.tables.clone());
    }

    /// Looks for tables in these folders; gives the lines to tell the host.
    pub(super) fn open(&mut self, engine: &mut Engine, list: &str) -> Vec<String> {
        let folders = Tablebases::folders(list);
        if folders.is_empty() {
            self.set(engine, |tables| tables.tables = None);
            return Vec::new();
        }
        let found = Tablebases::open(&folders);
        let mut lines: Vec<String> =
            found.complaints().iter().map(|fault| format!("error: {fault}")).collect();
        lines.push(match found.count() {
            0 => "no endgame tables found".to_owned(),
            count => format!("{count} endgame tables found, of {} men at most", found.most_men()),
        });
        self.set(engine, |tables| tables.tables = Some(Arc::new(found)));
        lines
    }
}
