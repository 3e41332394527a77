"""The tag ``TimeControl``."""

from __future__ import annotations

import dataclasses
import enum


class TimeControlType(enum.Enum):
    """How fast a game is, by the time that its first period gives for 60 moves."""

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


@dataclasses.dataclass
class TimeControlPart:
    """One period of a game. Times are in seconds."""

    moves: int = 0
    """How many moves are to be made in it; ``0`` if it lasts to the end of the game."""
    time: int = 0
    """The time for all of them."""
    increment: float = 0
    """What each move adds."""
    delay: float = 0
    """How long the clock waits at each move."""


@dataclasses.dataclass
class TimeControl:
    """The time control of a game: its periods in their order."""

    parts: list[TimeControlPart] = dataclasses.field(default_factory=list)
    type: TimeControlType = TimeControlType.UNKNOWN


def parse_time_control(time_control: str) -> TimeControl:
    """
    Parses the value of the tag ``TimeControl``, like ``300+2``, ``300+5d`` with a delay, or
    ``40/7200:3600``.

    ``?`` and the empty string are unknown, ``-`` is unlimited.

    :raises: :exc:`ValueError` if the text is not a time control.
    """
    if not time_control or time_control[0] == "?":
        return TimeControl()
    if time_control[0] == "-":
        return TimeControl(type=TimeControlType.UNLIMITED)
    parts = [_parse_part(text) for text in time_control.split(":")]
    if any(part.moves == 0 for part in parts[:-1]):
        raise ValueError("Only last part can be 'sudden death'.")
    return TimeControl(parts, _type_of(parts[0]))


def _parse_part(text: str) -> TimeControlPart:
    part = TimeControlPart()
    period, *bonuses = text.split("+")
    for bonus in bonuses[:1]:
        if bonus[-1:] in ("d", "D"):
            part.delay = float(bonus[:-1])
        else:
            part.increment = float(bonus)
    first, *times = period.split("/")
    if times:
        part.moves = int(first)
    part.time = int(times[0] if times else first)
    return part


def _type_of(part: TimeControlPart) -> TimeControlType:
    expected = part.time + 60 * part.increment
    if expected < 180:
        return TimeControlType.BULLET
    if expected < 900:
        return TimeControlType.BLITZ
    if expected < 3600:
        return TimeControlType.RAPID
    return TimeControlType.STANDARD
