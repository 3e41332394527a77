"""Win, draw and loss probabilities, and models that estimate them from a score."""

from __future__ import annotations

import dataclasses
import math
from typing import Dict, Iterator, Literal, Tuple

import mola.chess as chess

WdlModel = Literal["sf", "sf16.1", "sf16", "sf15.1", "sf15", "sf14", "sf12", "lichess"]


@dataclasses.dataclass
class Wdl:
    """Win/draw/loss statistics."""

    wins: int
    """Games won."""

    draws: int
    """Games drawn."""

    losses: int
    """Games lost."""

    def total(self) -> int:
        """Number of games. Engines usually scale their statistics to 1000 games."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """Share of games won, 0 to 1."""
        return self.wins / self.total()

    def drawing_chance(self) -> float:
        """Share of games drawn, 0 to 1."""
        return self.draws / self.total()

    def losing_chance(self) -> float:
        """Share of games lost, 0 to 1."""
        return self.losses / self.total()

    def expectation(self) -> float:
        """The expected score of a game: 1 for a win, 0.5 for a draw, 0 for a loss."""
        return (self.wins + 0.5 * self.draws) / self.total()

    def __bool__(self) -> bool:
        return bool(self.total())

    def __iter__(self) -> Iterator[int]:
        return iter((self.wins, self.draws, self.losses))

    def __reversed__(self) -> Iterator[int]:
        return iter((self.losses, self.draws, self.wins))

    def __pos__(self) -> Wdl:
        return self

    def __neg__(self) -> Wdl:
        return Wdl(self.losses, self.draws, self.wins)


class PovWdl:
    """Win/draw/loss statistics and their point of view.

    For old programs it also behaves like the tuple ``(wins, draws, losses)`` of that side; use
    the fields and methods in new ones.
    """

    relative: Wdl
    """The statistics of the side *turn*."""

    turn: chess.Color
    """The side that they are about."""

    def __init__(self, relative: Wdl, turn: chess.Color) -> None:
        self.relative = relative
        self.turn = turn

    def white(self) -> Wdl:
        """The statistics of White."""
        return self.pov(chess.WHITE)

    def black(self) -> Wdl:
        """The statistics of Black."""
        return self.pov(chess.BLACK)

    def pov(self, color: chess.Color) -> Wdl:
        """The statistics of the side *color*."""
        return self.relative if self.turn == color else -self.relative

    def __bool__(self) -> bool:
        return bool(self.relative)

    def __repr__(self) -> str:
        return f"PovWdl({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"

    def __iter__(self) -> Iterator[int]:
        return iter(self.relative)

    def __len__(self) -> int:
        return 3

    def __getitem__(self, idx: int) -> int:
        return tuple(self.relative)[idx]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PovWdl):
            return self.white() == other.white()
        if isinstance(other, tuple):
            return tuple(self.relative) == other
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]


# Stockfish fits the win probability by a logistic curve. Its centre and its width are polynomials
# of the third degree in the length of the game. The numbers below are those of its releases.
Cubic = Tuple[float, float, float, float]


@dataclasses.dataclass(frozen=True)
class LogisticModel:
    """The win probability model of a Stockfish release."""

    centre: Cubic
    width: Cubic
    pawn: int
    """Internal units of what is reported as a pawn."""
    limit: float
    """Largest score that the curve distinguishes, in internal units."""
    by_move: bool = False
    """Whether the fit is by moves 8 to 120 instead of half-moves up to 240."""

    def wins(self, cp: int, ply: int) -> int:
        """Expected wins in 1000 games with a score of *cp* centipawns after *ply* half-moves."""
        if self.by_move:
            moves = min(120, max(ply / 2 + 1, 8)) / 32
        else:
            moves = min(240, max(ply, 0)) / 64
        centre = evaluate(self.centre, moves)
        width = evaluate(self.width, moves)
        score = min(self.limit, max(cp * self.pawn / 100, -self.limit))
        return int(0.5 + 1000 / (1 + math.exp((centre - score) / width)))


def evaluate(cubic: Cubic, x: float) -> float:
    """The value of a polynomial, highest power first."""
    return ((cubic[0] * x + cubic[1]) * x + cubic[2]) * x + cubic[3]


STOCKFISH: Dict[str, LogisticModel] = {
    "sf16.1": LogisticModel(
        (-1.06249702, 7.42016937, 0.89425629, 348.60356174),
        (-5.33122190, 39.57831533, -90.84473771, 123.40620748),
        pawn=356,
        limit=4000,
        by_move=True,
    ),
    "sf16": LogisticModel(
        (0.38036525, -2.82015070, 23.17882135, 307.36768407),
        (-2.29434733, 13.27689788, -14.26828904, 63.45318330),
        pawn=328,
        limit=4000,
    ),
    "sf15.1": LogisticModel(
        (-0.58270499, 2.68512549, 15.24638015, 344.49745382),
        (-2.65734562, 15.96509799, -20.69040836, 73.61029937),
        pawn=361,
        limit=4000,
    ),
    "sf15": LogisticModel(
        (-1.17202460e-1, 5.94729104e-1, 1.12065546e1, 1.22606222e2),
        (-1.79066759, 11.30759193, -17.43677612, 36.47147479),
        pawn=100,
        limit=2000,
    ),
    "sf14": LogisticModel(
        (-3.68389304, 30.07065921, -60.52878723, 149.53378557),
        (-2.01818570, 15.85685038, -29.83452023, 47.59078827),
        pawn=100,
        limit=2000,
    ),
    "sf12": LogisticModel(
        (-8.24404295, 64.23892342, -95.73056462, 153.86478679),
        (-3.37154371, 28.44489198, -56.67657741, 72.05858751),
        pawn=100,
        limit=1000,
    ),
}


def lichess_wins(cp: int) -> int:
    """Wins in 1000 games by the curve that Lichess fitted to games of its players."""
    return round(1000 / (1 + math.exp(-0.00368208 * cp)))


def lichess_mate_cp(moves: int, winning: bool) -> int:
    """The centipawns that Lichess counts a mate in *moves* as."""
    cp = (21 - min(10, abs(moves))) * 100
    return cp if winning else -cp


def estimate(cp: int, model: str, ply: int) -> Wdl:
    """Statistics of 1000 games with a score of *cp* centipawns after *ply* half-moves."""
    if model == "lichess":
        wins = lichess_wins(min(1000, max(-1000, cp)))
        return Wdl(wins, 0, 1000 - wins)
    stockfish = STOCKFISH.get(model, STOCKFISH["sf16.1"])
    wins, losses = stockfish.wins(cp, ply), stockfish.wins(-cp, ply)
    return Wdl(wins, 1000 - wins - losses, losses)


def estimate_mate(moves: int, winning: bool, model: str) -> Wdl:
    """The same for a forced mate."""
    if model == "lichess":
        wins = lichess_wins(lichess_mate_cp(moves, winning))
        return Wdl(wins, 0, 1000 - wins)
    return Wdl(1000, 0, 0) if winning else Wdl(0, 0, 1000)
