"""`mola svg`: structure against python-chess's images, and files that other programs can show."""

import json
import math
import os
import random
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import chess
import chess.svg
import pytest

from test_notation import SEED, batch, corpus, random_board

# How many random pictures are compared.
PICTURES = int(os.environ.get("PICTURES", "60"))

THEMES = ["wood", "green", "blue", "slate", "paper", "rose"]


def is_art(element):
    """Circles without a class belong to python-chess's pieces."""
    tag, attributes = element
    return tag == "circle" and "class" not in attributes


def same(ours, theirs):
    """Numbers equal within half a pixel, all other values exactly."""
    if ours == theirs:
        return True
    try:
        pairs = list(zip(ours.replace(",", " ").split(), theirs.replace(",", " ").split(), strict=True))
        return all(math.isclose(float(a), float(b), abs_tol=0.5) for a, b in pairs)
    except ValueError:
        return False


def compare_elements(ours, theirs):
    theirs = [element for element in theirs if not is_art(element)]
    assert [tag for tag, _ in ours] == [tag for tag, _ in theirs]
    for (_, mine), (tag, other) in zip(ours, theirs):
        assert mine.keys() == other.keys(), tag
        assert all(same(mine[key], other[key]) for key in other), (mine, other)


def test_corpus(mola, data):
    records = corpus(data, "svg")
    queries = [{key: record[key] for key in ("i", "name", "fen", "kwargs")} for record in records]
    for answer, record in zip(batch(mola, "svg", queries), records):
        for key in record.keys() - {"els", "message"}:
            assert answer[key] == record[key], (record["name"], key)
        if record["ok"]:
            compare_elements(answer["els"], record["els"])


def elements(svg):
    """Tags and attributes of a picture, without definitions and the letters of coordinates."""
    found = []
    for element in ElementTree.fromstring(svg):
        tag = element.tag.rpartition("}")[2]
        if tag in ("rect", "line", "polygon", "circle", "use"):
            href = element.attrib.pop("{http://www.w3.org/1999/xlink}href", None)
            found.append((tag, dict(element.attrib, **({"href": href} if href else {}))))
    return found


def random_arguments(rng, board):
    squares = lambda count: rng.sample(chess.SQUARES, count)
    color = lambda: rng.choice(["#0f0", "#0f08", "#a1b2c3", "#a1b2c3d4", "purple"])
    every = {
        "orientation": rng.random() < 0.5,
        "lastmove": rng.choice([*board.legal_moves, chess.Move.null()]),
        "check": rng.choice(chess.SQUARES),
        "arrows": [
            chess.svg.Arrow(
                rng.choice(chess.SQUARES),
                rng.choice(chess.SQUARES),
                color=rng.choice(["green", "red", "yellow", "blue", color()]),
            )
            for _ in range(3)
        ],
        "fill": {square: color() for square in squares(3)},
        "squares": chess.SquareSet(squares(5)),
        "size": rng.randrange(50, 900),
        "coordinates": rng.random() < 0.5,
        "borders": rng.random() < 0.5,
        "colors": {
            name: color()
            for name in rng.sample(["square light", "square dark", "margin", "coord", "arrow red"], 2)
        },
    }
    return {name: every[name] for name in every if rng.random() < 0.4}


def test_random_pictures(mola):
    rng = random.Random(SEED + 3)
    queries, pictures = [], []
    while len(queries) < PICTURES:
        board = random_board(rng)
        if not any(board.legal_moves):
            continue
        arguments = random_arguments(rng, board)
        pictures.append(chess.svg.board(board, **arguments))
        plain = {
            name: value if isinstance(value, bool | int) else repr(value)
            for name, value in arguments.items()
        }
        queries.append({"fen": board.board_fen(), "kwargs": plain})
    for answer, picture in zip(batch(mola, "svg", queries), pictures):
        root = ElementTree.fromstring(picture)
        assert answer["viewBox"] == root.get("viewBox") and answer["width"] == root.get("width")
        theirs = elements(picture)
        ours = [element for element in answer["els"] if element[0] not in ("desc", "pre", "style")]
        compare_elements(ours, theirs)
        compare_elements(elements(answer["svg"]), theirs)


@pytest.mark.parametrize("notation", [lambda value: value, repr])
def test_odd_values_leave_the_others_as_they_are(mola, notation):
    colors = {"square light": "#123456", "margin": 'a"b', "coord": "it's", "square dark": "a\\b"}
    picture = chess.svg.board(None, colors=colors)
    (answer,) = batch(mola, "svg", [{"fen": None, "kwargs": {"colors": notation(colors)}}])
    compare_elements(elements(answer["svg"]), elements(picture))


def test_texts_and_names_are_read_as_in_python(mola):
    fen, colors = chess.STARTING_BOARD_FEN, r"{'margin': '\x41\u0042\103\q', 'coord': '\t\r'}"
    for kwargs, theirs in [
        ({"orientation": "chess.BLACK"}, {"orientation": chess.BLACK}),
        ({"orientation": "chess.WHITE"}, {"orientation": chess.WHITE}),
        ({"colors": colors}, {"colors": {"margin": "ABC\\q", "coord": "\t\r"}}),
        ({"colors": "{'margin': 'red', 'margin': 'blue'}"}, {"colors": {"margin": "blue"}}),
        ({"arrows": "[Arrow(tail=E2, head=E4)]"}, {"arrows": [chess.svg.Arrow(tail=chess.E2, head=chess.E4)]}),
        ({"fill": "{-1: 'red', 4: '#0f0'}"}, {"fill": {-1: "red", 4: "#0f0"}}),
        ({"fill": {str(10**30): "red", "4": "#0f0"}}, {"fill": {10**30: "red", 4: "#0f0"}}),
        ({"arrows": {}}, {"arrows": {}}),
        ({"arrows": ""}, {"arrows": ""}),
        ({"arrows": "set()", "squares": "set()"}, {"arrows": set(), "squares": set()}),
    ]:
        picture = chess.svg.board(chess.Board(), **theirs)
        (answer,) = batch(mola, "svg", [{"fen": fen, "kwargs": kwargs}])
        compare_elements(elements(answer["svg"]), elements(picture))


@pytest.mark.parametrize("name", ["coordinates", "borders", "orientation"])
@pytest.mark.parametrize("value", [0, 1, 2, False])
def test_flags_are_true_as_in_python(mola, name, value):
    (answer,) = batch(mola, "svg", [{"fen": None, "kwargs": {name: value}}])
    compare_elements(elements(answer["svg"]), elements(chess.svg.board(None, **{name: value})))


@pytest.mark.parametrize(
    "kwargs",
    [
        {"check": 64},
        {"check": "x9"},
        {"squares": [99]},
        {"squares": "[A1, I1]"},
        {"arrows": ["e2e4"]},
        {"arrows": [[1, 99]]},
        {"arrows": "[Arrow(12, 28, 'red')]"},
        {"fill": "x" * 200_000},
        {"arrows": 5},
        {"fill": {"x": "red"}},
        {"fill": {"4": 5}},
        {"colors": {"coord": 5, "square light": "#123456"}},
        {"colors": r"{'margin': '\ud800'}"},
        {"lastmove": 5},
        {"lastmove": "e2e9"},
    ],
)
def test_values_without_a_meaning_are_refused(mola, kwargs):
    record = json.dumps({"fen": None, "kwargs": kwargs})
    done = subprocess.run([mola, "svg", "--batch"], input=record + "\n", capture_output=True, text=True)
    answer = json.loads(done.stdout)
    assert answer["ok"] is False and answer["error"] == "BadRecord" and len(answer["message"]) < 200, answer


@pytest.mark.parametrize("size", [400, 400.0, 12.5, 1e16, None])
def test_sizes_are_written_as_in_python(mola, size):
    picture = ElementTree.fromstring(chess.svg.board(chess.Board(), size=size))
    (answer,) = batch(mola, "svg", [{"fen": chess.STARTING_BOARD_FEN, "kwargs": {"size": size}}])
    for ours in (answer, ElementTree.fromstring(answer["svg"])):
        assert (ours.get("width"), ours.get("height")) == (picture.get("width"), picture.get("height"))


def test_other_kinds_of_pictures_are_refused(mola, tmp_path):
    for command in (["svg"], ["svg", "--piece", "N"], ["recon", "replay", "x.json", "--svg"]):
        for name in ("x.webp", "x.JPG", "x.pdf"):
            done = subprocess.run([mola, *command, "--out", name], capture_output=True, text=True, cwd=tmp_path)
            assert done.returncode == 2 and "as SVG, PNG and GIF, not as" in done.stderr
    assert not any(tmp_path.iterdir())


def draw(mola, *arguments):
    run = subprocess.run([mola, "svg", *arguments], capture_output=True, text=True, check=True)
    return run.stdout


FULL = [
    "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR[PPnq] b KQkq - 0 4",
    *("--variant", "crazyhouse", "--arrow", "Gg1f3", "--arrow", "e5", "--fill", "d4=#0f08"),
    *("--nag", "f7=!!", "--eval", "#-2", "--caption", "<&\">", "--last-move", "h5f7"),
    *("--squares", "a1,b2", "--size", "400", "--borders", "--style", ".dark{fill:#123}"),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("side", ["white", "black"])
def test_every_theme_is_valid_and_small(mola, tmp_path, theme, side):
    for arguments in ([], FULL):
        svg = draw(mola, *arguments, "--theme", theme, "--orientation", side)
        ElementTree.fromstring(svg)
        assert len(svg) <= 12_000
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "-"], input=svg, text=True, check=True)
        if shutil.which("rsvg-convert"):
            png = tmp_path / "board.png"
            subprocess.run(["rsvg-convert", "-o", png], input=svg, text=True, check=True)
            assert png.stat().st_size > 5_000


def test_moves_mark_their_squares_and_checks(mola):
    svg = draw(mola, "startpos", "f3", "e5", "g4", "Qh4")
    assert 'class="check"' in svg and 'class="dark last"' in svg
    assert 'class="check"' not in draw(mola, "startpos", "f3", "e5", "g4", "Qh4", "--no-check")


def test_an_animated_game(mola, tmp_path):
    game = tmp_path / "game.pgn"
    game.write_text('[White "Anna & Co"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *\n')
    svg = draw(mola, "--animate", str(game), "--theme", "slate")
    root = ElementTree.fromstring(svg)
    uses = [use for use in root.iter() if use.tag.endswith("}use")]
    moving = [use for use in uses if any(a.get("attributeName") == "x" for a in use)]
    assert len(uses) == 32 and len(moving) == 8
    assert "4. O-O" in svg and "Anna &amp; Co" in svg and "<script" not in svg
    with_controls = draw(mola, "--animate", str(game), "--theme", "slate", "--controls")
    assert ElementTree.fromstring(with_controls)[-1].text.startswith("(() => {const pace = 1.2, last = 7,")
    assert with_controls.startswith(svg.rstrip().removesuffix("</svg>"))


def test_an_animated_game_marks_checks(mola, tmp_path):
    game = tmp_path / "game.pgn"
    game.write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    svg = draw(mola, "--animate", str(game))
    glow = next(part for part in ElementTree.fromstring(svg).iter() if part.get("class") == "check")
    seen = {part.get("attributeName"): part.get("values").split(";") for part in glow}
    # The white king on e1, from the last move on.
    assert (seen["x"][-1], seen["y"][-1], seen["visibility"]) == ("180", "315", ["hidden", "visible"])
    assert 'class="check"' not in draw(mola, "--animate", str(game), "--no-check")


def test_an_animated_game_shows_what_is_in_hand(mola, tmp_path):
    """Pockets and checks to be given appear and go with the moves."""
    game = tmp_path / "game.pgn"
    game.write_text('[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxd2+ 4. Bxd2 P@e4 5. Q@d4 *\n')
    svg = draw(mola, "--animate", str(game))
    ElementTree.fromstring(svg)
    # White has a pawn after its second move, and both have something after each of the five moves that change it then.
    assert svg.count('class="pocket"') == 1 + 2 * 5 and 'id="queen"' in svg
    game.write_text('[Variant "Three-check"]\n\n1. e4 e5 2. Bc4 Nf6 3. Bxf7+ *\n')
    svg = draw(mola, "--animate", str(game))
    assert svg.count('r="8"') == 2 * 3 + 3 + 2
    assert 'class="pocket"' not in draw(mola, "--animate", str(game), "--theme", "slate")


def test_marks_that_cannot_be_drawn_are_refused(mola):
    for mark in ("e4=±", "e4=", "a8=$3"):
        done = subprocess.run([mola, "svg", "--nag", mark], capture_output=True, text=True)
        assert done.returncode == 2 and "cannot be drawn; signs such as !, ?, = and + can" in done.stderr, mark


def test_moves_off_the_board_are_refused(mola):
    done = subprocess.run([mola, "svg", "--last-move", "e2e9"], capture_output=True, text=True)
    assert done.returncode == 2 and "is not a move such as e2e4" in done.stderr


def test_captions_that_need_a_font_are_told(mola, tmp_path):
    for name, caption, told in (("a.png", "Prize: $100", True), ("b.png", "Müller – Łasker", False)):
        done = subprocess.run([mola, "svg", "--caption", caption, "-o", tmp_path / name], capture_output=True, text=True)
        assert done.returncode == 0 and ("only SVG can show" in done.stderr) == told, done.stderr


def test_a_caption_that_is_left_out_leaves_no_room(mola, tmp_path):
    def height(*arguments):
        png = tmp_path / "board.png"
        subprocess.run([mola, "svg", *arguments, "--size", "240", "-o", png, "--force"], check=True, capture_output=True)
        return int.from_bytes(png.read_bytes()[20:24])

    assert height("--caption", "Карлсен") == height() == 240 < height("--caption", "Carlsen")
    assert height("--eval", "1", "--caption", "Карлсен") == height("--eval", "1")


def test_a_damaged_game_is_told(mola, tmp_path):
    game = tmp_path / "bad.pgn"
    game.write_text("1. e4 e5\n2. Ke3 *\n")
    run = subprocess.run([mola, "svg", "--animate", game], capture_output=True, text=True)
    assert run.returncode == 0 and "1... e5" in run.stdout
    assert run.stderr.startswith(f"{game}:2:4: ") and "Ke3" in run.stderr


@pytest.mark.parametrize(
    "arguments",
    [["x"], ["startpos", "e5"], ["--arrow", "z9"], ["--fill", "e4"], ["--animate", "/nowhere.pgn"],
     ["--fill", "e4=notacolour"], ["--arrow", "e2e4=x"], ["--color", "square dark=x"], ["--piece", "X"],
     ["--compat", "python-chess", "--color", "frame=red"], ["--out", "x.jpg"], ["--out", "x.PDF"], ["startpos", "--controls"], ["startpos", "--pace", "3"],
     *(["--piece", "N", *words] for words in (["--arrow", "e2e4"], ["--caption", "c"], ["--eval", "1"])),
     *(["--animate", "game.pgn", *words] for words in (["--nag", "e4=!!"], ["--variant", "atomic"]))],
)
def test_bad_arguments_are_told(mola, arguments):
    run = subprocess.run([mola, "svg", *arguments], capture_output=True, text=True)
    assert run.returncode != 0 and run.stderr and not run.stdout


@pytest.mark.parametrize("piece", "KQRBNPkqrbnp")
def test_one_piece(mola, piece):
    svg = draw(mola, "--piece", piece, "--size", "90", "--theme", "slate")
    root = ElementTree.fromstring(svg)
    assert (root.get("viewBox"), root.get("width")) == ("0 0 45 45", "90")
    assert [child.get("class") for child in root] == ["white" if piece.isupper() else "black"]


def test_bad_records_keep_their_place(mola):
    lines = '{"fen":null,"kwargs":{}}\n{"fen":"x","kwargs":{}}\n'
    run = subprocess.run([mola, "svg", "--batch"], input=lines, capture_output=True, text=True)
    assert [json.loads(line)["ok"] for line in run.stdout.splitlines()] == [True, False]
