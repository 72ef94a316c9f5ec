//! What the documentation promises of types that threads share or hand over holds when this compiles.

const fn can_be_shared<T: Send + Sync>() {}

#[test]
fn values_of_the_rules_can_be_shared_between_threads() {
    use qishou::chess::zobrist::Keys;
    use qishou::chess::{
        Bitboard, Color, Ending, Epd, Fen, FenError, File, Game, IllegalMove, Key, Move, MoveList,
        Outcome, Piece, PieceKind, Position, Rank, San, SanError, Setup, SetupError, Square,
        UciMove, UciMoveError,
    };
    const {
        can_be_shared::<(Position, Game, Setup, Move, MoveList, Bitboard)>();
        can_be_shared::<(Square, File, Rank, Color, Piece, PieceKind, Key)>();
        can_be_shared::<(Fen<'_>, San<'_, Keys>, UciMove, Epd, Outcome, Ending)>();
        can_be_shared::<(FenError, SanError, UciMoveError, SetupError, IllegalMove)>();
    };
}

#[cfg(feature = "engine")]
#[test]
fn what_an_engine_reads_and_tells_can_be_shared_between_threads() {
    use qishou::book::Book;
    use qishou::eval::{Level, Network};
    use qishou::search::{
        BenchError, BestMove, Channel, Event, HashError, Limits, Parameter, Report, Score,
        SearchResult, Searcher, Tables, ThreadsError, WinModel,
    };
    use qishou::tablebase::Tablebases;
    const {
        can_be_shared::<(Network, Level, Tablebases, Book)>();
        can_be_shared::<(Limits, Report, BestMove, Event, Score, Tables, WinModel, Parameter)>();
        can_be_shared::<(SearchResult, HashError, ThreadsError, BenchError)>();
        can_be_shared::<Searcher>();
        can_be_shared::<Channel>();
    };
}

/// Its owner gives it orders; another thread may become its owner.
#[cfg(feature = "engine")]
#[test]
fn an_engine_can_be_handed_to_another_thread() {
    const fn can_be_handed_over<T: Send>() {}
    const { can_be_handed_over::<qishou::search::Engine>() };
}
