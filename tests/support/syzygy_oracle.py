#!/usr/bin/env python3
"""Random positions for every Syzygy table of a folder, with what python-chess says of them.

    syzygy_oracle.py FOLDER POSITIONS_A_TABLE SEED

Prints lines of FEN, WDL and DTZ, separated by tabs. Needs python-chess.
"""
import pathlib
import random
import sys

import chess
import chess.syzygy


def man(letter, color):
    return chess.Piece.from_symbol(letter if color else letter.lower())


def random_position(name, rng):
    board = chess.Board(None)
    white, black = name.split("v")
    if rng.random() < 0.5:
        white, black = black, white
    men = [man(letter, True) for letter in white] + [man(letter, False) for letter in black]
    pawn = chess.PAWN
    for piece, square in zip(men, rng.sample(range(64), len(men))):
        if piece.piece_type == pawn and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, piece)
    board.turn = rng.random() < 0.5
    # Wherever a pawn may just have made a double step, now and then it has.
    pushed = [s for s in board.pieces(pawn, not board.turn)
              if chess.square_rank(s) == (4 if board.turn else 3)]
    if pushed and rng.random() < 0.5:
        square = rng.choice(pushed)
        step = 8 if board.turn else -8
        if not board.piece_at(square + step) and not board.piece_at(square + 2 * step):
            board.ep_square = square + step
    return board if board.is_valid() else None


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    tables = chess.syzygy.open_tablebase(folder)
    for path in sorted(pathlib.Path(folder).glob("*.rtbw")):
        rng = random.Random(f"{seed} {path.stem}")
        left = count
        while left:
            board = random_position(path.stem, rng)
            if board is None:
                continue
            # None: a capture or promotion leads to a table that is not there.
            print(board.fen(), tables.get_wdl(board), tables.get_dtz(board), sep="\t")
            left -= 1


main()
