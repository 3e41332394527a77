"""Plays a bot that was written for reconchess in games of Mola: ``python -m mola.recon mybot.py [--seed N]``.

Each game gets a new player. With a seed, the numbers of `random` and NumPy repeat.

Requests come as lines of JSON on standard input, and answers go as such to standard output: see
``mola recon match --help``. What the bot prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import operator
import os
import random
import select
import signal
import sys
import threading
import time
from typing import IO, Any, Dict, List, Optional, Tuple

from mola.recon import _child

FAREWELL = 10.0
"""How many seconds a bot may take to end after its input has ended."""


class Host:
    """Answers the requests of games for players of a class."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.bot: Any = None

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
            # As in reconchess: bots prepare for a game in their constructor.
            self.bot = self.player()
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
    _end_with_input(requests.fileno())
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    return requests, answers


def _end_with_input(file: int) -> None:
    """Ends this process, and what it has started, some time after the end of a pipe: a bot that hangs would
    stay when Mola ends. (On Windows, Mola's end takes it along.)"""
    if not hasattr(select, "poll"):
        return
    watch = select.poll()
    watch.register(file, 0)

    def wait() -> None:
        while not any(event & select.POLLHUP for _, event in watch.poll()):
            time.sleep(1)
        time.sleep(FAREWELL)
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _seed(arguments: List[str]) -> Optional[int]:
    """The number of ``--seed N``, the only option."""
    if not arguments:
        return None
    option, number = arguments
    if option != "--seed":
        raise ValueError(option)
    return int(number)


def _seed_numpy(seed: int) -> None:
    """Seeds the generator of NumPy that all code shares, if the bot uses NumPy."""
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)


def _name_main_module() -> None:
    """A process that the bot spawns imports the main module first, by the name in its specification. It does
    so with no ``__main__`` of a package, and would take python-chess for ``chess``."""
    sys.modules["__main__"].__spec__ = _child.__spec__


def main(arguments: List[str], requests: IO[str], answers: IO[str]) -> int:
    """Runs a bot to the end of its input."""
    try:
        seed = _seed(arguments[1:])
    except ValueError:
        arguments = []
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    _name_main_module()
    _child.install()
    from mola.recon.notation import dumps
    from mola.recon.player import load_player

    # What the bot prints must not mix with the answers.
    with contextlib.redirect_stdout(sys.stderr):
        # Before the bot is loaded: one that seeds them itself keeps its numbers.
        if seed is not None:
            random.seed(seed)
        _, player = load_player(arguments[0])
        if seed is not None:
            _seed_numpy(seed)
        decoder = _decoder(player)
        host = Host(player)
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
