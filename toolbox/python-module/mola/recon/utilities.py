"""The moves that a player who sees only its own pieces can request, and their results."""

from __future__ import annotations

import functools
import json as json  # bots may take it from here
from typing import Iterator

import mola.chess as chess

from .notation import ChessJSONDecoder as ChessJSONDecoder
from .notation import ChessJSONEncoder as ChessJSONEncoder

# As in reconchess, for bots that import all names of this module.
from .types import *  # noqa: F403
from .types import List, Optional, Tuple

Promotions = Tuple[Optional[int], ...]

BACK_RANKS = list(chess.SquareSet(chess.BB_BACKRANKS))
PROMOTIONS = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
# Pieces that go as far as they can; a pawn does so in its double step.
SLIDING = (chess.PAWN, chess.BISHOP, chess.ROOK, chess.QUEEN)


def window(square: int) -> List[int]:
    """The squares of the 3x3 window around a square that are on the board: from the top left
    to the bottom right, as White sees them."""
    rank, file = chess.square_rank(square), chess.square_file(square)
    return [
        chess.square(f, r)
        for r in (rank + 1, rank, rank - 1)
        for f in (file - 1, file, file + 1)
        if 0 <= r < 8 and 0 <= f < 8
    ]


def move_actions(board: chess.Board) -> List[chess.Move]:
    """The moves that the player to move can request."""
    seen = without_opponent_pieces(board)
    return [*seen.pseudo_legal_moves, *pawn_captures(seen)]


def without_opponent_pieces(board: chess.Board) -> chess.Board:
    """The board with only the pieces of the player to move."""
    seen = board.copy(stack=False)
    remove = seen.remove_piece_at
    for square in chess.SquareSet(board.occupied_co[not board.turn]):
        remove(square)
    seen.ep_square = None
    return seen


def moves_without_opponent_pieces(board: chess.Board) -> List[chess.Move]:
    """The moves possible with one's own pieces alone, except pawn captures."""
    return list(without_opponent_pieces(board).pseudo_legal_moves)


def pawn_capture_moves_on(board: chess.Board) -> List[chess.Move]:
    """All pawn captures: an enemy piece may be on any square."""
    return list(pawn_captures(without_opponent_pieces(board)))


def pawn_captures(seen: chess.Board) -> Iterator[chess.Move]:
    """All pawn captures on a board with one's own pieces alone."""
    own = seen.occupied_co[seen.turn]
    for square in seen.pieces(chess.PAWN, seen.turn):
        for target, promotions in captures_from(square, seen.turn):
            if not own & chess.BB_SQUARES[target]:
                # Players may change the moves that they get.
                yield from (chess.Move(square, target, promotion) for promotion in promotions)


@functools.lru_cache(maxsize=None)
def captures_from(square: int, color: bool) -> Tuple[Tuple[int, Promotions], ...]:
    """Where a pawn captures, and to which pieces it may promote there: on the last rank to none, too,
    which becomes a queen."""
    targets = chess.SquareSet(chess.BB_PAWN_ATTACKS[color][square])
    return tuple((target, (None, *PROMOTIONS) if target in BACK_RANKS else (None,)) for target in targets)


def is_action(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move is one of :func:`move_actions`."""
    seen = without_opponent_pieces(board)
    return seen.is_pseudo_legal(move) or move in pawn_captures(seen)


def revise_move(board: chess.Board, move: chess.Move) -> Optional[chess.Move]:
    """The move taken for a requested move; ``None`` if it is impossible."""
    if board.is_pseudo_legal(move) or is_psuedo_legal_castle(board, move):
        return move
    if is_illegal_castle(board, move) or board.piece_type_at(move.from_square) not in SLIDING:
        return None
    return slide_move(board, move)


def add_pawn_queen_promotion(board: chess.Board, move: chess.Move) -> chess.Move:
    """The move, with promotion to a queen if a pawn reaches the last rank and no piece is given."""
    is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
    if is_pawn and move.promotion is None and move.to_square in BACK_RANKS:
        return chess.Move(move.from_square, move.to_square, chess.QUEEN)
    return move


def is_illegal_castle(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move is castling without the right to it, or with a piece between king and rook."""
    if not board.is_castling(move):
        return False
    kingside = board.is_kingside_castling(move)
    if kingside:
        has_rights = board.has_kingside_castling_rights(board.turn)
    else:
        has_rights = board.has_queenside_castling_rights(board.turn)
    rook = chess.square(7 if kingside else 0, chess.square_rank(move.from_square))
    return not has_rights or bool(chess.between(move.from_square, rook) & board.occupied)


def is_psuedo_legal_castle(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move is castling, perhaps over attacked squares. (The name is spelt as in reconchess.)"""
    return board.is_castling(move) and not is_illegal_castle(board, move)


def slide_move(board: chess.Board, move: chess.Move) -> Optional[chess.Move]:
    """The longest pseudo-legal part of a move; ``None`` if there is none."""
    path = list(chess.SquareSet(chess.between(move.from_square, move.to_square)))
    path.sort(key=lambda square: chess.square_distance(square, move.to_square))
    parts = (chess.Move(move.from_square, to, move.promotion) for to in [move.to_square, *path])
    return next(filter(board.is_pseudo_legal, parts), None)


def capture_square_of_move(board: chess.Board, move: Optional[chess.Move]) -> Optional[int]:
    """Where a move captures, if anywhere."""
    if move is None:
        return None
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    captured = board.color_at(move.to_square) == (not board.turn)
    return move.to_square if captured else None
