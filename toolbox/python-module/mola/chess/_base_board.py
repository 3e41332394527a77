"""Pieces on the squares of a board."""

from __future__ import annotations

import copyreg
from typing import (
    Any,
    Callable,
    ClassVar,
    Dict,
    List,
    Mapping,
    Optional,
    SupportsIndex,
    Tuple,
    Type,
    TypeVar,
)

from mola._mola import chess as _native
from mola._mola.chess import Piece

from ._constants import (
    FILE_NAMES,
    RANK_NAMES,
    SQUARES_180,
    STARTING_BOARD_FEN,
    WHITE,
    Bitboard,
    Color,
    Square,
)

from ._hooks import affected, to_bits
from ._pickles import load_board, restored

BaseBoardT = TypeVar("BaseBoardT", bound="BaseBoard")


class BaseBoard(_native.BaseBoard):
    """Pieces on the squares of a board.

    Has the start position by default; from the first field of a FEN, or empty if that is `None`.
    """

    __slots__ = ("__dict__", "__weakref__")
    __hash__ = None  # type: ignore[assignment]

    _rules: ClassVar[str] = "standard"
    _ours: ClassVar[type]
    """The class of this package that a subclass comes from, or the class itself."""
    _affected: ClassVar[frozenset[str]] = frozenset()
    """The methods that call some that a subclass overrides."""
    _overridden: ClassVar[int] = 0
    """Those of them with a native part, as bits."""
    _names_of_slots: ClassVar[tuple[str, ...]] = ()
    """The slots that a subclass adds."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Notes what a subclass adds, and which methods call some that it overrides in its body: the
        methods of this package call those of subclasses only."""
        super().__init_subclass__(**options)
        cls._ours = next(base for base in cls.__mro__ if base.__module__.startswith("mola.chess"))
        cls._affected = affected(cls, cls._ours)
        cls._overridden = to_bits(cls._affected)
        cls._names_of_slots = tuple(copyreg._slotnames(cls))  # type: ignore[attr-defined]

    def __init__(self, board_fen: Optional[str] = STARTING_BOARD_FEN) -> None:
        if board_fen is None:
            self._clear_board()
        elif board_fen == STARTING_BOARD_FEN:
            self._reset_board()
        else:
            self._set_board_fen(board_fen)

    def reset_board(self) -> None:
        """Sets up the start position."""
        self._reset_board()

    def clear_board(self) -> None:
        """Removes all pieces."""
        self._clear_board()

    def set_board_fen(self, fen: str) -> None:
        """Sets up the pieces by the first field of a FEN.

        Raises `ValueError` if it cannot be read.
        """
        self._set_board_fen(fen)

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Sets up the pieces by a mapping of squares to pieces."""
        self._set_piece_map(pieces)

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Sets up the Chess960 start position with this number, from 0 to 959.

        Raises `ValueError` for other numbers.
        """
        self._set_chess960_pos(scharnagl)

    def chess960_pos(self) -> Optional[int]:
        """The number of the start position of Chess960, or `None`."""
        return self._chess960_number()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board_fen()!r})"

    def __str__(self) -> str:
        return "\n".join(map(" ".join, self._rows(lambda piece: piece.symbol(), ".")))

    def _rows(
        self, text: Callable[[Piece], str], empty: str, orientation: Color = WHITE
    ) -> List[List[str]]:
        squares = SQUARES_180 if orientation else SQUARES_180[::-1]
        pieces = [self.piece_at(square) for square in squares]
        names = [text(piece) if piece else empty for piece in pieces]
        return [names[start : start + 8] for start in range(0, 64, 8)]

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: Color = WHITE,
    ) -> str:
        """The board as text with figurines.

        `invert_color` swaps black and white figurines, for a dark background; `borders` adds
        lines and coordinates.
        """

        def figurine(piece: Piece) -> str:
            return piece.unicode_symbol(invert_color=invert_color)

        rows = self._rows(figurine, empty_square, orientation)
        if not borders:
            return "\n".join(map(" ".join, rows))
        line = "  " + "-" * 17 + "\n"
        ranks = RANK_NAMES[::-1] if orientation else RANK_NAMES
        files = FILE_NAMES if orientation else FILE_NAMES[::-1]
        text = line
        for rank, row in zip(ranks, rows):
            text += f"{rank} |{'|'.join(row)}|\n{line}"
        return text + "   " + " ".join(files)

    def _repr_svg_(self) -> str:
        import mola.chess.svg

        return mola.chess.svg.board(board=self, size=400)

    def __eq__(self, board: object) -> bool:
        if isinstance(board, _native.BaseBoard):
            return self._same_pieces(board)
        return NotImplemented

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Applies a function to each bitboard."""
        self._transform_pieces(f)

    def transform(self: BaseBoardT, f: Callable[[Bitboard], Bitboard]) -> BaseBoardT:
        """A copy with a function applied to each bitboard.

        Useful functions are `flip_vertical`, `flip_horizontal`, `flip_diagonal` and
        `flip_anti_diagonal`; see also `mirror`.
        """
        board = self.copy()
        board.apply_transform(f)
        return board

    def apply_mirror(self) -> None:
        """Mirrors the board vertically and swaps the colors."""
        if "apply_mirror" not in self._affected:
            self._mirror_pieces()
            return
        self.apply_transform(_native.flip_vertical)
        self.occupied_co.reverse()

    def mirror(self: BaseBoardT) -> BaseBoardT:
        """A copy that is mirrored vertically, with the colors swapped."""
        board = self.copy()
        board.apply_mirror()
        return board

    def copy(self: BaseBoardT) -> BaseBoardT:
        """A copy."""
        board = type(self)(None)
        board._copy_pieces(self)
        return board

    def __copy__(self: BaseBoardT) -> BaseBoardT:
        return self.copy()

    def __deepcopy__(self: BaseBoardT, memo: Dict[int, object]) -> BaseBoardT:
        board = self.copy()
        memo[id(self)] = board
        return board

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        if type(self) is self._ours:
            new = copyreg.__newobj__  # type: ignore[attr-defined]
            return new, (self._ours,), (self._dump_position(), self.__dict__)
        # The oldest protocols do not know classes with a native base.
        reduced: Any = super().__reduce_ex__(max(int(protocol), 2))
        if type(self).__reduce__ is not object.__reduce__:
            return reduced
        # The position is not in `__dict__`, which is all that the state of a subclass has.
        constructor, arguments, state, *items = reduced
        position = self._dump_position()
        if type(self).__setstate__ is BaseBoard.__setstate__:
            return (constructor, arguments, (position, state), *items)
        return (restored, (constructor, arguments, position), state, *items)

    def __getstate__(self) -> Any:
        """The attributes that a subclass or a user has added, as objects have them by default."""
        names = self._names_of_slots
        slots = names and {name: getattr(self, name) for name in names if hasattr(self, name)}
        return (self.__dict__, slots) if slots else self.__dict__

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, tuple) and isinstance(state[0], tuple):
            self._load_position(*state[0])
            state = state[1]
        attributes, slots = state if isinstance(state, tuple) else (state, None)
        if attributes and "occupied_co" in attributes:
            load_board(self, attributes)
        else:
            self.__dict__.update(attributes or {})
        for name, value in (slots or {}).items():
            setattr(self, name, value)

    def _dump_position(self) -> Tuple[Any, ...]:
        """What a pickle keeps of the board but for attributes."""
        return (self._dump_pieces(),)

    def _load_position(self, *parts: Any) -> None:
        self._load_pieces(*parts)

    @classmethod
    def empty(cls: Type[BaseBoardT]) -> BaseBoardT:
        """A board without pieces."""
        return cls(None)

    @classmethod
    def from_chess960_pos(cls: Type[BaseBoardT], scharnagl: int) -> BaseBoardT:
        """The Chess960 start position with a number from 0 to 959."""
        board = cls.empty()
        board.set_chess960_pos(scharnagl)
        return board


BaseBoard._ours = BaseBoard
