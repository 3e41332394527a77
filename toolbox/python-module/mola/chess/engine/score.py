"""Scores: centipawns and mates, and their point of view."""

from __future__ import annotations

import abc
import functools
from typing import Optional, Tuple, Union, overload

import mola.chess as chess

from .wdl import PovWdl, Wdl, WdlModel, estimate, estimate_mate


@functools.total_ordering
class Score(abc.ABC):
    """Evaluation of a position; positive is good.

    A score is :class:`Cp` (centipawns), :class:`Mate`, or :data:`MateGiven`. All scores are
    ordered:

    >>> from mola.chess.engine import Cp, Mate, MateGiven
    >>> Mate(-0) < Mate(-1) < Cp(-50) < Cp(200) < Mate(4) < Mate(1) < MateGiven
    True

    and turned around by a minus sign:

    >>> -Cp(20), -Mate(-4), -Mate(0)
    (Cp(-20), Mate(+4), MateGiven)
    """

    __slots__ = ()

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]: ...
    @abc.abstractmethod
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """Centipawns, or ``None`` for a mate.

        With a large *mate_score* mates count as centipawns, too:

        >>> from mola.chess.engine import Cp, Mate
        >>> Cp(-300).score(), Mate(5).score(), Mate(5).score(mate_score=100000)
        (-300, None, 99995)
        """

    @abc.abstractmethod
    def mate(self) -> Optional[int]:
        """Moves to mate, negative for the side that gets mated, or ``None``.

        Both ``Mate(0)`` (lost) and :data:`MateGiven` (won) give 0.
        """

    def is_mate(self) -> bool:
        """Whether this is a mate."""
        return self.mate() is not None

    @abc.abstractmethod
    def wdl(self, *, model: WdlModel = "sf", ply: int = 30) -> Wdl:
        """The win, draw and loss statistics of games with this score after *ply* half-moves.

        Differences of scores mean little: the step from -100 to 100 centipawns matters more than
        that from 300 to 500. Compare expectations instead:

        >>> from mola.chess.engine import Cp
        >>> round(Cp(100).wdl().expectation() - Cp(-100).wdl().expectation(), 2)
        0.38
        >>> round(Cp(500).wdl().expectation() - Cp(300).wdl().expectation(), 2)
        0.02

        The models are those of Stockfish 12, 14, 15, 15.1, 16 and 16.1 (``sf12`` to ``sf16.1``;
        ``sf`` is the last of them) and that of ``lichess``, which has neither draws nor *ply*.
        """

    @abc.abstractmethod
    def __neg__(self) -> Score: ...

    @abc.abstractmethod
    def __pos__(self) -> Score: ...

    @abc.abstractmethod
    def __abs__(self) -> Score: ...

    @abc.abstractmethod
    def _rank(self) -> Tuple[int, int]:
        """A pair with the order of the scores."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Score):
            return self._rank() == other._rank()
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Score):
            return self._rank() < other._rank()
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]


class Cp(Score):
    """A score in hundredths of a pawn."""

    def __init__(self, cp: int) -> None:
        self.cp = cp

    def mate(self) -> None:
        return None

    def score(self, *, mate_score: Optional[int] = None) -> int:
        return self.cp

    def wdl(self, *, model: WdlModel = "sf", ply: int = 30) -> Wdl:
        return estimate(self.cp, model, ply)

    def _rank(self) -> Tuple[int, int]:
        return (0, self.cp)

    def __str__(self) -> str:
        return f"+{self.cp:d}" if self.cp > 0 else str(self.cp)

    def __repr__(self) -> str:
        return f"Cp({self})"

    def __neg__(self) -> Cp:
        return Cp(-self.cp)

    def __pos__(self) -> Cp:
        return Cp(self.cp)

    def __abs__(self) -> Cp:
        return Cp(abs(self.cp))


class Mate(Score):
    """A forced mate in a number of moves; ``Mate(0)`` is a side that has been mated."""

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def mate(self) -> int:
        return self.moves

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]: ...
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        if mate_score is None:
            return None
        return (mate_score if self.moves > 0 else -mate_score) - self.moves

    def wdl(self, *, model: WdlModel = "sf", ply: int = 30) -> Wdl:
        return estimate_mate(self.moves, self.moves > 0, model)

    def _rank(self) -> Tuple[int, int]:
        return (1 if self.moves > 0 else -1, -self.moves)

    def __str__(self) -> str:
        return f"#{self._signed()}"

    def __repr__(self) -> str:
        return f"Mate({self._signed()})"

    def _signed(self) -> str:
        return f"+{self.moves:d}" if self.moves > 0 else f"-{abs(self.moves):d}"

    def __neg__(self) -> Union[Mate, MateGivenType]:
        return Mate(-self.moves) if self.moves else MateGiven

    def __pos__(self) -> Mate:
        return Mate(self.moves)

    def __abs__(self) -> Union[Mate, MateGivenType]:
        return Mate(abs(self.moves)) if self.moves else MateGiven


class MateGivenType(Score):
    """The score of the side that has mated: ``-Mate(0)``."""

    def mate(self) -> int:
        return 0

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]: ...
    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        return mate_score

    def wdl(self, *, model: WdlModel = "sf", ply: int = 30) -> Wdl:
        return estimate_mate(0, True, model)

    def _rank(self) -> Tuple[int, int]:
        return (2, 0)

    def __str__(self) -> str:
        return "#+0"

    def __repr__(self) -> str:
        return "MateGiven"

    def __neg__(self) -> Mate:
        return Mate(0)

    def __pos__(self) -> MateGivenType:
        return self

    def __abs__(self) -> MateGivenType:
        return self


MateGiven = MateGivenType()


class PovScore:
    """A score and its point of view."""

    relative: Score
    """The score of the side *turn*."""

    turn: chess.Color
    """The side that the score is about."""

    def __init__(self, relative: Score, turn: chess.Color) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Score:
        """The score from White's point of view."""
        return self.pov(chess.WHITE)

    def black(self) -> Score:
        """The score from Black's point of view."""
        return self.pov(chess.BLACK)

    def pov(self, color: chess.Color) -> Score:
        """The score from the point of view of *color*."""
        return self.relative if self.turn == color else -self.relative

    def is_mate(self) -> bool:
        """Whether this is a mate."""
        return self.relative.is_mate()

    def wdl(self, *, model: WdlModel = "sf", ply: int = 30) -> PovWdl:
        """Win, draw and loss statistics: see :meth:`Score.wdl`."""
        return PovWdl(self.relative.wdl(model=model, ply=ply), self.turn)

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PovScore):
            return self.white() == other.white()
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]
