"""`mola recon serve`: limits for users, and what persists across restarts."""

import json
import os
import stat
import subprocess
import time

import pytest
import requests
from engine import binary
from test_recon_server import REPORT, Served, finish, serve, wait_for  # noqa: F401


def status(server: Served, method: str, path: str, user: str | None = None, body=None) -> int:
    return server.request(method, path, user, data=json.dumps(body)).status_code


def test_numbers_are_bounded(serve):  # noqa: F811
    """A user who wants four billion ranked games does not stop the server, now or after a restart."""
    server = serve("--bot", "random")
    server.register("ann", "bob")
    assert status(server, "POST", "/api/users/me/max_games", "ann", {"max_games": 4294967295}) == 400
    assert status(server, "POST", "/api/users/me/max_games", "ann", {"max_games": 99999999999}) == 400
    refused = server.request("POST", "/api/users/me/max_games", "ann", data='{"max_games": -1}')
    assert refused.status_code == 400 and "0 to 1024 games" in refused.json()["error"]
    assert server.post("/api/users/me/max_games", "ann", {"max_games": 1024})["max_games"] == 1024
    server.post("/api/users/me/ranked", "ann", {"ranked": True})
    time.sleep(1)
    start = time.monotonic()
    assert server.get("/api/users/me", "bob")["username"] == "bob"
    assert time.monotonic() - start < 5
    # An older server has written it to the journal.
    server.kill()
    with open(server.folder / "journal.jsonl", "a") as journal:
        journal.write('{"event":"max_games","user":1,"max_games":4294967295}\n')
    server.start()
    server.get("/api/users/me", "ann")
    time.sleep(1)
    start = time.monotonic()
    assert server.get("/api/users/me", "ann")["max_games"] == 1024
    assert time.monotonic() - start < 5
    body = {"username": "carl", "password": "x", "email": "e" * 1000}
    assert status(server, "POST", "/api/users/", None, body) == 400


def test_an_event_that_refers_to_nobody_is_told_by_its_line(tmp_path):
    journal = tmp_path / "journal.jsonl"
    journal.write_text('\n{"event":"max_games","user":7,"max_games":3}\n')
    command = [binary(), "recon", "serve", "--folder", str(tmp_path), "--listen", "127.0.0.1:0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert f"{journal}, line 2: there is no such user, game or invitation" in done.stderr, done.stderr


def serve_journal(folder, text):
    """Starts a server on a journal; returns what it says and what is then in the journal."""
    journal = folder / "journal.jsonl"
    journal.write_text(text)
    command = [binary(), "recon", "serve", "--folder", str(folder), "--listen", "127.0.0.1:0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if server.stdout.readline():
        server.terminate()
    said = server.communicate(timeout=60)[1]
    return said, journal.read_text()


def test_a_journal_without_its_last_line_break_is_whole(serve, tmp_path):  # noqa: F811
    server = serve()
    server.register("ann", "bob")
    server.kill()
    text = (server.folder / "journal.jsonl").read_text()
    said, after = serve_journal(tmp_path, text[:-1])
    assert after == text and "journal" not in said, said
    said, after = serve_journal(tmp_path, text[:-9])
    assert after == text[: text.rindex("\n", 0, -1) + 1] and "the last line was cut off" in said, said
    # As some file systems leave it after a loss of power.
    said, after = serve_journal(tmp_path, text + 40 * "\0")
    assert after == text and "its 40 bytes are dropped" in said, said


@pytest.mark.parametrize("text", ["notes", "notes\n", '{"a":1', '{"event":"sen\n{"event":"sen'])
def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path, text):
    said, after = serve_journal(tmp_path, text)
    assert after == text and "journal.jsonl, line 1: " in said, said
    assert stat.S_IMODE((tmp_path / "journal.jsonl").stat().st_mode) != 0o600


def test_invitations_are_bounded(serve):  # noqa: F811
    server = serve()
    server.register("ann", "bob")
    invite = {"opponent": "bob", "color": True}
    answers = [status(server, "POST", "/api/invitations/", "ann", invite) for _ in range(70)]
    assert answers == [200] * 64 + [429] * 6
    # Another user may still invite, and a game that starts makes room for another.
    assert status(server, "POST", "/api/invitations/", "bob", {"opponent": "ann", "color": True}) == 200
    first = server.get("/api/invitations/", "bob")["invitations"][0]
    game = server.post(f"/api/invitations/{first}", "bob")["game_id"]
    assert status(server, "POST", "/api/invitations/", "ann", invite) == 429
    for user in ("ann", "bob"):
        server.post(f"/api/games/{game}/ready", user)
    assert status(server, "POST", "/api/invitations/", "ann", invite) == 200
    refused = server.request("POST", "/api/invitations/", "ann", data=json.dumps(invite))
    assert "64 games" in refused.json()["error"] and "not started" in refused.json()["error"]


def test_bots_of_the_server_come_when_they_are_needed(serve):  # noqa: F811
    """They do not wait in games whose other player is not ready, or one user would occupy all of them."""
    server = serve("--bot", "random", "--full-turn-limit", "5", "--seconds-per-player", "0")
    server.register("ann")
    invite = {"opponent": "random", "color": True}
    games = [server.post("/api/invitations/", "ann", invite)["game_id"] for _ in range(64)]
    time.sleep(3)
    assert status(server, "POST", "/api/invitations/", "ann", invite) == 429
    accepted = lambda: [  # noqa: E731
        event for event in (server.folder / "journal.jsonl").read_text().splitlines() if '"accepted"' in event
    ]
    assert not accepted()
    server.post(f"/api/games/{games[3]}/ready", "ann")
    wait_for(lambda: server.get(f"/api/games/{games[3]}/is_my_turn", "ann")["is_my_turn"], "the bot")
    assert len(accepted()) == 1
    # Without a limit there is a number, too: bots compare it.
    assert server.get(f"/api/games/{games[3]}/seconds_left", "ann")["seconds_left"] > 1e300


def test_nobody_invites_oneself(serve):  # noqa: F811
    server = serve()
    server.register("ann")
    refused = server.request("POST", "/api/invitations/", "ann", data=json.dumps({"opponent": "ann", "color": True}))
    assert refused.status_code == 400 and refused.json()["error"] == "you cannot invite yourself"


def test_connect_fails_if_its_only_game_does(serve):  # noqa: F811
    server = serve()
    server.register("me", "you")
    server.post("/api/invitations/", "you", {"opponent": "me", "color": True})
    command = [binary(), "recon", "connect", "cmd:/no/such/bot", "--username", "me", "--password", "secret", "--games", "1"]
    done = subprocess.run([*command, "--server-url", server.url], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "every game failed" in done.stderr, done.stderr


def test_wrong_passwords_are_bounded(serve):  # noqa: F811
    server = serve()
    server.register("ann", "bob")

    def log_in(password: str, user: str = "ann", address: str = "127.0.0.1") -> int:
        session = requests.Session()
        adapter = requests.adapters.HTTPAdapter()
        adapter.init_poolmanager(1, 1, source_address=(address, 0))
        session.mount("http://", adapter)
        return session.get(server.url + "/api/users/me", auth=(user, password), timeout=60).status_code

    answers = [log_in(f"wrong{number}") for number in range(35)]
    assert answers[:30] == [401] * 30 and 429 in answers[30:]
    # The same user from another address, and another user from this one.
    assert log_in("secret", address="127.0.0.2") == 200
    assert log_in("secret", user="bob") == 200
    # A user known from before is not affected.
    assert log_in("secret") == 200


def test_registrations_are_bounded(serve):  # noqa: F811
    server = serve()
    answers = [status(server, "POST", "/api/users/", None, {"username": f"u{number}", "password": "x"}) for number in range(40)]
    assert answers[:32] == [200] * 32 and 429 in answers[32:]


def test_one_server_for_a_folder(serve):  # noqa: F811
    server = serve()
    command = [binary(), "recon", "serve", "--folder", str(server.folder), "--listen", "127.0.0.1:0"]
    second = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert second.returncode == 1 and str(server.folder) in second.stderr and second.stdout == ""
    # The lock ends with its server.
    server.kill()
    server.start()


def test_a_bot_whose_file_is_not_there_is_not_served(tmp_path):
    command = [binary(), "recon", "serve", "--bot", "random", "--bot", "nofile.py", "--listen", "127.0.0.1:0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 1 and "nofile.py: " in done.stderr and done.stdout == "", done.stderr
    assert not list(tmp_path.iterdir())


def test_the_journal_is_private(serve):  # noqa: F811
    server = serve()
    journal = server.folder / "journal.jsonl"
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600
    server.kill()
    os.chmod(journal, 0o644)
    server.start()
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600


def test_ratings(serve):  # noqa: F811
    """Ranked games count, each version of a bot apart."""
    server = serve("--bot", "attacker", "--full-turn-limit", "20")
    server.register("me")
    command = [binary(), "recon", "connect", "random", "--username", "me", "--password", "secret"]
    command += ["--server-url", server.url, "--ranked", "--games"]
    for games in ("3", "2"):
        subprocess.run([*command, games], check=True, capture_output=True, timeout=120)
    rows = server.get("/api/ratings/")["ratings"]
    found = {(row["username"], row["version"]): row["games"] for row in rows}
    # A game counts for the version that it began with, also when a later one finishes it.
    assert found[("me", 1)] >= 3 and found[("me", 1)] + found.get(("me", 2), 0) >= 5 and ("attacker", 0) in found
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    before = rows
    server.kill()
    server.start()
    assert server.get("/api/ratings/")["ratings"] == before
    shown = subprocess.run([binary(), "recon", "ratings", "--server-url", server.url], capture_output=True, text=True, timeout=60)
    assert shown.stdout.split()[:4] == ["bot", "version", "rating", "games"]
    assert len(shown.stdout.splitlines()) == len(rows) + 1


@pytest.mark.timeout(120)
def test_invite(serve, tmp_path):  # noqa: F811
    """A game against another user from the command line, as with rc-play-on-server."""
    server = serve("--full-turn-limit", "20")
    server.register("me", "you")
    common = ["--password", "secret", "--server-url", server.url]
    other = subprocess.Popen([binary(), "recon", "connect", "random", "--username", "you", *common], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "waiting for games" in other.stderr.readline()
    wait_for(lambda: "you" in server.get("/api/users/", "me")["usernames"], "the other")
    command = [binary(), "recon", "invite", "--username", "me", "--color", "white", "--bot", "random", *common]
    done = subprocess.run(command, input="1\n", capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1  you" in done.stderr and REPORT.search(done.stdout), done.stdout
    (history,) = tmp_path.glob("*.json")
    assert history.name.startswith("me-you-") and history.name in done.stdout
    # Resigning is not an error, and the game is saved.
    history.unlink()
    given_up = subprocess.run([*[word for word in command if word not in ("--bot", "random")], "you"], input="e6\ne2e4\nresign\n", capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert given_up.returncode == 0 and "you have resigned" in given_up.stdout, given_up.stderr
    (history,) = tmp_path.glob("*.json")
    assert json.loads(history.read_text())["winner_color"] is False
    finish(other)
    nobody = subprocess.run([*command[:3], "nobody", *command[3:]], capture_output=True, text=True, timeout=60)
    assert nobody.returncode == 1 and "to invite" in nobody.stderr
