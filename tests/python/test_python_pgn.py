"""The Python package's boards, pgn, svg, polyglot, syzygy and gaviota against those of python-chess."""

import copy
import gc
import gzip
import importlib
import io
import itertools
import json
import math
import os
import pickle
import random
import re
import sys
import threading

import chess
import chess.engine
import chess.gaviota
import chess.pgn
import chess.polyglot
import chess.svg
import chess.syzygy
import chess.variant
import pytest

from observations import boards, observations, pgn, polyglot, svg, tables
from threads import in_threads


@pytest.fixture(scope="module")
def ours(package):
    """`mola.chess` with the modules tested here."""
    sys.path.insert(0, str(package))
    for name in ["engine", "gaviota", "pgn", "polyglot", "svg", "syzygy", "variant"]:
        importlib.import_module(f"mola.chess.{name}")
    yield sys.modules["mola.chess"]
    sys.path.remove(str(package))


def assert_same(module, ours):
    expected, got = observations(module, chess), observations(module, ours)
    assert len(got) == len(expected)
    different = [(label, real, mola) for (label, real), (_, mola) in zip(expected, got) if real != mola]
    assert not different, f"{len(different)} of {len(got)} differ, such as {different[0]}"


def test_boards_as_python_chess(ours):
    assert_same(boards, ours)


class Renamed(pickle.Unpickler):
    """Reads pickles of python-chess as they are read after `mola.install()`."""

    def find_class(self, module, name):
        return super().find_class(f"mola.{module}" if module.split(".")[0] == "chess" else module, name)


# The oldest protocols make objects without their class.
@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickles_that_python_chess_has_written(ours, protocol):
    chance = random.Random(protocol)
    for variant in chess.variant.VARIANTS:
        board = variant()
        for _ in range(30):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
        board.note = [chess.Move.from_uci("a7a8q"), chess.Piece.from_symbol("k"), chess.SquareSet(77)]
        again = Renamed(io.BytesIO(pickle.dumps(board, protocol))).load()
        assert type(again) is getattr(ours.variant, variant.__name__, ours.Board)
        assert repr(again.note) == repr(board.note)
        while True:
            assert again.fen() == board.fen() and again.ep_square == board.ep_square
            assert list(map(str, again.legal_moves)) == list(map(str, board.legal_moves))
            if not board.move_stack:
                break
            assert str(again.pop()) == str(board.pop())
        assert not again.move_stack
    moved = chess.Board()
    for uci in ("e2e4", "e7e5"):
        moved.push_uci(uci)
    # After a move, rights count that have no rook.
    moved.castling_rights = chess.BB_A1 | chess.BB_D1
    again = Renamed(io.BytesIO(pickle.dumps(moved, protocol))).load()
    for board in (moved, again):
        board.push_uci("d2d4")
    assert again.shredder_fen() == moved.shredder_fen() and again.status() == moved.status()
    bare = chess.BaseBoard("8/8/8/8/8/8/8/K6q")
    assert repr(Renamed(io.BytesIO(pickle.dumps(bare, protocol))).load()) == repr(bare)


ANNOTATED = """[White "Ä"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[ECO "A00"]

{ begin } 1. e4 $1 $18 { [%eval 0.3] } ( { other } 1. e3 Kd7 ( 1... Kd8 2. Kd2 ) ) 1... Kd7 2. Qh9 *"""


def kept_values(chess):
    """Values that programs keep in pickles, but boards."""
    engine, pgn = chess.engine, chess.pgn
    score = engine.PovScore(engine.Cp(-31), chess.BLACK)
    info = {"score": score, "pv": [chess.Move.from_uci("e2e4")], "wdl": engine.PovWdl(engine.Wdl(1, 2, 3), True)}
    game = pgn.read_game(io.StringIO(ANNOTATED))
    return [
        engine.Cp(3), engine.Mate(-2), engine.Mate(0), engine.MateGiven, score,
        engine.PovScore(engine.Mate(1), chess.WHITE), info,
        engine.PlayResult(chess.Move.from_uci("e2e4"), None, info, resigned=True),
        engine.Limit(time=1, mate=3), engine.Opponent("a", None, 1, True),
        engine.Option("Hash", "spin", 16, 1, 64, []), engine.UciOptionMap({"Hash": 16, "hASH": 8, "Clear": None}),
        chess.Outcome(chess.Termination.STALEMATE, None), chess.polyglot.Entry(1, 2, 3, 4, chess.Move(1, 2)),
        chess.svg.Arrow(1, 2, color="red"), chess.variant.CrazyhousePocket("qqp"),
        pgn.Headers(), pgn.Headers({"White": "x", "Black": "y", "A": "b"}), game.headers, game.errors, game,
        pgn.Game.from_board(chess.Board("4k3/8/8/8/8/8/8/4K3 b - - 3 9")), game[0].variations,
        pgn.parse_time_control("40/9000:300+2"),
    ]


def shown(value):
    """A value with all there is to see, but without its address; a game with its annotations."""
    text = [str(each) for each in value] if isinstance(value, list) else str(value)
    return re.sub(r"0x[0-9a-f]{9,}", "0x", repr(text)).replace("mola.chess", "chess")


@pytest.mark.parametrize("protocol", range(6))
def test_pickles_of_scores_and_games(ours, protocol):
    # Those of python-chess in the oldest protocols make objects without their class.
    for theirs, value in zip(kept_values(chess), kept_values(ours)):
        for again in (
            Renamed(io.BytesIO(pickle.dumps(theirs, max(protocol, 2)))).load(),
            pickle.loads(pickle.dumps(value, protocol)),
            copy.copy(value),
            copy.deepcopy(value),
        ):
            assert type(again) is type(value)
            assert shown(again) == shown(value) == shown(theirs)


def test_pgn_as_python_chess(ours):
    assert_same(pgn, ours)


def test_svg_as_python_chess(ours):
    assert_same(svg, ours)


def test_marks_off_the_board_are_left_out(ours):
    for far in (64, -1, 1 << 70, -1 << 70):
        assert ours.svg.board(check=far, arrows=[(0, far)]) == ours.svg.board()
    with pytest.raises(TypeError):
        ours.svg.board(check="e4")


def test_polyglot_as_python_chess(ours, tmp_path):
    polyglot.FOLDER = tmp_path
    assert_same(polyglot, ours)


def test_tables_as_python_chess(ours, data):
    tables.FOLDER = data
    assert_same(tables, ours)


FILES = ["lichess_db_1000k.pgn", "twic1599_1000k.pgn"]


@pytest.fixture(scope="module", params=FILES)
def games_file(request, data):
    return data / "pgn" / request.param


def test_headers_and_offsets_of_files(ours, games_file):
    """Reading continues where it ended, and `tell` gives that offset."""
    with open(games_file, encoding="utf-8") as first, open(games_file, encoding="utf-8") as second:
        while True:
            assert first.tell() == second.tell()
            expected, got = chess.pgn.read_headers(first), ours.pgn.read_headers(second)
            assert (got is None) == (expected is None)
            if got is None:
                break
            assert dict(got) == dict(expected) and list(got) == list(expected)


def test_games_of_files(ours, games_file):
    def text(pgn, handle, count):
        return [repr(pgn.read_game(handle).accept(pgn.StringExporter())) for _ in range(count)]

    with open(games_file, encoding="utf-8") as handle:
        expected = text(chess.pgn, handle, 60)
        end = handle.tell()
    with open(games_file, encoding="utf-8") as handle:
        assert text(ours.pgn, handle, 60) == expected
        assert handle.tell() == end


# File objects that cannot be read by their file name.
def opened(path, kind):
    if kind == "file":
        return open(path, encoding="utf-8", newline=None)
    if kind == "kept line breaks":
        return open(path, encoding="utf-8", newline="")
    if kind == "latin-1":
        return open(path, encoding="latin-1")
    if kind == "signature":
        return open(path, encoding="utf-8-sig")
    if kind == "string":
        return io.StringIO(path.read_text(encoding="utf-8"))
    if kind == "bytes":
        return io.TextIOWrapper(io.BytesIO(path.read_bytes()), encoding="utf-8")
    if kind == "packed":
        packed = io.BytesIO(gzip.compress(path.read_bytes()))
        return io.TextIOWrapper(gzip.GzipFile(fileobj=packed), encoding="utf-8")
    lines = open(path, encoding="utf-8").readlines()

    class Handle:
        def readline(self):
            return lines.pop(0) if lines else ""

    return Handle()


KINDS = ["file", "kept line breaks", "latin-1", "signature", "string", "bytes", "packed", "object"]


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_files(ours, tmp_path, kind, line_break):
    """With other reads between the games, after seeking, and at the end of the file."""
    games = [f'[White "{name}"]\n\n1. e4 {{a\nb}} e5 *\n\n' for name in ["ä", "b", "c" * 9000, "d"]]
    path = tmp_path / "games.pgn"
    path.write_bytes("".join(games).replace("\n", line_break).encode())

    def read(pgn):
        handle = opened(path, kind)
        found = [pgn.read_headers(handle), handle.readline(), pgn.read_game(handle)]
        if hasattr(handle, "tell"):
            place = handle.tell()
            found += [pgn.skip_game(handle), handle.read(5), handle.tell(), handle.seek(place)]
        for _ in range(4):
            game = pgn.read_game(handle)
            found.append(game and (dict(game.headers), str(game), game[0].comment))
        return [str(each) if type(each).__name__ == "Game" else each for each in found]

    assert repr(read(ours.pgn)) == repr(read(chess.pgn))


# Fragments of games, some of them odd, for random combinations.
TAGS = ['[Event "a"]', '[White "ä {"]', '[Black "b;"]', ' [Site "?"]', "% note", "; note", '[FEN "x"]', ""]
MOVES = ["1. e4 e5", "2. Nf3 {a", "b} Nc6", "3. Bb5 ; {", "{c ; d} a6", "% {", "2. d4 d5", "*", "1-0 }", " ", "é"]


def random_games(chance):
    lines = []
    for _ in range(chance.randrange(1, 60)):
        lines += chance.choices(TAGS, k=chance.randrange(5)) + [""] * chance.randrange(3)
        lines += chance.choices(MOVES, k=chance.choice([1, 4, 4, 400])) + [""] * chance.randrange(3)
    return "\ufeff" * (chance.random() < 0.1) + "\n".join(lines)


def look(pgn, handle, action, number, places):
    """The result of one file operation, and the offset after it."""
    if action == "seek":
        found = handle.seek(places[number % len(places)]) and None
    elif action in ("read_headers", "skip_game", "read_game"):
        found = getattr(pgn, action)(handle)
        if action == "read_headers":
            found = found and list(found.items())
        elif action == "read_game":
            found = found and (list(found.headers.items()), [str(e) for e in found.errors], len(list(found.mainline())))
    elif action == "read":
        found = handle.read(number)
    else:
        found = getattr(handle, action)()
    places.append(handle.tell())
    return found, places[-1]


@pytest.mark.parametrize("seed", range(60))
def test_reading_in_any_order(ours, tmp_path, seed):
    """After random reads of games, headers and lines, and seeks, the offset is python-chess's."""
    chance = random.Random(f"{os.environ.get('SEED', 0)} {seed}")
    path = tmp_path / "games.pgn"
    line_break = chance.choice(["\n", "\n", "\r\n", "\r"])
    path.write_bytes(random_games(chance).replace("\n", line_break).encode())
    kind = chance.choice(["file", "file", "kept line breaks", "latin-1", "signature", "string", "bytes"])
    actions = ["read_headers", "read_headers", "skip_game", "skip_game", "read_game", "readline", "read", "seek"]
    readers = [(chess.pgn, opened(path, kind), [0]), (ours.pgn, opened(path, kind), [0])]
    for _ in range(150):
        action, number = chance.choice(actions), chance.randrange(1000)
        expected, got = (look(pgn, handle, action, number, places) for pgn, handle, places in readers)
        assert got[0] == expected[0], (kind, action, number)
        # Between `\r` and `\n`, `tell` returns a huge cookie that depends on the buffer.
        if max(got[1], expected[1]) < 1 << 64:
            assert got[1] == expected[1], (kind, action, number)


def all_of(pgn, opened, read):
    """What is read from a file, and its offset each time."""
    with opened() as handle:
        found, is_end = [], False
        while not is_end:
            try:
                each = read(pgn, handle)
                is_end = not each
            except ValueError as error:
                each = str(error)
                is_end = isinstance(error, UnicodeDecodeError)
            found.append((each, handle.tell()))
    return found


def read_whole(pgn, handle):
    game = pgn.read_game(handle)
    return game and (dict(game.headers), str(game), list(map(str, game.errors)))


def read_tags(pgn, handle):
    tags = pgn.read_headers(handle)
    return tags and dict(tags)


def read_end(pgn, handle):
    board = pgn.read_game(handle, Visitor=pgn.BoardBuilder)
    return board and board.fen()


READS = {
    "games": read_whole,
    "headers": read_tags,
    "skipped": lambda pgn, handle: pgn.skip_game(handle),
    "boards": read_end,
}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("errors", ["surrogateescape", "surrogatepass", "replace"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_bytes_that_are_no_text_are_kept(ours, tmp_path, encoding, errors, read):
    """Lone surrogates, by which Python keeps them, are anywhere in games, or in some games only."""
    plain = '[White "ä"]\n\n1. e4 {a} e5 *\n\n'
    marked = (
        '[White "Jos\udce9"]\n[\udc81 "x"]\n\n1. e4 {caf\udce9 } e5\udc8d {\udc9d\nb} 2. Nf3 {\udc90} x}y '
        "(2. \udc8f Nc3 {c}) (2. e\udc904) *\n\n"
    )
    bad_start = '[FEN "\udce9"]\n\n1. e4 *\n\n'
    path = tmp_path / "games.pgn"
    long = plain.replace("a", "a" * 70_000)
    text = plain + marked + plain + bad_start + plain * 9 + long + plain + marked
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    if errors == "surrogatepass":
        path.write_bytes(text.encode("utf-8", "surrogatepass"))

    def opened():
        return open(path, encoding=encoding, errors=errors)

    theirs, mine = (all_of(pgn, opened, READS[read]) for pgn in [chess.pgn, ours.pgn])
    assert mine == theirs
    if errors == "surrogateescape" and read == "games":
        assert b'"Jos\xe9"' in mine[1][0][1].encode(encoding, errors)
    strings = [all_of(pgn, lambda: io.StringIO(text), READS[read]) for pgn in [chess.pgn, ours.pgn]]
    assert strings[1] == strings[0]


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("newline", ["\r", "\r\n", "\n", "", None])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_line_breaks_that_the_caller_asks_for(ours, tmp_path, line_break, newline, read):
    """A file whose lines end in others is one line; some of its lines may end in both."""
    games = "".join(f'[White "{name}"]\n[Black "x"]\n\n1. e4 {{a\nb}} e5 *\n\n' for name in ["a", "b", "c"])
    path = tmp_path / "games.pgn"
    for text in [games, games[:-2], "1. e4 *\n", games[:12]]:
        for first in ["", "% first\r\n"]:
            path.write_bytes((first + text.replace("\n", line_break)).encode())

            def opened():
                return open(path, newline=newline)

            theirs, mine = (all_of(pgn, opened, READS[read]) for pgn in [chess.pgn, ours.pgn])
            assert mine == theirs, (first, text)


def test_a_line_that_was_read_at_the_end_is_gone(ours, tmp_path):
    """Reading lines and games in turns: Python has decoded more of the file than it has returned."""
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 *\n\n1. d4 *\n\n1. c4 *")
    with open(path) as handle:
        while ours.pgn.skip_game(handle):
            pass
        handle.seek(0)
        assert handle.readline() == "1. e4 *\n"
        assert ours.pgn.read_game(handle)[0].san() == "d4"


@pytest.mark.parametrize("size", [1, 3, 10, 12])
@pytest.mark.parametrize("games", [1, 2, 50])
def test_a_part_of_the_first_line_that_was_read_and_told(ours, tmp_path, games, size):
    """Asked for its place there, Python forgets that it has decoded lines behind it."""
    path = tmp_path / "games.pgn"
    path.write_text(games * '[Event "e"]\n[Site "s"]\n\n1. e4 e5 2. Nf3 *\n\n')

    def read(pgn):
        with open(path) as handle:
            for _ in range(games):
                pgn.read_game(handle)
            handle.seek(0)
            handle.read(size)
            yield handle.tell()
            while (game := pgn.read_game(handle)) is not None:
                yield str(game), handle.tell()

    assert list(read(ours.pgn)) == list(read(chess.pgn))


def test_files_that_grow_close_or_are_iterated(ours, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 *\n\n")
    with open(path) as handle:
        assert ours.pgn.read_game(handle)[0].san() == "e4"
        assert ours.pgn.read_game(handle) is None
        with open(path, "a") as more:
            more.write("1. d4 *\n\n1. c4 *")
        assert ours.pgn.read_game(handle)[0].san() == "d4"
        assert next(handle) == "1. c4 *"
        assert ours.pgn.read_game(handle) is None
    for pgn in [chess.pgn, ours.pgn]:
        with pytest.raises(ValueError, match="closed file"):
            pgn.read_game(handle)
    with pytest.raises(AttributeError):
        ours.pgn.read_game(None)
    bad = tmp_path / "bad.pgn"
    bad.write_bytes(b"1. e4 {\xff} *")
    with open(bad, encoding="utf-8") as handle, pytest.raises(UnicodeDecodeError):
        ours.pgn.read_game(handle)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no list of open files")
@pytest.mark.parametrize("games", [1, 2])
@pytest.mark.parametrize("task", ["read_game", "read_headers", "skip_game"])
def test_files_are_closed_with_those_of_the_caller(ours, tmp_path, task, games):
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 *\n\n1. d4 *\n")
    with open(path) as handle:
        for _ in range(games):
            assert getattr(ours.pgn, task)(handle) not in (None, False)
    # Nothing is left to be read, or nobody who could read it.
    if games == 1:
        del handle
        gc.collect()
    left = {os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")}
    assert str(path.resolve()) not in left


def test_glyphs_of_large_numbers_are_skipped(ours):
    game = ours.pgn.read_game(io.StringIO("1. e4 $4294967295 $4294967296 $5 *"))
    assert game.next().nags == {5, 4294967295}
    assert [str(error) for error in game.errors] == ["$4294967296 is more than 4294967295 and skipped"]


@pytest.mark.parametrize(
    "text", ["40/7200/60+5", "40/7200+5/3", "300+2/60", "40/7200/60", "300+2+3", "300+5D", "/60", "+", "300+d"]
)
def test_time_controls_as_python_chess(ours, text):
    def parsed(pgn):
        try:
            return repr(pgn.parse_time_control(text))
        except ValueError as error:
            return str(error)

    assert parsed(ours.pgn) == parsed(chess.pgn)


@pytest.mark.parametrize("kind", ["Wdl", "Dtz"])
def test_a_table_that_is_missing_is_named(ours, tmp_path, kind):
    def error_of(syzygy):
        table = getattr(syzygy, f"{kind}Table")(str(tmp_path / "KRvK.rtbw"))
        with pytest.raises(FileNotFoundError) as raised:
            getattr(table, f"init_table_{kind.lower()}")()
        return str(raised.value)

    assert error_of(ours.syzygy) == error_of(chess.syzygy)


def test_arrows_of_any_class(ours):
    class Arrow:
        tail, head, color = chess.E2, chess.E4, "red"

    arrows = [Arrow(), chess.svg.Arrow(chess.A1, chess.A2)]
    own = [ours.svg.Arrow(arrow.tail, arrow.head, color=arrow.color) for arrow in arrows]
    assert ours.svg.board(arrows=arrows) == ours.svg.board(arrows=own)


def test_corpus_of_texts(ours, data):
    """python-chess's results for many odd texts, except rows in which the release differs."""
    with gzip.open(data / "notation/pgn.jsonl.gz", "rt") as rows:
        texts = [json.loads(row)["pgn"] for row in rows]

    def all_games(pgn, text):
        handle, found = io.StringIO(text), []
        while (game := pgn.read_game(handle)) is not None:
            try:
                shown = str(game), game.end().board().fen()
            except Exception as error:
                shown = type(error).__name__, str(error)
            errors = [(type(error).__name__, str(error)) for error in game.errors]
            found.append((dict(game.headers), errors, shown))
        return found

    for text in texts:
        assert all_games(ours.pgn, text) == all_games(chess.pgn, text), text


def test_corpus_of_pictures(ours, data):
    def arguments(library, options):
        names = {**vars(library), "Arrow": library.svg.Arrow, "SquareSet": library.SquareSet}
        value = lambda text: eval(text, names) if isinstance(text, str) else text
        made = {name: text if name == "style" else value(text) for name, text in options.items()}
        if isinstance(made.get("lastmove"), str):
            made["lastmove"] = library.Move.from_uci(made["lastmove"])
        return made

    with gzip.open(data / "notation/svg.jsonl.gz", "rt") as rows:
        rows = [json.loads(row) for row in rows]
    drawn = 0
    for row in rows:
        try:
            options = [arguments(library, row["kwargs"]) for library in (chess, ours)]
        except Exception:
            continue
        boards = [row["fen"] and library.BaseBoard(row["fen"].split()[0]) for library in (chess, ours)]
        expected = svg.elements(chess.svg.board(boards[0], **options[0]))
        assert svg.elements(ours.svg.board(boards[1], **options[1])) == expected, row["kwargs"]
        drawn += 1
    assert drawn > len(rows) // 2


@pytest.mark.parametrize("library", ["chess", "mola.chess"])
def test_callbacks_that_are_replaced_are_called(ours, monkeypatch, library):
    pgn = sys.modules[f"{library}.pgn"]
    text = "[White \"x\"]\n\n1. e4 { one } e5 *"
    read = lambda visitor: pgn.read_game(io.StringIO(text), Visitor=lambda: visitor)
    builder = pgn.GameBuilder()
    builder.visit_comment = lambda comment: None
    assert "one" not in str(read(builder)) and "one" in str(read(pgn.GameBuilder()))
    builder = pgn.HeadersBuilder()
    builder.result = lambda: "result"
    assert read(builder) == "result"
    boards = []
    with monkeypatch.context() as patch:
        patch.setattr(pgn.GameBuilder, "visit_comment", lambda self, comment: None)
        patch.setattr(pgn.BaseVisitor, "visit_board", lambda self, board: boards.append(board.fen()))
        game = read(pgn.GameBuilder())
    assert len(boards) == 3 and "one" not in str(game)
    assert "one" in str(read(pgn.GameBuilder())) and len(boards) == 3


def test_deep_and_broken_games_end(ours):
    deep = "1. e4 " + "(1. d4 " * 5000 + ")" * 5000 + " e5 *"
    game = ours.pgn.read_game(io.StringIO(deep))
    assert game.next().next().san() == "e5"
    assert [str(error) for error in game.errors] == ["a variation more than 1000 deep is skipped"]
    long = "1. e4 e5 " + "2. Nf3 Nf6 3. Ng1 Ng8 " * 3000
    assert str(ours.pgn.read_game(io.StringIO(long))).endswith("Ng8 *")
    assert ours.pgn.read_game(io.StringIO("\x00(((({{{{$$$$")) is not None
    assert ours.pgn.read_game(io.StringIO("1. e4 {\ud800} *"))[0].comment


@pytest.mark.parametrize("line_break", ["\r", "\n", "\r\n"])
def test_tags_of_any_line_breaks(ours, line_break):
    text = '[White "A"]~[FEN "4k3/8/8/8/8/8/8/4K2R w - - 0 1"]~~1. Rh7 *~'.replace("~", line_break)
    for library in (chess, ours):
        game = library.pgn.read_game(io.StringIO(text, newline=""))
        assert game.headers["White"] == "A" and game[0].san() == "Rh7" and not game.errors


def test_commands_join_comments_as_in_python_chess(ours):
    for comment in ("", "a", "a ", "a\n", "a\t", "\ta", "\na", " a", "[%eval 1.0]\n"):
        found = []
        for library in (chess, ours):
            node = library.pgn.Game().add_variation(library.Move.from_uci("e2e4"))
            for change in (
                lambda: node.set_eval(library.engine.PovScore(library.engine.Cp(30), True), 5),
                lambda: node.set_eval(library.engine.PovScore(library.engine.Cp(30), True), 2.5),
                lambda: node.set_clock(5),
                lambda: node.set_emt(1.5),
                lambda: node.set_arrows([(0, 1)]),
            ):
                node.comment = comment
                try:
                    change()
                    found.append(node.comment)
                except ValueError as error:
                    found.append((node.comment, str(error)))
        middle = len(found) // 2
        assert found[:middle] == found[middle:], repr(comment)


@pytest.fixture
def hurried_threads():
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_threads_read_one_file(ours, tmp_path, hurried_threads):
    """Games may be mixed up, as with any file that threads share, but nothing hangs or crashes."""
    path = tmp_path / "games.pgn"
    path.write_text('[White "a"]\n\n1. e4 e5 2. Nf3 *\n\n' * 1000)
    for _ in range(60):
        with open(path) as handle:
            def read():
                while ours.pgn.read_game(handle) is not None:
                    pass

            in_threads(8, read, 60)


def test_columns(ours, games_file):
    numpy = pytest.importorskip("numpy")
    import mola

    games = mola.read_pgn(games_file)
    skimmed = mola.read_pgn(str(games_file), moves=False)
    assert skimmed.moves is None and (skimmed.offset == games.offset).all()
    with open(games_file, encoding="utf-8") as handle:
        for row in range(40):
            assert handle.tell() == games.offset[row]
            game = chess.pgn.read_game(handle)
            for name, column in games.headers.items():
                assert column[row] == skimmed.headers[name][row]
                assert column[row] == game.headers.get(name, column[row])
            start, end = int(games.first[row]), int(games.first[row + 1])
            line = list(game.mainline())
            assert [mola.unpack_move(move).uci() for move in games.moves[start:end]] == [
                node.move.uci() for node in line
            ]
            for node, score, clock in zip(line, games.evals[start:], games.clocks[start:]):
                assert numpy.isnan(clock) if node.clock() is None else clock == node.clock()
                if node.eval() is None:
                    assert score == mola.NO_EVAL
                else:
                    assert score == node.eval().white().score(mate_score=mola.MATE)
    column = games.headers["White"]
    texts = column.tolist()
    assert len(texts) == len(games) == len(column) and list(column) == texts
    for some in (slice(3), slice(-3, None), slice(9, 2, -3), slice(5, 5)):
        assert column[some] == texts[some]
    with pytest.raises(TypeError):
        column["White"]
    with pytest.raises(OSError):
        mola.read_pgn("/nonexistent")
    again = mola.read_pgn(os.fsencode(games_file), moves=False)
    assert (again.offset == games.offset).all()
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike object, not NoneType"):
        mola.read_pgn(None)


def test_columns_may_be_changed(games_file):
    numpy = pytest.importorskip("numpy")
    import mola

    games = mola.read_pgn(games_file)
    columns = [column for column in games if isinstance(column, numpy.ndarray)]
    white = games.headers["White"]
    assert len(columns) == 6
    for column in [*columns, white.ends, white.is_there]:
        column[:] = 1
        assert (column == 1).all()


def test_evaluations_of_columns_are_no_mates(tmp_path):
    file = tmp_path / "evals.pgn"
    file.write_text("1. e4 {[%eval 1234.56]} e5 {[%eval -1000.0]} 2. d4 {[%eval #1]} d5 {[%eval #-30]} *\n")
    import mola

    evals = mola.read_pgn(file).evals.tolist()
    assert evals == [99_000, -99_000, mola.MATE - 1, 30 - mola.MATE]


def test_columns_are_a_named_tuple(games_file):
    import mola

    games = mola.read_pgn(games_file)
    changed = games._replace(evals=None)
    assert type(changed) is mola.Games and changed.evals is None and changed.moves is games.moves
    assert len(changed) == len(games) == len(games.offset)
    again = mola.Games._make(iter(games))
    assert all(mine is other for mine, other in zip(again, games)) and list(games._asdict()) == list(games._fields)
    for same in (copy.copy(games), pickle.loads(pickle.dumps(games))):
        assert type(same) is mola.Games and (same.moves == games.moves).all()
    with pytest.raises(TypeError):
        mola.Games._make([])


def test_values_in_comments_are_those_of_python_chess(ours, tmp_path):
    numpy = pytest.importorskip("numpy")
    import mola

    comments = [
        "{[%eval 1] [%clk 0:00:01]} {[%eval 2] [%clk 0:00:02]}",
        "{a} {[%eval 1]} {[%clk 0:00:03] [%eval 2]}",
        "{[%eval x] [%eval 3]}\n; [%eval 4]\n",
        "\n% [%eval 5] [%clk 0:00:06]\n",
        "{[%clk 0:00:07]}\n% [%eval 6]\n{[%eval #7]}",
        "{[%eval #1]} (1. d4 {[%eval 8]}) {[%eval 9] [%clk 0:00:09]}",
    ]
    path = tmp_path / "games.pgn"
    path.write_text("".join(f"1. e4 {comment} e5 {{[%eval 10]}} *\n\n" for comment in comments))
    games = mola.read_pgn(path)
    at = 0
    with open(path) as handle:
        for _ in comments:
            for node in chess.pgn.read_game(handle).mainline():
                score, clock = node.eval(), node.clock()
                expected = mola.NO_EVAL if score is None else score.white().score(mate_score=mola.MATE)
                assert games.evals[at] == expected, (at, expected)
                assert numpy.isnan(games.clocks[at]) if clock is None else games.clocks[at] == clock, (at, clock)
                at += 1
    assert at == len(games.moves)
    # python-chess drops comments to the end of the line.
    path.write_text("1. e4 ; [%eval 1] [%clk 0:00:05]\n{[%eval 2]} *\n")
    games = mola.read_pgn(path)
    assert (games.evals.tolist(), games.clocks.tolist()) == ([100], [5.0])


def test_clock_of_columns(ours, tmp_path):
    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(b"1. e4 {[%clk 0:00:01.5] [%eval #-3]} (1. d4 {[%eval 1]}) e5 *\n\n[White \"x\"]\n\n*"))
    import mola

    games = mola.read_pgn(path)
    assert games.evals.tolist() == [3 - mola.MATE, mola.NO_EVAL]
    assert games.clocks[0] == 1.5 and math.isnan(games.clocks[1])
    assert games.headers["White"].tolist() == [None, "x"]
    assert games.first.tolist() == [0, 2, 2]


def test_threads_share_a_game_that_was_read(ours, hurried_threads):
    """What one thread changes is not lost when another is the first to look."""
    pgn = ours.pgn
    text = '[Event "x"]\n[Foo "bar"]\n\n1. e4 $3 e5 (1... c5 2. Nf3) $1 2. Nf3 *\n\n'
    threads = 8
    for _ in range(100):
        game = pgn.read_game(io.StringIO(text))
        ready, numbers = threading.Barrier(threads), itertools.count(100)

        def change():
            ready.wait()
            number = next(numbers)
            game.headers[f"N{number}"] = "y"
            game.nags.add(number)
            game.add_variation(ours.Move.from_uci("d2d4"))
            game.next().nags.add(number)

        in_threads(threads, change, 30)
        assert len(game.headers) == 8 + threads
        assert len(game.variations) == 1 + threads
        assert len(game.nags) == threads and len(game.next().nags) == 1 + threads


def test_copies_of_subclasses_with_slots(ours):
    text = '[Event "x"]\n\n1. e4 e5 (1... c5) $1 2. Nf3 {c} *\n'

    def look(module):
        class Game(module.Game):
            __slots__ = ("extra",)

        class Headers(module.Headers):
            __slots__ = ("extra",)

        read = module.read_game(io.StringIO(text), Visitor=lambda: module.GameBuilder(Game=Game))
        headers = Headers(White="y")
        for kept in (Game(), read, headers):
            kept.extra, kept.other = 5, 6
            for made in (copy.copy(kept), copy.deepcopy(kept)):
                extra = getattr(made, "extra", None)
                yield type(made).__name__, extra, sorted(vars(made)), str(made) == str(kept)

    assert list(look(ours.pgn)) == list(look(chess.pgn))


def test_dictionaries_of_attributes(ours):
    """Users look into ``__dict__``, which has what was not fetched yet, too."""
    text = '[Event "x"]\n[Foo "bar"]\n\n{ a } 1. e4 $3 { b } (1. d4) e5 *\n'

    def look(module):
        def read():
            return module.pgn.read_game(io.StringIO(text))

        tags = module.pgn.read_headers(io.StringIO(text))
        copied = module.pgn.Headers({})
        copied.__dict__.update(read().headers.__dict__)
        replaced = module.pgn.Headers({})
        replaced.__dict__ = vars(tags)
        written = read()
        written.next().__dict__["comment"] = "c"
        vars(written.next())["nags"].add(1)
        node = {**vars(read().next())}
        lines = len(node.pop("parent").variations), len(node.pop("variations"))
        return [
            sorted(vars(read())), {**vars(read().headers)}, {**vars(tags)}, dict(copied), dict(replaced), str(written),
            lines, {name: str(value) for name, value in node.items()}, vars(node["move"]),
            vars(module.Piece(3, False)), vars(module.SquareSet(5)), json.dumps(module.Move(1, 2), default=vars),
        ]

    assert look(ours) == look(chess)


@pytest.mark.parametrize("name", ["", ".pgn", ".engine"])
def test_star_imports(ours, name):
    """They bring what those of python-chess bring, and nothing that overwrites a name of the user."""

    def names(library):
        found = {}
        exec(f"from {library}{name} import *", found)
        return {name for name in found if name != "__builtins__"}

    expected, got = names("chess"), names("mola.chess")
    undocumented = {"EventLoopPolicy", "F", "ProtocolT", "T", "override"}
    assert expected - got <= undocumented and got - expected <= {"Final"}


def test_a_book_that_has_grown(ours, tmp_path):
    path = tmp_path / "book.bin"

    def look(module):
        path.write_bytes(bytes(range(16)) * 2)
        with module.polyglot.open_reader(path) as reader:
            with open(path, "ab") as file:
                file.write(bytes(32))
            seen = [len(reader)]
            for call in (lambda: reader[1].key, lambda: reader[2], lambda: reader[-1], lambda: list(reader)):
                try:
                    seen.append(call())
                except Exception as error:
                    seen.append((type(error), str(error)))
            return seen

    assert look(ours) == look(chess)
