"""Positions with the moves that led to them."""

from __future__ import annotations

from typing import (
    Any,
    Callable,
    ClassVar,
    Hashable,
    List,
    Mapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from mola._mola import chess as _native
from mola._mola.chess import Piece, SquareSet

from . import _castling_fields
from ._base_board import BaseBoard
from ._constants import (
    BB_RANK_1,
    BB_RANK_8,
    BB_SQUARES,
    BLACK,
    STARTING_FEN,
    WHITE,
    Bitboard,
    Color,
    EnPassantSpec,
    Square,
    Status,
    msb,
    square_rank,
)

PositionT = TypeVar("PositionT", bound="PositionBoard")


class PositionBoard(_native.Board, BaseBoard):
    """The part of `Board` for the position: pieces, turn, castling rights; validity, comparison and
    copies."""

    __slots__ = ()
    __hash__ = None

    aliases: ClassVar[List[str]] = [
        "Standard",
        "Chess",
        "Classical",
        "Normal",
        "Illegal",
        "From Position",
    ]
    uci_variant: ClassVar[Optional[str]] = "chess"
    xboard_variant: ClassVar[Optional[str]] = "normal"
    starting_fen: ClassVar[str] = STARTING_FEN
    tbw_suffix: ClassVar[Optional[str]] = ".rtbw"
    tbz_suffix: ClassVar[Optional[str]] = ".rtbz"
    tbw_magic: ClassVar[Optional[bytes]] = b"\x71\xe8\x23\x5d"
    tbz_magic: ClassVar[Optional[bytes]] = b"\xd7\x66\x0c\xa5"
    pawnless_tbw_suffix: ClassVar[Optional[str]] = None
    pawnless_tbz_suffix: ClassVar[Optional[str]] = None
    pawnless_tbw_magic: ClassVar[Optional[bytes]] = None
    pawnless_tbz_magic: ClassVar[Optional[bytes]] = None
    connected_kings: ClassVar[bool] = False
    one_king: ClassVar[bool] = True
    captures_compulsory: ClassVar[bool] = False

    def __init__(self, fen: Optional[str] = STARTING_FEN, *, chess960: bool = False) -> None:
        self.chess960 = chess960
        if fen is None:
            self.clear()
        elif fen == type(self).starting_fen:
            self.reset()
        else:
            self.set_fen(fen)

    def reset(self) -> None:
        """Sets up the start position with all castling rights, and clears the move stack."""
        self._reset()
        if "reset" in self._affected:
            self.reset_board()

    def clear(self) -> None:
        """Removes all pieces and castling rights, and clears the move stack. White is to move."""
        self._clear()
        if "clear" in self._affected:
            self.clear_board()

    def reset_board(self) -> None:
        """Sets up the pieces of the start position, and clears the move stack."""
        self._reset_board()
        self.clear_stack()

    def clear_board(self) -> None:
        """Removes all pieces, and clears the move stack."""
        self._clear_board()
        self.clear_stack()

    def root(self: PositionT) -> PositionT:
        """A copy of the position before the first move."""
        if not self._has_moved():
            return self.copy(stack=False)
        board = type(self)(None, chess960=self.chess960)
        board._copy_root(self)
        return board

    def ply(self) -> int:
        """The number of plies since the start, as `fullmove_number` and `turn` have it."""
        return 2 * (self.fullmove_number - 1) + (self.turn == BLACK)

    def set_fen(self, fen: str) -> None:
        """Sets up the position of a FEN, and clears the move stack.

        Raises `ValueError` if it cannot be read.
        """
        self._set_fen(fen)
        if "set_fen" in self._affected:
            self.clear_stack()

    def set_castling_fen(self, castling_fen: str) -> None:
        """Sets the castling rights by the third field of a FEN, and clears the move stack.

        Raises `ValueError` if it cannot be read.
        """
        self._set_castling_fen(castling_fen)
        self.clear_stack()

    def set_board_fen(self, fen: str) -> None:
        """Sets up the pieces by the first field of a FEN, and clears the move stack.

        Raises `ValueError` if it cannot be read.
        """
        self._set_board_fen(fen)
        self.clear_stack()

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Sets up the pieces by a mapping of squares to pieces, and clears the move stack."""
        self._set_piece_map(pieces)
        self.clear_stack()

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Sets up the Chess960 start position with this number, from 0 to 959."""
        self._set_chess960_pos(scharnagl)
        self.chess960 = True
        self.turn = WHITE
        self.castling_rights = self.rooks
        self.ep_square = None
        self.halfmove_clock = 0
        self.fullmove_number = 1
        self.clear_stack()

    def chess960_pos(
        self,
        *,
        ignore_turn: bool = False,
        ignore_castling: bool = False,
        ignore_counters: bool = True,
    ) -> Optional[int]:
        """The number of the start position of Chess960, or `None`.

        It must have all castling rights and White to move, unless these are ignored.
        """
        if self.ep_square is not None:
            return None
        if "chess960_pos" in self._affected:
            if not ignore_castling and self.clean_castling_rights() != self.rooks:
                return None
            ignore_castling = True
        return self._chess960_start(ignore_turn, ignore_castling, ignore_counters)

    def castling_shredder_fen(self) -> str:
        """The castling rights by the files of the rooks, such as ``"HAha"``."""
        if "castling_shredder_fen" in self._affected:
            return _castling_fields.shredder_fen(self)
        return self._castling_field(shredder=True)

    def castling_xfen(self) -> str:
        """The castling rights as in a FEN, such as ``"KQkq"``."""
        if "castling_xfen" in self._affected:
            return _castling_fields.xfen(self)
        return self._castling_field(shredder=False)

    def _castling_field(self, *, shredder: bool) -> str:
        # Not that of a subclass, which may call the method that asks for this field.
        board = self._plain() if self._affected else self
        return board._epd(shredder, "fen", False).split()[2]

    def _plain(self) -> PositionBoard:
        """The position on a board of our class, which overrides nothing."""
        copy: PositionBoard = self._ours(None)
        copy._copy_position(self)
        # After a move, castling rights are taken as they are; the last tells that there was one.
        copy._copy_stack(self, 1)
        return copy

    def shredder_fen(
        self, *, en_passant: EnPassantSpec = "legal", promoted: Optional[bool] = None
    ) -> str:
        """The FEN with castling rights by the files of the rooks."""
        # Not `self.fen`: the one of a subclass may call this method.
        return _native.Board.fen(self, shredder=True, en_passant=en_passant, promoted=promoted)

    # Castling rights.

    def _rooks_with_rights(self, color: Color) -> Tuple[Optional[Square], SquareSet]:
        """The square of the king of a color, and its rooks that may castle."""
        rank = _home_rank(color)
        kings = self.kings & self.occupied_co[color] & rank & ~self.promoted
        rooks = SquareSet(self.clean_castling_rights() & rank)
        return (msb(kings) if kings else None), rooks

    def has_castling_rights(self, color: Color) -> bool:
        """Whether a side has castling rights."""
        return bool(self.clean_castling_rights() & _home_rank(color))

    def has_kingside_castling_rights(self, color: Color) -> bool:
        """Whether a side has kingside castling rights."""
        king, rooks = self._rooks_with_rights(color)
        return king is not None and any(rook > king for rook in rooks)

    def has_queenside_castling_rights(self, color: Color) -> bool:
        """Whether a side has queenside castling rights."""
        king, rooks = self._rooks_with_rights(color)
        return king is not None and any(rook < king for rook in rooks)

    # Validity.

    def status(self) -> Status:
        """All faults of the position; see `Status`."""
        status = Status(self._status())
        if "status" in self._affected:
            status &= ~Status.INVALID_EP_SQUARE
            if self.ep_square != self._valid_ep_square():
                status |= Status.INVALID_EP_SQUARE
        return status

    def _valid_ep_square(self) -> Optional[Square]:
        """The en passant square if a double step of a pawn can have passed it."""
        passed = self.ep_square
        if not passed or square_rank(passed) != (5 if self.turn else 2):
            return None
        pawn = BB_SQUARES[passed + self._backwards()]
        origin = BB_SQUARES[passed - self._backwards()]
        has_pawn = self.pawns & self.occupied_co[not self.turn] & pawn
        return passed if has_pawn and not self.occupied & (BB_SQUARES[passed] | origin) else None

    def _backwards(self) -> int:
        """The way from a square to the one a rank behind it, for the side to move."""
        return -8 if self.turn else 8

    def is_valid(self) -> bool:
        """Whether the position is valid; see `status`."""
        return self.status() == Status.VALID

    # Comparison and copies.

    def _transposition_key(self) -> Hashable:
        key = self._position_key()
        if "_transposition_key" not in self._affected:
            return key
        passed = self.ep_square if self.has_legal_en_passant() else None
        return (*key[:-2], self.clean_castling_rights(), passed)

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self.chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{chess960})"

    def _repr_svg_(self) -> str:
        import mola.chess.svg

        return mola.chess.svg.board(
            board=self,
            size=390,
            lastmove=self.peek() if self.move_stack else None,
            check=self.king(self.turn) if self.is_check() else None,
        )

    def __eq__(self, board: object) -> bool:
        if isinstance(board, PositionBoard):
            return (
                self.halfmove_clock == board.halfmove_clock
                and self.fullmove_number == board.fullmove_number
                and self.uci_variant == board.uci_variant
                and self._is_alike(board)
            )
        return NotImplemented

    def _is_alike(self, board: PositionBoard) -> bool:
        """Whether the keys are the same, which a subclass may have changed."""
        if "__eq__" in self._affected or "__eq__" in board._affected:
            return self._transposition_key() == board._transposition_key()
        return self._same_position(board)

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Applies a function to each bitboard, and clears the move stack."""
        self._transform(f)

    def transform(self: PositionT, f: Callable[[Bitboard], Bitboard]) -> PositionT:
        """A copy with a function applied to each bitboard, without the move stack."""
        board = self.copy(stack=False)
        board.apply_transform(f)
        return board

    def apply_mirror(self) -> None:
        """Mirrors the board vertically, swaps the sides, and clears the move stack."""
        super().apply_mirror()
        if "apply_mirror" not in self._affected:
            self.clear_stack()
            self._mirror_position()
            return
        self.turn = not self.turn
        for both in (self._pockets, self._remaining_checks):
            if both is not None:
                both.reverse()

    def mirror(self: PositionT) -> PositionT:
        """A copy that is mirrored vertically, with the sides swapped, without the move stack.

        The position is the same for the side to move.
        """
        board = self.copy(stack=False)
        board.apply_mirror()
        return board

    def copy(self: PositionT, *, stack: Union[bool, int] = True) -> PositionT:
        """A copy, with the whole move stack, none of it, or this many of the last moves."""
        cls = type(self)
        if cls.__init__ in _PLAIN and cls.__new__ is _NEW and "copy" not in cls._affected:
            board = cls.__new__(cls, self)
        else:
            board = cls(None)
            board._copy_position(self)
        if stack:
            board._copy_stack(self, None if stack is True else stack)
        return board

    def _dump_position(self) -> Tuple[Any, ...]:
        return *self._dump(), list(self.move_stack)

    def _load_position(self, *parts: Any) -> None:
        chess960, states, moves = parts
        self._load(chess960, states)
        self.move_stack = moves

    @classmethod
    def empty(cls: Type[PositionT], *, chess960: bool = False) -> PositionT:
        """A board without pieces, with White to move."""
        return cls(None, chess960=chess960)

    @classmethod
    def from_chess960_pos(cls: Type[PositionT], scharnagl: int) -> PositionT:
        """The Chess960 start position with a number from 0 to 959."""
        board = cls.empty(chess960=True)
        board.set_chess960_pos(scharnagl)
        return board


def _home_rank(color: Color) -> Bitboard:
    return BB_RANK_1 if color == WHITE else BB_RANK_8


_PLAIN = {PositionBoard.__init__}
"""Constructors that do nothing to a board but give it a position."""
_NEW = _native.Board.__new__
"""The constructor that copies the position of another board."""
