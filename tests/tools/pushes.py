"""Moves from any piece's square to others, legal or not, as python-chess and `mola.chess` make them.

    pushes.py SEED

prints how many were compared, for one random board of each variant, and fails at a difference. Some
boards are of Chess960, and some have pieces that no game has put there.
"""

import random
import sys

import chess
import chess.variant

import mola.chess
import mola.chess.variant

PIECE_TYPES = (None, *chess.PIECE_TYPES)


def play(board, rng):
    """Plays some random moves."""
    for _ in range(rng.choice((0, 6, 20, 40))):
        moves = list(board.legal_moves)
        if moves and not board.is_variant_end():
            board.push(rng.choice(moves))


def edit(board, rng):
    """Moves some pieces and puts others on the board, but no kings."""
    for _ in range(rng.randrange(8)):
        square = rng.randrange(64)
        if board.piece_type_at(square) != chess.KING:
            piece = chess.Piece(rng.randrange(chess.PAWN, chess.KING), rng.random() < 0.5)
            board.set_piece_at(square, rng.choice((None, piece)), promoted=rng.random() < 0.2)


def start(variant, rng):
    """A random board, with its FEN and whether it is of Chess960."""
    chess960 = rng.random() < 0.4
    board = variant(chess960=chess960)
    if variant is chess.Board and chess960:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
    play(board, rng)
    edit(board, rng)
    fen = board.shredder_fen() if chess960 else board.fen(en_passant="fen")
    return fen, chess960


def outcome(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__, str(error)


def texts(board, m):
    """The move in all notations, and whether it leaves the king in check. A king of Racing Kings
    that was promoted checks by other rules."""
    yield outcome(lambda: board.is_into_check(m))
    yield outcome(lambda: board.uci(m))
    yield outcome(lambda: board.xboard(m))
    if board.uci_variant != "racingkings" or m.promotion != chess.KING:
        yield outcome(lambda: board.san(m))
        yield outcome(lambda: board.lan(m))


def after(board, m):
    """The board after the move, and after one more."""
    board.push(m)
    yield board.fen(en_passant="fen"), board.castling_rights, board.clean_castling_rights()
    yield board.peek().uci(), board.promoted, board.kings, board.is_check()
    yield bool(board.status() & chess.STATUS_BAD_CASTLING_RIGHTS)
    yield [str(pocket) for pocket in getattr(board, "pockets", ())]
    board.push(type(m).null())
    yield board.fen(), board.castling_rights
    board.pop()
    board.pop()
    yield board.fen()


def compare(rng, name):
    theirs, ours = chess.Board, mola.chess.Board
    if name != "Board":
        theirs, ours = getattr(chess.variant, name), getattr(mola.chess.variant, name)
    fen, chess960 = start(theirs, rng)
    one, other = theirs(fen, chess960=chess960), ours(fen, chess960=chess960)
    count = 0
    for origin in chess.scan_forward(one.occupied):
        is_king = one.piece_type_at(origin) == chess.KING
        for target in chess.SQUARES if is_king else rng.sample(chess.SQUARES, 16):
            parts = origin, target, rng.choice(PIECE_TYPES)
            moves = chess.Move(*parts), mola.chess.Move(*parts)
            told = [[*texts(board, m), *after(board, m)] for board, m in zip((one, other), moves)]
            assert told[0] == told[1], (name, fen, parts, *told)
            count += 1
    return count


rng = random.Random(int(sys.argv[1]))
names = [variant.__name__ for variant in chess.variant.VARIANTS]
print(sum(compare(rng, name) for name in names))
