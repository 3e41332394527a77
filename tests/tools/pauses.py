#!/usr/bin/env python3
"""How often an engine exceeds its time on a machine that does not always run it.

Games of the engine against itself on clocks of 0.5 s and 0.01 s a move. All the while the process
is stopped and continued at random, as on a busy machine. Time is measured as by a GUI: from
writing the command to reading the answer.

    tests/tools/pauses.py target/release/mola --games 100
    tests/tools/pauses.py stockfish --option "Move Overhead=10"
"""

import argparse
import os
import random
import signal
import subprocess
import threading
import time

OPENINGS = ["e2e4 e7e5", "d2d4 d7d5", "c2c4 e7e5", "g1f3 g8f6", "e2e4 c7c5", "d2d4 g8f6"]


class Engine:
    """A UCI engine on pipes."""

    def __init__(self, command: list[str], options: list[str]):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask("uci", "uciok")
        for option in options:
            name, _, value = option.partition("=")
            self.send(f"setoption name {name} value {value}")

    def send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line: str, answer: str) -> str:
        self.send(line)
        while not (got := self.process.stdout.readline()).startswith(answer):
            assert got, "the engine is gone"
        return got


class Pauses(threading.Thread):
    """Stops a process at random, for a share of the time."""

    def __init__(self, pid: int, share: float, mean: float, seed: int):
        super().__init__(daemon=True)
        self.pid, self.share, self.mean = pid, share, mean
        self.random = random.Random(seed)
        self.is_over = threading.Event()

    def run(self) -> None:
        between = self.mean * (1 - self.share) / self.share
        while not self.is_over.wait(self.random.expovariate(1 / between)):
            os.kill(self.pid, signal.SIGSTOP)
            time.sleep(min(self.random.expovariate(1 / self.mean), 0.25))
            os.kill(self.pid, signal.SIGCONT)


def play(engine: Engine, opening: str, base: float, increment: float, plies: int) -> list[float]:
    """The time left after each move, in milliseconds; the last is negative if the flag fell."""
    engine.send("ucinewgame")
    engine.ask("isready", "readyok")
    moves = opening.split()
    clocks = [1000 * base, 1000 * base]
    left = []
    while len(moves) < plies:
        turn = len(moves) % 2
        white, black, each = int(clocks[0]), int(clocks[1]), int(1000 * increment)
        engine.send("position startpos moves " + " ".join(moves))
        begin = time.perf_counter()
        answer = engine.ask(
            f"go wtime {white} btime {black} winc {each} binc {each}", "bestmove"
        )
        clocks[turn] -= 1000 * (time.perf_counter() - begin)
        left.append(clocks[turn])
        best = answer.split()[1]
        if clocks[turn] < 0 or best in ("(none)", "0000"):
            break
        clocks[turn] += 1000 * increment
        moves.append(best)
    return left


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", help="the engine")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--base", type=float, default=0.5, help="seconds")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds a move")
    parser.add_argument("--plies", type=int, default=160, help="the longest game")
    parser.add_argument("--share", type=float, default=0.2, help="of the time it is stopped")
    parser.add_argument("--mean", type=float, default=0.02, help="seconds of a pause")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    engine = Engine(args.command.split(), args.option)
    pauses = Pauses(engine.process.pid, args.share, args.mean, args.seed)
    pauses.start()
    lost = moves = 0
    least = []
    for game in range(args.games):
        left = play(engine, OPENINGS[game % len(OPENINGS)], args.base, args.increment, args.plies)
        lost += left[-1] < 0
        moves += len(left)
        least.append(min(left))
    pauses.is_over.set()
    pauses.join()
    engine.process.kill()
    least.sort()
    print(f"{lost} of {args.games} games lost on time, {moves} moves; the least time left, in ms:")
    print(f"median {least[len(least) // 2]:.0f}, lowest {least[0]:.0f}")


if __name__ == "__main__":
    main()
