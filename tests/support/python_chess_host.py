#!/usr/bin/env python3
"""Drives an engine through python-chess: play, analysis, pondering, Chess960, options, odd limits.

    python_chess_host.py ENGINE

Ends with the line "done"; python-chess raises an exception at whatever it can't read.
"""
import logging
import random
import sys

import chess
import chess.engine

# A line that python-chess can't read is logged, not raised.
logging.basicConfig(level=logging.ERROR)


class Complaints(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def play(engine, board, plies, limit, **more):
    while plies and not board.is_game_over():
        result = engine.play(board, limit, info=chess.engine.INFO_ALL, **more)
        board.push(result.move)
        plies -= 1


def set_extremes(engine):
    # What fills the memory or the machine is set in the middle; files that are not there are refused.
    moderate = {"Hash": (1, 64), "Threads": (1, 4)}
    for name, option in engine.options.items():
        if option.is_managed() or option.type == "button":
            continue
        values = {
            "spin": moderate.get(name, (option.min, option.max)),
            "check": (True, False),
            "string": ("/no such/file ü", ""),
        }[option.type]
        for value in (*values, option.default):
            engine.configure({name: value})
        engine.ping()


def odd_limits(engine, rng, count):
    boards = [chess.Board(), chess.Board("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"),
              chess.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")]
    for _ in range(count):
        board = rng.choice(boards)
        limits = {
            "time": rng.choice([0.001, 0.02, 0]),
            "depth": rng.choice([1, 3, 200]),
            "nodes": rng.choice([1, 50, 10**12]),
            "mate": rng.choice([1, 5, 99]),
            "white_clock": rng.choice([0, 0.001, 0.05, 1e6]),
            "black_clock": rng.choice([0, 0.001, 0.05, 1e6]),
            "white_inc": rng.choice([0, 0.01]),
            "black_inc": rng.choice([0, 0.01]),
            "remaining_moves": rng.choice([1, 40]),
        }
        chosen = rng.sample(sorted(limits), rng.randrange(len(limits)))
        limit = chess.engine.Limit(**{name: limits[name] for name in chosen})
        moves = rng.sample(list(board.legal_moves), 2) if rng.random() < 0.3 else None
        lines = rng.choice([None, 1, 5])
        with engine.analysis(board, limit, multipv=lines, root_moves=moves) as analysis:
            for _, _info in zip(range(rng.randrange(4)), analysis):
                pass
            analysis.stop()
            best = analysis.wait()
        assert best.move in board.legal_moves, (board.fen(), limit, best)
        assert moves is None or best.move in moves, (board.fen(), limit, best)


def main():
    complaints = Complaints()
    chess.engine.LOGGER.addHandler(complaints)
    rng = random.Random(1)
    engine = chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=60)
    try:
        play(engine, chess.Board(), 40, chess.engine.Limit(nodes=300))
        play(engine, chess.Board(), 10, chess.engine.Limit(white_clock=1, black_clock=1,
                                                           white_inc=0.05, black_inc=0.05))
        print("played")
        play(engine, chess.Board(), 12, chess.engine.Limit(time=0.02), ponder=True)
        print("pondered")
        infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=5), multipv=5)
        assert [info["multipv"] for info in infos] == [1, 2, 3, 4, 5], infos
        scores = [info["score"].relative.score(mate_score=10**6) for info in infos]
        assert scores == sorted(scores, reverse=True), scores
        print("analysed")
        for number in (0, 518, 959, 333):
            board = chess.Board.from_chess960_pos(number)
            play(engine, board, 16, chess.engine.Limit(nodes=200))
        print("played Chess960")
        set_extremes(engine)
        print("set options")
        play(engine, chess.Board(), 4, chess.engine.Limit(nodes=300))
        odd_limits(engine, rng, 1000)
        print("sent odd limits")
        weak = {"UCI_LimitStrength": True, "UCI_Elo": 700, "UCI_ShowWDL": True}
        play(engine, chess.Board(), 30, chess.engine.Limit(time=0.1), options=weak)
        print("played weakly")
    finally:
        engine.quit()
    assert not complaints.texts, complaints.texts
    print("done")


main()
