"""The rules against python-chess on random positions."""

import os
import subprocess
import sys

import chess
import pytest

from engine import ROOT

sys.path.append(str(ROOT / "tests/tools"))
from positions import perft, random_boards

# The seed is fixed so that failures are reproducible; other seeds test more.
SEED = int(os.environ.get("SEED", "1"))
BOARDS = random_boards(SEED, 240)


def divide(lines: list[str]) -> dict[str, int]:
    """`e2e4: 20` lines as a dictionary."""
    pairs = (line.split(": ") for line in lines if ": " in line and line[0] in "abcdefgh")
    return {move: int(nodes) for move, nodes in pairs}


def test_moves_and_their_counts_agree(uci):
    for chess960 in (False, True):
        uci.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}")
        for board in BOARDS:
            if board.chess960 != chess960:
                continue
            uci.send(f"position fen {board.fen(shredder=chess960, en_passant='fen')}")
            counted = divide(uci.ask("go perft 2", "Nodes searched"))
            expected = {}
            for move in board.legal_moves:
                board.push(move)
                expected[move.uci()] = board.legal_moves.count()
                board.pop()
            assert counted == expected, board.fen()


@pytest.mark.parametrize("board", BOARDS[:9], ids=chess.Board.fen)
def test_the_command_line_counts_as_much(mola, board):
    fen = board.fen(shredder=board.chess960)
    flags = ["--chess960"] if board.chess960 else []
    out = subprocess.run(
        [mola, "perft", "3", "--fen", fen, "--divide", *flags],
        capture_output=True, text=True, check=True, timeout=20,
    ).stdout.splitlines()  # fmt: skip
    counted = divide(out)
    assert set(counted) == {move.uci() for move in board.legal_moves}
    assert sum(counted.values()) == perft(board, 3)
    assert f"{sum(counted.values())} nodes" in out[-1]


def test_a_game_keeps_in_step(uci):
    """`position ... moves` after every ply of a random game shows python-chess's FEN."""
    for board in BOARDS[:30]:
        replay = board.root()
        line = []
        uci.send(f"setoption name UCI_Chess960 value {str(board.chess960).lower()}")
        for move in board.move_stack:
            line.append(move.uci())
            replay.push(move)
        start = board.root().fen(shredder=board.chess960)
        uci.send(f"position fen {start} moves {' '.join(line)}")
        shown = uci.ask("d", "(?i)^fen")[-1]
        placement, turn, *_, halfmoves, fullmoves = replay.fen().split()
        assert f"{placement} {turn} " in shown, shown
        assert shown.endswith(f" {halfmoves} {fullmoves}"), shown
