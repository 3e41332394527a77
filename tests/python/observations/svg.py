"""chess.svg: arrows, and the elements of images; the shapes of pieces and coordinates differ."""

import contextlib
import copy
import pickle
import re


def observe(chess, look):
    svg, Arrow = chess.svg, chess.svg.Arrow
    for arrow in [Arrow(0, 1), Arrow(0, 0), Arrow(3, 60, color="red"), Arrow(1, 2, color="#fff"),
                  Arrow(1, 2, color="blue"), Arrow(1, 2, color="yellow")]:
        look("arrow", lambda: (arrow, str(arrow), arrow.pgn(), vars(arrow), arrow == copy.copy(arrow),
                               pickle.loads(pickle.dumps(arrow))))
    for text in ["Ga1", "a1", "Ya2h2", "a2h2", "Ra1a1", "Ba1", "Ga9", "", "G", "Xa1", "ga1", "Ga1h"]:
        look(f"arrow {text}", lambda: chess.svg.Arrow.from_pgn(text))
    look("no arrow", lambda: Arrow(0, 1, "red"))
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    move = chess.Move.from_uci
    for options in [
        {}, {"size": 400}, {"size": 1.5}, {"coordinates": False}, {"borders": True},
        {"coordinates": False, "borders": True}, {"orientation": chess.BLACK}, {"flipped": True},
        {"orientation": chess.BLACK, "flipped": True}, {"orientation": None}, {"orientation": "white"},
        {"orientation": 1, "flipped": 0}, {"flipped": None}, {"style": "x<y"}, {"style": ""},
        {"lastmove": move("e2e4")}, {"lastmove": chess.Move.null()}, {"lastmove": move("N@e4")},
        {"check": 4}, {"arrows": [(1, 2), Arrow(3, 4)]}, {"arrows": [(5, 5)]},
        {"arrows": [(1, 2, 3)]}, {"arrows": [5]}, {"arrows": None}, {"fill": {3: "#fff", 4: "#fff8"}},
        {"fill": {3: "red"}},
        {"fill": {"e4": "#fff", None: "red", 64: "blue", 1 << 70: "blue", 2.0: "#abc"}}, {"squares": chess.SquareSet([1, 2])}, {"squares": 5},
        {"squares": [1, 2]}, {"colors": {"square light": "#123456", "arrow green": "#00000080",
                                         "square dark": "#00000080"}, "arrows": [(0, 8)]},
    ]:
        look(f"board {options}", lambda: elements(svg.board(board, **options)))
        look("no board", lambda: elements(svg.board(**options)))
    with changed(svg.DEFAULT_COLORS, {"square light": "#abcdef", "arrow green": "#01020380", "margin": "red"}):
        look("default colors", lambda: elements(svg.board(board, arrows=[(1, 2)], colors={"coord": "blue"})))
    shapes = {"K": '<g id="white-king" class="own"><path d="M1 1"/></g>', "q": '<g id="black-queen"/>'}
    with changed(svg.PIECES, shapes):
        look("own king", lambda: svg.board(board).count('class="own"'))
        look("own queen", lambda: svg.piece(chess.Piece.from_symbol("q")).count("<path"))
        look("elements", lambda: elements(svg.board(board)))
    look("base board", lambda: elements(svg.board(chess.BaseBoard())))
    look("no such option", lambda: svg.board(nope=1))
    for symbol in "KqPn":
        for size in [None, 50]:
            look(symbol, lambda: piece(svg.piece(chess.Piece.from_symbol(symbol), size=size)))
    picture = svg.SvgWrapper("<x>")
    look("wrapper", lambda: (picture, picture._repr_svg_(), type(picture._repr_html_()).__name__))
    look("constants", lambda: (svg.SQUARE_SIZE, svg.MARGIN, sorted(svg.PIECES), sorted(svg.COORDS),
                               svg.DEFAULT_COLORS))


@contextlib.contextmanager
def changed(values, others):
    """Puts other values into a dictionary for a while."""
    before = dict(values)
    values.update(others)
    yield
    values.update(before)


def piece(picture):
    return re.findall(r"<svg[^>]*>", picture), re.findall(r'<g id="[a-z]+-[a-z]+" class="[a-z ]+"', picture)


def elements(picture):
    """The squares, frames, arrows and pieces of an image with their attributes, in order."""
    body = re.sub(r"<defs>.*?</defs>", "", picture)
    found = []
    for tag, text in re.findall(r"<(svg|rect|use|line|polygon|circle|style|desc)\b([^>]*?)/?>", body):
        attributes = sorted(re.findall(r'([\w:-]+)="([^"]*)"', text))
        found.append((tag, attributes))
    return found, re.findall(r"<pre>[^<]*</pre>|<style>[^<]*</style>", body)
