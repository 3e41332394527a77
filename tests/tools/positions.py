"""Random positions for tests: games of random moves, from the usual start and from Chess960 ones."""

import random

import chess


def random_boards(seed: int, count: int) -> list[chess.Board]:
    """Distinct positions with legal moves; every third is of Chess960, a few have checks or promotions."""
    chance = random.Random(seed)
    boards: dict[str, chess.Board] = {}
    while len(boards) < count:
        board = chess.Board()
        if len(boards) % 3 == 2:
            board = chess.Board.from_chess960_pos(chance.randrange(960))
        for _ in range(chance.randrange(1, 160)):
            moves = list(board.legal_moves)
            if not moves:
                break
            # Rare kinds of moves are preferred: move generators get them wrong most often.
            rare = [
                m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)
            ]
            board.push(chance.choice(rare if rare and chance.random() < 0.3 else moves))
        if any(board.legal_moves):
            boards.setdefault(board.fen(), board)
    return list(boards.values())


def perft(board: chess.Board, depth: int) -> int:
    """perft, by python-chess."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes
