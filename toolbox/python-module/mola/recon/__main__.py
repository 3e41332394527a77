"""Plays a bot that was written for reconchess in a game of Mola: ``python -m mola.recon mybot.py``.

Requests come as lines of JSON on standard input, and answers go as such to standard output: see
``mola recon match --help``. What the bot prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import operator
import os
import sys
from typing import IO, Any, Dict, List, Optional, Tuple

import mola


def install() -> None:
    """Makes ``chess`` mean `mola.chess`, and ``reconchess`` `mola.recon` unless it is installed."""
    mola.install()
    if importlib.util.find_spec("reconchess") is not None:
        return
    from mola import recon

    sys.modules["reconchess"] = recon
    for name in ("game", "history", "play", "player", "types", "utilities"):
        sys.modules[f"reconchess.{name}"] = sys.modules[f"mola.recon.{name}"]


class Host:
    """Answers the requests of a game for a bot."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    def answer(self, request: Dict[str, Any]) -> Optional[Dict[str, Any]]:
        """The bot's answer to a request; ``None`` for a notification."""
        seconds = request.get("seconds_left")
        left = float("inf") if seconds is None else seconds
        method = request.get("method")
        if method == "choose_sense":
            senses, moves = request["sense_actions"], request["move_actions"]
            return {"square": _as_int(self.bot.choose_sense(senses, moves, left))}
        if method == "choose_move":
            return {"requested_move": self.bot.choose_move(request["move_actions"], left)}
        if method == "ready":
            return {}
        self.notify(method, request)
        return None

    def notify(self, method: Any, request: Dict[str, Any]) -> None:
        """Hands the bot a notification, which needs no answer."""
        if method == "game_start":
            self.bot.handle_game_start(request["color"], request["board"], request["opponent_name"])
        elif method == "opponent_move_results":
            square = request["opponent_move_results"]
            self.bot.handle_opponent_move_result(square is not None, square)
        elif method == "sense_result":
            result = [(square, piece) for square, piece in request["sense_result"]]
            self.bot.handle_sense_result(result)
        elif method == "move_result":
            requested, taken, square = request["move_result"]
            self.bot.handle_move_result(requested, taken, square is not None, square)
        elif method == "game_end":
            self.bot.handle_game_end(
                request["winner_color"], request["win_reason"], request["game_history"]
            )


def _as_int(square: Any) -> Any:
    """A square of NumPy as an integer of Python, which JSON has; anything else as it is."""
    try:
        return operator.index(square)
    except TypeError:
        return square


def own_streams() -> Tuple[IO[str], IO[str]]:
    """The streams of requests and answers, which no other code has any more: what bots and programs that they
    start print goes to standard error, and they have nothing to read."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    return requests, answers


def main(arguments: List[str], requests: IO[str], answers: IO[str]) -> int:
    """Runs a bot to the end of its input."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    install()
    from mola.recon.notation import dumps
    from mola.recon.player import load_player

    # What the bot prints must not mix with the answers.
    with contextlib.redirect_stdout(sys.stderr):
        _, player = load_player(arguments[0])
        decoder = _decoder(player)
        host = Host(player())
        for line in requests:
            answer = host.answer(json.loads(line, cls=decoder))
            if answer is not None:
                print(dumps(answer), file=answers, flush=True)
    return 0


def _decoder(player: type) -> Any:
    """The decoder of the library that the bot is written for: bots compare and save its values."""
    is_theirs = any(base.__module__ == "reconchess.player" for base in player.__mro__)
    return importlib.import_module("reconchess" if is_theirs else "mola.recon").GameHistoryDecoder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], *own_streams()))
