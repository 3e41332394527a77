"""An engine on a pipe, where every wait has a deadline: a hung engine fails its test by name."""

import os
import queue
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# For each of hundreds of waits: generous for busy CI machines, but well below a test's time-out.
DEADLINE = 15.0
# The exit code of a command that a signal has stopped before it was done.
INTERRUPTED = 130


def binary() -> str:
    """The engine under test: $MOLA, or the release build."""
    named = os.environ.get("MOLA", str(ROOT / "target/release/mola"))
    found = shutil.which(named)
    assert found, f"no engine at {named}: build it with `cargo build --release` or set $MOLA"
    return os.path.abspath(found)


def program(name: str) -> str:
    """The path of a program; skips the test if there is none. Debian's games are not in every $PATH."""
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    if not found:
        pytest.skip(f"{name} is not here: `apt install {name}`, or run tests/run as root on Debian")
    return found


def fairymax() -> str:
    """Fairy-Max, without the messages that crash it."""
    program("fairymax")
    return str(ROOT / "tests/tools/fairymax")


class Engine:
    """Lines in, lines out. Bytes that are not UTF-8 may be sent; the engine's own must be UTF-8."""

    def __init__(self, *args: str, command: str | None = None, env: dict | None = None):
        self.process = subprocess.Popen(
            [command or binary(), *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {})},
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8").rstrip("\r\n"))
        self.lines.put(None)  # end of output

    def send(self, *lines: str) -> None:
        """Sends lines in one write."""
        self.write("".join(f"{line}\n" for line in lines).encode())

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def until(self, pattern: str, timeout: float = DEADLINE) -> list[str]:
        """The lines up to and including the first that matches the pattern."""
        seen: list[str] = []
        end = time.monotonic() + timeout
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(
                    f"no line matched {pattern!r} in {timeout} s; last: {seen[-12:]}"
                ) from None
            assert line is not None, f"the engine ended before {pattern!r}; last: {seen[-12:]}"
            seen.append(line)
            if re.search(pattern, line):
                return seen

    def never(self, pattern: str, seconds: float) -> list[str]:
        """The lines of the next seconds; none may match."""
        seen: list[str] = []
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                line = self.lines.get(timeout=left)
            except queue.Empty:
                break
            assert line is not None, f"the engine ended; last: {seen[-12:]}"
            assert not re.search(pattern, line), f"{line!r} came, {pattern!r} must not"
            seen.append(line)
        return seen

    def ask(self, line: str, pattern: str, timeout: float = DEADLINE) -> list[str]:
        self.send(line)
        return self.until(pattern, timeout)

    def close_input(self) -> None:
        self.process.stdin.close()

    def rest(self, timeout: float = DEADLINE) -> list[str]:
        """All lines until the end of the output."""
        seen: list[str] = []
        end = time.monotonic() + timeout
        while (line := self.lines.get(timeout=max(0.01, end - time.monotonic()))) is not None:
            seen.append(line)
        return seen

    def exit_code(self, timeout: float = 5.0) -> int:
        return self.process.wait(timeout)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()


class Uci(Engine):
    """An engine that has answered `uci`."""

    def __init__(self, *args: str, **kwargs):
        super().__init__(*args, **kwargs)
        self.greeting = self.ask("uci", r"^uciok$")

    def ready(self, timeout: float = DEADLINE) -> list[str]:
        """The output before `readyok`."""
        return self.ask("isready", r"^readyok$", timeout)[:-1]

    def best(self, go: str, timeout: float = DEADLINE) -> str:
        """The move of one search."""
        return bestmove(self.ask(go, r"^bestmove", timeout))


class XBoard(Engine):
    """An engine that has answered `xboard` and `protover 2`."""

    def __init__(self, *args: str, **kwargs):
        super().__init__(*args, **kwargs)
        self.send("xboard", "protover 2")
        self.greeting = self.until(r"feature .*\bdone=1")
        # As xboard does, which reads the long form of thinking output.
        self.send("accepted exclude")
        self.pings = 0

    def sync(self, timeout: float = DEADLINE) -> list[str]:
        """The output before the `pong` of a new `ping`."""
        self.pings += 1
        return self.ask(f"ping {self.pings}", rf"^pong {self.pings}$", timeout)[:-1]

    def move(self, line: str = "go", timeout: float = DEADLINE) -> str:
        """The engine's move in answer to a line."""
        return self.ask(line, r"^move ", timeout)[-1].split()[1]


def bestmove(lines: list[str]) -> str:
    return lines[-1].split()[1]


def fields(info: str) -> dict[str, str]:
    """An `info` line as a dictionary; `score` keeps kind and value, `pv` its moves."""
    words = info.split()
    named = {}
    for name in ("depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull"):
        if name in words:
            named[name] = words[words.index(name) + 1]
    if "score" in words:
        at = words.index("score")
        named["score"] = " ".join(words[at + 1 : at + 3])
    if "pv" in words:
        named["pv"] = " ".join(words[words.index("pv") + 1 :])
    return named


def scored(lines: list[str]) -> list[dict[str, str]]:
    """The `info` lines with an exact score and a PV."""
    return [
        fields(line)
        for line in lines
        if line.startswith("info ") and " score " in line and "bound " not in line
    ]
