"""The common part of Mola's bots, which are written in Rust."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

from mola._mola.recon import Bot

if TYPE_CHECKING:
    from mola.recon import Player
else:
    try:
        from reconchess import Player
    except ImportError:
        from mola.recon import Player


class NativeBot(Player):
    """A bot by its name and options, as ``mola recon match`` knows them.

    Boards, moves and pieces may be those of `chess` or of `mola.chess`. Random numbers come
    from the module :mod:`random`, so that its seed makes games reproducible.

    :raises: :exc:`ValueError` for a name or an option that is not known, and :exc:`RuntimeError` if the
        bot fails.
    """

    def __init__(self, spec: str) -> None:
        self._bot = Bot(spec, random.getrandbits(64))

    def handle_game_start(self, color: bool, board: Any, opponent_name: str) -> None:
        self._bot.game_start(color, board.fen(en_passant="fen"), opponent_name)

    def handle_opponent_move_result(
        self, captured_my_piece: bool, capture_square: Optional[int]
    ) -> None:
        self._bot.opponent_move_result(capture_square)

    def choose_sense(
        self, sense_actions: List[int], move_actions: List[Any], seconds_left: float
    ) -> Optional[int]:
        return self._bot.choose_sense([move.uci() for move in move_actions], seconds_left)

    def handle_sense_result(self, sense_result: List[Tuple[int, Optional[Any]]]) -> None:
        self._bot.sense_result(
            [(square, None if piece is None else piece.symbol()) for square, piece in sense_result]
        )

    def choose_move(self, move_actions: List[Any], seconds_left: float) -> Optional[Any]:
        if not move_actions:
            return None
        ucis = [move.uci() for move in move_actions]
        chosen = self._bot.choose_move(ucis, seconds_left)
        if chosen is None:
            return None
        if chosen in ucis:
            return move_actions[ucis.index(chosen)]
        # A promotion may be given without the new piece.
        return type(move_actions[0]).from_uci(chosen)

    def handle_move_result(
        self,
        requested_move: Optional[Any],
        taken_move: Optional[Any],
        captured_opponent_piece: bool,
        capture_square: Optional[int],
    ) -> None:
        requested, taken = (
            None if move is None else move.uci() for move in (requested_move, taken_move)
        )
        self._bot.move_result(requested, taken, capture_square)

    def handle_game_end(
        self, winner_color: Optional[bool], win_reason: Optional[Any], game_history: Any
    ) -> None:
        self._bot.game_end(winner_color, None if win_reason is None else win_reason.name)
