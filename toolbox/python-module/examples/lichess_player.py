"""A player for the bot interface of Lichess: events of a game in, moves out, as lines of JSON.

    python lichess_player.py --color white [--nodes N] <events >moves

Events are those of Lichess's stream of a game (``gameFull`` and ``gameState``); each move is written as
``{"move": "e2e4"}``, for the program that talks to the server to send.
"""

import argparse
import json
import sys
from typing import Any, Dict, Iterable, Iterator, Optional

import mola
import mola.chess as chess
import mola.chess.engine
import mola.chess.variant


class Player:
    """Plays one side of a game."""

    def __init__(self, engine: mola.Engine, color: chess.Color, nodes: Optional[int] = None) -> None:
        self.engine = engine
        self.color = color
        self.nodes = nodes
        self.start = chess.Board()

    def moves(self, events: Iterable[Dict[str, Any]]) -> Iterator[chess.Move]:
        """The moves in reply to the events of a game."""
        for event in events:
            if event.get("type") == "gameFull":
                self.start = start_of(event)
                self.engine.new_game()
                event = event["state"]
            if event.get("type") == "gameState" and event.get("status") in ("created", "started"):
                move = self.answer(event)
                if move is not None:
                    yield move

    def answer(self, state: Dict[str, Any]) -> Optional[chess.Move]:
        """The move in a state of the game, if it is the player's turn."""
        board = self.start.copy()
        for uci in state["moves"].split():
            board.push_uci(uci)
        if board.turn != self.color or board.is_game_over():
            return None
        return self.engine.play(board, self.limit(state)).move

    def limit(self, state: Dict[str, Any]) -> chess.engine.Limit:
        """The clocks, which Lichess sends in milliseconds; or nodes, if given."""
        if self.nodes is not None:
            return chess.engine.Limit(nodes=self.nodes)
        seconds = {name: state[name] / 1000 for name in ("wtime", "btime", "winc", "binc")}
        return chess.engine.Limit(
            white_clock=seconds["wtime"],
            black_clock=seconds["btime"],
            white_inc=seconds["winc"],
            black_inc=seconds["binc"],
        )


def start_of(game: Dict[str, Any]) -> chess.Board:
    """The start position of a game, in its variant."""
    variant = game.get("variant", {}).get("key", "standard")
    fen = game.get("initialFen", "startpos")
    is_standard = variant in ("standard", "chess960", "fromPosition")
    board_class = chess.Board if is_standard else chess.variant.find_variant(variant)
    fen = board_class.starting_fen if fen == "startpos" else fen
    return board_class(fen, chess960=variant == "chess960")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--color", choices=("white", "black"), default="white")
    parser.add_argument("--nodes", type=int, help="nodes for each move, in place of the clocks")
    options = parser.parse_args()
    # Lichess sends empty lines to keep the stream alive.
    events = (json.loads(line) for line in sys.stdin if line.strip())
    with mola.Engine(Hash=16) as engine:
        player = Player(engine, options.color == "white", options.nodes)
        for move in player.moves(events):
            print(json.dumps({"move": move.uci()}), flush=True)


if __name__ == "__main__":
    main()
