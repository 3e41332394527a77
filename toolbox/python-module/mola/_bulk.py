"""Many positions at once."""

from __future__ import annotations

import array
from typing import Any, Iterable, List, NamedTuple, Optional

from mola._mola.bulk import evaluate_fens as _evaluate
from mola._mola.bulk import legal_moves as _legal_moves

from ._counts import check_count

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


class MoveColumns(NamedTuple):
    """Legal moves of many positions, in columns: NumPy arrays, or :mod:`array` arrays without it.

    The moves of position *i* are those from ``offsets[i]`` up to ``offsets[i + 1]``.
    """

    offsets: Any
    """Where the moves of each position begin, and the end: int64, one more than positions."""

    moves: Any
    """All moves, packed as those of :func:`mola.read_pgn` are: uint16. See :func:`mola.unpack_move`."""


def evaluate(fens: Iterable[str], *, nodes: Optional[int] = None, variant: str = "chess") -> Any:
    """Evaluates positions on all processors, while other Python threads run.

    :param fens: Positions: a list, or a NumPy array of strings.
    :param nodes: Search each position for this many nodes; by default, static evaluation.
        Searches are independent of each other, so that results are reproducible.
    :param variant: The rules, by UCI's names, such as ``atomic``.

    Returns centipawns for the side to move, an int32 NumPy array of the shape ``(len(fens),)``, or
    an :class:`array.array` without NumPy. A mate in *n* moves is ``100000 - n``, and the negative of
    it for the side that gets mated.

    :raises: :exc:`ValueError` for a position that cannot be played, which the message names.

    >>> import mola
    >>> mola.evaluate(["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"], nodes=1000).tolist()
    [99999]
    """
    check_count("nodes", nodes)
    return _column(_evaluate(_texts(fens), variant, nodes), "i", "int32")


def legal_moves(
    fens: Iterable[str], *, variant: str = "chess", chess960: bool = False
) -> MoveColumns:
    """Finds the legal moves of positions on all processors, while other Python threads run.

    :param fens: Positions: a list, or a NumPy array of strings.
    :param variant: The rules, by UCI's names, such as ``atomic``.
    :param chess960: Write castling as the king taking its rook. It always is where only Chess960 has
        it.

    The moves of a position are in another order than those of a board.

    :raises: :exc:`ValueError` for a position that cannot be played, which the message names.

    >>> import mola
    >>> moves = mola.legal_moves(["6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"])
    >>> int(moves.offsets[1])
    16
    >>> mola.unpack_move(moves.moves[0])
    Move.from_uci('a1b1')
    """
    counts, moves = _legal_moves(_texts(fens), variant, chess960)
    return MoveColumns(_offsets(counts), _column(moves, "H", "uint16"))


def _texts(fens: Iterable[str]) -> List[str]:
    to_list = getattr(fens, "tolist", None)
    texts = to_list() if to_list else fens
    # An array without dimensions holds one, too.
    if isinstance(texts, str):
        raise TypeError("a list of FENs, not one")
    return list(texts)


def _column(data: bytearray, code: str, dtype: str) -> Any:
    if numpy is not None:
        return numpy.frombuffer(data, dtype=dtype)
    return array.array(code, data)


def _offsets(counts: bytearray) -> Any:
    if numpy is not None:
        offsets = numpy.zeros(len(counts) // 4 + 1, dtype="int64")
        numpy.cumsum(numpy.frombuffer(counts, dtype="uint32"), out=offsets[1:])
        return offsets
    ends = array.array("q", [0])
    for count in array.array("I", counts):
        ends.append(ends[-1] + count)
    return ends
