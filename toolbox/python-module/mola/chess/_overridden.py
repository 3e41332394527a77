"""The slow ways of native methods, for boards whose class overrides what these call.

A native method answers by itself, unless a subclass overrides one of the methods that `CALLS` of
`_hooks` has for it: then it asks the function of its name here, which calls the methods of the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, cast

from mola._mola import chess as _native
from mola._mola.chess import Move

from ._constants import (
    BB_FILES,
    BB_KING_ATTACKS,
    BB_RANKS,
    BB_SQUARES,
    FILE_NAMES,
    KING,
    PAWN,
    RANK_NAMES,
    SQUARE_NAMES,
    Bitboard,
    Square,
    between,
    msb,
    piece_symbol,
    popcount,
    ray,
    scan_reversed,
    square_file,
    square_rank,
)
from ._hooks import OWN_CHECKS

if TYPE_CHECKING:
    from ._board import Board
    from .variant import CrazyhouseBoard

# Checks.


def checkers_mask(board: Board) -> Bitboard:
    king = board.king(board.turn)
    return 0 if king is None else board.attackers_mask(not board.turn, king)


def was_into_check(board: Board) -> bool:
    king = board.king(not board.turn)
    return king is not None and board.is_attacked_by(board.turn, king)


def gives_check(board: Board, move: Move) -> bool:
    board.push(move)
    try:
        return board.is_check()
    finally:
        board.pop()


def is_into_check(board: Board, move: Move) -> bool:
    king = board.king(board.turn)
    return king is not None and not _is_safe(board, king, move)


def _is_safe(board: Board, king: Square, move: Move) -> bool:
    """Whether the king of the side to move is in no check after a move."""
    them = not board.turn
    checkers = board.attackers_mask(them, king)
    if move.from_square == king:
        return board.is_castling(move) or not (
            board.is_attacked_by(them, move.to_square) or _stays_on_line(board, checkers, move)
        )
    gone, come = BB_SQUARES[move.from_square] | _taken_en_passant(board, move), BB_SQUARES[move.to_square]
    if checkers and not _meets(checkers, king, gone | come):
        return False
    # Sliders that the piece held off.
    after = board.occupied & ~gone | come
    discovered = _native.BaseBoard.attackers_mask(board, them, king, after)
    discovered &= ~_native.BaseBoard.attackers_mask(board, them, king)
    return not discovered & ~(gone | come)


def _stays_on_line(board: Board, checkers: Bitboard, move: Move) -> bool:
    """Whether a king flees from a slider along its line."""
    sliders = checkers & (board.bishops | board.rooks | board.queens)
    return any(
        ray(slider, move.from_square) & BB_SQUARES[move.to_square] & ~BB_SQUARES[slider]
        for slider in scan_reversed(sliders)
    )


def _meets(checkers: Bitboard, king: Square, touched: Bitboard) -> bool:
    """Whether a move of another piece captures what gives check, or comes between."""
    return popcount(checkers) == 1 and bool(touched & (checkers | between(king, msb(checkers))))


def _taken_en_passant(board: Board, move: Move) -> Bitboard:
    if move.drop or not board.is_en_passant(move):
        return 0
    return BB_SQUARES[move.to_square ^ 8]


# Moves.


def generate_castling_moves(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    for move in board._with_clean_rights().generate_castling_moves(from_mask, to_mask):
        if board._rules in OWN_CHECKS or not _castles_through_check(board, move):
            yield move


def _castles_through_check(board: Board, move: Move) -> bool:
    """Whether pieces attack a square that the king passes, beside those that we know to attack it."""
    rank = square_rank(move.from_square)
    king_to = 8 * rank + (6 if move.to_square > move.from_square else 2)
    path = between(move.from_square, king_to) | BB_SQUARES[move.from_square] | BB_SQUARES[king_to]
    occupied = board.occupied & ~BB_SQUARES[move.from_square]
    return any(
        board.attackers_mask(not board.turn, square, occupied) for square in scan_reversed(path)
    )


def generate_pseudo_legal_moves(
    board: Board, from_mask: Bitboard, to_mask: Bitboard
) -> Iterator[Move]:
    own = board.occupied_co[board.turn]
    for from_square in scan_reversed(own & ~board.pawns & from_mask):
        for to_square in scan_reversed(board.attacks_mask(from_square) & ~own & to_mask):
            yield Move(from_square, to_square)
    yield from board.generate_castling_moves(from_mask, to_mask)
    pawns = board._plain()
    pawns.ep_square = None
    yield from pawns.generate_pseudo_legal_moves(from_mask & board.pawns, to_mask)
    yield from board.generate_pseudo_legal_ep(from_mask, to_mask)


def generate_pseudo_legal_captures(
    board: Board, from_mask: Bitboard, to_mask: Bitboard
) -> Iterator[Move]:
    enemy = board.occupied_co[not board.turn]
    yield from board.generate_pseudo_legal_moves(from_mask, to_mask & enemy)
    yield from board.generate_pseudo_legal_ep(from_mask, to_mask)


def is_pseudo_legal(board: Board, move: Optional[Move]) -> bool:
    if not move:
        return False
    own, origin, target = (
        board.occupied_co[board.turn],
        BB_SQUARES[move.from_square],
        BB_SQUARES[move.to_square],
    )
    piece_type = board.piece_type_at(move.from_square)
    if not piece_type or not own & origin:
        return False
    if piece_type == PAWN:
        return move in board.generate_pseudo_legal_moves(origin, target)
    if move.promotion:
        return False
    if piece_type == KING:
        castling = board._with_castling(move, board.chess960)
        if castling in board.generate_castling_moves():
            return True
    return bool(board.attacks_mask(move.from_square) & target & ~own)


def is_legal(board: Board, move: Optional[Move]) -> bool:
    if not move or not board.is_pseudo_legal(move):
        return False
    if move.drop:
        squares = cast("CrazyhouseBoard", board).legal_drop_squares_mask()
        return bool(squares & BB_SQUARES[move.to_square])
    if board._rules == "atomic":
        return _survives_explosions(board, move)
    if board.is_into_check(move):
        return False
    if board._rules == "racingkings":
        return not board.gives_check(move)
    if board.captures_compulsory and not board.is_capture(move):
        return not any(board.generate_pseudo_legal_captures())
    return True


def _survives_explosions(board: Board, move: Move) -> bool:
    """Whether a move explodes the enemy's king, or leaves the own one in no check."""
    board.push(move)
    try:
        return board.is_variant_loss() or not board.is_variant_win() and not board.was_into_check()
    finally:
        board.pop()


def generate_legal_moves(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    if board._rules in (*OWN_CHECKS, "racingkings"):
        yield from filter(board.is_legal, board.generate_pseudo_legal_moves(from_mask, to_mask))
        return
    kings = board.kings & board.occupied_co[board.turn]
    if not kings:
        yield from board.generate_pseudo_legal_moves(from_mask, to_mask)
    else:
        king = msb(kings)
        for move in _candidates(board, king, from_mask, to_mask):
            if _is_safe(board, king, move):
                yield move
    if board._rules == "crazyhouse":
        yield from cast("CrazyhouseBoard", board).generate_legal_drops(from_mask & to_mask)


def _candidates(
    board: Board, king: Square, from_mask: Bitboard, to_mask: Bitboard
) -> Iterator[Move]:
    """Pseudo-legal moves; in check, first those of the king and then what may end it."""
    checkers = board.attackers_mask(not board.turn, king)
    if not checkers:
        yield from board.generate_pseudo_legal_moves(from_mask, to_mask)
        return
    if BB_SQUARES[king] & from_mask:
        own = board.occupied_co[board.turn]
        for to_square in scan_reversed(BB_KING_ATTACKS[king] & ~own & to_mask):
            yield Move(king, to_square)
    if popcount(checkers) == 1:
        target = checkers | between(king, msb(checkers))
        yield from board.generate_pseudo_legal_moves(~board.kings & from_mask, target & to_mask)
        for move in board.generate_pseudo_legal_ep(from_mask, to_mask):
            if not BB_SQUARES[move.to_square] & target:
                yield move


def generate_legal_ep(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    for move in board.generate_pseudo_legal_ep(from_mask, to_mask):
        if not board.is_into_check(move):
            yield move


def generate_legal_captures(
    board: Board, from_mask: Bitboard, to_mask: Bitboard
) -> Iterator[Move]:
    enemy = board.occupied_co[not board.turn]
    yield from board.generate_legal_moves(from_mask, to_mask & enemy)
    yield from board.generate_legal_ep(from_mask, to_mask)


def has_pseudo_legal_en_passant(board: Board) -> bool:
    return board.ep_square is not None and any(board.generate_pseudo_legal_ep())


def has_legal_en_passant(board: Board) -> bool:
    return board.ep_square is not None and any(board.generate_legal_ep())


def is_capture(board: Board, move: Move) -> bool:
    touched = BB_SQUARES[move.from_square] ^ BB_SQUARES[move.to_square]
    return bool(touched & board.occupied_co[not board.turn]) or board.is_en_passant(move)


def can_claim_threefold_repetition(board: Board) -> bool:
    if _native.Board.is_repetition(board, 3):
        return True
    for move in board.generate_legal_moves():
        board.push(move)
        try:
            if _native.Board.is_repetition(board, 3):
                return True
        finally:
            board.pop()
    return False


# Texts.


def algebraic(board: Board, move: Move, long: bool) -> str:
    text = _without_suffix(board, move, long)
    if not move:
        return text
    board.push(move)
    try:
        in_check = board.is_check()
        if in_check and board.is_checkmate() or board.is_variant_loss() or board.is_variant_win():
            return text + "#"
        return text + "+" if in_check else text
    finally:
        board.pop()


def _without_suffix(board: Board, move: Move, long: bool) -> str:
    target = SQUARE_NAMES[move.to_square]
    if not move:
        return "--"
    if move.drop:
        return f"{_letter(move.drop)}@{target}"
    if board.is_castling(move):
        return "O-O" if square_file(move.to_square) > square_file(move.from_square) else "O-O-O"
    piece_type = board.piece_type_at(move.from_square)
    assert piece_type, (
        f"san() and lan() expect move to be legal or null, but got {move} in {board.fen()}"
    )
    captures, origin = board.is_capture(move), SQUARE_NAMES[move.from_square]
    if long:
        named = origin
    elif piece_type == PAWN:
        named = origin[0] if captures else ""
    else:
        named = _named_origin(board, move, piece_type)
    between_squares = "x" if captures else "-" if long else ""
    promotion = "=" + piece_symbol(move.promotion).upper() if move.promotion else ""
    return _letter(piece_type) + named + between_squares + target + promotion


def _letter(piece_type: int) -> str:
    return "" if piece_type == PAWN else piece_symbol(piece_type).upper()


def _named_origin(board: Board, move: Move, piece_type: int) -> str:
    """What distinguishes a piece from others of its type that can go to the same square."""
    alike = board.pieces_mask(piece_type, board.turn) & ~BB_SQUARES[move.from_square]
    others = 0
    for other in board.generate_legal_moves(alike, BB_SQUARES[move.to_square]):
        others |= BB_SQUARES[other.from_square]
    if not others:
        return ""
    file, rank = FILE_NAMES[square_file(move.from_square)], RANK_NAMES[square_rank(move.from_square)]
    shares_file = others & BB_FILES[square_file(move.from_square)]
    shares_rank = others & BB_RANKS[square_rank(move.from_square)]
    return (file if shares_rank or not shares_file else "") + (rank if shares_file else "")


def epd_fields(board: Board, shredder: bool, en_passant: str, promoted: Optional[bool]) -> str:
    ours = board._plain()._epd(shredder, en_passant, promoted).split(" ")
    pieces, turn, _, _, *checks = ours
    pockets = pieces[pieces.find("[") :] if "[" in pieces else ""
    board_fen = board.board_fen(promoted=promoted)
    castling = board.castling_shredder_fen() if shredder else board.castling_xfen()
    if en_passant == "fen":
        is_written = True
    elif en_passant == "xfen":
        is_written = board.has_pseudo_legal_en_passant()
    else:
        is_written = board.has_legal_en_passant()
    passed = board.ep_square if is_written else None
    square = "-" if passed is None else SQUARE_NAMES[passed]
    return " ".join([board_fen + pockets, turn, castling, square, *checks])
