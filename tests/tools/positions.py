"""Random positions for tests: games of random moves, from the usual start and from Chess960 ones."""

import random

import chess


def random_boards(seed: int, count: int) -> list[chess.Board]:
    """Distinct positions with moves left; every third is of Chess960, a few carry checks or promotions."""
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
            # Rare moves are the ones that generators get wrong: play them when they come.
            rare = [
                m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)
            ]
            board.push(chance.choice(rare if rare and chance.random() < 0.3 else moves))
        if any(board.legal_moves):
            boards.setdefault(board.fen(), board)
    return list(boards.values())


def perft(board: chess.Board, depth: int) -> int:
    """The number of legal lines of so many plies, as python-chess counts them."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes
