"""Games between two players in this process."""

from __future__ import annotations

from typing import List, Optional, Tuple

import mola.chess as chess

from .game import Game, LocalGame, RemoteGame
from .history import GameHistory
from .player import Player

# As in reconchess, for bots that import all names of this module.
from .types import *  # noqa: F403
from .types import WinReason


def play_local_game(
    white_player: Player,
    black_player: Player,
    game: Optional[LocalGame] = None,
    seconds_per_player: float = 900,
) -> Tuple[Optional[bool], Optional[WinReason], GameHistory]:
    """Plays a game to its end, and returns who won, why, and its record."""
    if game is None:
        game = LocalGame(seconds_per_player=seconds_per_player)
    names = [type(player).__name__ for player in (white_player, black_player)]
    game.store_players(*names)
    white_player.handle_game_start(chess.WHITE, game.board.copy(), names[1])
    black_player.handle_game_start(chess.BLACK, game.board.copy(), names[0])
    game.start()
    players = {chess.WHITE: white_player, chess.BLACK: black_player}
    while not game.is_over():
        play_turn(game, players[game.turn], end_turn_last=True)
    game.end()
    winner, reason, history = game.get_winner_color(), game.get_win_reason(), game.history
    for player in (white_player, black_player):
        player.handle_game_end(winner, reason, history)
    return winner, reason, history


def play_remote_game(
    server_url: str, game_id: int, auth: Tuple[str, str], player: Player
) -> Tuple[Optional[bool], Optional[WinReason], GameHistory]:
    """Plays a game on a server to its end, and returns who won, why, and its record."""
    game = RemoteGame(server_url, game_id, auth)
    player.handle_game_start(
        game.get_player_color(), game.get_starting_board(), game.get_opponent_name()
    )
    game.start()
    while not game.is_over():
        play_turn(game, player)
    winner, reason, history = game.get_winner_color(), game.get_win_reason(), game.get_game_history()
    player.handle_game_end(winner, reason, history)
    return winner, reason, history


def play_turn(game: Game, player: Player, end_turn_last: bool = False) -> None:
    """Plays a turn. With *end_turn_last* the player gets its move's result on its own time."""
    sense_actions = game.sense_actions() or []
    move_actions = game.move_actions() or []
    notify_opponent_move_results(game, player)
    play_sense(game, player, sense_actions, move_actions)
    play_move(game, player, move_actions, end_turn_last=end_turn_last)


def notify_opponent_move_results(game: Game, player: Player) -> None:
    """Tells a player what the opponent's move has captured."""
    square = game.opponent_move_results()
    player.handle_opponent_move_result(square is not None, square)


def play_sense(
    game: Game, player: Player, sense_actions: List[int], move_actions: List[chess.Move]
) -> None:
    """Asks a player for its sense."""
    square = player.choose_sense(sense_actions, move_actions, game.get_seconds_left())
    player.handle_sense_result(game.sense(square))


def play_move(
    game: Game, player: Player, move_actions: List[chess.Move], end_turn_last: bool = False
) -> None:
    """Asks a player for its move."""
    wanted = player.choose_move(move_actions, game.get_seconds_left())
    requested, taken, square = game.move(wanted)
    if not end_turn_last:
        game.end_turn()
    player.handle_move_result(requested, taken, square is not None, square)
    if end_turn_last:
        game.end_turn()
