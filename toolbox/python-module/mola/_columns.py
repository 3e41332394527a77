"""The games of a file as columns."""

from __future__ import annotations

import operator
import os
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    SupportsIndex,
    Union,
    overload,
)

from mola._mola import columns as _native

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NO_EVAL: int = _native.NO_EVAL
"""In the column of evaluations, a move without one."""

MATE: int = _native.MATE
"""In the column of evaluations, ``MATE - n`` is a mate by White in ``n`` moves, and ``n - MATE``
one by Black. Evaluations in centipawns are limited to 99,000."""


class TextColumn:
    """
    Strings, some of which may be missing, in Arrow's layout: the UTF-8 bytes of all one after the
    other, and the offsets where each ends.
    """

    def __init__(
        self, data: bytes, ends: npt.NDArray[np.uint64], is_there: npt.NDArray[np.bool_]
    ) -> None:
        self.data = data
        """The bytes of all texts."""
        self.ends = ends
        """Where each text ends; it begins where the one before it ends. Shape ``(games,)``."""
        self.is_there = is_there
        """Whether a text is there. Shape ``(games,)``."""

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, row: SupportsIndex) -> Optional[str]: ...
    @overload
    def __getitem__(self, row: slice) -> List[Optional[str]]: ...
    def __getitem__(
        self, row: Union[SupportsIndex, slice]
    ) -> Union[Optional[str], List[Optional[str]]]:
        rows = range(len(self))[row]
        return self._text(rows) if isinstance(rows, int) else list(map(self._text, rows))

    def _text(self, row: int) -> Optional[str]:
        if not self.is_there[row]:
            return None
        start = int(self.ends[row - 1]) if row else 0
        return self.data[start : int(self.ends[row])].decode()

    def __iter__(self) -> Iterator[Optional[str]]:
        return map(self._text, range(len(self)))

    def tolist(self) -> List[Optional[str]]:
        """All strings; ``None`` where one is missing."""
        start, texts = 0, []
        for end, is_there in zip(self.ends.tolist(), self.is_there.tolist()):
            texts.append(self.data[start:end].decode() if is_there else None)
            start = end
        return texts

    def __repr__(self) -> str:
        return f"<TextColumn of {len(self)} texts>"


class _Columns(NamedTuple):
    offset: npt.NDArray[np.uint64]
    """Where each game begins, in bytes of the unpacked text. Shape ``(games,)``."""
    headers: Dict[str, TextColumn]
    """A column for each tag, with values as they are written. Each of length ``games``."""
    first: Optional[npt.NDArray[np.uint64]] = None
    """The index of the first move of each game, and that behind the last: the moves of game ``i``
    are ``moves[first[i]:first[i + 1]]``. Shape ``(games + 1,)``."""
    moves: Optional[npt.NDArray[np.uint16]] = None
    """The moves of all main lines: from-square, to-square times 64, and piece type of a promotion
    or, with the highest bit, a drop times 4096. See :func:`unpack_move`. Shape ``(moves,)``."""
    evals: Optional[npt.NDArray[np.int32]] = None
    """The evaluation in the comment of each move in centipawns for White; mates by :data:`MATE`,
    none is :data:`NO_EVAL`. Shape ``(moves,)``."""
    clocks: Optional[npt.NDArray[np.float32]] = None
    """The clock in the comment of each move in seconds; none is NaN. Shape ``(moves,)``."""
    problems: Optional[npt.NDArray[np.uint32]] = None
    """How much is wrong with each game. Shape ``(games,)``."""


class Games(_Columns):
    """
    The games of a file: a named tuple of columns, whose length is the number of games. All numbers are
    in NumPy arrays, which may be changed.
    """

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.offset)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Games:  # type: ignore[override]
        # That of named tuples, which _replace uses, takes the length for the number of columns.
        return cls(*iterable)


def read_pgn(
    path: Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"],
    *,
    moves: bool = True,
    annotations: bool = True,
) -> Games:
    """
    Reads the games of a file as NumPy columns. NumPy must be installed.

    The file may be compressed by gzip, bzip2 or Zstandard. Without *moves* only the tags are read,
    without *annotations* no evaluations and clocks. Variations are skipped. A main line ends at a
    move that cannot be read, which counts as one of the game's problems.

    Other Python threads can run meanwhile, and a keyboard interrupt stops the reading.

    :raises: :exc:`OSError` if the file cannot be read, and :exc:`ValueError` if its games have so many
        different tags that their columns would take far more memory than the text.
    """
    import numpy as np

    found = _native.read_pgn(os.fsdecode(path), moves, moves and annotations)

    def column(name: str, kind: Any) -> Any:
        return np.frombuffer(found[name], kind) if name in found else None

    headers = {
        name: TextColumn(data, np.frombuffer(ends, np.uint64), np.frombuffer(is_there, np.bool_))
        for name, (data, ends, is_there) in found["tags"].items()
    }
    ends = column("ends", np.uint64)
    return Games(
        offset=column("offset", np.uint64),
        headers=headers,
        first=None if ends is None else np.concatenate([np.zeros(1, np.uint64), ends]),
        moves=column("moves", np.uint16),
        evals=column("evals", np.int32),
        clocks=column("clocks", np.float32),
        problems=column("problems", np.uint32),
    )


def unpack_move(move: SupportsIndex) -> Any:
    """The :class:`mola.chess.Move` for a number of :attr:`Games.moves`.

    :raises: :exc:`ValueError` for a number that stands for no move.
    """
    import mola.chess as chess

    number = operator.index(move)
    from_square, to_square = number & 63, number >> 6 & 63
    piece_type = number >> 12 & 7 or None
    is_drop = bool(number >> 15)
    # Only drops and the null move, which is 0, have both squares equal.
    stays = from_square == to_square
    is_move = stays == (is_drop or number == 0) and piece_type != 7
    if not 0 <= number < 1 << 16 or not is_move or (is_drop and piece_type is None):
        raise ValueError(f"no move is packed as {number}")
    return chess.Move(
        from_square,
        to_square,
        promotion=None if is_drop else piece_type,
        drop=piece_type if is_drop else None,
    )
