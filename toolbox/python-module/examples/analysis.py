"""A notebook as a script: what went wrong in a collection of games.

    python analysis.py GAMES.pgn [--nodes 20000] [--games 10] [--pictures FOLDER]

Editors that know ``# %%`` run it cell by cell.
"""

# %% The arguments.
import argparse
from collections import defaultdict
from pathlib import Path

import mola
import mola.chess as chess
import mola.chess.pgn
import mola.chess.svg

parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("collection", type=Path)
parser.add_argument("--nodes", type=int, default=20_000, help="nodes of search for each position")
parser.add_argument("--games", type=int, default=10, help="how many games are looked at")
parser.add_argument("--pictures", type=Path, help="a folder for pictures of the worst moves")
options = parser.parse_args()

# %% The collection as columns, which is fast even for large files.
games = mola.read_pgn(options.collection)
print(f"{len(games)} games, {0 if games.moves is None else len(games.moves)} moves")
results = list(games.headers["Result"]) if "Result" in games.headers else []
for result in ("1-0", "0-1", "1/2-1/2"):
    print(f"{result:8} {results.count(result)}")

# %% Each position of the first games, searched on all processors at once.
positions = []
with open(options.collection, encoding="utf-8", errors="replace") as handle:
    for number in range(1, options.games + 1):
        game = chess.pgn.read_game(handle)
        if game is None:
            break
        board = game.board()
        for move in game.mainline_moves():
            positions.append((number, board.copy(stack=False), move))
            board.push(move)
        positions.append((number, board, None))

# What is over cannot be searched; what is not, only by the rules of its own variant.
values = {}
unfinished = defaultdict(list)
for _, board, _ in positions:
    outcome = board.outcome()
    if outcome is None and board.was_into_check():
        continue  # A game may begin where the side to move can take the king.
    if outcome is None:
        unfinished[type(board).uci_variant].append(board)
    elif outcome.winner is None:
        values[id(board)] = 0
    else:
        values[id(board)] = 100_000 if outcome.winner == board.turn else -100_000
for variant, boards in unfinished.items():
    found = mola.evaluate([board.fen() for board in boards], nodes=options.nodes, variant=variant)
    values.update(zip(map(id, boards), found.tolist()))

# %% The loss of a move: the score before it minus the score after it, for the side that moved.
losses = []
for index, (number, board, move) in enumerate(positions):
    if move is not None and {id(board), id(positions[index + 1][1])} <= values.keys():
        scores = values[id(board)], -values[id(positions[index + 1][1])]
        before, after = (max(-1000, min(1000, score)) for score in scores)
        losses.append((before - after, number, board, move))
losses.sort(key=lambda loss: -loss[0])
print("the worst moves, in centipawns:")
for loss, number, board, move in losses[:5]:
    print(f"{loss:5} game {number}: {board.variation_san([move])}")

# %% Diagrams of them, which notebooks display.
if options.pictures is not None:
    options.pictures.mkdir(parents=True, exist_ok=True)
    for rank, (_, _, board, move) in enumerate(losses[:5], 1):
        arrow = chess.svg.Arrow(move.from_square, move.to_square, color="red")
        picture = chess.svg.board(board, arrows=[arrow], orientation=board.turn, size=400)
        (options.pictures / f"{rank}.svg").write_text(picture, encoding="utf-8")
