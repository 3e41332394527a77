"""Visits of a node and its subtree, with an explicit stack: games may be longer than Python's recursion limit.

A task is a function and the node that it visits; it puts the tasks that follow it on the stack.
"""

from __future__ import annotations

from typing import Any, Callable, List, Protocol, Tuple

import mola.chess as chess

from .visitor import SKIP, BaseVisitor


class Node(Protocol):
    """What a visit needs of a node behind a move."""

    parent: Any
    move: chess.Move
    variations: List[Any]

    def _accept_node(self, parent_board: chess.Board, visitor: BaseVisitor[Any]) -> None: ...


Task = Callable[[Any, chess.Board, BaseVisitor[Any], List[Any]], None]


def traverse(task: Task, node: Node, board: chess.Board, visitor: BaseVisitor[Any]) -> None:
    """Executes a task of a node, and all that follow from it. The board is as before the node's move."""
    tasks: List[Tuple[Task, Any]] = [(task, node)]
    while tasks:
        task, node = tasks.pop()
        task(node, board, visitor, tasks)


def visit_line(
    node: Node, board: chess.Board, visitor: BaseVisitor[Any], tasks: List[Any]
) -> None:
    """The first of some siblings, the others as its variations, and its subtree."""
    siblings = node.parent.variations[1:]
    visit_alone(node, board, visitor, tasks)
    tasks.extend((_visit_variation, sibling) for sibling in reversed(siblings))


def visit_alone(
    node: Node, board: chess.Board, visitor: BaseVisitor[Any], tasks: List[Any]
) -> None:
    node._accept_node(board, visitor)
    if node.variations:
        tasks.append((_visit_next, node))


def _visit_next(
    node: Node, board: chess.Board, visitor: BaseVisitor[Any], tasks: List[Any]
) -> None:
    board.push(node.move)
    tasks += [(_take_back, node), (visit_line, node.variations[0])]


def _take_back(
    _node: Node, board: chess.Board, _visitor: BaseVisitor[Any], _tasks: List[Any]
) -> None:
    board.pop()


def _visit_variation(
    node: Node, board: chess.Board, visitor: BaseVisitor[Any], tasks: List[Any]
) -> None:
    tasks.append((_end_variation, node))
    if visitor.begin_variation() is not SKIP:
        tasks.append((visit_alone, node))


def _end_variation(
    _node: Node, _board: chess.Board, visitor: BaseVisitor[Any], _tasks: List[Any]
) -> None:
    visitor.end_variation()
