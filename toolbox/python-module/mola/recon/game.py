"""The game: the actions of the players and their results."""

from __future__ import annotations

import abc
import base64
import http.client
import json
import math
import sys
import time
import urllib.error
import urllib.request
from abc import abstractmethod as abstractmethod
from datetime import datetime as datetime
from typing import Any, Dict, List, Optional, Tuple

import mola.chess as chess

from .history import GameHistory, GameHistoryDecoder
from .notation import dumps
from .types import SenseResult, WinReason

# As in reconchess, for bots that import all names of this module.
from .utilities import *  # noqa: F403
from .utilities import (
    add_pawn_queen_promotion,
    capture_square_of_move,
    is_action,
    move_actions,
    revise_move,
    window,
)


class Game(abc.ABC):
    """A game from the players' view, in this process or on a server."""

    @abc.abstractmethod
    def sense_actions(self) -> Optional[List[int]]:
        """The squares that can be sensed: all. ``None`` once the game has been ended."""

    @abc.abstractmethod
    def move_actions(self) -> Optional[List[chess.Move]]:
        """The moves that can be requested: those possible for the own pieces alone, and pawn captures.
        ``None`` once the game has been ended."""

    @abc.abstractmethod
    def get_seconds_left(self) -> float:
        """The time left on the clock of the player to move."""

    @abc.abstractmethod
    def start(self) -> None:
        """Starts the clock of the first player."""

    @abc.abstractmethod
    def opponent_move_results(self) -> Optional[int]:
        """Where the opponent's last move captured, if anywhere."""

    @abc.abstractmethod
    def sense(self, square: Optional[int]) -> SenseResult:
        """Senses the 3x3 window around a square: its squares with pieces. ``None`` senses nothing.

        Nothing is seen once the game has been ended.
        """

    @abc.abstractmethod
    def move(
        self, requested_move: Optional[chess.Move]
    ) -> Tuple[Optional[chess.Move], Optional[chess.Move], Optional[int]]:
        """Requests a move, or passes with ``None``. Returns the requested move, the move taken, and
        where it captured. No move is taken once the game has been ended."""

    @abc.abstractmethod
    def end_turn(self) -> None:
        """Ends the turn and starts the opponent's clock."""

    @abc.abstractmethod
    def is_over(self) -> bool:
        """Whether the game is over."""

    @abc.abstractmethod
    def get_winner_color(self) -> Optional[bool]:
        """Who won, or ``None`` for a draw or a game that goes on."""

    @abc.abstractmethod
    def get_win_reason(self) -> Optional[WinReason]:
        """Why the game is over, or ``None``."""

    @abc.abstractmethod
    def get_game_history(self) -> Optional[GameHistory]:
        """The record of the game, once it is over."""


class LocalGame(Game):
    """A game in this process.

    :param seconds_per_player: The time of each player; ``None`` for no limit.
    :param seconds_increment: The increment per turn.
    :param reversible_moves_limit: The number of half-moves without capture or pawn move after
        which the game is drawn.
    :param full_turn_limit: The number of full turns after which the game is drawn.

    A game that is over by the clock has its winner and reason at once; in reconchess not before :meth:`end`.
    """

    def __init__(
        self,
        seconds_per_player: Optional[float] = 900,
        seconds_increment: Optional[float] = 5,
        reversible_moves_limit: Optional[int] = 100,
        full_turn_limit: Optional[int] = None,
    ) -> None:
        self.turn: bool = chess.WHITE
        self.board = chess.Board()
        self.seconds_per_player = math.inf if seconds_per_player is None else seconds_per_player
        self.seconds_left_by_color: Dict[bool, float] = {
            chess.WHITE: self.seconds_per_player,
            chess.BLACK: self.seconds_per_player,
        }
        self.seconds_increment = seconds_increment or 0
        self.reversible_moves_limit = reversible_moves_limit
        self.full_turn_limit = full_turn_limit
        self.history = GameHistory()
        self._turn_began: Optional[float] = None
        self._captured_at: Optional[int] = None
        self._resigned: Optional[bool] = None
        self._ended = False

    def start(self) -> None:
        self._turn_began = time.perf_counter()

    def end(self) -> None:
        """Ends the game: the clocks stop, and its result is written to its record."""
        self._use_time()
        self._turn_began = None
        self._ended = True
        self.history.store_results(self.get_winner_color(), self.get_win_reason())

    def store_players(self, white_name: str, black_name: str) -> None:
        """Writes the names of the players to the record."""
        self.history.store_players(white_name, black_name)

    def resign(self) -> None:
        """The player to move resigns."""
        self._resigned = self.turn

    def _use_time(self) -> None:
        if self._turn_began is not None:
            now = time.perf_counter()
            self.seconds_left_by_color[self.turn] -= now - self._turn_began
            self._turn_began = now

    def get_seconds_left(self) -> float:
        self._use_time()
        return self.seconds_left_by_color[self.turn]

    def sense_actions(self) -> Optional[List[int]]:
        return None if self._ended else list(chess.SQUARES)

    def move_actions(self) -> Optional[List[chess.Move]]:
        return None if self._ended else move_actions(self.board)

    def opponent_move_results(self) -> Optional[int]:
        return self._captured_at

    def sense(self, square: Optional[int]) -> SenseResult:
        if self._ended:
            return []
        if square is not None and square not in chess.SQUARES:
            raise ValueError(f"LocalGame::sense({square}): {square} is not a valid square.")
        result: SenseResult = []
        if square is not None:
            result = [(seen, self.board.piece_at(seen)) for seen in window(square)]
        self.history.store_sense(self.turn, square, result)
        return result

    def move(
        self, requested_move: Optional[chess.Move]
    ) -> Tuple[Optional[chess.Move], Optional[chess.Move], Optional[int]]:
        if self._ended:
            return requested_move, None, None
        taken = None
        if requested_move is not None:
            move = add_pawn_queen_promotion(self.board, requested_move)
            if not is_action(self.board, move):
                raise ValueError(f"Requested move {requested_move} was not in move_actions()")
            taken = revise_move(self.board, move)
        captured_at = capture_square_of_move(self.board, taken)
        self.history.store_fen_before_move(self.turn, self.board.fen(en_passant="fen"))
        self.board.push(taken if taken is not None else chess.Move.null())
        self.history.store_fen_after_move(self.turn, self.board.fen(en_passant="fen"))
        self.history.store_move(self.turn, requested_move, taken, captured_at)
        self._captured_at = captured_at
        return requested_move, taken, captured_at

    def end_turn(self) -> None:
        self._use_time()
        self.seconds_left_by_color[self.turn] += self.seconds_increment
        self.turn = not self.turn

    def is_over(self) -> bool:
        return self._ended or self.get_win_reason() is not None

    def get_winner_color(self) -> Optional[bool]:
        reason = self.get_win_reason()
        if reason is WinReason.RESIGN:
            return not self._resigned
        if reason is WinReason.TIMEOUT:
            return not self._out_of_time()
        if reason is WinReason.KING_CAPTURE:
            return self.board.king(chess.WHITE) is not None
        return None

    def get_win_reason(self) -> Optional[WinReason]:
        if self._resigned is not None:
            return WinReason.RESIGN
        if self._out_of_time() is not None:
            return WinReason.TIMEOUT
        if any(self.board.king(color) is None for color in (chess.WHITE, chess.BLACK)):
            return WinReason.KING_CAPTURE
        if self.full_turn_limit is not None and self.board.fullmove_number > self.full_turn_limit:
            return WinReason.TURN_LIMIT
        limit = self.reversible_moves_limit
        if limit is not None and self.board.halfmove_clock >= limit:
            return WinReason.MOVE_LIMIT
        return None

    def _out_of_time(self) -> Optional[bool]:
        """The player who has run out of time."""
        self._use_time()
        late = (color for color, left in self.seconds_left_by_color.items() if left <= 0)
        return next(late, None)

    def get_game_history(self) -> Optional[GameHistory]:
        return self.history if self.is_over() else None


class RemoteGame(Game):
    """A game on a server: reconchess's, or that of ``mola recon serve``.

    Waits for a server that is down, fails or does not answer.

    :param server_url: Such as ``http://localhost:8000``.
    :param auth: The name of the user and the password.
    :raises: :exc:`ValueError` when the server refuses a request.
    """

    RETRY_SECONDS = 0.5
    TIMEOUT_SECONDS = 60

    def __init__(self, server_url: str, game_id: int, auth: Tuple[str, str]) -> None:
        self.game_url = f"{server_url}/api/games/{game_id}"
        name_and_password = base64.b64encode(":".join(auth).encode()).decode()
        self._headers = {"Authorization": f"Basic {name_and_password}"}

    def _request(self, name: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        data = None if body is None else dumps(body).encode()
        request = urllib.request.Request(f"{self.game_url}/{name}", data, self._headers)
        while True:
            try:
                with urllib.request.urlopen(request, timeout=self.TIMEOUT_SECONDS) as response:
                    answer: Dict[str, Any] = json.load(response, cls=GameHistoryDecoder)
                    return answer
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    raise ValueError(error.read().decode(errors="replace")) from error
            except (OSError, http.client.HTTPException):
                pass  # also one that was cut off in the middle of an answer
            time.sleep(self.RETRY_SECONDS)

    def _get(self, name: str) -> Any:
        return self._request(name)[name]

    def get_player_color(self) -> bool:
        """The own color."""
        return bool(self._get("color"))

    def get_starting_board(self) -> chess.Board:
        """The board at the start."""
        board: chess.Board = self._request("starting_board")["board"]
        return board

    def get_opponent_name(self) -> str:
        """The name of the opponent."""
        return str(self._get("opponent_name"))

    def is_my_turn(self) -> bool:
        """Whether it is the own turn."""
        return bool(self._get("is_my_turn"))

    def sense_actions(self) -> Optional[List[int]]:
        squares: Optional[List[int]] = self._get("sense_actions")
        return squares

    def move_actions(self) -> Optional[List[chess.Move]]:
        moves: Optional[List[chess.Move]] = self._get("move_actions")
        return moves

    def get_seconds_left(self) -> float:
        seconds = self._get("seconds_left")
        # Mola's server answers with the largest number where there is no limit.
        return math.inf if seconds in (None, sys.float_info.max) else float(seconds)

    def start(self) -> None:
        self._request("ready", {})

    def opponent_move_results(self) -> Optional[int]:
        square: Optional[int] = self._get("opponent_move_results")
        return square

    def sense(self, square: Optional[int]) -> SenseResult:
        result = self._request("sense", {"square": square})["sense_result"]
        return [(seen, piece) for seen, piece in result]

    def move(
        self, requested_move: Optional[chess.Move]
    ) -> Tuple[Optional[chess.Move], Optional[chess.Move], Optional[int]]:
        result = self._request("move", {"requested_move": requested_move})["move_result"]
        requested, taken, square = result
        return requested, taken, square

    def end_turn(self) -> None:
        self._request("end_turn", {})

    def is_over(self) -> bool:
        """Waits for the own turn or the end."""
        while True:
            status = self._request("game_status")
            if status["is_over"] or status["is_my_turn"]:
                return bool(status["is_over"])
            time.sleep(self.RETRY_SECONDS)

    def get_winner_color(self) -> Optional[bool]:
        color: Optional[bool] = self._get("winner_color")
        return color

    def get_win_reason(self) -> Optional[WinReason]:
        reason: Optional[WinReason] = self._get("win_reason")
        return reason

    def get_game_history(self) -> GameHistory:
        history: GameHistory = self._get("game_history")
        return history
