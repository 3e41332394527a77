"""Reconnaissance chess with the API of reconchess: players, games in this process, records.

A bot that was written for reconchess plays by ``python -m mola.recon mybot.py`` in Mola's own games
(``mola recon match mybot.py random``), whether or not reconchess is installed.
"""

import mola.chess as chess  # noqa: F401

from .game import Game as Game
from .game import LocalGame as LocalGame
from .game import RemoteGame as RemoteGame
from .history import GameHistory as GameHistory
from .history import GameHistoryDecoder as GameHistoryDecoder
from .history import GameHistoryEncoder as GameHistoryEncoder
from .history import Turn as Turn
from .play import notify_opponent_move_results as notify_opponent_move_results
from .play import play_local_game as play_local_game
from .play import play_move as play_move
from .play import play_remote_game as play_remote_game
from .play import play_sense as play_sense
from .play import play_turn as play_turn
from .player import Player as Player
from .player import load_player as load_player
# As in reconchess, all names of `types`: bots import them by `from reconchess import *`.
from .types import *  # noqa: F403
from .utilities import ChessJSONDecoder as ChessJSONDecoder
from .utilities import ChessJSONEncoder as ChessJSONEncoder
from .utilities import is_illegal_castle as is_illegal_castle
from .utilities import is_psuedo_legal_castle as is_psuedo_legal_castle
