"""`mola recon` on the terminal: prompts, messages and saved games."""

import os
import pty
import re
import subprocess
import sys
import time

from engine import binary
from test_recon_bots import BOT
from test_recon_server import serve  # noqa: F401


def recon(*args: str, text: str = "", **kwargs) -> subprocess.CompletedProcess:
    return subprocess.run([binary(), "recon", *args], input=text, capture_output=True, text=True, timeout=60, **kwargs)


def test_histories_are_never_replaced(tmp_path):
    games = tmp_path / "games"
    for _ in range(2):
        done = recon("match", "random", "random", "--games", "3", "--histories", str(games))
        assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in games.iterdir())
    assert names == [f"{number:04}-random-random.json" for number in range(1, 7)]


def test_histories_of_players_with_long_names(tmp_path):
    bot = tmp_path / ("x" * 200)
    bot.write_text(f"#!{sys.executable}\n{BOT}")
    bot.chmod(0o755)
    bots = [f"cmd:{bot} good"] * 2
    done = recon("match", *bots, "--games", "1", "--histories", "games", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (name,) = (path.name for path in (tmp_path / "games").iterdir())
    assert name == f"0001-{'x' * 100}-{'x' * 100}.json"


def test_the_password_has_a_safe_place():
    done = recon("register", "--username", "ann")
    assert done.returncode == 1 and "set the environment variable MOLA_RECON_PASSWORD" in done.stderr


def test_histories_by_default(tmp_path):
    """A single game is saved under a new name, as by rc-bot-match."""
    for _ in range(2):
        done = recon("match", "random", "attacker", "--seconds_per_player", "60", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    names = {path.name for path in tmp_path.iterdir()}
    assert len(names) == 2 and all(name.startswith("random-attacker-") for name in names)
    assert recon("replay", names.pop(), cwd=tmp_path).returncode == 0
    for args in (["--no-history"], ["--games", "2"]):
        assert recon("match", "random", "attacker", *args, cwd=tmp_path).returncode == 0
    assert len(list(tmp_path.iterdir())) == 2


def test_matches_at_the_same_time(tmp_path):
    """They end in the same second, and none replaces another's history or fails."""
    for args in ([], ["--histories", "games"]):
        command = [binary(), "recon", "match", "random", "random", *args]
        runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(8)]
        assert [run.wait() for run in runs] == [0] * 8, [run.stderr.read() for run in runs]
        for run in runs:
            run.stderr.close()
    assert len(list(tmp_path.glob("*.json"))) == 8 and len(list((tmp_path / "games").iterdir())) == 8


def test_replay_keeps_its_input(tmp_path):
    assert recon("match", "random", "attacker", "--histories", str(tmp_path)).returncode == 0
    (history,) = tmp_path.iterdir()
    before = history.read_bytes()
    for path in (history, tmp_path / "." / history.name):
        done = recon("replay", str(history), "--svg", "--out", str(path), "--force")
        assert done.returncode == 1 and history.read_bytes() == before
    svg = tmp_path / "game.svg"
    assert recon("replay", str(history), "--svg", "--out", str(svg)).returncode == 0
    assert recon("replay", str(history), "--svg", "--out", str(svg)).returncode == 1
    assert recon("replay", str(history), "--svg", "--out", str(svg), "--force").returncode == 0


def test_play_helps(tmp_path):
    """A move instead of a square, a square instead of a move, and a piece that is not there."""
    answers = ["d2d4", "nonsense", "e7", "e5", "d3d4", "d2d5", "d2d4q", "d2d4", "mark e5 n", "mark d4 q", "mark e5 x", "mark e5", "resign"]
    done = recon("play", "random", text="\n".join(answers) + "\n", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for hint in (
        "you sense first, then you move: a square such as d4",
        '"nonsense" is not a square',
        "you have sensed: now a move such as e2e4",
        "no piece of yours stands on d3",
        "the piece on d2 cannot go to d5",
        "d2d4 is no promotion",
        "your own piece stands on d4",
        "a square and a piece expected",
        "?♞?",
        "The game is saved",
    ):
        assert hint in done.stdout, (hint, done.stdout)
    assert done.stdout.count("?♞?") == 1
    (saved,) = tmp_path.iterdir()
    assert saved.name.startswith("you-random-black-")
    done = recon("play", "random", "--no-history", text="resign\n", cwd=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    done = recon("play", "random", "--history", str(saved), text="resign\n")
    assert done.returncode == 1 and "--force" in done.stderr and "Sense" not in done.stdout


EN_PASSANT = r"""
import json, sys

moves = ["a7a6", "d7d5", "h7h6"]
for line in sys.stdin:
    method = json.loads(line)["method"]
    if method == "choose_sense":
        print('{"square": null}', flush=True)
    if method == "choose_move":
        print(json.dumps({"requested_move": {"type": "Move", "value": moves.pop(0)}}), flush=True)
"""


def test_a_pawn_that_was_taken_in_passing_is_gone(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(EN_PASSANT)
    answers = ["e7", "e2e4", "e7", "e4e5", "d5", "e5d6", "board", "resign"]
    done = recon("play", f"cmd:{sys.executable} {bot}", "--no-history", text="\n".join(answers) + "\n")
    assert "e5d6, something was captured on d5" in done.stdout, done.stdout
    after = done.stdout.split("captured on d5")[1]
    rank = re.findall(r"^5 .*$", after, re.MULTILINE)
    assert rank and not any("♟" in row for row in rank), after


def test_the_true_board_of_a_game_without_a_move():
    done = recon("play", "random", "--no-history", text="resign\n")
    end = done.stdout.split("\nrandom has won: RESIGN. The true board:\n")[1]
    assert end.startswith("8  ♜  ♞  ♝") and len(end.splitlines()) == 9, done.stdout


def test_register_without_a_terminal(serve):  # noqa: F811
    server = serve()
    done = recon("register", "--server-url", server.url, text="ann\nsecret\nann@example.org\n\n")
    assert done.stdout == "registered as ann\n", done.stderr
    assert server.get("/api/users/me", "ann")["username"] == "ann"


def test_a_locale_without_unicode_has_boards_of_ascii(mola, tmp_path):
    command = (mola, "position", "startpos")
    assert not subprocess.run(command, capture_output=True, check=True).stdout.isascii()
    plain = {**os.environ, "LC_ALL": "C"}
    assert subprocess.run(command, capture_output=True, check=True, env=plain).stdout.isascii()
    answers = "e7\nhelp\ne2e4\nmark e5 n\nresign\n"
    assert "\u2591 is fog" in recon("play", "random", text=answers, cwd=tmp_path).stdout
    history = str(next(tmp_path.glob("*.json")))
    text = open(history).read()
    with open(history, "w") as file:
        file.write(text.replace('"random"', '"S\u00f8rensen"'))
    for words, given in ((["play", "random"], answers), (["replay", history], "")):
        assert not recon(*words, text=given, cwd=tmp_path).stdout.isascii()
        by_locale = recon(*words, text=given, cwd=tmp_path, env=plain)
        by_option = recon(*words, "--ascii", text=given, cwd=tmp_path)
        for done in (by_locale, by_option):
            assert done.returncode == 0 and done.stdout.isascii(), done.stderr
            assert "8  r  n  b  q  k  b  n  r " in done.stdout
        assert by_locale.stdout.count("#") == by_option.stdout.count("#")
    assert "# is fog" in recon("play", "random", "--ascii", text=answers, cwd=tmp_path).stdout
    assert "Sorensen" in by_option.stdout


def test_register_asks_twice(serve):  # noqa: F811
    server = serve()
    for passwords, status in ((["one", "two"], 1), (["secret", "secret"], 0)):
        command = [binary(), "recon", "register", "--username", "ann", "--email", "e", "--affiliation", "a", "--server-url", server.url]
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(command[0], command)
        shown = b""
        for password in passwords:
            while not shown.rstrip().endswith(b":"):
                shown += os.read(terminal, 4096)
            shown = b""
            time.sleep(0.2)
            os.write(terminal, password.encode() + b"\n")
        end = b""
        try:
            while part := os.read(terminal, 4096):
                end += part
        except OSError:
            pass
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == status, end
        assert (b"differ" in end) == (status == 1)
        os.close(terminal)


def test_wrong_passwords_in_words(serve):  # noqa: F811
    server = serve()
    server.register("ann")
    done = recon("connect", "random", "--username", "ann", "--password", "wrong", "--server-url", server.url)
    assert done.returncode == 1
    assert "does not know this name with this password" in done.stderr and "401" not in done.stderr
    assert '{"error"' not in recon("invite", "nobody", "--username", "ann", "--password", "secret", "--server-url", server.url).stderr
