"""The third field of a FEN for castling rights that a subclass decides on."""

from __future__ import annotations

from mola._mola import chess as _native

from ._constants import (
    BB_RANK_1,
    BB_RANK_8,
    BB_SQUARES,
    BLACK,
    FILE_NAMES,
    WHITE,
    Bitboard,
    Square,
    scan_reversed,
    square_file,
)


def shredder_fen(board: _native.Board) -> str:
    """All rights by the files of their rooks."""
    rights = board.clean_castling_rights()
    white, black = (
        "".join(FILE_NAMES[square_file(rook)] for rook in scan_reversed(rights & rank))
        for rank in (BB_RANK_1, BB_RANK_8)
    )
    return white.upper() + black or "-"


def xfen(board: _native.Board) -> str:
    """The rights by their sides, or by files where other rooks stand further out."""
    letters = ""
    for color, rank in ((WHITE, BB_RANK_1), (BLACK, BB_RANK_8)):
        king = board.king(color)
        if king is not None:
            rights = board.clean_castling_rights() & rank
            rooks = board.occupied_co[color] & board.rooks & rank
            named = "".join(_right(rook, king, rooks) for rook in scan_reversed(rights))
            letters += named.upper() if color == WHITE else named
    return letters or "-"


def _right(rook: Square, king: Square, rooks: Bitboard) -> str:
    """The letter of a castling right: that of a side, or of a file if another rook stands further out."""
    file, others = square_file(rook), rooks & ~BB_SQUARES[rook]
    is_queenside = file < square_file(king)
    if any((square_file(other) < file) == is_queenside for other in scan_reversed(others)):
        return FILE_NAMES[file]
    return "q" if is_queenside else "k"
