"""chess.pgn: nodes, headers, annotations, visitors, readers and writers."""

import copy
import io
import logging
import pickle

import numpy

from .pgn_texts import MIXED_UP, TEXTS

VARIANTS = [
    "Chess960", "chess 960", "Fischer Random", "wild/0", "Wild/5", "wild/8a", "wild/9", "atomic",
    "Suicide", "giveaway", "Antichess", "three-check", "3check", "King of the Hill", "nope",
    "standard", "chess", "Illegal", "From Position", "crazyhouse", "Horde", "racing kings", "",
]

TIME_CONTROLS = [
    "?", "-", "", "*180", "300", "180+2", "40/7200:3600", "40/5400+30:1800+30", "G/5", "40/",
    "40/7200:20/3600:900+30", "0.5+0.01", "/7200", "5 min", "40/7200:", "+5", "3+-2", "-5", "60+1",
    "60+2", "119+1", "179", "180", "899", "900", "3599", "3600", "600+5:300", "600:x", "60+nan",
    "0/60:60", "10/60:600", "60+1e1", "60+1+2", "300+2d3", " 300 ", "x?",
    "300+5d", "300+2.5D", "40/5400+30d:1800+30", "170+5d", "300+d", "300+5dd", "300+5d+2",
]

EVALS = [
    "[%eval 0.5]", "[%eval -1.25,18]", "[%eval #3]", "[%eval #-0]", "[%eval #+5,3]", "[%eval 1.]",
    "[%eval .5]", "[%eval 1]", "[%eval 1.234]", "[%eval 12345678901.1]", "a [%eval  1.1] b",
    "x[%eval 1.1]y [%eval 2.2]", "[%eval 0.29]", "[%eval #0,0]", "[%eval]", "[%eval\n1.5]",
    "[%eval 1.5,]", "\n[%eval 1] b", "[%eval 1]b",
]

CLOCKS = [
    "[%clk 1:02:03]", "[%clk 0:00:00.5]", "a [%clk 0:0:1] b", "[%clk 1:2]", "[%clk -1:0:0]",
    "[%clk 0:00:03.][%clk 0:0:4]", "q [%emt 1:1:1.25] [%clk 2:2:2] e", "\n[%clk 0:0:1]\n",
]

ARROWS = [
    "[%csl Ga1]", "[%cal Ga1a2,Rb1b2][%csl Yc3,Bd4]", "[%cal Ga1]", "[%csl Ga9]", "[%csl Ga1,]",
    "x [%cal Ga1h8] y [%csl Bb2] z", "[%cal ga1h8]", "\nfoo",
]


def observe(chess, look):
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    nodes(chess, look)
    headers(chess, look)
    setups(chess, look)
    tokens(chess, look)
    annotations(chess, look)
    time_controls(chess, look)
    for text in TEXTS:
        reading(chess, look, text)
    visits(chess, look, MIXED_UP)
    exporters(chess, look)
    subclasses(chess, look)


def game_of(chess, text):
    return chess.pgn.read_game(io.StringIO(text, newline=""))


def nodes(chess, look):
    uci = chess.Move.from_uci
    game = chess.pgn.Game()
    look("attributes", lambda: sorted(vars(game)))
    look("game", lambda: (game, str(game), game.parent, game.move, game.nags, game.errors))
    e4 = game.add_variation(uci("e2e4"), comment="c", starting_comment="s", nags=[5, 1])
    e5 = e4.add_variation(uci("e7e5"))
    c5 = e4.add_variation(uci("c7c5"), nags=iter([3]))
    nf3 = c5.add_main_variation(uci("g1f3"), comment="x", nags=[1])
    every = [game, e4, e5, c5, nf3]
    for node in every:
        look("node", lambda: (node, str(node), node.mainline(), str(node.mainline_moves())))
        look("places", lambda: (node.turn(), node.ply(), node.board(), node.root(), node.end()))
        look("tests", lambda: (node.is_end(), node.starts_variation(), node.is_mainline(),
                               node.is_main_variation(), node.next(), node == node))
        look("notation", lambda: (node.san(), node.uci(), node.uci(chess960=True)))
    for key in [numpy.int64(0), numpy.uint8(9), slice(2), slice(1, None), True]:
        look(f"[{key!r}]", lambda: (e4[key], e4.variation(key)))
        look(f"in {key!r}", lambda: key in e4)
    for key in [0, 1, 2, -1, uci("e7e5"), uci("a2a3"), e5, c5, game, "x", None, 1.0]:
        look(f"[{key!r}]", lambda: e4[key])
        look(f"variation {key!r}", lambda: e4.variation(key))
        look(f"in {key!r}", lambda: (key in e4, e4.has_variation(key)))
        for name in ["promote", "demote", "promote_to_main", "remove_variation"]:
            look(f"{name} {key!r}", lambda: changed(chess, name, key))
    look("add_line", lambda: e5.add_line([uci("g1f3"), uci("b8c6")], comment="q",
                                         starting_comment="ss", nags=[9]))
    look("no line", lambda: e4.add_line([], comment="q", nags=[9]) is e4)
    look("line added", lambda: str(game))
    for make in [copy.copy, copy.deepcopy, lambda node: pickle.loads(pickle.dumps(node))]:
        look("copied", lambda: [(str(made), sorted(vars(made))) for made in map(make, every)])
    look("mainline", lambda: ([*game.mainline_moves()], [*reversed(game.mainline_moves())],
                              [*e4.mainline()], bool(nf3.mainline()), [*reversed(c5.mainline())]))
    look("any line", lambda: list(chess.pgn.Mainline(game, lambda node: node.san())))
    look("illegal", lambda: game.add_variation(uci("a3a4")))
    look("illegal", lambda: str(game[1]))
    look("null", lambda: e4.add_variation(chess.Move.null()).san())
    removed = game_of(chess, "1. e4 e5 2. Nf3 (2. Nc3)").next()
    removed.parent.remove_variation(removed)
    for node in [removed, *removed.mainline(), removed[0][1]]:
        look("removed", lambda: (node.is_mainline(), node.is_main_variation(), node.starts_variation()))
    game.headers["FEN"] = "nope"
    look("dangling", lambda: repr(e4))
    look("dangling", lambda: repr(game.mainline()))


def changed(chess, name, key):
    game = game_of(chess, "1. e4 e5 (1... c5) (1... a6) 2. d4")
    result = getattr(game[0], name)(key)
    return result, [node.move for node in game[0].variations]


def headers(chess, look):
    Headers = chess.pgn.Headers
    for data in [None, {}, {"a": "b"}, [("a", "b"), ("White", "x")], {"White": "x", "Event": "y"}, 5]:
        look(f"of {data}", lambda: (Headers(data), chess.pgn.Game(data).headers))
    look("of words", lambda: (Headers(White="x", zz="y"), Headers({"A": "b"}, A="c")))
    tags = Headers({"zeta": "1", "White": "w", "alpha": "2", "Event": "e"})
    look("all", lambda: (list(tags), len(tags), list(tags.items()), dict(tags)))
    look("get", lambda: (tags["White"], tags.get("Q"), tags.get("Q", 1), "White" in tags, 5 in tags))
    for key in ["Q", "Site"]:
        look("missing", lambda: tags[key])
        look("missing", lambda: tags.__delitem__(key))
    for key, value in [("~", "x"), ("", "x"), ("a b", "x"), ("A", "1\n2"), ("A", "1\r2"), ("A", 5),
                       (5, "A"), ("A\n", "x"), ("é", "x"), ("A", '"q\\'), ("White", "1\n2"), ("_a", "1")]:
        look(f"set {key!r} {value!r}", lambda: (tags.__setitem__(key, value), tags))
    look("pop", lambda: (tags.pop("alpha"), tags.pop("nope", 3), tags.setdefault("Round", "9"), tags))
    look("update", lambda: (tags.update({"Black": "b"}, ECO="A0"), tags))
    look("popitem", lambda: (tags.popitem(), tags, tags.clear(), tags))
    one = Headers(a="1", White="q")
    look("copies", lambda: (one.copy(), copy.copy(one), copy.deepcopy(one),
                            pickle.loads(pickle.dumps(one)), one == one.copy(), one == {"a": "1"}))
    look("hash", lambda: hash(one))
    for name in VARIANTS:
        tags = Headers({"Variant": name})
        look(f"variant {name}", lambda: (tags.is_chess960(), tags.is_wild(), tags.variant().__name__))
        look(f"board {name}", lambda: tags.board())


def tokens(chess, look):
    """The public patterns, by what they find in texts."""
    for text in [*TEXTS, "a1=b2 Nxe4=Q @e4 N@f3 Z0 O-O-O 0-0 e4!? $12 (a4) {x\ny} ;z", "1/2-1/2 1-0 * ?? !", "--0000"]:
        for name in ["MOVETEXT_REGEX", "SKIP_MOVETEXT_REGEX"]:
            look(f"{name} {text!r}", lambda: [(match.span(), match.groups()) for match in
                                              getattr(chess.pgn, name).finditer(text)])


def setups(chess, look):
    for start in [
        chess.STARTING_FEN, "8/8/8/8/8/8/8/8 w - - 0 1", "nope", chess.Board(),
        chess.Board(chess960=True), chess.variant.HordeBoard(), chess.Board.from_chess960_pos(1),
        "rkbqrnnb/pppppppp/8/8/8/8/PPPPPPPP/RKBQRNNB w KQkq - 0 1", chess.Board.empty(),
        chess.variant.AtomicBoard("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        chess.variant.ThreeCheckBoard("4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+2"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", None,
    ]:
        game = chess.pgn.Game()
        look(f"setup {start!r}", lambda: (game.setup(start), game.headers, game.board(), game.ply()))
        if isinstance(start, chess.Board):
            look("from board", lambda: str(chess.pgn.Game.from_board(start)))
    board = chess.Board("8/8/8/8/8/8/8/K1k5 b - - 3 20")
    board.push(chess.Move.from_uci("c1c2"))
    look("from board", lambda: str(chess.pgn.Game.from_board(board)))
    look("without tags", lambda: str(chess.pgn.Game.without_tag_roster()))
    for tags in ['[Variant "Bughouse"]', '[FEN "8/8/8/8/8/8/8/K1k5 b - - 3 20"]', '[FEN "nope"]', ""]:
        game = game_of(chess, tags + "\n\n1. e4 {[%eval 0.3]} *")
        look(f"ply of {tags}", lambda: game.ply())
        look(f"ply of {tags}", lambda: (game.next().ply(), game.next().turn(), game.next().eval()))


def annotations(chess, look):
    engine, Arrow = chess.engine, chess.svg.Arrow
    wdl = engine.Wdl(5, 3, 2)
    look("wdl", lambda: (wdl, list(wdl), list(reversed(wdl)), +wdl, -wdl))

    def changed(comment, name, *arguments):
        game = chess.pgn.Game()
        game.comment = comment
        getattr(game, name)(*arguments)
        return game.comment

    def read(comment, names):
        game = chess.pgn.Game()
        node = game.add_variation(chess.Move.from_uci("e2e4"))
        game.comment = node.comment = comment
        return [getattr(each, name)() for each in (game, node) for name in names]

    for comment in EVALS:
        look(f"eval {comment}", lambda: read(comment, ["eval", "eval_depth"]))
        for score in [None, engine.PovScore(engine.Cp(33), chess.BLACK),
                      engine.PovScore(engine.Mate(-3), chess.WHITE),
                      engine.PovScore(engine.MateGiven, chess.WHITE)]:
            for depth in [None, 7, -1]:
                look(f"{score} {depth}", lambda: changed(comment, "set_eval", score, depth))
    for comment in CLOCKS:
        look(f"clock {comment}", lambda: read(comment, ["clock", "emt"]))
        for seconds in [None, 0, 1, 59.9996, 3600, 12345.678, -3, 1e6, 0.0001, 5.1]:
            look(f"{seconds}", lambda: (changed(comment, "set_clock", seconds),
                                        changed(comment, "set_emt", seconds)))
    for comment in ARROWS:
        look(f"arrows {comment}", lambda: read(comment, ["arrows"]))
        for arrows in [[], [(0, 1)], [Arrow(0, 0), Arrow(1, 2, color="red"), (5, 5)],
                       [Arrow(0, 9, color="#fff")], [(1, 2, 3)], [(1,)]]:
            look(f"{arrows}", lambda: changed(comment, "set_arrows", iter(arrows)))


def time_controls(chess, look):
    for text in TIME_CONTROLS:
        look(f"time {text}", lambda: chess.pgn.parse_time_control(text))
        look(f"time {text}", lambda: chess.pgn.Game({"TimeControl": text}).time_control())
    look("times", lambda: (chess.pgn.Game().time_control(), list(chess.pgn.TimeControlType),
                           chess.pgn.TimeControlPart(1, 2, 3, 4)))


SKIPS = [
    {}, {"begin_game": 1}, {"end_headers": 1}, {"begin_variation": 0}, {"begin_variation": 1},
    {"begin_variation": 2}, {"begin_parse_san": 2}, {"begin_parse_san": 0},
]


def tracer(chess, skip):
    """A visitor that records all calls, and skips some variations."""

    class Tracer(chess.pgn.BaseVisitor):
        def __init__(self):
            self.trace = []

        def note(self, name, *values):
            self.trace.append((name, *values))
            count = sum(event[0] == name for event in self.trace)
            if skip.get(name) in (0, count):
                return chess.pgn.SKIP

        def begin_game(self):
            return self.note("begin_game")

        def begin_headers(self):
            return self.note("begin_headers")

        def visit_header(self, name, value):
            self.note("header", name, value)

        def end_headers(self):
            return self.note("end_headers")

        def begin_parse_san(self, board, san):
            return self.note("begin_parse_san", board.fen(), san)

        def parse_san(self, board, san):
            self.note("parse_san", san)
            return super().parse_san(board, san)

        def visit_move(self, board, move):
            self.note("move", board.fen(), move.uci(), len(board.move_stack))

        def visit_board(self, board):
            self.note("board", board.fen(), len(board.move_stack), type(board).__name__)

        def visit_comment(self, comment):
            self.note("comment", comment)

        def visit_nag(self, nag):
            self.note("nag", nag)

        def begin_variation(self):
            return self.note("begin_variation")

        def end_variation(self):
            self.note("end_variation")

        def visit_result(self, result):
            self.note("result", result)

        def end_game(self):
            self.note("end_game")

        def handle_error(self, error):
            self.note("error", type(error).__name__, str(error))

        def result(self):
            return self.trace

    return Tracer


def visited(chess, text, Visitor):
    """A visitor's results for all games, and where each ends."""
    handle = io.StringIO(text, newline="")
    results = []
    while not results or results[-1][0] is not None:
        results.append((chess.pgn.read_game(handle, Visitor=Visitor), handle.tell()))
    return results


def visits(chess, look, text):
    for skip in SKIPS:
        look(f"visit {text!r} {skip}", lambda: visited(chess, text, tracer(chess, skip)))


def reading(chess, look, text):
    visits(chess, look, text)
    look(f"games {text!r}", lambda: whole(chess, text))
    look("skimmed", lambda: [skim(chess, text, name) for name in ("read_headers", "skip_game")])
    look("boards", lambda: [(board and board.fen(), board and board.move_stack)
                            for board, _ in visited(chess, text, chess.pgn.BoardBuilder)])
    look("text", lambda: visited(chess, text, chess.pgn.StringExporter))
    for skip in SKIPS:
        look(f"walk {skip}", lambda: walk(chess, text, tracer(chess, skip)))
    for options in [{}, {"columns": None}, {"columns": 20}, {"columns": 0}, {"headers": False},
                    {"comments": False}, {"variations": False}]:
        look(f"{options}", lambda: game_of(chess, text).accept(chess.pgn.StringExporter(**options)))


def whole(chess, text):
    """All contents of the games of a text."""
    handle = io.StringIO(text, newline="")
    games = []
    while (game := chess.pgn.read_game(handle)) is not None:
        line = [(node.move, node.comment, node.starting_comment, node.nags, len(node.variations))
                for node in game.mainline()]
        games.append((game, str(game), game.errors, game.headers, game.comment, line, handle.tell(),
                      list(game.mainline_moves()), game.end().board().fen(), str(game.mainline())))
    return games


def skim(chess, text, name):
    handle = io.StringIO(text, newline="")
    return [(getattr(chess.pgn, name)(handle), handle.tell()) for _ in range(5)]


def walk(chess, text, Tracer):
    game = game_of(chess, text)
    if game is None:
        return None
    seen = [game.accept(Tracer()), game.end().accept_subgame(Tracer()),
            game.mainline().accept(Tracer())]
    if game.variations:
        seen.append(game[0].accept(Tracer()))
    if game.variations and len(game[0].variations) > 1:
        seen.append(game[0][1].accept_subgame(Tracer()))
    return seen


def exporters(chess, look):
    exporter = chess.pgn.StringExporter()
    look("empty", lambda: (str(exporter), exporter.result()))
    handle = io.StringIO()
    files = chess.pgn.FileExporter(handle, columns=30)
    game = game_of(chess, "1. e4 $14 $3 $7 ! $3 { " + "word " * 20 + "} e5 ( 1... c5 {a } 2. Nf3 ) 1-0")
    look("file", lambda: (game.accept(files), game.accept(files), handle.getvalue(), files, str(files)))
    game[0].nags.add(400)
    game[0].comment = "a } b { c\nd"
    game[0].starting_comment = "ignored"
    game.headers["Odd"] = 'q"uo\\te'
    look("odd", lambda: str(game))
    del game.headers["Result"]
    look("no result", lambda: str(game))


def subclasses(chess, look):
    pgn = chess.pgn

    class Node(pgn.GameNode):
        def add_variation(self, move, *, comment="", starting_comment="", nags=[]):
            return Child(self, move, comment=comment, starting_comment=starting_comment, nags=nags)

    class Child(pgn.ChildNode, Node):
        pass

    class Root(pgn.Game, Node):
        pass

    class Tags(pgn.Headers):
        pass

    class Builder(pgn.GameBuilder):
        def handle_error(self, error):
            self.game.errors.append(str(error))

    class Strict(pgn.GameBuilder):
        def handle_error(self, error):
            raise error

    text = '[A "b"]\n\n1. e4 Qa1'
    look("game", lambda: pgn.read_game(io.StringIO(text), Visitor=Root.builder)[0])
    look("tags", lambda: pgn.read_game(io.StringIO(text), Visitor=Tags.builder))
    look("errors", lambda: pgn.read_game(io.StringIO(text), Visitor=Builder).errors)
    look("strict", lambda: pgn.read_game(io.StringIO(text), Visitor=Strict))
    look("raise", lambda: pgn.read_game(io.StringIO(text), Visitor=pgn.BoardBuilder))
    look("abstract", lambda: pgn.BaseVisitor())
    look("abstract", lambda: pgn.GameNode())
    for name in ["GameNode", "ChildNode", "Game", "Headers", "Mainline", "BaseVisitor",
                 "GameBuilder", "HeadersBuilder", "BoardBuilder", "SkipVisitor", "StringExporter",
                 "FileExporter", "StringExporterMixin"]:
        kind = getattr(pgn, name)
        # Attributes of instances are declared in the class.
        names = {*dir(kind)}.union(*(vars(base).get("__annotations__", ()) for base in kind.__mro__))
        bases = [base.__name__ for base in kind.__mro__ if not base.__name__.startswith("_")]
        look(name, lambda: (bases, sorted(each for each in names if not each.startswith("_"))))
