"""Constants, and functions of squares and of bitboards (plain integers)."""

from __future__ import annotations

import enum
import re
import typing
from typing import Callable, Dict, Iterable, List, SupportsInt, Tuple, Union

from mola._mola import chess as _native
from mola._mola.chess import (
    between as between,
    flip_anti_diagonal as flip_anti_diagonal,
    flip_diagonal as flip_diagonal,
    flip_horizontal as flip_horizontal,
    flip_vertical as flip_vertical,
    ray as ray,
    scan_forward as scan_forward,
    scan_reversed as scan_reversed,
    square_distance as square_distance,
)

Color = bool
COLORS = [WHITE, BLACK] = [True, False]
ColorName = typing.Literal["white", "black"]
COLOR_NAMES: List[ColorName] = ["black", "white"]

PieceType = int
PIECE_TYPES = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING] = [1, 2, 3, 4, 5, 6]
PIECE_SYMBOLS = [None, "p", "n", "b", "r", "q", "k"]
PIECE_NAMES = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]
UNICODE_PIECE_SYMBOLS = dict(zip("RrNnBbQqKkPp", "♖♜♘♞♗♝♕♛♔♚♙♟"))

FILE_NAMES = list("abcdefgh")
RANK_NAMES = list("12345678")

STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
STARTING_FEN = STARTING_BOARD_FEN + " w KQkq - 0 1"

EnPassantSpec = typing.Literal["legal", "fen", "xfen"]

FEN_CASTLING_REGEX = re.compile(r"^(?:-|[KQABCDEFGH]{0,2}[kqabcdefgh]{0,2})\Z")
SAN_REGEX = re.compile(
    r"^([NBKRQ])?([a-h])?([1-8])?[\-x]?([a-h][1-8])(=?[nbrqkNBRQK])?[\+#]?\Z"
)


class Status(enum.IntFlag):
    """What is wrong with a position."""

    VALID = 0
    NO_WHITE_KING = 1 << 0
    NO_BLACK_KING = 1 << 1
    TOO_MANY_KINGS = 1 << 2
    TOO_MANY_WHITE_PAWNS = 1 << 3
    TOO_MANY_BLACK_PAWNS = 1 << 4
    PAWNS_ON_BACKRANK = 1 << 5
    TOO_MANY_WHITE_PIECES = 1 << 6
    TOO_MANY_BLACK_PIECES = 1 << 7
    BAD_CASTLING_RIGHTS = 1 << 8
    INVALID_EP_SQUARE = 1 << 9
    OPPOSITE_CHECK = 1 << 10
    EMPTY = 1 << 11
    RACE_CHECK = 1 << 12
    RACE_OVER = 1 << 13
    RACE_MATERIAL = 1 << 14
    TOO_MANY_CHECKERS = 1 << 15
    IMPOSSIBLE_CHECK = 1 << 16


STATUS_VALID = Status.VALID
STATUS_NO_WHITE_KING = Status.NO_WHITE_KING
STATUS_NO_BLACK_KING = Status.NO_BLACK_KING
STATUS_TOO_MANY_KINGS = Status.TOO_MANY_KINGS
STATUS_TOO_MANY_WHITE_PAWNS = Status.TOO_MANY_WHITE_PAWNS
STATUS_TOO_MANY_BLACK_PAWNS = Status.TOO_MANY_BLACK_PAWNS
STATUS_PAWNS_ON_BACKRANK = Status.PAWNS_ON_BACKRANK
STATUS_TOO_MANY_WHITE_PIECES = Status.TOO_MANY_WHITE_PIECES
STATUS_TOO_MANY_BLACK_PIECES = Status.TOO_MANY_BLACK_PIECES
STATUS_BAD_CASTLING_RIGHTS = Status.BAD_CASTLING_RIGHTS
STATUS_INVALID_EP_SQUARE = Status.INVALID_EP_SQUARE
STATUS_OPPOSITE_CHECK = Status.OPPOSITE_CHECK
STATUS_EMPTY = Status.EMPTY
STATUS_RACE_CHECK = Status.RACE_CHECK
STATUS_RACE_OVER = Status.RACE_OVER
STATUS_RACE_MATERIAL = Status.RACE_MATERIAL
STATUS_TOO_MANY_CHECKERS = Status.TOO_MANY_CHECKERS
STATUS_IMPOSSIBLE_CHECK = Status.IMPOSSIBLE_CHECK


class Termination(enum.Enum):
    """Why a game is over."""

    CHECKMATE = enum.auto()
    """See `Board.is_checkmate`."""
    STALEMATE = enum.auto()
    """See `Board.is_stalemate`."""
    INSUFFICIENT_MATERIAL = enum.auto()
    """See `Board.is_insufficient_material`."""
    SEVENTYFIVE_MOVES = enum.auto()
    """See `Board.is_seventyfive_moves`."""
    FIVEFOLD_REPETITION = enum.auto()
    """See `Board.is_fivefold_repetition`."""
    FIFTY_MOVES = enum.auto()
    """See `Board.can_claim_fifty_moves`."""
    THREEFOLD_REPETITION = enum.auto()
    """See `Board.can_claim_threefold_repetition`."""
    VARIANT_WIN = enum.auto()
    """See `Board.is_variant_win`."""
    VARIANT_LOSS = enum.auto()
    """See `Board.is_variant_loss`."""
    VARIANT_DRAW = enum.auto()
    """See `Board.is_variant_draw`."""


Square = int
SQUARES = list(range(64))
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]
SQUARES_180 = [square ^ 56 for square in SQUARES]

Bitboard = int
BB_EMPTY = 0
BB_ALL = (1 << 64) - 1
BB_SQUARES = [1 << square for square in SQUARES]
BB_RANKS = [
    BB_RANK_1,
    BB_RANK_2,
    BB_RANK_3,
    BB_RANK_4,
    BB_RANK_5,
    BB_RANK_6,
    BB_RANK_7,
    BB_RANK_8,
] = [0xFF << 8 * rank for rank in range(8)]
BB_FILES = [
    BB_FILE_A,
    BB_FILE_B,
    BB_FILE_C,
    BB_FILE_D,
    BB_FILE_E,
    BB_FILE_F,
    BB_FILE_G,
    BB_FILE_H,
] = [0x0101_0101_0101_0101 << file for file in range(8)]
BB_BACKRANKS = BB_RANK_1 | BB_RANK_8
BB_CORNERS = BB_BACKRANKS & (BB_FILE_A | BB_FILE_H)
BB_CENTER = (BB_FILE_D | BB_FILE_E) & (BB_RANK_4 | BB_RANK_5)
BB_LIGHT_SQUARES = 0x55AA_55AA_55AA_55AA
BB_DARK_SQUARES = 0xAA55_AA55_AA55_AA55

BB_KNIGHT_ATTACKS = [_native.knight_attacks(square) for square in SQUARES]
BB_KING_ATTACKS = [_native.king_attacks(square) for square in SQUARES]
BB_PAWN_ATTACKS = [
    [_native.pawn_attacks(color, square) for square in SQUARES] for color in (BLACK, WHITE)
]
BB_RAYS = [[ray(a, b) for b in SQUARES] for a in SQUARES]

IntoSquareSet = Union[SupportsInt, Iterable[Square]]

A1, B1, C1, D1, E1, F1, G1, H1 = range(0, 8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)

BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1 = BB_SQUARES[0:8]
BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2 = BB_SQUARES[8:16]
BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3 = BB_SQUARES[16:24]
BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4 = BB_SQUARES[24:32]
BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5 = BB_SQUARES[32:40]
BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6 = BB_SQUARES[40:48]
BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7 = BB_SQUARES[48:56]
BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8 = BB_SQUARES[56:64]


def piece_symbol(piece_type: PieceType) -> str:
    """The letter of a piece type in lower case."""
    return typing.cast(str, PIECE_SYMBOLS[piece_type])


def piece_name(piece_type: PieceType) -> str:
    """The English name of a piece type."""
    return typing.cast(str, PIECE_NAMES[piece_type])


def parse_square(name: str) -> Square:
    """The square of a name such as ``"e4"``.

    Raises `ValueError` if there is none.
    """
    return SQUARE_NAMES.index(name)


def square_name(square: Square) -> str:
    """The name of a square, such as ``"e4"``."""
    return SQUARE_NAMES[square]


def square(file_index: int, rank_index: int) -> Square:
    """The square of a file and a rank, both from 0 to 7."""
    return rank_index * 8 + file_index


def square_file(square: Square) -> int:
    """The file of a square, 0 for the a-file."""
    return square & 7


def square_rank(square: Square) -> int:
    """The rank of a square, 0 for the first rank."""
    return square >> 3


def square_manhattan_distance(a: Square, b: Square) -> int:
    """The Manhattan distance: the sum of the distances in files and ranks."""
    return abs((a & 7) - (b & 7)) + abs((a >> 3) - (b >> 3))


def square_knight_distance(a: Square, b: Square) -> int:
    """The number of moves that a knight needs from one square to another."""
    reached, moves = BB_SQUARES[a], 0
    while not reached & BB_SQUARES[b]:
        for origin in scan_forward(reached):
            reached |= BB_KNIGHT_ATTACKS[origin]
        moves += 1
    return moves


def square_mirror(square: Square) -> Square:
    """The square mirrored vertically."""
    return square ^ 56


def lsb(bb: Bitboard) -> int:
    """The first square of a set, or -1."""
    return (bb & -bb).bit_length() - 1


def msb(bb: Bitboard) -> int:
    """The last square of a set, or -1."""
    return bb.bit_length() - 1


def _count_bits(bb: Bitboard) -> int:
    """The number of squares in a set."""
    return bin(bb).count("1")


# Python 3.9 has no int.bit_count.
popcount: Callable[[Bitboard], int] = getattr(int, "bit_count", _count_bits)


def shift_down(b: Bitboard) -> Bitboard:
    """All squares one rank down."""
    return b >> 8


def shift_2_down(b: Bitboard) -> Bitboard:
    """All squares two ranks down."""
    return b >> 16


def shift_up(b: Bitboard) -> Bitboard:
    """All squares one rank up."""
    return (b << 8) & BB_ALL


def shift_2_up(b: Bitboard) -> Bitboard:
    """All squares two ranks up."""
    return (b << 16) & BB_ALL


def shift_right(b: Bitboard) -> Bitboard:
    """All squares one file to the right."""
    return (b << 1) & ~BB_FILE_A & BB_ALL


def shift_2_right(b: Bitboard) -> Bitboard:
    """All squares two files to the right."""
    return (b << 2) & ~(BB_FILE_A | BB_FILE_B) & BB_ALL


def shift_left(b: Bitboard) -> Bitboard:
    """All squares one file to the left."""
    return (b >> 1) & ~BB_FILE_H


def shift_2_left(b: Bitboard) -> Bitboard:
    """All squares two files to the left."""
    return (b >> 2) & ~(BB_FILE_G | BB_FILE_H)


def shift_up_left(b: Bitboard) -> Bitboard:
    """All squares one step up to the left."""
    return shift_up(shift_left(b))


def shift_up_right(b: Bitboard) -> Bitboard:
    """All squares one step up to the right."""
    return shift_up(shift_right(b))


def shift_down_left(b: Bitboard) -> Bitboard:
    """All squares one step down to the left."""
    return shift_down(shift_left(b))


def shift_down_right(b: Bitboard) -> Bitboard:
    """All squares one step down to the right."""
    return shift_down(shift_right(b))


def _edges(square: Square) -> Bitboard:
    """The edges of the board that a square is not on."""
    ranks = BB_BACKRANKS & ~BB_RANKS[square_rank(square)]
    files = (BB_FILE_A | BB_FILE_H) & ~BB_FILES[square_file(square)]
    return ranks | files


def _slider_tables(
    attacks: Callable[[Square, Bitboard], Bitboard], lines: List[Bitboard]
) -> Tuple[List[Bitboard], List[Dict[Bitboard, Bitboard]]]:
    """The masks of relevant occupancy by square, and the attacks of a slider by relevant occupancy."""
    masks, tables = [], []
    for square, line in zip(SQUARES, lines):
        mask = attacks(square, BB_EMPTY) & line & ~_edges(square)
        masks.append(mask)
        subsets = _native.carry_rippler(mask)
        tables.append({occupied: attacks(square, occupied) & line for occupied in subsets})
    return masks, tables


BB_DIAG_MASKS, BB_DIAG_ATTACKS = _slider_tables(_native.bishop_attacks, [BB_ALL] * 64)
BB_FILE_MASKS, BB_FILE_ATTACKS = _slider_tables(
    _native.rook_attacks, [BB_FILES[square_file(square)] for square in SQUARES]
)
BB_RANK_MASKS, BB_RANK_ATTACKS = _slider_tables(
    _native.rook_attacks, [BB_RANKS[square_rank(square)] for square in SQUARES]
)
