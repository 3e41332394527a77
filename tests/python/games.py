"""Runs of `mola pgn`, and games in files."""

import subprocess
from pathlib import Path

import chess.pgn


def run(mola, *args, text: str | bytes = b"", check=True) -> subprocess.CompletedProcess:
    """Runs `mola pgn` with a text as its standard input."""
    words = [mola, "pgn", *map(str, args)]
    given = text.encode() if isinstance(text, str) else text
    return subprocess.run(words, input=given, capture_output=True, check=check)


def games_of(path: Path) -> list[chess.pgn.Game]:
    """The games of a file, each without errors."""
    with path.open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    for game in games:
        assert not game.errors, game.errors
    return games


def first(path: Path, count: int, target: Path) -> Path:
    """Writes the first games of a file into another."""
    text = path.read_bytes().split(b"[Event \"")
    target.write_bytes(b"[Event \"" + b"[Event \"".join(text[1 : count + 1]))
    return target
