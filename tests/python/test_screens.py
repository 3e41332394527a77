"""Scripted games on a terminal of 80 by 24, compared with golden screens.

`UPDATE_SCREENS=1` rewrites the screens of `tests/data/screens`: look at them before you keep
them. Below a screen in colours stands the background of every square, so that a golden screen
shows tints, too. Nothing depends on the engine's choice: it plays only forced moves.
"""

import os
import re
import time
from pathlib import Path

import pyte
import pytest
from test_terminal import Terminal

SCREENS = Path(__file__).resolve().parents[1] / "data" / "screens"
PROMPT = re.compile(r"(> |\d+\.(\.\.)? )$")
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
FORCED = "7k/8/8/8/8/8/6q1/7K b - - 0 1"

# Name: arguments, environment, lines typed.
SCENARIOS = {
    "start": ([], {}, []),
    "brown, moves and a capture": (["--color", "both"], {}, ["e4", "d5", "exd5", "Qxd5"]),
    "green, seen by Black": (["--theme", "green", "--color", "both"], {}, ["d4", "flip"]),
    "blue, check": (["--theme", "blue", "--color", "both"], {}, ["e4", "f5", "Qh5+"]),
    "without colours": (["--color", "both"], {"NO_COLOR": "1"}, ["Nf3", "moves f3"]),
    "letters": (["--ascii", "--color", "both"], {}, ["e4", "e5", "Nf3"]),
    "wrong moves": (["--theme", "mono", "--color", "both"], {}, ["Nf4", "e5", "hello", "h", "Ke2"]),
    "targets": (["--color", "both"], {}, ["moves g1"]),
    "help": (["--color", "both"], {}, ["help"]),
    "undo and redo": (
        ["--theme", "mono", "--color", "both"], {}, ["e4", "e5", "undo", "redo", "history"],
    ),
    "mate": (["--fen", MATE, "--color", "both"], {}, ["Ra8#", "Kf8"]),
    "crazyhouse": (
        ["--variant", "crazyhouse", "--theme", "mono", "--color", "both"], {},
        ["e4", "d5", "exd5", "Nf6", "P@e5"],
    ),
    "clocks and material": (
        ["--time", "5+3", "--theme", "mono", "--color", "both",
         "--fen", "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"], {}, ["exd5"],
    ),
    "Tab completes": (["--theme", "mono", "--color", "both"], {}, ["his\t", "theme as\t"]),
    "a dumb terminal": (["--color", "both"], {"TERM": "dumb"}, ["e4"]),
}  # fmt: skip


def settle(terminal: Terminal, screen: pyte.Screen, stream: pyte.ByteStream) -> None:
    """Feeds the screen until it shows a prompt and nothing more comes."""
    end = time.monotonic() + 20
    while True:
        got = terminal.read(0.3)
        if got:
            stream.feed(got)
        elif PROMPT.search(screen.display[screen.cursor.y][: screen.cursor.x]):
            return
        assert time.monotonic() < end, "\n".join(screen.display)


def picture(screen: pyte.Screen) -> str:
    lines = [line.rstrip() for line in screen.display]
    text = "\n".join(lines).rstrip() + "\n"
    text = re.sub(r"Mola \d+\.\d+\.\d+", "Mola", text)
    # The last board's squares.
    rows = [y for y, line in enumerate(screen.display) if re.match(r" [1-8] ", line)][-8:]
    colors = [[screen.buffer[y][4 + 3 * x].bg for x in range(8)] for y in rows]
    if any(color != "default" for row in colors for color in row):
        text += "\n" + "\n".join(" ".join(row) for row in colors) + "\n"
    return text


@pytest.mark.parametrize("name", SCENARIOS)
def test_screen(mola, name):
    args, env, typed = SCENARIOS[name]
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    with Terminal(mola, *args, **env) as terminal:
        settle(terminal, screen, stream)
        for line in typed:
            terminal.type(line + "\r")
            settle(terminal, screen, stream)
        seen = picture(screen)
        terminal.type("quit\r")
        assert terminal.leave() == 0
    golden = SCREENS / f"{name}.txt"
    if os.environ.get("UPDATE_SCREENS"):
        golden.write_text(seen)
    assert seen == golden.read_text()


def test_the_engine_answers_a_forced_move(mola):
    """Hides the score of a forced move, the only output that depends on the evaluation."""
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    fen = "7k/8/8/8/8/7r/6q1/K7 b - - 0 1"
    with Terminal(mola, "--fen", fen, "--color", "black", "--theme", "mono") as terminal:
        settle(terminal, screen, stream)
        terminal.type("Rh1#\r")
        settle(terminal, screen, stream)
        shown = "\n".join(screen.display)
        assert "0-1  checkmate" in shown
        terminal.type("quit\r")
        assert terminal.leave() == 0
