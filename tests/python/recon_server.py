"""A server of reconnaissance chess around reconchess's LocalGame that fails now and then.

It is for one user, `bot` with the password `secret`, and plays the other side itself at random. Every
reply goes through `faults`, which may replace it by 503, 401 or `reset`.
"""

import base64
import json
import random
import socket
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import chess
from reconchess import ChessJSONDecoder, GameHistoryEncoder, LocalGame, __version__

AUTHORIZATION = "Basic " + base64.b64encode(b"bot:secret").decode()


class Table:
    """A game in which the server moves at random as soon as it is its turn."""

    def __init__(self, color: chess.Color, chance: random.Random, seconds: float | None):
        self.game = LocalGame(seconds, full_turn_limit=15)
        self.color = color
        self.chance = chance
        self.ready = False
        names = ["bot", "chance"]
        self.game.store_players(*(names if color else reversed(names)))

    def start(self) -> None:
        self.ready = True
        self.game.start()
        self.answer()

    def answer(self) -> None:
        while not self.game.is_over() and self.game.turn != self.color:
            self.game.sense(self.chance.choice(self.game.sense_actions()))
            self.game.move(self.chance.choice(self.game.move_actions() + [None]))
            self.game.end_turn()
        if self.game.is_over() and not self.game._is_finished:
            self.game.end()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, games: int, seed: int, fault_rate: float):
        super().__init__(("127.0.0.1", 0), Handler)
        self.chance = random.Random(seed)
        self.lock = threading.Lock()
        self.fault_rate = fault_rate
        self.faults = {"503": 0, "401": 0, "reset": 0}
        # One game in four has no limit, which is `Infinity` in Python's JSON.
        self.tables = [Table(bool(i % 2), self.chance, 900 if i % 4 else None) for i in range(games)]
        self.accepted = [False] * games
        self.finished = [False] * games
        self.log: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def fault(self) -> str | None:
        if self.chance.random() >= self.fault_rate:
            return None
        fault = self.chance.choice(list(self.faults))
        self.faults[fault] += 1
        return fault


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args) -> None:
        pass

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}", cls=ChessJSONDecoder)
        with self.server.lock:
            fault = self.server.fault()
            if fault == "reset":
                # Closing with this option set sends a reset instead of an end.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            if fault:
                return self.reply(int(fault), {"error": "injected"})
            if self.path == "/api/version":
                return self.reply(200, {"version": __version__})
            if self.headers.get("Authorization") != AUTHORIZATION:
                return self.reply(401, {"error": "who?"})
            self.server.log.append(f"{self.command} {self.path}")
            try:
                self.reply(200, self.act(self.path.strip("/").split("/")[1:], body))
            except Exception as error:
                self.reply(400, {"error": repr(error)})

    def reply(self, status: int, value: dict) -> None:
        data = json.dumps(value, cls=GameHistoryEncoder).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def act(self, path: list[str], body: dict) -> dict:
        server = self.server
        match path:
            case ["users", "me", "version"]:
                return {"version": 3}
            case ["users", "me", _]:
                return {"id": 1, "username": "bot", "max_games": 4}
            case ["invitations"]:
                open_ = [i for i, done in enumerate(server.accepted) if not done]
                return {"invitations": open_}
            case ["invitations", number]:
                server.accepted[int(number)] = True
                return {"game_id": int(number)}
            case ["invitations", number, "finish"]:
                server.finished[int(number)] = True
                return {}
            case ["games", number, what]:
                return self.play(server.tables[int(number)], what, body)
        raise ValueError(f"no such address: {self.path}")

    def play(self, table: Table, what: str, body: dict) -> dict:
        game = table.game
        match what:
            case "color":
                return {"color": table.color}
            case "starting_board":
                return {"board": chess.Board()}
            case "opponent_name":
                return {"opponent_name": "chance"}
            case "ready":
                table.start()
                return {}
            case "game_status":
                return {"is_my_turn": table.ready and game.turn == table.color, "is_over": game.is_over()}
            case "sense_actions" | "move_actions" | "opponent_move_results":
                return {what: getattr(game, what)()}
            case "seconds_left" | "winner_color" | "win_reason" | "game_history":
                return {what: getattr(game, f"get_{what}")()}
            case "sense":
                return {"sense_result": game.sense(body["square"])}
            case "move":
                return {"move_result": game.move(body["requested_move"])}
            case "end_turn":
                game.end_turn()
                table.answer()
                return {}
        raise ValueError(f"no such address: {self.path}")
