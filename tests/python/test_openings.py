"""Names of openings: `mola pgn eco`, `split --by`, `stats`, `position`, terminal play."""

import io
import json
import subprocess

import chess
import chess.pgn
import pytest
from engine import ROOT
from games import run as run_pgn

VOLUMES = ROOT / "toolbox/pgn/data/eco"


@pytest.fixture(scope="module")
def names():
    """ECO code and name by position, as the data's own script builds them: EPDs with legal en passant squares only."""
    names = {}
    for volume in "abcde":
        for line in (VOLUMES / f"{volume}.tsv").read_text().splitlines()[1:]:
            eco, name, moves = line.split("\t")
            board = chess.Board()
            for word in moves.split():
                if not word.endswith("."):
                    board.push_san(word)
            assert board.epd() not in names
            names[board.epd()] = (eco, name, moves)
    return names


def run(mola, *args, **options):
    return run_pgn(mola, *args, **options).stdout.decode()


def split(name):
    family, _, variation = name.partition(": ")
    return family, variation or None


def tags(game):
    return game.headers.get("ECO"), game.headers.get("Opening"), game.headers.get("Variation")


def games(text):
    stream = io.StringIO(text)
    return list(iter(lambda: chess.pgn.read_game(stream), None))


def test_every_line_of_the_data(mola, names):
    text = "\n\n".join(f'[Event "{n}"]\n\n{moves} *' for n, (_, _, moves) in enumerate(names.values()))
    lines = run(mola, "eco", "--whole-name", text=text.encode())
    found = run(mola, "headers", "--tags", "ECO,Opening", text=lines.encode()).splitlines()
    assert [tuple(line.split("\t")[2:]) for line in found] == [value[:2] for value in names.values()]


@pytest.mark.parametrize("name", ["lichess_db_1000k.pgn", "twic1599_1000k.pgn"])
def test_shared_games(mola, data, names, name):
    path = data / "pgn" / name
    was = path.read_text(encoding="latin-1")
    text = run(mola, "eco", path, "-q", "--threads", "2")
    count = 0
    stream, original = io.StringIO(text), io.StringIO(was)
    while (game := chess.pgn.read_game(stream)) is not None and count < 120:
        count += 1
        board, last = game.board(), None
        for move in game.mainline_moves():
            board.push(move)
            last = names.get(board.epd(), last)
        before = chess.pgn.read_game(original)
        assert tags(game) == ((last[0], *split(last[1])) if last else tags(before))
        assert list(before.mainline_moves()) == list(game.mainline_moves())
        kept = {key: value for key, value in before.headers.items() if key not in ("ECO", "Opening", "Variation")}
        assert kept == {key: game.headers[key] for key in kept}
    assert count > 100


def test_odd_games_keep_what_they_have(mola):
    atomic = '[Event "a"]\n[Variant "Atomic"]\n[ECO "X99"]\n\n1. e4 e5 *\n\n'
    position = '[Event "b"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n[SetUp "1"]\n\n1. O-O *\n\n'
    assert run(mola, "eco", "-q", text=(atomic + position).encode()) == atomic + position
    assert run(mola, "eco", "-q", text=b"1. e4 {x} (1. d4) c5 *").endswith("\n\n1. e4 {x} (1. d4) c5 *\n\n")
    moved = run(mola, "eco", "-q", text=b'[Event "c"]\r\n[ECO "A00"]\r\n\r\n1. e4 c5 *\r\n')
    assert tags(games(moved)[0]) == ("B20", "Sicilian Defense", None)
    assert moved.count("ECO") == 1


def test_games_stay_apart(mola, tmp_path):
    """Also a game of tags alone, and those of other files."""
    files = [tmp_path / f"{number}.pgn" for number in range(3)]
    for file, game in zip(files, ('[White "A"]\n[Result "1-0"]\n', '[White "B"]\n\n1. e4 e5 *\n', "Na3 *\n")):
        file.write_text(game)
    text = run(mola, "eco", "-q", *files)
    listed = run(mola, "headers", "--tags", "White,ECO", text=text.encode()).splitlines()
    assert [line.split("\t")[2:] for line in listed] == [["A", ""], ["B", "C20"], ["", "A00"]]
    assert text.startswith('[White "A"]\n[Result "1-0"]\n\n1-0\n\n')


def test_errors_in_variations_are_errors(mola):
    text = b"1. e4 e5 (1... Ke7 2. Nf3) 2. Nf3 (2. f4 exf4) *"
    strict = subprocess.run([mola, "pgn", "eco", "--strict"], input=text, capture_output=True)
    assert strict.returncode == 1 and b"Ke7: not a legal move" in strict.stderr
    assert tags(games(run(mola, "eco", "-q", text=text))[0])[:2] == ("C40", "King's Knight Opening")


def test_split_stats_and_position(mola, tmp_path):
    text = b"1. e4 c5 *\n\n1. e4 c5 2. Nf3 *\n\n1. d4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n"
    run(mola, "split", "--by", "opening", "--output", tmp_path / "o", text=text)
    assert sorted(p.name for p in (tmp_path / "o").iterdir()) == [
        "Queen_s Pawn Game.pgn",
        "Sicilian Defense.pgn",
        "none.pgn",
    ]
    run(mola, "split", "--by", "eco", "--output", tmp_path / "e", text=text)
    assert sorted(p.name for p in (tmp_path / "e").iterdir()) == ["A40.pgn", "B20.pgn", "B27.pgn", "none.pgn"]
    stats = json.loads(run(mola, "stats", "--json", text=text))
    assert stats["openings"] == {"Queen's Pawn Game": 1, "Sicilian Defense": 2}
    line = [mola, "position", "--json", "startpos", "e2e4", "c7c5", "a2a3", "h7h6"]
    inspection = json.loads(subprocess.run(line, capture_output=True, check=True).stdout)
    assert inspection["opening"] == ["B20", "Sicilian Defense: Mengarini Variation"]
