"""The real xboard, on a display of its own, plays a match with the engine."""

import contextlib
import os
import re
import subprocess

import chess.pgn
import pytest

from engine import fairymax, program


@contextlib.contextmanager
def display():
    """The name of a fresh virtual X display."""
    our_end, server_end = os.pipe()
    with subprocess.Popen(
        [
            program("Xvfb"),
            "-displayfd",
            str(server_end),
            "-screen",
            "0",
            "1024x768x24",
            "-nolisten",
            "tcp",
        ],
        pass_fds=[server_end],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(server_end)
        try:
            with os.fdopen(our_end) as reader:
                yield f":{reader.readline().strip()}"
        finally:
            server.terminate()


@pytest.fixture
def opponent() -> str:
    """Fairy-Max, or GNU Chess where that is missing."""
    try:
        return fairymax()
    except pytest.skip.Exception:
        return f"{program('gnuchess')} --xboard"


def match(folder, first: list[str], second: list[str], *options: str) -> list[chess.pgn.Game]:
    """Two games under xboard, which must end well, with no fault in its debug log."""
    pgn, log = folder / "match.pgn", folder / "debug"
    with display() as name:
        command = [program("xboard"), *first, *second]
        command += ["-matchGames", "2", "-popupExitMessage", "false"]
        command += ["-timeIncrement", "-1", "-movesPerSession", "40"]
        command += ["-saveGameFile", str(pgn), "-testClaims", "true", "-soundProgram", "true"]
        # The user's settings must not slow down the games, nor be changed by them.
        command += ["-showThinking", "false", "-animateMoving", "false"]
        command += ["-saveSettingsOnExit", "false", "-saveSettingsFile", str(folder / "settings")]
        # Debug output names whatever went wrong between xboard and the engines.
        command += ["-debugMode", "true", "-nameOfDebugFile", str(log), *options]
        games = os.environ["PATH"] + ":/usr/games"  # where Debian keeps Polyglot
        environment = {**os.environ, "PATH": games, "DISPLAY": name, "HOME": str(folder)}
        environment["LC_ALL"] = "C"
        try:
            subprocess.run(command, env=environment, cwd=folder, timeout=150, check=True)
        except subprocess.TimeoutExpired:
            tail = log.read_text(errors="replace").splitlines()[-30:]
            pytest.fail("xboard did not finish:\n" + "\n".join(tail))
    said = [line for line in log.read_text(errors="replace").splitlines() if "<first " in line]
    faults = [line for line in said if re.search(r"first *: (Error|Illegal move)", line)]
    assert not faults, faults
    games = []
    with pgn.open() as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors, game.errors
            games.append(game)
    assert len(games) == 2
    return games


def check_ends(games: list[chess.pgn.Game]) -> None:
    """Only the rules may end a game: a claim, a flag fall or a crash is an error."""
    for game in games:
        assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
        board = game.end().board()
        ending = game.end().comment
        if not board.is_game_over(claim_draw=True):
            assert re.search("(?i)resign|agree|draw", ending), f"{game.headers}: {ending!r}"


def test_a_match_of_two_games(mola, opponent, tmp_path):
    first, second = ["-firstChessProgram", mola], ["-secondChessProgram", opponent]
    games = match(tmp_path, first, second, "-timeControl", "0:05")
    assert games[0].headers["White"] == games[1].headers["Black"]
    assert all(game.end().board().ply() >= 10 for game in games)
    check_ends(games)


# A match takes seconds, so all variants are played only on request.
VARIANTS = ["crazyhouse", "antichess"]
# In these, xboard takes the rules of chess for those of the variant.
UNKNOWN_TO_XBOARD = ["kingofthehill", "racingkings", "horde"]
if os.environ.get("ALL_VARIANTS"):
    VARIANTS += ["fischerandom", "atomic", "suicide", "giveaway", "3check", *UNKNOWN_TO_XBOARD]


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants(mola, tmp_path, variant):
    first, second = ["-firstChessProgram", mola], ["-secondChessProgram", mola]
    options = ["-testClaims", "false"] if variant in UNKNOWN_TO_XBOARD else []
    games = match(tmp_path, first, second, "-timeControl", "0:01", "-variant", variant, *options)
    check_ends(games)


def test_through_polyglot(mola, tmp_path):
    """xboard speaks UCI through Polyglot."""
    program("polyglot")
    first = ["-firstChessProgram", mola, "-firstIsUCI", "true"]
    second = ["-secondChessProgram", mola]
    games = match(tmp_path, first, second, "-timeControl", "0:02")
    check_ends(games)
