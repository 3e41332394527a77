#!/usr/bin/env python3
"""Computes tests/data/perft.perft with python-chess: `make_perft.py > tests/data/perft.perft`."""

import chess

from positions import perft, random_boards

POSITIONS = 150
MAX_NODES = 40_000  # python-chess counts some 300,000 a second

# Typical bugs of engines: en passant that uncovers a check, castling through pins and
# checks, promotions that mate, double checks, a rook captured on its home square.
CURATED = {
    "en passant pinned on the rank": "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
    "en passant pinned on a diagonal": "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    "en passant answers the check": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "castling beside an attacked rook": "r3k2r/8/8/8/8/8/1r4r1/R3K2R w KQkq - 0 1",
    "rook taken on its home square": "r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1",
    "promotion by capture, both sides": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "double check": "4k3/8/4N3/8/8/8/8/K3R3 w - - 0 1",
    "queens everywhere": "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
}


def main() -> None:
    print("# Computed by tests/tools/make_perft.py with python-chess; do not edit.")
    boards = [(name, chess.Board(fen)) for name, fen in CURATED.items()]
    boards += [(f"random {n}", board) for n, board in enumerate(random_boards(960, POSITIONS))]
    for name, board in boards:
        print(f"\nid {name}")
        print(f"epd {board.fen(shredder=board.chess960, en_passant='fen')}")
        nodes = 1
        for depth in range(1, 4):
            # The next ply multiplies by about as much as the last one did.
            if nodes * board.legal_moves.count() > MAX_NODES:
                break
            nodes = perft(board, depth)
            print(f"perft {depth} {nodes}")


if __name__ == "__main__":
    main()
