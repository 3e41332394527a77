"""The slow ways of native methods, for boards whose class overrides what these call.

A native method answers by itself, unless a subclass overrides one of the methods that `CALLS` of
`_hooks` has for it: then it asks the function of its name here, which calls the methods of the board.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Dict, Hashable, Iterator, List, Optional, cast

from mola._mola.chess import Move, Piece

from ._constants import (
    BB_CORNERS,
    BB_FILES,
    BB_RANK_1,
    BB_RANK_8,
    BB_RANKS,
    BB_SQUARES,
    BLACK,
    E1,
    E8,
    FILE_NAMES,
    KING,
    PAWN,
    RANK_NAMES,
    SQUARE_NAMES,
    SQUARES_180,
    WHITE,
    Bitboard,
    Color,
    PieceType,
    Square,
    between,
    lsb,
    msb,
    piece_symbol,
    popcount,
    scan_reversed,
    square_file,
    square_rank,
)
from ._hooks import LOSING

if TYPE_CHECKING:
    from ._base_board import BaseBoard
    from ._board import Board
    from .variant import AtomicBoard, CrazyhouseBoard

# Pieces.


def piece_at(board: BaseBoard, square: Square) -> Optional[Piece]:
    piece_type = board.piece_type_at(square)
    if not piece_type:
        return None
    return Piece(piece_type, bool(board.occupied_co[WHITE] & BB_SQUARES[square]))


def piece_map(board: BaseBoard, mask: Bitboard) -> Dict[Square, Optional[Piece]]:
    return {square: board.piece_at(square) for square in scan_reversed(board.occupied & mask)}


def board_fen(board: BaseBoard, promoted: bool) -> str:
    def letter(square: Square) -> str:
        piece = board.piece_at(square)
        if not piece:
            return " "
        return piece.symbol() + ("~" if promoted and board.promoted & BB_SQUARES[square] else "")

    # A list: to an iterator, a `StopIteration` of the subclass would be its end.
    letters = [letter(square) for square in SQUARES_180]
    rows = ("".join(letters[start : start + 8]) for start in range(0, 64, 8))
    return re.sub(" +", lambda empty: str(len(empty[0])), "/".join(rows))


def pieces(board: BaseBoard, piece_type: PieceType, color: Color) -> Bitboard:
    return board.pieces_mask(piece_type, color)


# Attacks and checks.


def attacks(board: BaseBoard, square: Square) -> Bitboard:
    return board.attacks_mask(square)


def attackers(
    board: BaseBoard, color: Color, square: Square, occupied: Optional[Bitboard]
) -> Bitboard:
    return board.attackers_mask(color, square, occupied)


def _is_exempt(board: Board) -> bool:
    """Whether no check counts, as the kings stand beside each other."""
    return board._rules == "atomic" and cast("AtomicBoard", board)._kings_connected()


def checkers_mask(board: Board) -> Bitboard:
    king = board.king(board.turn)
    return 0 if king is None or _is_exempt(board) else board.attackers_mask(not board.turn, king)


def was_into_check(board: Board) -> bool:
    king = board.king(not board.turn)
    return (
        king is not None and not _is_exempt(board) and board.is_attacked_by(board.turn, king)
    )


def gives_check(board: Board, move: Move) -> bool:
    board.push(move)
    try:
        return board.is_check()
    finally:
        board.pop()


def is_into_check(board: Board, move: Move) -> bool:
    if board._rules == "atomic":
        board.push(move)
        try:
            return board.was_into_check()
        finally:
            board.pop()
    king = board.king(board.turn)
    if king is None:
        return False
    checkers = board.attackers_mask(not board.turn, king)
    origin, target = BB_SQUARES[move.from_square], BB_SQUARES[move.to_square]
    if move.drop:
        may_block = popcount(checkers) == 1 and target & between(king, msb(checkers))
        return bool(checkers) and not may_block
    if checkers and move not in board._generate_evasions(king, checkers, origin, target):
        return True
    return not board._is_safe(king, board._slider_blockers(king), move)


# Moves.


def generate_castling_moves(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    if board.is_variant_end():
        return
    rank = BB_RANK_1 if board.turn else BB_RANK_8
    kings = board.kings & board.occupied_co[board.turn] & ~board.promoted & rank & from_mask
    if kings:
        king = lsb(kings)
        for rook in scan_reversed(board.clean_castling_rights() & rank & to_mask):
            if _may_castle(board, king, rook):
                yield board._from_chess960(board.chess960, king, rook)


def _may_castle(board: Board, king: Square, rook: Square) -> bool:
    """Whether king and rook have a free way, and the king one that is not attacked."""
    first = 8 * square_rank(king)
    king_to, rook_to = (first + 2, first + 3) if rook < king else (first + 6, first + 5)
    path, target = between(king, king_to), BB_SQUARES[king_to] | BB_SQUARES[rook_to]
    without_king = board.occupied ^ BB_SQUARES[king]
    others = without_king ^ BB_SQUARES[rook]
    if others & (path | between(rook, rook_to) | target):
        return False
    return not (
        board._attacked_for_king(path | BB_SQUARES[king], without_king)
        or board._attacked_for_king(BB_SQUARES[king_to], others | BB_SQUARES[rook_to])
    )


def generate_pseudo_legal_moves(
    board: Board, from_mask: Bitboard, to_mask: Bitboard
) -> Iterator[Move]:
    own = board.occupied_co[board.turn]
    for from_square in scan_reversed(own & ~board.pawns & from_mask):
        for to_square in scan_reversed(board.attacks_mask(from_square) & ~own & to_mask):
            yield Move(from_square, to_square)
    if from_mask & board.kings:
        yield from board.generate_castling_moves(from_mask, to_mask)
    pawns = own & board.pawns & from_mask
    if not pawns:
        return
    plain = board._plain()
    plain.ep_square = None
    yield from plain.generate_pseudo_legal_moves(pawns, to_mask)
    if board.ep_square:
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
        castling = board._from_chess960(board.chess960, move.from_square, move.to_square)
        if castling in board.generate_castling_moves():
            return True
    return bool(board.attacks_mask(move.from_square) & target & ~own)


def is_legal(board: Board, move: Optional[Move]) -> bool:
    if not move or board.is_variant_end() or not board.is_pseudo_legal(move):
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
    """Whether a move explodes the enemy's king alone, or leaves the own one in no check."""
    board.push(move)
    try:
        if not board.kings or board.is_variant_win():
            return False
        return board.is_variant_loss() or not board.was_into_check()
    finally:
        board.pop()


def generate_legal_moves(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    if board.is_variant_end():
        return
    if board._rules == "atomic":
        for move in board.generate_pseudo_legal_moves(from_mask, to_mask):
            if board.is_legal(move):
                yield move
    elif board._rules in LOSING:
        yield from _generate_compulsory(board, from_mask, to_mask)
    elif board._rules == "racingkings":
        for move in _generate_safe(board, from_mask, to_mask):
            if not board.gives_check(move):
                yield move
    else:
        yield from _generate_safe(board, from_mask, to_mask)
    if board._rules == "crazyhouse":
        yield from cast("CrazyhouseBoard", board).generate_legal_drops(from_mask & to_mask)


def _generate_compulsory(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    """The captures, wherever there is any, or all moves if there is none."""
    captures = list(board.generate_pseudo_legal_captures())
    for move in captures:
        if BB_SQUARES[move.from_square] & from_mask and BB_SQUARES[move.to_square] & to_mask:
            yield move
    if not captures:
        free = to_mask & ~board.occupied_co[not board.turn]
        for move in board.generate_pseudo_legal_moves(from_mask, free):
            if not board.is_en_passant(move):
                yield move


def _generate_safe(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    """The moves that leave the king in no check."""
    kings = board.kings & board.occupied_co[board.turn]
    if not kings:
        yield from board.generate_pseudo_legal_moves(from_mask, to_mask)
    else:
        king = msb(kings)
        checkers, blockers = board.attackers_mask(not board.turn, king), board._slider_blockers(king)
        moves = (
            board._generate_evasions(king, checkers, from_mask, to_mask)
            if checkers
            else board.generate_pseudo_legal_moves(from_mask, to_mask)
        )
        for move in moves:
            if board._is_safe(king, blockers, move):
                yield move


def generate_legal_ep(board: Board, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
    if board.is_variant_end():
        return
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


def reduces_castling_rights(board: Board, move: Move) -> bool:
    rights = board.clean_castling_rights()
    touched = BB_SQUARES[move.from_square] ^ BB_SQUARES[move.to_square]
    kings = touched & board.kings & ~board.promoted
    return bool(touched & rights) or any(
        rights & rank and kings & board.occupied_co[color]
        for color, rank in ((WHITE, BB_RANK_1), (BLACK, BB_RANK_8))
    )


def has_chess960_castling_rights(board: Board) -> bool:
    mode, board.chess960 = board.chess960, True
    try:
        rights = board.clean_castling_rights()
    finally:
        board.chess960 = mode
    at_home = (
        (WHITE, BB_RANK_1, BB_SQUARES[E1]),
        (BLACK, BB_RANK_8, BB_SQUARES[E8]),
    )
    return bool(rights & ~BB_CORNERS) or any(
        rights & rank and not board.kings & board.occupied_co[color] & home
        for color, rank, home in at_home
    )


# Repetitions.


def is_repetition(board: Board, count: int) -> bool:
    # As python-chess does, whatever the keys are: they count only where squares are occupied as often.
    if sum(before.occupied == board.occupied for before in board._stack) + 1 < count:
        return False
    return count <= 1 or _earlier_keys(board).count(board._transposition_key()) + 1 >= count


def can_claim_threefold_repetition(board: Board) -> bool:
    now, earlier = board._transposition_key(), _earlier_keys(board)
    if earlier.count(now) >= 2:
        return True
    earlier.append(now)
    for move in board.generate_legal_moves():
        board.push(move)
        try:
            if earlier.count(board._transposition_key()) >= 2:
                return True
        finally:
            board.pop()
    return False


def _earlier_keys(board: Board) -> List[Hashable]:
    """The keys of the positions before, since the last move that is irreversible."""
    keys, taken_back = [], []
    try:
        while board.move_stack:
            move = board.pop()
            taken_back.append(move)
            if board.is_irreversible(move):
                break
            keys.append(board._transposition_key())
    finally:
        while taken_back:
            board.push(taken_back.pop())
    return keys


# Texts.


def algebraic(board: Board, move: Move, long: bool) -> str:
    return board._algebraic(move, long=long)


def algebraic_without_suffix(board: Board, move: Move, long: bool) -> str:
    target = SQUARE_NAMES[move.to_square]
    if not move:
        return "--"
    if move.drop:
        return f"{_letter(move.drop)}@{target}"
    if board.is_castling(move):
        return "O-O-O" if square_file(move.to_square) < square_file(move.from_square) else "O-O"
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
