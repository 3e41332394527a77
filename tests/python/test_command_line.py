"""What commands have in common: exit codes, inputs, and how they name a place."""

import os
import re
import resource
import subprocess
import tempfile
from pathlib import Path

import pytest

BAD = '[Event "x"]\n\n1. e4 e5 2. Nf6 *\n'
GOOD = '[Event "x"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n'
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
SUITE = f"epd {START}\nperft 3 8902\n"


def run(mola, command, *more, text="", cwd=None):
    words = command.split() if isinstance(command, str) else command
    stdin = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([mola, *words, *more], input=stdin, capture_output=True, timeout=30, cwd=cwd)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bad.pgn").write_text(BAD)
    (tmp_path / "good.pgn").write_text(GOOD)
    (tmp_path / "w.epd").write_text(f"{START} bm e4;\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "pgn parse", "pgn parse --compat python-chess", "pgn stats", "pgn filter good.pgn --queries", "epd --file", "perft --suite",
        "analyse --depth 1", "match --from", "match a b --nodes 1 --book", "svg --animate", "book make --out b.bin",
    ],
)  # fmt: skip
@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_named(mola, folder, command, code):
    """Some shells of Windows write it into files."""
    (folder / "wide").write_bytes(f"\ufeff{GOOD}".encode(code))
    done = run(mola, command, "wide", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "mola: wide: it is UTF-16 text; save it as UTF-8\n"


@pytest.mark.parametrize("command", ["fen -", "epd --file -", "pgn parse", "pgn stats", "perft --suite -", "analyse - --depth 1", "recon replay -"])
def test_utf_16_is_named_on_standard_input(mola, command):
    done = run(mola, command, text=f"\ufeff{START}\n".encode("utf-16-le"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "mola: stdin: it is UTF-16 text; save it as UTF-8\n"


@pytest.mark.parametrize(
    "command",
    ["position", "fen startpos", "san startpos e4", "epd startpos", "analyse w.epd --depth 1", "match a b --nodes 1", "pgn filter", "svg", "perft 1"],
)
def test_an_unknown_variant_is_a_wrong_command_line(mola, folder, command):
    done = run(mola, command, "--variant", "foo", cwd=folder)
    assert done.returncode == 2 and 'unknown variant "foo"; expected one of chess suicide' in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "pgn convert good.pgn --to csv --moves lan", "pgn convert good.pgn --to csv --by year", "pgn convert good.pgn --to parquet --fen",
        "pgn convert good.pgn --to parquet --plies 3", "pgn convert good.pgn --compat python-chess --fix",
        "analyse good.pgn --infinite", "match cmd=x,foo=3 y --nodes 1", "match a b c --nodes 1 --sprt 0,5", "ablate",
        "pgn annotate good.pgn --movetime 0 -o a.pgn", "puzzles good.pgn -o a.csv --to html", "review good.pgn --no-search -o -",
        "fen --start -1", "match a b --nodes 1 --margin -1", f"position {START}", f"svg {START}", f"san {START}",
    ],
)  # fmt: skip
def test_a_wrong_command_line_has_its_exit_code(mola, folder, command):
    before = sorted(folder.iterdir())
    done = run(mola, command, cwd=folder)
    assert done.returncode == 2 and done.stdout == "", done.stderr
    assert not re.search("use '-- |panicked", done.stderr)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "command, ways",
    [
        ("datagen --out x", "--games --positions"),
        ("analyse --depth 1", "FILE --fen"),
        ("fen", "FEN --start"),
        ("epd", "EPD --file"),
        ("perft", "DEPTH --suite"),
        ("review good.pgn", "--output --json"),
        ("tune --out x", "DATA --material"),
        ("ablate", "--feature"),
    ],
)
def test_all_ways_to_say_it_are_named(mola, folder, command, ways):
    done = run(mola, command, cwd=folder)
    assert done.returncode == 2
    first = done.stderr.split("\n\n")[0]
    assert all(way in first for way in ways.split()), first


def test_batch_needs_no_position(mola):
    for command, record in (("fen", f'{{"fen": "{START}"}}'), ("epd", f'{{"epd": "{START}"}}')):
        done = run(mola, command, "--batch", text=record)
        assert done.returncode == 0 and done.stdout.count("\n") == 1, done.stderr
        assert run(mola, command, "--batch", "startpos").returncode == 2


@pytest.mark.parametrize(
    "command, text, found",
    [
        ("analyse - --depth 1", f"{START} bm a3;\n", "missed 1: "),
        ("analyse - --depth 1", GOOD, "game 1, ply 3: "),
        ("match --from -", GOOD, "A against B: 1 game"),
        ("perft --suite -", SUITE, "1 line, 0 wrong, 8902 nodes"),
        ("svg --animate -", GOOD, "<svg"),
        ("pgn parse -", GOOD, '"games"'),
        ("book info -", "", "Entries                      :         0"),
    ],
)
def test_a_hyphen_is_the_standard_input(mola, command, text, found):
    assert found in run(mola, command, text=text).stdout


def test_a_place_has_one_form(mola, folder):
    """`NAME:LINE:COLUMN: ` before what is wrong with a game."""
    for name, text in (("bad.pgn", ""), ("-", BAD)):
        for command in ("pgn validate", "svg -o out.svg --force --animate", "analyse --depth 1", "book make --out b.bin", "match a b --nodes 1 --book"):
            done = run(mola, command, name, text=text, cwd=folder)
            line = next(line for line in done.stderr.splitlines() if "Nf6" in line)
            place = "stdin" if name == "-" else name
            assert re.match(rf"(mola: )?{place}:3:13: (game 1.*: )?Nf6: not a legal move", line), (command, line)


@pytest.mark.parametrize("command", ["fen -", "epd --file -", "perft --suite -", "analyse - --depth 1", "match a b --nodes 1 --book -"])
def test_the_standard_input_has_one_name(mola, command):
    done = run(mola, command, text="8/8\n")
    assert done.returncode == 1 and re.match("(mola: )?stdin:1: ", done.stderr), done.stderr


def test_a_suite_without_counts_fails(mola, folder):
    (folder / "none.perft").write_text(f"# nothing\nepd {START}\n")
    (folder / "some.perft").write_text(SUITE)
    done = run(mola, "perft --suite none.perft", cwd=folder)
    assert done.returncode == 1 and done.stderr == "mola: none.perft: no counts found\n"
    done = run(mola, "perft --suite some.perft --max-nodes 9", cwd=folder)
    assert done.returncode == 1 and "--max-nodes" in done.stderr
    assert run(mola, "perft --suite some.perft", cwd=folder).returncode == 0


def test_positions_read_moves_in_any_notation(mola):
    uci = run(mola, "position startpos e2e4 b8c6 e1e2").stdout
    assert "FEN" in uci and run(mola, "position startpos e4 Nc6 Ke2").stdout == uci


def test_analysis_is_spelt_in_two_ways(mola):
    wanted = run(mola, "analyse --fen startpos --depth 1")
    assert wanted.returncode == 0 and run(mola, "analyze --fen startpos --depth 1").stdout == wanted.stdout


def test_a_player_of_no_game_is_an_error_with_a_plot(mola, folder):
    done = run(mola, "pgn players good.pgn --player Carlson --plot rating.svg", cwd=folder)
    assert done.returncode == 1 and "no game has this player" in done.stderr
    assert not (folder / "rating.svg").exists()


def test_games_from_other_positions_are_analysed_from_there(mola, folder):
    (folder / "mate.pgn").write_text('[FEN "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]\n\n1. Kf2 Kf8 *\n')
    done = run(mola, "analyse mate.pgn --depth 3 --annotate out.pgn", cwd=folder)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("game 1, ply 0: Ra8#, #1 ") and "played Kf2" in lines[0]
    assert lines[2].startswith("game 1, ply 2: ")
    # Each evaluation is behind its move.
    assert re.search(r"\n1\. Kf2 \{\[%eval .*\} 1\.\.\. Kf8 \{\[%eval .*\} \*\n", (folder / "out.pgn").read_text())
    (folder / "mate.pgn").write_text('[FEN "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]\n\n*\n')
    assert run(mola, "analyse mate.pgn --depth 3", cwd=folder).stdout.startswith("game 1, ply 0: Ra8#")


def test_captions_and_colours(mola, folder):
    done = run(mola, ["svg", "--caption", "Line one\nline two", "-o", "a.png"], cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    done = run(mola, "svg --color foo=red")
    assert done.returncode == 2 and "square light lastmove" in done.stderr and "arrow blue" in done.stderr


def test_animations_have_the_colours_of_the_last_move(mola, folder):
    colors = ["--color", "square dark lastmove=#ff00fe", "--color", "square light lastmove=#fe00ff"]
    text = run(mola, ["svg", "--animate", "good.pgn", *colors], cwd=folder).stdout
    assert "#ff00fe" in text and "#fe00ff" in text


def test_the_name_of_a_file_is_no_epd(mola, tmp_path):
    """The option that reads files is told, but only if there is such a file."""
    (tmp_path / "suite.epd").write_text(f"{START} bm e4;\n")
    for name, hint in (("suite.epd", "; to read a file: --file suite.epd\n"), ("other.epd", "is not a piece letter\n")):
        done = subprocess.run([mola, "epd", name], cwd=tmp_path, capture_output=True, text=True, timeout=20)
        assert done.returncode == 1 and "bad FEN" in done.stderr and done.stderr.endswith(hint), done.stderr


def test_help_lists_compat_only_where_it_acts(mola, folder):
    for command, is_listed in (("convert", True), ("parse", True), ("headers", False), ("index", False)):
        told = subprocess.run([mola, "pgn", command, "--help"], capture_output=True, text=True, check=True)
        assert ("--compat" in told.stdout) == is_listed, command
        assert command != "index" or "--lang" not in told.stdout
    for words in (["headers", "--compat", "python-chess"], ["index", "--compat", "python-chess"], ["index", "--lang", "fr"]):
        words = [mola, "pgn", *words, "games.pgn"]
        refused = subprocess.run(words, capture_output=True, text=True, cwd=folder)
        assert refused.returncode == 2 and "in only one way" in refused.stderr, refused.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root is several users")
@pytest.mark.parametrize(
    "command",
    [
        "uci", "xboard", "play", "bench 1 1 2", "pgn stats good.pgn", "pgn index good.pgn", "book make good.pgn --min-game 1 --force --out b.bin",
        "datagen --games 1 --nodes 5 --out d.data", "tune d.data --epochs 1 --width 16 --threads 2 --force --out w",
        "analyse good.pgn --depth 1", "review good.pgn --depth 1 --force --output page.html", "match MOLA MOLA --nodes 5 --games 2",
        "tables generate KRvK --out t", "recon match mola random --seed 1", "recon serve --listen 127.0.0.1:0 --bot mola",
        "recon serve --listen 127.0.0.1:0",
    ],
)  # fmt: skip
def test_a_limit_of_threads_is_no_panic(mola, command):
    """As containers have. The limit is that of a user, whose folders are not those of root."""
    words = command.split()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        (Path(folder) / "good.pgn").write_text(GOOD)
        if words[0] == "tune":
            subprocess.run([mola, "datagen", "--games", "20", "--nodes", "20", "--out", f"{folder}/d.data"], check=True)
        program = os.open(mola, os.O_RDONLY)
        words = [f"cmd=/proc/self/fd/{program} uci" if word == "MOLA" else word for word in words]
        for limit in range(1, 6):
            count = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))  # noqa: B023, E731
            try:
                done = subprocess.run(
                    [f"/proc/self/fd/{program}", *words], input="go depth 2\nquit\n", capture_output=True, text=True,
                    cwd=folder, timeout=3 if "serve" in words else 60, user=54321, group=54321, extra_groups=[],
                    pass_fds=[program], preexec_fn=count,
                )  # fmt: skip
            except subprocess.TimeoutExpired as served:
                assert b"panicked" not in (served.stderr or b""), (limit, served.stderr)
                continue
            assert done.returncode in (0, 1) and "panicked" not in done.stderr, (limit, done.stderr)
            if done.returncode == 1:
                assert re.search("(no thread can|cannot) be started: ", done.stderr), (limit, done.stderr)
        os.close(program)
