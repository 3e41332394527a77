"""What python-chess's engine client must be able to do over either protocol."""

import random

import chess
import chess.engine

BACK_RANK = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")  # 1. Ra8#
LADDER = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")  # mate in 2 with two rooks


def random_game_won(engine: chess.engine.SimpleEngine, limit: chess.engine.Limit) -> chess.Board:
    """A game against random moves, to the end; the engine has White."""
    chance = random.Random(1)
    board = chess.Board()
    while not board.is_game_over():
        if board.turn == chess.WHITE:
            move = engine.play(board, limit, game="against chance").move
        else:
            move = chance.choice(list(board.legal_moves))
        assert move in board.legal_moves
        board.push(move)
    return board


def self_play(
    engine: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit, plies: int
) -> chess.Board:
    """The engine against itself until the game may end or the plies are played."""
    while not board.is_game_over(claim_draw=True) and board.ply() < plies:
        move = engine.play(board, limit, game="self").move
        assert move in board.legal_moves
        board.push(move)
    return board


def plays_legal_line(board: chess.Board, line: list[chess.Move]) -> None:
    board = board.copy()
    for move in line:
        assert move in board.legal_moves, f"{move} in {board.fen()}"
        board.push(move)
