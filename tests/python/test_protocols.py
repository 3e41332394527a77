"""Every command of the two protocols as a script: `tests/data/uci.txt`, `tests/data/xboard.txt`.

A line `# name` begins a check in a fresh engine. Then each line is one step:

    > LINE        send a line                    >> BYTES     send bytes, with \\n, \\x00, ...
    < PATTERN     wait for a line like this      t MS         the last wait took no longer
    + PATTERN     up to now some line is so      - PATTERN    up to now no line is so
    n N PATTERN   so many lines are so           0 PATTERN    none comes for a moment
    eof           close the input                exit         it ends with code 0, soon

`+`, `-` and `n` look at what came since the last `0`, or since the last but one `<` without what it
waited for, after all earlier lines have taken effect. Whatever the engine prints, a referee checks that its moves are legal.
"""

import re
import time
from pathlib import Path

import pytest

from engine import Engine, Uci, XBoard
from referee import UciReferee, XBoardReferee

DATA = Path(__file__).resolve().parents[1] / "data"
MOMENT = 0.25


def checks(name: str) -> list:
    """The checks of a file: name and steps."""
    found = []
    for number, line in enumerate((DATA / name).read_text().splitlines(), 1):
        if line.startswith("# "):
            found.append(pytest.param([], id=line[2:]))
        elif line.strip():
            found[-1].values[0].append((number, *line.partition(" ")[::2]))
    return found


class Session:
    """Runs the steps of a check."""

    def __init__(self, engine: Engine, referee, sync):
        self.engine = engine
        self.referee = referee
        self.sync = sync
        self.heard: list[str] = []
        self.took = 0.0
        self.partial = ""

    def hear(self, lines: list[str]) -> None:
        for line in lines:
            self.referee.heard(line)
        self.heard += lines

    def settle(self) -> None:
        if self.engine.process.poll() is None:
            self.hear(self.sync(self.engine))

    def matching(self, pattern: str) -> list[str]:
        return [line for line in self.heard if re.search(pattern, line)]

    def step(self, verb: str, rest: str) -> None:
        engine = self.engine
        if verb == ">":
            self.referee.sent(rest)
            engine.send(rest)
        elif verb == ">>":
            data = rest.encode().decode("unicode_escape").encode("latin-1")
            self.partial += data.decode("latin-1").replace("\x00", " ")
            *lines, self.partial = self.partial.split("\n")
            for line in lines:
                self.referee.sent(line)
            engine.write(data)
        elif verb == "<":
            since = time.monotonic()
            self.heard = []
            self.hear(engine.until(rest))
            self.took = time.monotonic() - since
            self.heard.pop()
        elif verb == "t":
            assert self.took * 1000 <= float(rest), f"{self.took} s"
        elif verb == "0":
            self.heard = []
            self.hear(engine.never(rest, MOMENT))
        elif verb == "+":
            self.settle()
            assert self.matching(rest), self.heard[-12:]
        elif verb == "-":
            self.settle()
            assert not self.matching(rest), self.matching(rest)
        elif verb == "n":
            count, _, pattern = rest.partition(" ")
            self.settle()
            assert len(self.matching(pattern)) == int(count), self.heard[-12:]
        elif verb == "eof":
            self.referee.sent(self.partial)
            engine.close_input()
        elif verb == "exit":
            self.hear(engine.rest())
            assert engine.exit_code(1.5) == 0
        else:
            raise AssertionError(f"no such step: {verb} {rest}")


def run(session: Session, name: str, steps: list) -> None:
    for number, verb, rest in steps:
        try:
            session.step(verb, rest)
        except (AssertionError, ValueError) as fault:
            raise AssertionError(f"{name}:{number}: {verb} {rest}: {fault}") from fault


@pytest.mark.parametrize("steps", checks("uci.txt"))
def test_uci(steps):
    with Uci() as engine:
        run(Session(engine, UciReferee(), Uci.ready), "uci.txt", steps)


@pytest.mark.parametrize("steps", checks("xboard.txt"))
def test_xboard(steps):
    with XBoard() as engine:
        engine.send("accepted debug")
        run(Session(engine, XBoardReferee(), XBoard.sync), "xboard.txt", steps)
