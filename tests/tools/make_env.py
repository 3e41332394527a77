#!/usr/bin/env python3
"""Writes toolbox/env/src/recorded.jsonl: short games of PettingZoo's chess_v6, each ply as one checksum.

    tests/.venv/bin/python tests/tools/make_env.py

The checksum is FNV-1a (64 bits) over both observations, the mask of the player to act, and the
rewards, terminations and truncations of both players, one byte each.
"""

import json
import os
import random
import warnings
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
warnings.simplefilter("ignore")

import chess
import numpy as np
from pettingzoo.classic import chess_v6
from pettingzoo.classic.chess.chess_utils import legal_moves

OUT = Path(__file__).resolve().parents[2] / "toolbox/env/src/recorded.jsonl"

# Rare in random play: claimed draws, castling, en passant, promotions, mate.
LINES = [
    "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 a7a6 b5a4 b7b5 a4b3 d7d5 d4e5 c8e6 c2c3 d8d7 b1d2 e8c8",
    "e2e4 a7a6 e4e5 d7d5 e5d6 b7b5 d6c7 b5b4 c7b8n a6a5 c2c4 b4c3",
    "h2h4 g7g5 h4g5 h7h6 g5h6 f8g7 h6g7 a7a6 g7h8q",
    "f2f3 e7e5 g2g4 d8h4",
]


def checksum(env, player: int) -> str:
    mask = env.observe(f"player_{player}")["action_mask"]
    views = [env.observe(agent)["observation"].astype(np.uint8).tobytes() for agent in env.agents]
    flags = [f[agent] & 255 for f in (env.rewards, env.terminations, env.truncations) for agent in env.agents]
    hashed = 0xCBF29CE484222325
    for byte in b"".join([*views, mask.astype(np.uint8).tobytes(), bytes(flags)]):
        hashed = (hashed ^ byte) * 0x100000001B3 % 2**64
    return f"{hashed:016x}"


def over(env) -> bool:
    return any(env.terminations.values())


def game(choose) -> dict:
    env = chess_v6.raw_env()
    env.reset()
    actions, sums = [], [checksum(env, 0)]
    while not over(env) and (action := choose(env)) is not None:
        env.step(action)
        actions.append(action)
        sums.append(checksum(env, len(actions) % 2))
    return {"actions": actions, "sums": sums}


def line(moves: list[str]):
    def choose(env):
        if not moves:
            return None
        # Legal actions come in the order of the legal moves, as the player sees the board.
        board = env.board if env.board.turn else env.board.mirror()
        wanted = chess.Move.from_uci(moves.pop(0))
        if not env.board.turn:
            mirror = chess.square_mirror
            wanted = chess.Move(mirror(wanted.from_square), mirror(wanted.to_square), wanted.promotion)
        return legal_moves(env.board)[list(board.legal_moves).index(wanted)]

    return choose


def main() -> None:
    chance = random.Random(1)
    games = [game(line(moves.split())) for moves in LINES]
    games += [game(lambda env: chance.choice(legal_moves(env.board))) for _ in range(4)]
    OUT.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in games))
    print(f"{OUT}: {len(games)} games, {sum(len(each['actions']) for each in games)} plies")


if __name__ == "__main__":
    main()
