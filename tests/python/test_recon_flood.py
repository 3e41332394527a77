"""`mola recon serve` under floods: half-open connections, junk and wrong passwords keep nobody from playing.

All of it stays on this machine, and ends by itself. $MOLA_FLOOD=full takes 2,000 connections, 100,000
junk requests and 500 log-ins at least; without it a tenth of that. A log-in costs
the server 20 ms.
"""

import base64
import json
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import time
from multiprocessing import Event, Process, Value
from threading import Thread

import pytest
import requests
from test_recon_server import Served, serve, wait_for  # noqa: F401

FULL = os.environ.get("MOLA_FLOOD") == "full"
HALF_OPEN = 2000 if FULL else 200
JUNK = 100_000 if FULL else 10_000
LOG_INS = 500 if FULL else 50
# The longest duration of a flood.
LONGEST = 120.0


def more_files() -> None:
    """Each process of a flood opens many sockets."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def half_open(port: int, stop, count) -> None:
    """Connections that send half a request, and reconnect when closed."""
    more_files()
    end = time.monotonic() + LONGEST
    held: list[socket.socket] = []
    while not stop.is_set() and time.monotonic() < end and count.value < 20 * HALF_OPEN:
        if len(held) == HALF_OPEN:
            held.pop(0).close()
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=5)
            connection.sendall(b"GET /api/users/ HTTP/1.1\r\nHost: x\r\nX-Half")
            held.append(connection)
            count.value += 1
        except OSError:
            time.sleep(0.01)
        # On a slow machine, too, the flood must outlast the game.
        if count.value > HALF_OPEN:
            time.sleep(0.01)


def junk(port: int, stop, count) -> None:
    """Requests that make no sense, as fast as they are answered."""
    chance = random.Random(1)
    end = time.monotonic() + LONGEST
    requests = [
        b"GET /api/games/1/game_status HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /no/such/address HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/users/ HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{\"user\"",
        b"DELETE /api/users/me HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/users/ HTTP/1.1\r\nHost: x\r\nAuthorization: Basic Og==\r\n\r\n",
    ]
    while count.value < 50 * JUNK and not stop.is_set() and time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                if chance.random() < 0.5:
                    connection.sendall(bytes(chance.randrange(256) for _ in range(200)) + b"\r\n\r\n")
                    count.value += 1
                    connection.recv(1 << 16)
                    continue
                for _ in range(20):
                    connection.sendall(b"".join(chance.choice(requests) for _ in range(10)))
                    count.value += 10
                    connection.recv(1 << 16)
        except OSError:
            pass


def log_ins(port: int, stop, count) -> None:
    """Wrong passwords of a user who plays, from many addresses, so that each of them must be hashed.

    They do not come from the players' address: there they would block new log-ins.
    """
    end = time.monotonic() + LONGEST

    def work(thread: int) -> None:
        number = 0
        while count.value < 20 * LOG_INS and not stop.is_set() and time.monotonic() < end:
            number += 1
            source = f"127.0.{1 + thread}.{1 + number % 250}"
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(source, 0)) as connection:
                    for _ in range(10):
                        token = base64.b64encode(b"ann:wrong%d" % random.getrandbits(60)).decode()
                        connection.sendall(f"GET /api/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {token}\r\n\r\n".encode())
                        connection.recv(1 << 16)
                        with count.get_lock():
                            count.value += 1
            except OSError:
                pass

    threads = [Thread(target=work, args=(thread,)) for thread in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Honest:
    """A player whose requests are timed."""

    def __init__(self, server: Served, name: str):
        self.server = server
        self.session = requests.Session()
        self.session.auth = (name, "secret")

    def ask(self, method: str, path: str, body=None) -> dict:
        data = json.dumps(body) if method == "POST" else None
        end = time.monotonic() + 30
        while True:
            response = self.session.request(method, self.server.url + path, data=data, timeout=30)
            # A log-in may have to wait for its turn; the clients of reconchess try again, too.
            if response.status_code != 503 or time.monotonic() > end:
                break
            time.sleep(0.05)
        assert response.status_code == 200, (path, response.text)
        return response.json()

    def turn(self, game: int, chance: random.Random) -> list[float]:
        """Plays a turn; how long each request took."""
        times = []

        def ask(method: str, what: str, body=None) -> dict:
            start = time.monotonic()
            reply = self.ask(method, f"/api/games/{game}/{what}", body)
            times.append(time.monotonic() - start)
            return reply

        ask("GET", "game_status")
        moves = ask("GET", "move_actions")["move_actions"]
        ask("POST", "sense", {"square": chance.randrange(64)})
        ask("POST", "move", {"requested_move": chance.choice(moves)})
        ask("POST", "end_turn", {})
        return times


@pytest.mark.timeout(300)
def test_floods(serve):  # noqa: F811
    """Turns are answered within 100 ms at the median while all three floods run, and newcomers come in."""
    server = serve("--full-turn-limit", "1000", "--reversible-moves-limit", "0")
    server.register("ann", "bob", "eve")
    stop = Event()
    counts = {flood.__name__: Value("l", 0) for flood in (half_open, junk, log_ins)}
    processes = [Process(target=flood, name=flood.__name__, args=(server.port, stop, counts[flood.__name__]), daemon=True) for flood in (half_open, junk, log_ins)]
    players = [Honest(server, name) for name in ("ann", "bob")]
    times: list[float] = []
    chance = random.Random(2)

    def begin() -> int:
        game = players[0].ask("POST", "/api/invitations/", {"opponent": "bob", "color": True})["game_id"]
        for player in players:
            player.ask("POST", f"/api/games/{game}/ready", {})
        return game

    def is_over(game: int) -> bool:
        return players[0].ask("GET", f"/api/games/{game}/is_over")["is_over"]

    try:
        processes[0].start()
        wait_for(lambda: counts["half_open"].value >= HALF_OPEN, "the flood", 60)
        game = begin()
        for process in processes[1:]:
            process.start()
        wait_for(lambda: counts["junk"].value > JUNK // 20 and counts["log_ins"].value > LOG_INS // 20, "the floods", 60)
        # A new user logs in during the floods.
        start = time.monotonic()
        assert Honest(server, "eve").ask("GET", "/api/users/me")["username"] == "eve"
        log_in = time.monotonic() - start
        # Measure only while all floods run.
        least = {"half_open": HALF_OPEN, "junk": JUNK, "log_ins": LOG_INS}
        while len(times) < 400 or any(counts[name].value < count for name, count in least.items()):
            ended = [process.name for process in processes if not process.is_alive()]
            assert not ended, (ended, len(times), {name: count.value for name, count in counts.items()})
            for player in players:
                if is_over(game):
                    game = begin()
                    break
                times += player.turn(game, chance)
    finally:
        stop.set()
        for process in processes:
            if process.pid:
                process.join(10)
                process.kill()
    came = {name: count.value for name, count in counts.items()}
    median, worst = statistics.median(times) * 1000, max(times) * 1000
    print(f"{len(times)} requests: median {median:.1f} ms, longest {worst:.0f} ms; log-in {1000 * log_in:.0f} ms; {came}")
    assert median < 100, f"{median:.1f} ms"


def test_few_descriptors(serve):  # noqa: F811
    """1,100 half-sent requests from one address, with 1,024 descriptors, block nobody."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    script = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024)); os.execv(sys.argv[1], sys.argv[1:])"
    more_files()
    held = []
    server = serve()
    server.kill()
    command = [sys.executable, "-c", script, *server.process.args]
    server.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        server.url = server.process.stdout.readline().split()[-1]
        server.port = int(server.url.rsplit(":", 1)[1])
        server.register("ann")
        for _ in range(1100):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            connection.sendall(b"POST /api/users/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            held.append(connection)
        start = time.monotonic()
        assert server.get("/api/users/me", "ann")["username"] == "ann"
        assert time.monotonic() - start < 5
    finally:
        for connection in held:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
