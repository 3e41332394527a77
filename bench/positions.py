"""Files with a position a line, as FEN or as EPD with its operations."""

from pathlib import Path

import chess


def read_positions(path: Path) -> list[tuple[chess.Board, dict]]:
    """Each position with its operations; a FEN has none."""
    found = []
    for line in path.read_text().splitlines():
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        if len(fields) >= 6 and fields[4].isdigit():
            found.append((chess.Board(line), {}))
        else:
            board = chess.Board()
            found.append((board, board.set_epd(line)))
    return found
