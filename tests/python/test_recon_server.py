"""`mola recon serve` and `connect`: real clients of reconchess, every endpoint, kills and crowds."""

import base64
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import pytest
import requests
from engine import binary

reconchess = pytest.importorskip("reconchess", reason="reconchess is not installed")

import recon_server
from reconchess import GameHistory, LocalGame, play_remote_game
from reconchess.bots.random_bot import RandomBot

DEADLINE = 120


class Served:
    """A Mola server on its own port."""

    def __init__(self, folder: Path, *args: str):
        self.folder = folder
        self.args = args
        self.port = 0
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [binary(), "recon", "serve", "--folder", str(self.folder), "--listen", f"127.0.0.1:{self.port}", *self.args],
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        self.url = re.search(r"http://\S+", line)[0]
        self.port = int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def request(self, method: str, path: str, user: str | None = None, **kwargs) -> requests.Response:
        auth = (user, "secret") if user else None
        return requests.request(method, self.url + path, auth=auth, timeout=DEADLINE, **kwargs)

    def get(self, path: str, user: str | None = None) -> dict:
        response = self.request("GET", path, user)
        assert response.status_code == 200, (path, response.text)
        return response.json()

    def post(self, path: str, user: str | None = None, body=None) -> dict:
        response = self.request("POST", path, user, data=json.dumps(body if body is not None else {}))
        assert response.status_code == 200, (path, response.text)
        return response.json()

    def register(self, *names: str) -> None:
        for name in names:
            body = {"username": name, "password": "secret", "email": "", "affiliation": ""}
            assert self.post("/api/users/", body=body)["username"] == name

    def game(self, white: str, black: str, ready: bool = True) -> int:
        game = self.post("/api/invitations/", white, {"opponent": black, "color": True})["game_id"]
        if ready:
            for name in (white, black):
                self.post(f"/api/games/{game}/ready", name)
        return game


@pytest.fixture
def serve(tmp_path):
    started = []

    def start(*args: str) -> Served:
        started.append(Served(tmp_path / f"server{len(started)}", *args))
        return started[-1]

    yield start
    for server in started:
        server.kill()


def script(name: str, *args: str, **kwargs) -> subprocess.Popen:
    """One of reconchess's own programs."""
    code = f"from reconchess.scripts.{name} import main; main()"
    command = [sys.executable, "-u", "-c", code, *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kwargs)


def wait_for(condition, what: str, seconds: float = DEADLINE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.1)


def finish(process: subprocess.Popen) -> str:
    """Presses Ctrl-C in a client that waits for invitations; returns its output."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=30)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def histories(server: Served) -> list[GameHistory]:
    """Every finished game, replayed by reconchess itself."""
    found = []
    for path in sorted((server.folder / "games").glob("*.json")):
        history = GameHistory.from_file(path)
        game = LocalGame(seconds_per_player=None)
        game.start()
        for turn in history.turns():
            if history.has_sense(turn):
                assert [tuple(x) for x in history.sense_result(turn)] == game.sense(history.sense(turn))
            if history.has_move(turn):
                assert game.move(history.requested_move(turn)) == history.move_result(turn)
                game.end_turn()
        found.append(history)
    return found


RANDOM = "reconchess.bots.random_bot"


@pytest.mark.timeout(600)
def test_rc_connect_ranked(serve):
    """The client from PyPI plays ten ranked games against bots of the server, four at a time."""
    server = serve("--bot", "random", "--bot", "attacker", "--full-turn-limit", "15")
    register = script("rc_register", "--username", "py", "--password", "secret", "--email", "e", "--affiliation", "a", "--server-url", server.url)
    assert "Successfully registered" in register.communicate(timeout=30)[0]
    client = script("rc_connect", RANDOM, "--username", "py", "--password", "secret", "--server-url", server.url, "--ranked", "--keep-version")
    games = server.folder / "games"
    wait_for(lambda: len(list(games.glob("*.json"))) >= 10, "ten games", 300)
    output = finish(client)
    assert server.get("/api/users/me/version", "py") == {"version": 1}
    played = histories(server)
    assert len(played) >= 10
    assert {h.get_white_player_name() for h in played} == {"py", "random", "attacker"}
    assert "rror" not in output and "Traceback" not in output.replace("KeyboardInterrupt", ""), output
    assert output.count("Finished game") >= 8


@pytest.mark.timeout(600)
def test_rc_connect_unranked(serve):
    """It plays ten games that it is invited to, four at a time; the inviting players are clients of reconchess, too."""
    server = serve("--full-turn-limit", "15")
    server.register("py", "host")
    client = script("rc_connect", RANDOM, "--username", "py", "--password", "secret", "--server-url", server.url)
    wait_for(lambda: "py" in server.get("/api/users/", "host")["usernames"], "the client")
    results = []

    def invite(number: int) -> None:
        body = {"opponent": "py", "color": bool(number % 2)}
        game = server.post("/api/invitations/", "host", body)["game_id"]
        play_remote_game(server.url, game, ("host", "secret"), RandomBot())
        results.append(server.get(f"/api/games/{game}/win_reason", "host")["win_reason"]["value"])

    with ThreadPoolExecutor(4) as four_at_a_time:
        for game in [four_at_a_time.submit(invite, number) for number in range(10)]:
            game.result(300)
    assert len(results) == 10
    assert set(results) <= {"KING_CAPTURE", "TURN_LIMIT"}
    output = finish(client)
    assert "rror" not in output, output
    assert len(histories(server)) == 10


# What the client says of a game that has ended.
REPORT = re.compile(r"^game \d+: (?:.+ has won|draw): [A-Z_]+$", re.M)


@pytest.mark.timeout(600)
def test_connect_to_a_server_of_reconchess():
    """Mola's client against LocalGame behind HTTP, with failures in one reply of twelve."""
    server = recon_server.Server(games=4, seed=random.randrange(1000), fault_rate=1 / 12)
    command = [binary(), "recon", "connect", "random", "--username", "bot", "--password", "secret"]
    command += ["--server-url", server.url, "--ranked", "--keep-version", "--games", "4"]
    client = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert client.returncode == 0, client.stderr
    assert min(server.faults.values()) > 0, server.faults
    assert all(server.finished) and len(REPORT.findall(client.stdout)) == 4, client.stdout
    assert all(table.game.is_over() for table in server.tables)


def test_connect_finishes_its_games(serve):
    """Ctrl-C: no game is lost, and no new one is started."""
    server = serve("--bot", "random")
    server.register("me")
    command = [binary(), "recon", "connect", "random", "--username", "me", "--server-url", server.url, "--ranked"]
    env = {**os.environ, "MOLA_RECON_PASSWORD": "secret"}
    client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    first = client.stdout.readline()
    client.send_signal(signal.SIGINT)
    output, complaints = client.communicate(timeout=60)
    assert client.returncode == 0, complaints
    assert len(REPORT.findall(first + output)) == len(histories(server)) > 0
    assert "RESIGN" not in first + output


def connected(server, *words):
    """A client of the user `me` that waits for games."""
    command = [binary(), "recon", "connect", "random", "--username", "me", "--password", "secret", "--server-url", server.url, *words]
    client = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert "waiting for games" in client.stderr.readline()
    return client


@pytest.mark.parametrize("ranked, code", [([], 0), (["--ranked"], 130)])
def test_connect_without_games_ends_though_the_server_is_away(serve, ranked, code):
    """It cannot say then that it plays no more ranked games."""
    server = serve()
    server.register("me")
    client = connected(server, *ranked)
    server.kill()
    time.sleep(1)
    client.send_signal(signal.SIGTERM)
    try:
        assert client.wait(30) == code
    finally:
        client.kill()


def test_connect_does_not_wait_for_a_server_that_hangs(serve):
    """It accepts connections, and never answers."""
    server = serve()
    server.register("me")
    client = connected(server, "--ranked")
    server.process.send_signal(signal.SIGSTOP)
    try:
        # By then a request for invitations is under way.
        time.sleep(2)
        begin = time.monotonic()
        client.send_signal(signal.SIGINT)
        assert client.wait(60) == 130
        assert time.monotonic() - begin < 15
    finally:
        client.kill()
        server.process.send_signal(signal.SIGCONT)


def test_the_second_interrupt_ends_connect_at_once(serve):
    """Also in a game whose opponent does not come."""
    server = serve()
    server.register("me", "you")
    client = connected(server)
    server.post("/api/invitations/", "you", {"opponent": "me", "color": True})
    wait_for(lambda: not server.get("/api/invitations/", "me")["invitations"], "the game", 30)
    server.process.send_signal(signal.SIGSTOP)
    try:
        client.send_signal(signal.SIGINT)
        assert "finishing the games" in client.stderr.readline()
        client.send_signal(signal.SIGINT)
        assert client.wait(10) != 0
        assert "is left unfinished" in client.stderr.read()
    finally:
        client.kill()
        server.process.send_signal(signal.SIGCONT)


def test_connect_leaves_the_pairing_at_once(serve):
    """Ctrl-C: nobody is paired with a client that finishes its last game."""
    server = serve()
    server.register("me", "you")
    client = connected(server, "--ranked")
    game = server.post("/api/invitations/", "you", {"opponent": "me", "color": True})["game_id"]
    wait_for(lambda: not server.get("/api/invitations/", "me")["invitations"], "the game", 30)
    assert server.get("/api/users/me", "me")["ranked"]
    client.send_signal(signal.SIGINT)
    wait_for(lambda: not server.get("/api/users/me", "me")["ranked"], "the end of pairing", 30)
    server.post(f"/api/games/{game}/resign", "you")
    assert client.wait(60) == 0


def test_connect_leaves_no_opponent_waiting(serve):
    """A client that plays one game is paired once, and no more while it plays."""
    server = serve()
    server.register("me", "you")
    server.post("/api/users/me/ranked", "you", {"ranked": True})
    command = [binary(), "recon", "connect", "random", "--username", "me", "--password", "secret", "--server-url", server.url]
    client = subprocess.Popen([*command, "--ranked", "--games", "1"], stdout=subprocess.PIPE, text=True)
    invitations = lambda: server.get("/api/invitations/", "you")["invitations"]
    wait_for(invitations, "the game")
    wait_for(lambda: not server.get("/api/users/me", "me")["ranked"], "the end of pairing", 30)
    assert len(invitations()) == 1
    server.post("/api/games/1/resign", "you")
    assert "has won" in client.communicate(timeout=60)[0]


def test_connect_ends_a_turn_that_was_cut_short(serve):
    """A client that was killed between its move and the end of its turn goes on."""
    server = serve()
    server.register("ann", "bob")
    game = server.game("bob", "ann")
    server.post(f"/api/games/{game}/sense", "bob", {"square": None})
    server.post(f"/api/games/{game}/move", "bob", {"requested_move": None})
    server.post(f"/api/games/{game}/end_turn", "bob")
    server.post(f"/api/games/{game}/sense", "ann", {"square": None})
    server.post(f"/api/games/{game}/move", "ann", {"requested_move": None})
    command = [binary(), "recon", "connect", "random", "--username", "ann", "--password", "secret", "--server-url", server.url]
    client = subprocess.Popen([*command, "--games", "1"], stdout=subprocess.PIPE, text=True)
    status = lambda: server.get(f"/api/games/{game}/game_status", "bob")
    wait_for(lambda: status()["is_my_turn"] or status()["is_over"], "the turn", 30)
    server.post(f"/api/games/{game}/resign", "bob")
    assert "RESIGN" in client.communicate(timeout=60)[0]
    assert server.get(f"/api/games/{game}/winner_color", "bob") == {"winner_color": False}


HANGING_BOT = """
import os, time
from reconchess import *

class HangingBot(Player):
    def choose_sense(self, sense_actions, move_actions, seconds_left):
        with open(os.environ["HANGING_BOT"], "w") as file:
            file.write(str(os.getpid()))
        time.sleep(3600)

    def choose_move(self, move_actions, seconds_left):
        return None
"""


@pytest.fixture
def hanging(tmp_path, monkeypatch):
    """A bot that hangs; and a function for the number of its process, once that hangs."""
    bot, file = tmp_path / "hanging.py", tmp_path / "pid"
    bot.write_text(HANGING_BOT)
    monkeypatch.setenv("HANGING_BOT", str(file))
    import python_package

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(python_package.FOLDER), *filter(None, sys.path)]))
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    def process() -> int:
        wait_for(lambda: file.exists() and file.read_text(), "the bot")
        return int(file.read_text())

    return str(bot), process


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended stays until it is waited for.
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_a_bot_that_hangs_is_left_when_its_game_is_over(serve, hanging):
    """`connect` needs its place for other games."""
    bot, process = hanging
    server = serve("--seconds-per-player", "1", "--seconds-increment", "0")
    server.register("me", "you")
    game = server.post("/api/invitations/", "you", {"opponent": "me", "color": False})["game_id"]
    server.post(f"/api/games/{game}/ready", "you")
    command = [binary(), "recon", "connect", bot, "--username", "me", "--password", "secret", "--server-url", server.url]
    client = subprocess.Popen([*command, "--games", "1"], stdout=subprocess.PIPE, text=True)
    try:
        assert "TIMEOUT" in client.communicate(timeout=60)[0]
    finally:
        client.kill()
    assert not is_running(process())


def test_a_bot_that_hangs_ends_with_its_server(serve, hanging):
    bot, process = hanging
    server = serve("--bot", bot)
    server.register("me")
    game = server.post("/api/invitations/", "me", {"opponent": "hanging", "color": False})["game_id"]
    server.post(f"/api/games/{game}/ready", "me")
    hung = process()
    server.process.terminate()
    server.process.wait(30)
    wait_for(lambda: not is_running(hung), "the end of the bot", 60)


def test_register_command(serve):
    server = serve()
    command = [binary(), "recon", "register", "--username", "ann", "--password", "secret", "--email", "e", "--affiliation", "a", "--server-url", server.url]
    first = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert first.stdout == "registered as ann\n"
    again = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert again.returncode == 1 and "taken" in again.stderr
    assert server.post("/api/users/me", "ann")["username"] == "ann"
    journal = (server.folder / "journal.jsonl").read_text()
    assert "$argon2id$" in journal and '"secret"' not in journal


def test_blanks_around_a_password_belong_to_it(serve):
    server = serve()
    command = [binary(), "recon", "register", "--username", "ann", "--email", "e", "--affiliation", "a", "--server-url", server.url]
    for name, line in (("ann", " pass word \n"), ("bob", "\tword\r\n")):
        command[command.index("--username") + 1] = name
        assert subprocess.run(command, input=line.encode(), capture_output=True, timeout=60).returncode == 0
        profile = requests.get(f"{server.url}/api/users/me", auth=(name, line.rstrip("\r\n")), timeout=DEADLINE)
        assert profile.status_code == 200


def test_a_server_that_is_not_there():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        user = ["--username", "ann", "--password", "secret", "--server-url", f"http://127.0.0.1:{unused.getsockname()[1]}"]
        for command in (["register", "--email", "e", "--affiliation", "a"], ["connect", "random"]):
            done = subprocess.run([binary(), "recon", *command, *user], capture_output=True, text=True, timeout=60)
            assert done.returncode == 1 and "does not answer" in done.stderr
    address = user[-1].removeprefix("http://")
    command = [binary(), "recon", "ratings", "--server-url", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and f"perhaps you mean http://{address}" in done.stderr


GETS = {
    "color": None,
    "starting_board": None,
    "opponent_name": None,
    "sense_actions": None,
    "move_actions": "turn",
    "seconds_left": None,
    "opponent_move_results": None,
    "is_over": "public",
    "is_my_turn": None,
    "game_status": None,
    "winner_color": "end",
    "win_reason": "end",
    "game_history": "end",
    "my_turns": None,
}
POSTS = {
    "ready": {},
    "sense": {"square": 1},
    "move": {"requested_move": None},
    "end_turn": {},
    "resign": {},
    "error_resign": {},
}


def test_head_is_answered_as_get_without_a_body(serve):
    server = serve()
    server.register("ann")
    for path, user, status in [
        ("/api/version", None, 200), ("/api/ratings/", None, 200), ("/api/users/me", "ann", 200),
        ("/api/users/me", None, 401), ("/api/invitations/1", "ann", 405),
    ]:  # fmt: skip
        head, get = (server.request(method, path, user) for method in ("HEAD", "GET"))
        assert head.status_code == get.status_code == status and head.content == b"", path
        assert head.headers["Content-Length"] == get.headers["Content-Length"], path
    for method in ("POST", "PUT", "DELETE"):
        for path in ("/api/version", "/api/ratings/"):
            assert server.request(method, path).status_code == 405


def test_every_endpoint(serve):
    """No authentication, wrong player, unknown game, wrong phase, malformed, finished, oversized."""
    server = serve()
    server.register("ann", "bob", "eve")
    game = server.game("ann", "bob", ready=False)

    def status(method: str, path: str, user: str | None, data: str | None = None) -> int:
        response = server.request(method, path, user, data=data)
        body = response.json()
        assert ("error" in body) == (response.status_code != 200), (path, body)
        if response.status_code == 401:
            assert response.headers["WWW-Authenticate"].startswith("Basic")
        return response.status_code

    def check(expected: int, method: str, path: str, user: str | None, data: str | None = None) -> None:
        assert status(method, path, user, data) == expected, (method, path, user, data)

    # The user and the request.
    both = [("GET", name, None) for name in GETS] + [("POST", name, json.dumps(POSTS[name])) for name in POSTS]
    for method, name, body in both:
        path = f"/api/games/{game}/{name}"
        check(401, method, path, None, body)
        check(401, method, path, "nobody", body)
        assert requests.request(method, server.url + path, auth=("ann", "wrong"), data=body).status_code == 401
        check(404, method, f"/api/games/999/{name}", "ann", body)
        check(404, method, f"/api/games/x/{name}", "ann", body)
        check(404, method, f"/api/games/99999999999999999999999/{name}", "ann", body)
        if GETS.get(name) == "public":
            check(200, method, path, "eve", body)
        elif GETS.get(name) == "end":
            check(400, method, path, "eve", body)
        else:
            check(401, method, path, "eve", body)
        check(405, "POST" if method == "GET" else "GET", path, "ann", body)
        check(405, "DELETE", path, "ann", body)
        check(413, method, path, "ann", "x" * 20_000)
    for method, path in [("GET", "/api/users/"), ("POST", "/api/users/me"), ("POST", "/api/users/me/max_games"), ("POST", "/api/users/me/ranked"), ("GET", "/api/users/me/version"), ("POST", "/api/users/me/version"), ("GET", "/api/invitations/"), ("POST", "/api/invitations/"), ("POST", "/api/invitations/1"), ("POST", "/api/invitations/1/finish")]:
        check(401, method, path, None)
        check(413, method, path, "ann", "x" * 20_000)
        check(405, "PUT", path, "ann")
    for path, bodies in {
        "/api/users/": ["", "{", "[]", '{"username":"x"}', '{"username":"a:b","password":"x"}', '{"username":"","password":"x"}', '{"username":"x","password":""}'],
        "/api/users/me/max_games": ["", "{}", '{"max_games":"four"}', '{"max_games":-1}', '{"max_games":null}'],
        "/api/users/me/ranked": ["", "{}", '{"ranked":1}'],
        "/api/invitations/": ["", "{}", '{"opponent":"nobody","color":true}', '{"opponent":"ann","color":true}', '{"opponent":"bob"}'],
        "/api/invitations/99": ["{}"],
        "/api/invitations/99/finish": ["{}"],
    }.items():
        for body in bodies:
            check(400, "POST", path, "ann", body)
    check(409, "POST", "/api/users/", None, '{"username":"ann","password":"x"}')
    check(400, "POST", "/api/invitations/1", "eve", "{}")  # not to her
    for path in ["/", "/api", "/api/x", "/api/users/you", "/api/games/1", "/api/games/1/dance", "//api/users/"]:
        check(404, "GET", path, "ann")
    check(200, "GET", "/api/version", None)
    # A body announced as too long is refused before it arrives.
    with socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE) as connection:
        connection.sendall(b"POST /api/users/ HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{")
        assert connection.recv(4096).startswith(b"HTTP/1.1 413 ")

    # Wrong phases.
    def step(expected: int, user: str, name: str, body=None) -> None:
        body = json.dumps(POSTS[name] if body is None else body)
        check(expected, "POST", f"/api/games/{game}/{name}", user, body)

    def waiting(user: str, *names: str) -> None:
        for name in names:
            step(400, user, name)

    for user in ("ann", "bob"):
        waiting(user, "sense", "move", "end_turn")
        check(400, "GET", f"/api/games/{game}/move_actions", user)
        step(200, user, "ready")
        step(400, user, "ready")
    waiting("bob", "sense", "move", "end_turn")
    check(400, "GET", f"/api/games/{game}/move_actions", "bob")
    for name in ("winner_color", "win_reason", "game_history"):
        check(400, "GET", f"/api/games/{game}/{name}", "ann")
    waiting("ann", "move", "end_turn")
    for body in ({}, {"square": 64}, {"square": -1}, {"square": "e4"}, {"square": 1.5}, []):
        step(400, "ann", "sense", body)
    step(200, "ann", "sense")
    waiting("ann", "sense", "end_turn")
    for move in ("e2e4", {"type": "Move", "value": "e2"}, {"type": "Move", "value": "e2e5"}, {"type": "Piece", "value": "P"}, 7):
        step(400, "ann", "move", {"requested_move": move})
    step(400, "ann", "move", {"move": None})
    step(200, "ann", "move", {"requested_move": {"type": "Move", "value": "e2e4"}})
    waiting("ann", "sense", "move")
    assert server.get(f"/api/games/{game}/game_status", "ann") == {"is_my_turn": True, "is_over": False}
    step(200, "ann", "end_turn")
    waiting("ann", "sense", "move", "end_turn")

    # A finished game.
    step(200, "bob", "resign")
    for user in ("ann", "bob"):
        waiting(user, "ready", "sense", "move", "end_turn", "resign", "error_resign")
    for name in GETS:
        check(200, "GET", f"/api/games/{game}/{name}", "ann")
    assert server.get(f"/api/games/{game}/sense_actions", "ann") == {"sense_actions": None}
    assert server.get(f"/api/games/{game}/move_actions", "bob") == {"move_actions": None}
    assert server.get(f"/api/games/{game}/winner_color", "eve") == {"winner_color": True}
    assert server.get(f"/api/games/{game}/win_reason", "eve")["win_reason"]["value"] == "RESIGN"


def test_time_and_king(serve):
    """A clock ends a game by itself; a captured king ends it with the turn."""
    server = serve("--seconds-per-player", "0.5", "--seconds-increment", "0")
    server.register("ann", "bob")
    game = server.game("ann", "bob")
    wait_for(lambda: server.get(f"/api/games/{game}/is_over", "bob")["is_over"], "the end", 10)
    assert server.get(f"/api/games/{game}/winner_color", "bob") == {"winner_color": False}
    assert server.get(f"/api/games/{game}/win_reason", "bob")["win_reason"]["value"] == "TIMEOUT"

    server = serve()
    server.register("ann", "bob")
    game = server.game("ann", "bob")
    moves = ["e2e4", "f7f6", "d1h5", None, "h5e8"]
    for number, move in enumerate(moves):
        user = ("ann", "bob")[number % 2]
        server.post(f"/api/games/{game}/sense", user, {"square": None})
        requested = move and {"type": "Move", "value": move}
        result = server.post(f"/api/games/{game}/move", user, {"requested_move": requested})
        assert server.get(f"/api/games/{game}/game_status", user) == {"is_my_turn": True, "is_over": False}
        server.post(f"/api/games/{game}/end_turn", user)
    assert result["move_result"][2] == chess.E8
    assert server.get(f"/api/games/{game}/game_status", "bob") == {"is_my_turn": False, "is_over": True}
    assert server.get(f"/api/games/{game}/win_reason", "ann")["win_reason"]["value"] == "KING_CAPTURE"
    assert len(histories(server)) == 1


@pytest.mark.timeout(600)
def test_kill_in_mid_game(serve):
    """Two clients of reconchess play on while the server is killed and started again."""
    server = serve("--full-turn-limit", "40")
    server.register("ann", "bob")
    game = server.game("ann", "bob", ready=False)
    players = [
        threading.Thread(target=play_remote_game, args=(server.url, game, (name, "secret"), SlowBot()))
        for name in ("ann", "bob")
    ]
    for player in players:
        player.start()
    for _ in range(4):
        time.sleep(1.2)
        before = server.get(f"/api/games/{game}/my_turns", "ann")["my_turns"]
        server.kill()
        # A game keeps the limits that it started with.
        server.args = ("--full-turn-limit", "1")
        server.start()
        after = server.get(f"/api/games/{game}/my_turns", "ann")["my_turns"]
        assert after[: len(before) - 1] == before[:-1] and len(after) >= len(before)
    for player in players:
        player.join(300)
    (history,) = histories(server)
    assert history.get_win_reason() is not None and history.num_turns() > 2
    # An incomplete last line of the journal does no harm.
    server.kill()
    with open(server.folder / "journal.jsonl", "a") as journal:
        journal.write('{"event":"sen')
    server.start()
    assert server.get(f"/api/games/{game}/is_over", "ann") == {"is_over": True}
    server.register("carl")


def test_actions_whose_answer_was_lost_are_repeated(serve):
    """The server ended behind an action and before its answer: the client asks again."""
    server = serve()
    server.register("ann", "bob")
    game = server.game("ann", "bob")

    def act(name, body=None):
        return server.post(f"/api/games/{game}/{name}", "ann", body or {})

    def refused(name, body=None):
        with pytest.raises(Exception, match="400"):
            act(name, body)

    def again():
        server.kill()
        server.start()

    again()
    assert act("ready") == {}
    refused("ready")
    sensed = act("sense", {"square": 12})
    again()
    refused("sense", {"square": 13})
    refused("end_turn")
    assert act("sense", {"square": 12}) == sensed
    refused("sense", {"square": 12})
    move = {"requested_move": {"type": "Move", "value": "e2e4"}}
    moved = act("move", move)
    again()
    refused("sense", {"square": 12})
    refused("move", {"requested_move": None})
    assert act("move", move) == moved
    refused("move", move)
    act("end_turn")
    again()
    refused("move", move)
    assert act("end_turn") == {}
    refused("end_turn")
    again()
    # The opponent may have played meanwhile.
    for name, body in (("sense", {"square": None}), ("move", {"requested_move": None}), ("end_turn", {})):
        server.post(f"/api/games/{game}/{name}", "bob", body)
    assert act("end_turn") == {}
    refused("end_turn")
    act("resign")
    again()
    assert act("resign") == {}
    refused("resign")


def test_a_history_that_cannot_be_written_keeps_back_no_other(serve):
    server = serve()
    server.register("ann", "bob")
    games = [server.game("ann", "bob") for _ in range(2)]
    paths = [server.folder / "games" / f"{game}.json" for game in games]
    for game, path in zip(games, paths):
        path.mkdir(parents=True)
        server.post(f"/api/games/{game}/resign", "ann")
    paths[1].rmdir()
    wait_for(paths[1].is_file, "the history", 30)
    assert paths[0].is_dir()
    paths[0].rmdir()
    wait_for(paths[0].is_file, "the other history", 30)


def test_the_turn_that_captures_the_king_may_be_ended_again(serve):
    """The game is then over, and its history in its file alone."""
    server = serve()
    server.register("ann", "bob")
    game = server.game("ann", "bob")
    players = [reconchess.RemoteGame(server.url, game, (name, "secret")) for name in ("ann", "bob")]
    for number, move in enumerate(["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"]):
        player = players[number % 2]
        player.sense(None)
        player.move(chess.Move.from_uci(move))
        player.end_turn()
    server.kill()
    server.start()
    players[0].end_turn()
    with pytest.raises(ValueError):
        players[0].end_turn()
    assert players[0].is_over() and players[0].get_winner_color() == chess.WHITE


class SlowBot(RandomBot):
    """Plays some seconds, so that there is something to interrupt."""

    def choose_sense(self, *args):
        time.sleep(0.02)
        return super().choose_sense(*args)


@pytest.mark.timeout(300)
def test_a_thousand_connections(serve):
    """Long polls: each client repeats its request, and all are answered."""
    server = serve()
    server.register("ann")
    token = base64.b64encode(b"ann:secret").decode()
    request = f"GET /api/users/ HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {token}\r\n\r\n".encode()
    connections = [socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE) for _ in range(1000)]
    start = time.monotonic()
    for _ in range(3):
        for connection in connections:
            connection.sendall(request)
        for connection in connections:
            reply = b""
            while b'{"usernames": ["ann"]}' not in reply:
                part = connection.recv(4096)
                assert part, reply
                reply += part
            assert reply.startswith(b"HTTP/1.1 200 OK")
    assert time.monotonic() - start < 60
    for connection in connections:
        connection.close()
    assert server.get("/api/version") == {"version": reconchess.__version__}
