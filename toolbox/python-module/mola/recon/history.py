"""The record of a game."""

from __future__ import annotations

import json
import math
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, TypeVar
from typing import Mapping as Mapping

import mola.chess as chess

from .notation import ChessJSONDecoder, ChessJSONEncoder, from_json, to_json

# As in reconchess, for bots that import all names of this module.
from .types import *  # noqa: F403
from .types import SenseResult, WinReason

T = TypeVar("T")

SIDES = (chess.WHITE, chess.BLACK)
COLUMNS = (
    "senses",
    "sense_results",
    "requested_moves",
    "taken_moves",
    "capture_squares",
    "fens_before_move",
    "fens_after_move",
)


class Turn:
    """A turn: its player, and the number of that player's earlier turns."""

    def __init__(self, color: bool, turn_number: int) -> None:
        self.color = color
        self.turn_number = turn_number

    @property
    def next(self) -> Turn:
        """The turn after it, the opponent's."""
        return Turn(not self.color, self.turn_number + (not self.color))

    @property
    def previous(self) -> Turn:
        """The turn before it, the opponent's."""
        return Turn(not self.color, self.turn_number - self.color)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Turn):
            return (self.color, self.turn_number) == (other.color, other.turn_number)
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        return self._place < other._place if isinstance(other, Turn) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._place <= other._place if isinstance(other, Turn) else NotImplemented

    @property
    def _place(self) -> Tuple[int, bool]:
        return self.turn_number, not self.color

    def __hash__(self) -> int:
        return hash((self.color, self.turn_number))

    def __repr__(self) -> str:
        return f"Turn({chess.COLOR_NAMES[self.color]}, {self.turn_number})"


class GameHistory:
    """The record of a game: what each player sensed and moved, and the true boards.

    It differs from reconchess's in two ways. A turn without a sense counts: only senses are counted there, so that a
    loop of one's own that senses nothing, not even ``None``, in some turns gets fewer turns and another last
    one. (:func:`play_turn` always senses.) And :meth:`collect` takes any function, not only methods of records.
    """

    def __init__(self) -> None:
        self._names: Dict[bool, Optional[str]] = {color: None for color in SIDES}
        self._columns: Dict[str, Dict[bool, List[Any]]] = {
            name: {color: [] for color in SIDES} for name in COLUMNS
        }
        self._winner: Optional[bool] = None
        self._reason: Optional[WinReason] = None

    # Files.

    def save(self, filename: str) -> None:
        """Writes the record, as JSON that reconchess and ``mola recon replay`` read."""
        with open(filename, "w", encoding="utf-8") as file:
            json.dump(self.to_dict(), file, default=to_json)

    @classmethod
    def from_file(cls, filename: str) -> GameHistory:
        """Reads a record."""
        with open(filename, encoding="utf-8") as file:
            return cls.from_dict(json.load(file, object_hook=from_json))

    def to_dict(self) -> Dict[str, Any]:
        """The record as a JSON object, which later turns of the game do not change."""
        columns = {
            name: {str(color).lower(): list(values) for color, values in sides.items()}
            for name, sides in self._columns.items()
        }
        return {
            "type": "GameHistory",
            "white_name": self._names[chess.WHITE],
            "black_name": self._names[chess.BLACK],
            **columns,
            "winner_color": self._winner,
            "win_reason": self._reason,
        }

    @classmethod
    def from_dict(cls, record: Dict[str, Any]) -> GameHistory:
        """The record from a JSON object, which stays as it is."""
        history = cls()
        history.store_players(record["white_name"], record["black_name"])
        for name in COLUMNS:
            for color in SIDES:
                history._columns[name][color] = list(record[name][str(color).lower()])
        for results in history._columns["sense_results"].values():
            results[:] = [[(square, piece) for square, piece in result] for result in results]
        history.store_results(record["winner_color"], record["win_reason"])
        return history

    # Methods that record a game.

    def store_players(self, white_name: Optional[str], black_name: Optional[str]) -> None:
        self._names = {chess.WHITE: white_name, chess.BLACK: black_name}

    def store_sense(self, color: bool, square: Optional[int], sense_result: SenseResult) -> None:
        self._columns["senses"][color].append(square)
        self._columns["sense_results"][color].append(sense_result)

    def store_move(
        self,
        color: bool,
        requested_move: Optional[chess.Move],
        taken_move: Optional[chess.Move],
        opt_capture_square: Optional[int],
    ) -> None:
        self._columns["requested_moves"][color].append(requested_move)
        self._columns["taken_moves"][color].append(taken_move)
        self._columns["capture_squares"][color].append(opt_capture_square)

    def store_fen_before_move(self, color: bool, fen: str) -> None:
        self._columns["fens_before_move"][color].append(fen)

    def store_fen_after_move(self, color: bool, fen: str) -> None:
        self._columns["fens_after_move"][color].append(fen)

    def store_results(self, winner_color: Optional[bool], win_reason: Optional[WinReason]) -> None:
        self._winner = winner_color
        self._reason = win_reason

    def __eq__(self, other: object) -> bool:
        """Whether the games are the same, whoever has played."""
        if isinstance(other, GameHistory):
            ours = (self._columns, self._winner, self._reason)
            return ours == (other._columns, other._winner, other._reason)
        return NotImplemented

    # Queries.

    def get_white_player_name(self) -> Optional[str]:
        return self._names[chess.WHITE]

    def get_black_player_name(self) -> Optional[str]:
        return self._names[chess.BLACK]

    def get_winner_color(self) -> Optional[bool]:
        return self._winner

    def get_win_reason(self) -> Optional[WinReason]:
        return self._reason

    def is_empty(self) -> bool:
        """Whether no turn was begun."""
        return self.num_turns() == 0

    def num_turns(self, color: Optional[bool] = None) -> int:
        """Turns of a player, or of both, up to the last in which anything was recorded.

        That includes those of a player who did nothing before the other went on.
        """
        white, black = (self._recorded(side) for side in (chess.WHITE, chess.BLACK))
        if white > black:
            black = white - 1
        else:
            white = black
        return {chess.WHITE: white, chess.BLACK: black, None: white + black}[color]

    def _recorded(self, color: bool) -> int:
        """Turns of a player up to the last in which anything of it was recorded."""
        return max(
            len(self._columns[name][color])
            for name in ("senses", "requested_moves", "fens_before_move")
        )

    def turns(
        self, color: Optional[bool] = None, start: float = 0, stop: float = math.inf
    ) -> Iterator[Turn]:
        """The turns of a player, or of both in order, in a range of numbers."""
        if self.is_empty():
            return
        longest = max(self.num_turns(side) for side in SIDES)
        # As in reconchess, a game with turns has those of negative numbers, too.
        for number in range(int(start), int(min(stop, longest))):
            for side in SIDES if color is None else (color,):
                if number < self.num_turns(side):
                    yield Turn(side, number)

    def first_turn(self, color: Optional[bool] = None) -> Turn:
        """The first turn of a player, or of all; Black's, too, where only White had one."""
        if self.is_empty():
            raise ValueError("GameHistory is empty")
        return Turn(chess.WHITE if color is None else color, 0)

    def last_turn(self, color: Optional[bool] = None) -> Turn:
        """The last turn of a player, or of all. That of a player who had none has the number -1."""
        if self.is_empty():
            raise ValueError("GameHistory is empty")
        if color is None:
            color = self._recorded(chess.WHITE) > self._recorded(chess.BLACK)
        return Turn(color, self._recorded(color) - 1)

    def is_first_turn(self, turn: Turn) -> bool:
        return turn == self.first_turn()

    def is_last_turn(self, turn: Turn) -> bool:
        return turn == self.last_turn()

    def has_sense(self, turn: Turn) -> bool:
        """Whether the player had sensed when the game ended."""
        return self._has("senses", turn)

    def sense(self, turn: Turn) -> Optional[int]:
        """Where the player sensed, or ``None``."""
        square: Optional[int] = self._of("senses", turn)
        return square

    def sense_result(self, turn: Turn) -> SenseResult:
        """The result of the sense."""
        result: SenseResult = self._of("sense_results", turn)
        return result

    def has_move(self, turn: Turn) -> bool:
        """Whether the player had moved when the game ended."""
        return self._has("requested_moves", turn)

    def requested_move(self, turn: Turn) -> Optional[chess.Move]:
        """The requested move; ``None`` for a pass."""
        move: Optional[chess.Move] = self._of("requested_moves", turn)
        return move

    def taken_move(self, turn: Turn) -> Optional[chess.Move]:
        """The move taken; ``None`` for a pass."""
        move: Optional[chess.Move] = self._of("taken_moves", turn)
        return move

    def capture_square(self, turn: Turn) -> Optional[int]:
        """Where the move captured, if anywhere."""
        square: Optional[int] = self._of("capture_squares", turn)
        return square

    def move_result(
        self, turn: Turn
    ) -> Tuple[Optional[chess.Move], Optional[chess.Move], Optional[int]]:
        """The requested move, the move taken, and the square of its capture."""
        return self.requested_move(turn), self.taken_move(turn), self.capture_square(turn)

    def truth_fen_before_move(self, turn: Turn) -> str:
        return str(self._of("fens_before_move", turn))

    def truth_board_before_move(self, turn: Turn) -> chess.Board:
        return self._board(self.truth_fen_before_move(turn), turn)

    def truth_fen_after_move(self, turn: Turn) -> str:
        return str(self._of("fens_after_move", turn))

    def truth_board_after_move(self, turn: Turn) -> chess.Board:
        return self._board(self.truth_fen_after_move(turn), turn)

    def _board(self, fen: str, turn: Turn) -> chess.Board:
        board = chess.Board(fen)
        # As in reconchess: the player of the turn is to move, also after the move.
        board.turn = turn.color
        return board

    def collect(self, get_turn_data_fn: Callable[[Turn], T], turns: Iterable[Turn]) -> Iterator[T]:
        """The values of a function for these turns."""
        return (get_turn_data_fn(turn) for turn in turns)

    def _has(self, column: str, turn: Turn) -> bool:
        return 0 <= turn.turn_number < len(self._columns[column][turn.color])

    def _of(self, column: str, turn: Turn) -> Any:
        if not self._has(column, turn):
            raise ValueError(f"{turn!r} did not happen in this game.")
        return self._columns[column][turn.color][turn.turn_number]


class GameHistoryEncoder(ChessJSONEncoder):
    """Encodes records, too."""

    def default(self, o: Any) -> Any:
        return o.to_dict() if isinstance(o, GameHistory) else super().default(o)


class GameHistoryDecoder(ChessJSONDecoder):
    """Decodes records, too."""

    def decode_object(self, value: Any) -> Any:
        if isinstance(value, dict) and value.get("type") == "GameHistory":
            return GameHistory.from_dict(value)
        return super().decode_object(value)
