"""The real xboard, on a display of its own, plays a match with the engine."""

import contextlib
import os
import subprocess

import chess.pgn
import pytest

from engine import program


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
        return program("fairymax")
    except pytest.skip.Exception:
        return f"{program('gnuchess')} --xboard"


def test_a_match_of_two_games(mola, opponent, tmp_path):
    pgn = tmp_path / "match.pgn"
    with display() as name:
        command = [program("xboard")]
        command += ["-firstChessProgram", mola, "-secondChessProgram", opponent]
        command += ["-matchGames", "2", "-popupExitMessage", "false"]
        command += ["-timeControl", "0:05", "-timeIncrement", "-1", "-movesPerSession", "40"]
        command += ["-saveGameFile", str(pgn), "-testClaims", "true", "-soundProgram", "true"]
        # Debug output names whatever went wrong between xboard and the engines.
        command += ["-debugMode", "true", "-nameOfDebugFile", str(tmp_path / "debug")]
        environment = {**os.environ, "DISPLAY": name, "HOME": str(tmp_path), "LC_ALL": "C"}
        try:
            subprocess.run(command, env=environment, cwd=tmp_path, timeout=150, check=True)
        except subprocess.TimeoutExpired:
            tail = (tmp_path / "debug").read_text(errors="replace").splitlines()[-30:]
            pytest.fail("xboard did not finish:\n" + "\n".join(tail))

    games = []
    with pgn.open() as file:
        while game := chess.pgn.read_game(file):
            games.append(game)
    assert len(games) == 2
    assert {game.headers["White"] == game.headers["Black"] for game in games} == {False}
    assert games[0].headers["White"] == games[1].headers["Black"]
    for game in games:
        assert not game.errors, game.errors
        assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
        board = game.end().board()
        assert board.ply() >= 10
        # Nothing but the rules may end a game: a claim, a flag or a crash is a fault of ours.
        ending = game.end().comment
        if not board.is_game_over(claim_draw=True):
            assert "resign" in ending.lower(), f"{game.headers}: {ending!r}"
