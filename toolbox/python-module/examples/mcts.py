"""Monte Carlo tree search that copies boards, with Mola's evaluation at its leaves.

    python mcts.py [FEN] [--simulations 2000]
"""

import argparse
import math
from typing import Dict, Optional

import mola
import mola.chess as chess

EXPLORATION = 1.0


class Node:
    """A node of the tree. Values are for the player who has moved to it: -1 to 1."""

    def __init__(self, board: chess.Board, parent: Optional["Node"] = None) -> None:
        self.board = board
        self.parent = parent
        self.children: Dict[chess.Move, Node] = {}
        self.untried = [] if board.is_game_over() else list(board.legal_moves)
        self.visits = 0
        self.value = 0.0

    def select(self) -> "Node":
        """The leaf to expand next."""
        node = self
        while not node.untried and node.children:
            node = max(node.children.values(), key=Node.bound)
        return node

    def bound(self) -> float:
        """The upper confidence bound (UCB)."""
        assert self.parent is not None
        exploration = math.sqrt(math.log(self.parent.visits) / self.visits)
        return self.value / self.visits + EXPLORATION * exploration

    def expand(self) -> "Node":
        """A new child, or the node itself if the game is over there."""
        if not self.untried:
            return self
        move = self.untried.pop()
        board = self.board.copy()
        board.push(move)
        child = self.children[move] = Node(board, self)
        return child

    def judge(self) -> float:
        """The value of the position for the player who has moved."""
        outcome = self.board.outcome()
        if outcome is not None:
            return 0.0 if outcome.winner is None else 1.0
        centipawns = int(mola.evaluate([self.board.fen()])[0])
        return -math.tanh(centipawns / 400)

    def learn(self, value: float) -> None:
        """Backpropagates a value to the root; its sign alternates."""
        node: Optional[Node] = self
        while node is not None:
            node.visits += 1
            node.value += value
            node, value = node.parent, -value


def search(board: chess.Board, simulations: int) -> Node:
    """The tree after this many simulations."""
    root = Node(board.copy())
    for _ in range(simulations):
        leaf = root.select().expand()
        leaf.learn(leaf.judge())
    return root


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("fen", nargs="?", default=chess.STARTING_FEN)
    parser.add_argument("--simulations", type=int, default=2000)
    options = parser.parse_args()
    board = chess.Board(options.fen)
    root = search(board, options.simulations)
    for move, child in sorted(root.children.items(), key=lambda item: -item[1].visits)[:5]:
        print(f"{board.san(move):7} {child.visits:6} visits, value {child.value / child.visits:+.2f}")


if __name__ == "__main__":
    main()
