"""`mola play`, through a pipe and on a pseudo-terminal."""

import contextlib
import fcntl
import io
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import termios
import time

import chess
import chess.engine
import chess.pgn
import pytest

from engine import fairymax, program
from games import games_of

COLOR = re.compile(rb"\x1b\[[0-9;]*m")


def scripted(mola: str, *lines: str, args: tuple = (), env: dict | None = None) -> str:
    """The output for lines from a pipe; the exit code must be 0."""
    done = subprocess.run(
        [mola, "play", *args], input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True, timeout=30, env={**os.environ, **(env or {})},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr, "escape codes in a pipe"
    return done.stdout.decode()


def line_of(game: chess.pgn.Game) -> list[str]:
    return [move.uci() for move in game.mainline_moves()]


# Through a pipe


def test_tablebases(mola, data, tmp_path):
    """The built-in ones at first; a folder without tables changes nothing."""
    out = scripted(mola, "fen 8/8/8/3k4/8/8/4Q3/3K4 w - - 0 1", "tb", f"tb {tmp_path}", "tb", "quit")
    assert out.count("Tablebases: a win for the side to move, DTZ ") == 2 and f"{tmp_path}: no tables" in out
    out = scripted(mola, f"tb {data / 'syzygy/regular'}", "quit")
    assert re.search(r"Syzygy tables: \d+ WDL, \d+ DTZ", out) and "no positions with castling rights" in out


def test_a_game_of_two_people(mola, tmp_path):
    """SAN, lenient SAN and coordinates; the PGN has the moves and the result."""
    file = tmp_path / "game.pgn"
    typed = ["f3", "e7e5", "g2-g4", "Qh4#", f"save {file}", "quit"]
    out = scripted(mola, *typed, args=("--color", "both"))
    assert "0-1" in out
    (game,) = games_of(file)
    assert line_of(game) == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert game.headers["Result"] == "0-1"
    assert game.end().board().is_checkmate()


@pytest.mark.parametrize(
    "fen, typed, expected",
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["O-O", "0-0-0"], ["e1g1", "e8c8"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1g1", "e8c8"], ["e1g1", "e8c8"]),
        ("8/P6k/8/8/8/8/p6K/8 w - - 0 1", ["a8=Q", "a1n"], ["a7a8q", "a2a1n"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ["exd6"], ["e5d6"]),
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", ["nge2"], ["g1e2"]),
    ],
)
def test_moves_are_read_as_people_write_them(mola, tmp_path, fen, typed, expected):
    file = tmp_path / "game.pgn"
    scripted(mola, *typed, f"save {file}", args=("--color", "both", "--fen", fen))
    assert line_of(games_of(file)[0]) == expected


def test_the_engine_answers(mola, tmp_path):
    file = tmp_path / "game.pgn"
    scripted(mola, "e4", "a3", f"save {file}", "quit", args=("--depth", "2"))
    (game,) = games_of(file)
    line = line_of(game)
    assert len(line) == 4 and line[0] == "e2e4" and line[2] == "a2a3"
    assert "Mola" in game.headers["Black"]


def test_the_engine_opens_with_white(mola):
    out = scripted(mola, "fen", "quit", args=("--color", "black", "--depth", "2"))
    (placement,) = re.findall(r"(?m)^(\S+) b KQkq ", out)
    reached = set()
    for move in chess.Board().legal_moves:
        board = chess.Board()
        board.push(move)
        reached.add(board.board_fen())
    assert placement in reached


def test_wrong_moves_say_why_and_change_nothing(mola, tmp_path):
    file = tmp_path / "game.pgn"
    wrong = ["e5", "Ke2", "Nd4", "xyzzy", "e2e5", "O-O", "", "   ", "\u265e\u265e"]
    out = scripted(mola, *wrong, "e4", f"save {file}", args=("--color", "both"))
    assert line_of(games_of(file)[0]) == ["e2e4"]
    for word in ("e5", "Ke2", "xyzzy"):
        assert re.search(rf"{word}: .+", out), word


def test_an_ambiguous_move_names_its_readings(mola):
    fen = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
    out = scripted(mola, "Nd2", args=("--color", "both", "--fen", fen))
    assert "Nbd2" in out and "Nfd2" in out


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\0packed", b"fn main() {}\n", b"PK\x03\x04", b"[\0E\0"])
def test_games_are_added_to_games_alone(mola, tmp_path, content):
    file = tmp_path / "file"
    file.write_bytes(content)
    out = scripted(mola, "e4", f"save {file}", "quit", args=("--color", "both"))
    assert f"{file}: it begins with no tag, comment or move number, as games in PGN do" in out
    assert file.read_bytes() == content
    for content in (b"", b"\n", b"\xef\xbb\xbf[Event \"?\"]\n\n1. d4 *\n", b"1. d4 *\n"):
        file.write_bytes(content)
        scripted(mola, "e4", f"save {file}", "quit", args=("--color", "both"))
        assert line_of(games_of(file)[-1]) == ["e2e4"]


def test_undo_and_redo(mola, tmp_path):
    one, two = tmp_path / "one.pgn", tmp_path / "two.pgn"
    typed = [
        "e4",
        "e5",
        "Nf3",
        "undo",
        "undo",
        f"save {one}",
        "redo",
        f"save {two}",
        "undo",
        "undo",
        "undo",
        "undo",
    ]
    scripted(mola, *typed, args=("--color", "both"))
    assert line_of(games_of(one)[0]) == ["e2e4"]
    assert line_of(games_of(two)[0]) == ["e2e4", "e7e5"]


def test_undo_against_the_engine_takes_both_moves(mola, tmp_path):
    file = tmp_path / "game.pgn"
    scripted(mola, "e4", "undo", "d4", f"save {file}", args=("--depth", "2"))
    line = line_of(games_of(file)[0])
    assert line[0] == "d2d4" and len(line) == 2


def test_hint_is_a_legal_move(mola):
    out = scripted(mola, "hint", "quit", args=("--depth", "3", "--color", "both"))
    moves = {chess.Board().san(move) for move in chess.Board().legal_moves}
    assert moves & set(re.findall(r"[A-Za-z0-9+#=-]+", out.splitlines()[-1]))


def test_scores_say_whose_they_are(mola):
    """White's, as those of `analyse` are."""
    mated = "6k1/8/8/8/8/r7/1r6/6K1 b - - 0 1"
    out = scripted(mola, "hint", "quit", args=("--depth", "6", "--fen", mated, "--color", "black"))
    assert "Ra1#  (#-1 for White)" in out


def test_flip_turns_the_board(mola):
    def ranks(out: str) -> list[int]:
        return [int(n) for n in re.findall(r"(?m)^\s*([1-8])\s", out)]

    assert ranks(scripted(mola, args=("--color", "both")))[:8] == list(range(8, 0, -1))
    assert ranks(scripted(mola, "flip", args=("--color", "both")))[8:16] == list(range(1, 9))


def test_ascii_and_unicode(mola):
    assert "\u265a" in scripted(mola) or "\u2654" in scripted(mola)
    assert scripted(mola, args=("--ascii",)).isascii()


def test_every_command_is_survived(mola, tmp_path):
    """With valid, invalid or no arguments; the game continues."""
    file = tmp_path / "game.pgn"
    help_text = scripted(mola, "help")
    cells = [cell for line in help_text.splitlines() for cell in (line[2:41], line[42:])]
    words = [word for cell in cells for word in re.findall(r"^([a-z]+) ", cell)]
    assert {"undo", "hint", "flip", "save", "quit", "level", "time"} <= set(words)
    typed = []
    for word in words:
        if word not in ("quit", "analyze", "go", "hint", "load", "save"):
            typed += [word, f"{word} -1", f"{word} \u265e", f"/{word} 99999999999999999999"]
    typed += ["load", f"load {tmp_path}/none.pgn", "save", f"save {tmp_path}", "analyze 0.1"]
    scripted(mola, *typed, "new", "e4", f"save {file}", args=("--color", "both", "--depth", "1"))
    assert line_of(games_of(file)[-1])[0] == "e2e4"


def test_saved_games_load_again(mola, tmp_path):
    file, again = tmp_path / "game.pgn", tmp_path / "again.pgn"
    scripted(mola, "e4", "c5", "Nf3", f"save {file}", args=("--color", "both"))
    scripted(mola, f"load {file}", "d6", f"save {again}", args=("--color", "both"))
    assert line_of(games_of(again)[0]) == ["e2e4", "c7c5", "g1f3", "d7d6"]


def test_a_full_disk_keeps_the_saved_game(mola, tmp_path):
    """The longer version does not fit: what was saved before stays."""
    short, file = tmp_path / "short.pgn", tmp_path / "game.pgn"
    line = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 Nxe4".split()
    more = "O-O Bxc3 d5 Bf6 Re1 Ne7 Rxe4 d6".split()
    scripted(mola, *line, f"save {short}", args=("--color", "both"))
    size = short.stat().st_size + 20
    script = "\n".join([*line, f"save {file}", *more, f"save {file}", "quit"]) + "\n"

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    words = [mola, "play", "--color", "both"]
    done = subprocess.run(words, input=script, capture_output=True, text=True, timeout=30, preexec_fn=limit)
    assert "File too large" in done.stdout + done.stderr
    assert [len(line_of(game)) for game in games_of(file)] == [len(line)]


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="there is no folder in which nobody can make a file")
def test_a_folder_that_cannot_be_written_is_told_before_the_game(mola):
    words = [mola, "play", "--depth", "1", "--pgn", "/proc/game.pgn"]
    done = subprocess.run(words, input="e4\nresign\nquit\n", capture_output=True, text=True, timeout=30)
    assert done.returncode == 1 and "/proc/game.pgn: " in done.stderr and "Mola plays" not in done.stdout


def test_chess960_is_saved_with_its_start(mola, tmp_path):
    file = tmp_path / "game.pgn"
    args = ("--chess960", "0", "--color", "both")
    scripted(mola, "e4", "e5", f"save {file}", args=args)
    (game,) = games_of(file)
    assert game.board().chess960
    assert game.board().board_fen() == chess.Board.from_chess960_pos(0).board_fen()


def test_the_file_of_games_is_checked_before_the_first_move(mola, tmp_path):
    other = tmp_path / "other"
    other.write_bytes(b"\x00something else")
    for file, why in ((tmp_path, "directory"), (tmp_path / "no/games.pgn", "No such file"), (other, "no tag, comment")):
        done = subprocess.run([mola, "play", "--pgn", file], input=b"e4\n", capture_output=True, timeout=30)
        assert done.returncode == 1 and done.stdout == b"" and why in done.stderr.decode()
    assert other.read_bytes() == b"\x00something else" and len(list(tmp_path.iterdir())) == 1


def test_the_pgn_flag_keeps_the_game_at_end_of_input(mola, tmp_path):
    file = tmp_path / "game.pgn"
    scripted(mola, "e4", args=("--color", "both", "--pgn", str(file)))
    assert line_of(games_of(file)[0]) == ["e2e4"]


def test_every_game_is_kept_once(mola, tmp_path):
    """Finished and abandoned games and the last one; a game saved twice is there once."""
    file, saved = tmp_path / "games.pgn", tmp_path / "saved.pgn"
    typed = ["f3", "e5", "g4", "Qh4#", "new", "d4", "new", "new", "e4", f"save {saved}", "e5",
             f"save {saved}", f"save {saved}"]  # fmt: skip
    scripted(mola, *typed, args=("--color", "both", "--pgn", str(file)))
    lines = [line_of(game) for game in games_of(file)]
    assert lines == [["f2f3", "e7e5", "g2g4", "d8h4"], ["d2d4"], ["e2e4", "e7e5"]]
    assert [line_of(game) for game in games_of(saved)] == [["e2e4", "e7e5"]]
    # Another session appends.
    scripted(mola, "c4", args=("--color", "both", "--pgn", str(file)))
    assert [line_of(game) for game in games_of(file)][-2:] == [["e2e4", "e7e5"], ["c2c4"]]


def test_a_line_that_was_saved_is_kept(mola, tmp_path):
    """After other moves; the same game with more moves takes its place."""
    file = tmp_path / "lines.pgn"
    save = f"save {file}"
    scripted(mola, "e4", save, "undo", "d4", save, "d5", save, args=("--color", "both"))
    assert [line_of(game) for game in games_of(file)] == [["e2e4"], ["d2d4", "d7d5"]]


def test_no_game_is_added_to_json(mola, tmp_path):
    file = tmp_path / "state.json"
    for text in ('{\n  "seed": 1\n}\n', "[1, 2]\n"):
        file.write_text(text)
        out = scripted(mola, "e4", f"save {file}", args=("--color", "both"))
        assert "it begins with no tag, comment or move number, as games in PGN do" in out and file.read_text() == text
    for text in ('[Event "x"]\n\n1. e4 *\n\n', "{A comment} 1. e4 *\n\n"):
        file.write_text(text)
        scripted(mola, "e4", f"save {file}", args=("--color", "both"))
        assert len(games_of(file)) == 2, text


def test_a_mate_taken_back_is_one_game(mola, tmp_path):
    file = tmp_path / "games.pgn"
    typed = ["f3", "e5", "g4", "Qh4#", "undo", "d5"]
    scripted(mola, *typed, args=("--color", "both", "--pgn", str(file)))
    assert [line_of(game) for game in games_of(file)] == [["f2f3", "e7e5", "g2g4", "d7d5"]]


def test_a_mate_taken_back_can_be_made_again(mola, tmp_path):
    """So the file keeps it, until another move is made in its place."""
    mate = ["f2f3", "e7e5", "g2g4", "d8h4"]
    for number, (typed, line) in enumerate([
        (["undo"], mate),
        (["undo", "undo", "undo", "undo"], mate),
        (["undo", "undo", "redo", "redo"], mate),
        (["undo", "Qh4#"], mate),
        (["undo", "undo", "e4"], [*mate[:2], "e2e4"]),
        (["undo", "d5", "undo"], mate[:3]),
    ]):  # fmt: skip
        file = tmp_path / f"{number}.pgn"
        scripted(mola, "f3", "e5", "g4", "Qh4#", *typed, args=("--color", "both", "--pgn", str(file)))
        assert [line_of(game) for game in games_of(file)] == [line], typed
    # A game that was resigned is open again after it.
    scripted(mola, "e4", "resign", "undo", "redo", args=("--color", "both", "--pgn", str(file)))
    assert games_of(file)[-1].headers["Result"] == "*"


def test_a_loaded_game_is_saved_once_it_differs(mola, tmp_path):
    file = tmp_path / "games.pgn"
    args = ("--color", "both", "--pgn", str(file))
    scripted(mola, "f3", "e5", "g4", "Qh4#", "new", "e4", "resign", args=args)
    before = file.read_bytes()
    for typed in (["load {} 1"] * 2, ["load {} 2"] * 2, ["load {} 1", "undo"], ["load {} 1", "undo", "redo", "new"]):
        scripted(mola, *(line.format(file) for line in typed), args=args)
        assert file.read_bytes() == before, typed
    scripted(mola, f"load {file} 1", "undo", "d5", f"load {file} 2", "c5", args=args)
    assert file.read_bytes().startswith(before)
    assert [line_of(game) for game in games_of(file)[2:]] == [["f2f3", "e7e5", "g2g4", "d7d5"], ["e2e4", "c7c5"]]


MATE_IN_ONE = "7k/5K2/8/6Q1/8/8/8/8 w - - 9 80"


def test_settings_for_the_next_game_leave_the_last_one_as_it_was(mola, tmp_path):
    """Its names and its time control, wherever it is written again."""
    file, again = tmp_path / "games.pgn", tmp_path / "again.pgn"
    args = ("--level", "5", "--pgn", str(file))
    scripted(mola, "Qg7#", "level 6", "time 1+1", f"save {again}", "new", args=(*args, "--fen", MATE_IN_ONE))
    for path in (file, again):
        (game,) = games_of(path)
        assert game.headers["Black"].endswith("level 5") and game.headers["TimeControl"] == "-", path
    file.unlink()
    out = scripted(mola, "e4", "resign", "go", "pgn", args=args)
    assert "The game is over: `undo`" in out
    for game in (*games_of(file), chess.pgn.read_game(io.StringIO(out[out.index("[Event") :]))):
        assert (game.headers["White"], game.headers["Result"]) == ("You", "0-1")
    # A game that goes on has the settings of now.
    scripted(mola, "Qg7#", "level 6", "undo", "Qg6", args=(*args, "--fen", MATE_IN_ONE))
    assert games_of(file)[-1].headers["Black"].endswith("level 6")


def test_a_game_that_is_over_is_saved_once(mola, tmp_path):
    """Also when another program has added games meanwhile; one that could not be saved is tried again."""
    file = tmp_path / "games.pgn"
    words = [mola, "play", "--color", "both", "--pgn", file]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write("e4\nresign\nfen\n")
        process.stdin.flush()
        for line in process.stdout:
            if " b KQkq " in line:
                break
        else:
            pytest.fail("the session has ended")
        before = file.read_bytes()
        file.write_bytes(before + b"1. d4 *\n")
        process.communicate("new\nquit\n", timeout=20)
    assert file.read_bytes() == before + b"1. d4 *\n"
    scripted(mola, f"load {file} 2", "resign", f"load {file} 2", "resign", args=("--color", "both", "--pgn", str(file)))
    assert [line_of(game) for game in games_of(file)[2:]] == [["d2d4"]] * 2


def test_redo_and_load_keep_what_is_noted_of_moves(mola, tmp_path):
    file, again = tmp_path / "game.pgn", tmp_path / "again.pgn"
    out = scripted(mola, "e4", "undo", "redo", "pgn", args=("--depth", "2"))
    assert "[%eval" in out[out.index("[Event") :]
    file.write_text("1. e4 {[%eval 0.31,20] [%clk 0:01:00]} e5 {x [%eval #-3]} 2. Nf3 *\n")
    scripted(mola, f"load {file}", "undo", "undo", "redo", f"save {again}", args=("--color", "both"))
    (game,) = games_of(again)
    noted = [(node.eval_depth(), node.clock(), node.eval()) for node in game.mainline()]
    black_mates = chess.engine.PovScore(chess.engine.Mate(-3), chess.WHITE)
    assert [it[:2] for it in noted] == [(20, 60.0), (None, None)] and noted[1][2] == black_mates


RESIGNED = """[Event "Hastings"]
[Site "?"]
[Date "1980.12.29"]
[Round "3"]
[White "Adams, M"]
[Black "Short"]
[Result "1-0"]
[WhiteElo "2500"]
[TimeControl "40/7200"]
[Annotator "Speelman"]
[PlyCount "4"]
[Termination "normal"]

{A quiet start.} 1. e4 {[%clk 1:00:00] best by test} 1... e5 (1... c5 2. Nf3
{main line}) 2. Nf3 $1 Nc6 {resigns} 1-0
"""


def test_a_loaded_game_is_kept_whole(mola, tmp_path):
    file, again = tmp_path / "game.pgn", tmp_path / "again.pgn"
    file.write_text(RESIGNED)
    typed = ([], ["undo", "redo"], ["resign"], ["flip", "eval"])
    for lines in typed:
        again.unlink(missing_ok=True)
        out = scripted(mola, f"load {file}", *lines, f"save {again}", args=("--color", "both"))
        assert again.read_text().rstrip() == RESIGNED.rstrip(), lines
        assert "1-0  the result in the file" in out and f"saved in {again}." in out
    # A game without a result is no other.
    file.write_text("1. e4 {x} e5 *\n")
    out = scripted(mola, f"load {file}", "pgn", args=("--color", "both"))
    assert "1. e4 {x} 1... e5 *" in out and "the result in the file" not in out


def test_what_is_no_longer_true_of_a_loaded_game_goes(mola, tmp_path):
    file, again = tmp_path / "game.pgn", tmp_path / "again.pgn"
    file.write_text(RESIGNED)
    out = scripted(mola, f"load {file}", "Bb5", f"save {again}", args=("--color", "both"))
    (game,) = games_of(again)
    assert game.headers["Result"] == "*" and game.headers["Termination"] == "unterminated"
    assert game.headers["WhiteElo"] == "2500" and game.headers["Annotator"] == "Speelman"
    assert "PlyCount" not in game.headers and game.headers["TimeControl"] == "-"
    assert line_of(game) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
    assert game.comment == "A quiet start." and game.next().variations[1].san() == "c5"
    assert game.next().next().next().nags == {1}
    assert "without what its file has of it: the result 1-0, the tags TimeControl, PlyCount." in out
    # Moves that were only taken back are left out, others become a variation.
    out = scripted(mola, f"load {file}", "undo", "undo", f"save {again}", args=("--color", "both"))
    assert "the result 1-0, the last 2 plies, " in out and line_of(games_of(again)[1]) == ["e2e4", "e7e5"]
    scripted(mola, f"load {file}", "undo", "d6", f"save {again}", args=("--color", "both"))
    game = games_of(again)[2]
    assert line_of(game)[3:] == ["d7d6"] and game.next().next().next().variations[1].comment == "resigns"
    scripted(mola, f"load {file}", "undo", "undo", "undo", "c5", f"save {again}", args=("--color", "both"))
    game = games_of(again)[3]
    assert line_of(game) == ["e2e4", "c7c5"] and game.next().variations[1].san() == "e5"


def test_variations_that_a_saved_game_leaves_out_are_told(mola, tmp_path):
    """PGN has no place for variations after the last move."""
    file, again = tmp_path / "game.pgn", tmp_path / "again.pgn"
    file.write_text("1. e4 e5 (1... c5 2. Nf3 (2. c3) d6 {main idea} 3. d4 cxd4) 2. Nf3 (2. f4) Nc6 *\n")

    def told(*lines):
        out = scripted(mola, f"load {file}", *lines, f"save {again}", args=("--color", "both"))
        return re.search(r"The game is saved in \S+?(?:, without what its file has of it: (.*))?\.\n", out)[1]

    assert told("undo", "undo", "undo", "c5") == "5 plies of variations"
    assert told("undo", "undo", "undo", "c5 Nf3 d6 d4 cxd4") is None
    assert told("undo", "undo") == "the last 2 plies, 1 ply of variations"
    assert told("undo") == "the last ply"
    assert told("undo", "undo", "Bc4") is None


def test_the_result_of_a_variation_ends_no_game_that_goes_on(mola, tmp_path):
    file, again = tmp_path / "game.pgn", tmp_path / "again.pgn"
    file.write_text("1. e4 e5 (1... c5 2. Nf3 1-0) *\n")
    out = scripted(mola, f"load {file}", "undo", "c5 Nf3 d6", f"save {again}", args=("--color", "both"))
    assert "without what its file has of it: the result of a variation." in out
    (game,) = games_of(again)
    assert game.headers["Result"] == "*" and line_of(game) == ["e2e4", "c7c5", "g1f3", "d7d6"]
    assert game.next().variations[1].san() == "e5"


def test_a_loaded_game_that_is_resigned_after_a_move_is_taken_back_is_kept(mola, tmp_path):
    file, games = tmp_path / "game.pgn", tmp_path / "games.pgn"
    file.write_text("1. e4 e5 2. Nf3 Nc6 1-0\n")
    typed = (f"load {file}", "undo", "resign")
    scripted(mola, *typed, args=("--color", "both", "--pgn", str(games)))
    (game,) = games_of(games)
    assert game.headers["Result"] == "1-0" and line_of(game) == ["e2e4", "e7e5", "g1f3"]
    scripted(mola, f"load {file}", "undo", args=("--color", "both", "--pgn", str(games)))
    assert len(games_of(games)) == 1


def test_a_line_of_moves_goes_on_after_the_end_of_the_file(mola, tmp_path):
    file = tmp_path / "game.pgn"
    file.write_text("1. e4 e5 2. Nf3 Nc6 1-0\n")
    typed = (f"load {file}", "undo", "undo", "Nf3 Nc6 Bb5 a6", "history")
    out = scripted(mola, *typed, args=("--color", "both"))
    assert "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6" in out and "Left out" not in out
    out = scripted(mola, f"load {file}", "undo", "undo", "Nf3 Nc6", args=("--color", "both"))
    assert out.count("1-0  the result in the file") == 2


def test_a_game_that_its_file_ended_goes_on(mola, tmp_path):
    """By a move or by `go`; until then Mola does not move."""
    file = tmp_path / "game.pgn"
    file.write_text('[Result "0-1"]\n\n1. e4 e5 2. Nf3 {White gives up} 0-1\n')
    out = scripted(mola, f"load {file}", "history", args=("--depth", "1"))
    assert "A move or `go` continues the game" in out and "Mola plays" not in out
    out = scripted(mola, f"load {file}", "go", args=("--depth", "1"))
    assert "Mola plays 2... " in out
    out = scripted(mola, f"load {file}", "Nc9", "Nc6", "history", args=("--color", "both"))
    assert "Nc9: not a move" in out and "1. e4 e5 2. Nf3 Nc6" in out


def test_words_that_mean_nothing_are_told(mola):
    out = scripted(mola, "e4", "undo 3", "resign maybe", "flip foo", "history", "analyse x", args=("--color", "both"))
    assert [out.count(f"`{name}` takes no arguments.") for name in ("undo", "resign", "flip")] == [1, 1, 1]
    assert "0-1" not in out and "\n1. e4\n" in out and "A number of seconds is expected." in out


def test_the_level_that_was_set_is_told(mola):
    assert "Mola plays at level 3, about " in scripted(mola, "level 3", "level")
    assert "Mola plays at level 20;" in scripted(mola, "level")
    assert "Mola plays at about 900;" in scripted(mola, "elo 900", "level")


def test_the_engine_that_plays_is_told(mola):
    out = scripted(mola, "depth 3", args=("--engine", f"'{mola}' uci"))
    assert " searches 3 plies deep." in out and "Mola searches" not in out


def test_load_keeps_opponent_and_names(mola, tmp_path):
    file, again = tmp_path / "two.pgn", tmp_path / "again.pgn"
    file.write_text(
        '[White "Anna"]\n[Black "Boris"]\n\n1. e4 e5 *\n\n'
        '[White "Carla"]\n[Black "Dora"]\n\n1. d4 d5 *\n'
    )
    out = scripted(mola, f"load {file} 2", "c4", f"save {again}", args=("--depth", "2"))
    assert "Game 2 of 2: Carla - Dora" in out
    (game,) = games_of(again)
    assert (game.headers["White"], game.headers["Black"]) == ("Carla", "Dora")
    line = line_of(game)
    assert line[:3] == ["d2d4", "d7d5", "c2c4"] and len(line) == 4, "Mola plays on"
    out = scripted(mola, f"load {file} 3", f"load {tmp_path}/none.pgn")
    assert "2 games" in out and "no such file" in out.lower() and "os error" not in out


def test_the_board_is_shown_before_the_engine_thinks(mola):
    out = scripted(mola, "e4", "quit", args=("--depth", "2", "--ascii"))
    assert out.count("a  b  c  d  e  f  g  h") == 3, "the start, your move, its move"


@pytest.mark.parametrize(
    "fen, typed, reason",
    [
        ("k2r4/8/8/8/8/8/3N4/3K4 w - - 0 1", "Nf3", "in check from the rook on d8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "O-O", "has moved"),
        ("3r3k/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "the rook on d8 attacks d1"),
    ],
)
def test_why_a_move_is_illegal(mola, fen, typed, reason):
    assert reason in scripted(mola, typed, args=("--color", "both", "--fen", fen))


def test_a_line_of_moves_is_played(mola):
    out = scripted(mola, "1. e4 e5 2. Nf3", "history", "d6 {x} 3. d4 exd4 *", "history", args=("--color", "both"))
    assert "\n1. e4 e5 2. Nf3\n" in out and "1. e4 e5 2. Nf3 d6 3. d4 exd4" in out
    out = scripted(mola, "1. e4 e5 2. Nf4 d6", "history", args=("--color", "both"))
    assert "Nf4: no knight can go to f4" in out and "No moves yet." in out, "all of them or none"
    out = scripted(mola, "1. e4 e5 2. Nf3", "history", args=("--depth", "1"))
    assert re.search(r"(?m)^1\. e4 e5 2\. Nf3 \S+$", out), "Mola plays on"


def test_a_line_of_moves_ends_with_the_game(mola):
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 3
    out = scripted(mola, shuffle, "e4 e5", "history", args=("--color", "both"))
    assert "1/2-1/2  threefold repetition\nLeft out: 4 moves after the end." in out
    assert "The game is over" in out and "4. Ng1 Ng8\n" in out


def test_a_game_that_is_over_has_no_hint(mola):
    typed = ("Qg7#", "hint", "analyze 1")
    out = scripted(mola, *typed, args=("--ascii", "--depth", "2", "--fen", MATE_IN_ONE))
    assert out.count("1-0  checkmate") == 3


def test_start_positions_of_chess960_are_drawn(mola):
    out = scripted(mola, *["new 960", "fen"] * 8, args=("--color", "both"))
    assert len(set(re.findall(r"(?m)^\S+ w KQkq - 0 1$", out))) > 1


def test_chess960_is_a_variant_by_name(mola):
    fens = set()
    for args in ("--variant", "chess960"), ("--variant", "atomic"):
        out = scripted(mola, *["new chess960", "fen", "moves"] * 4, args=("--color", "both", *args))
        fens |= set(re.findall(r"(?m)^[a-z]{8}/p{8}/8/8/8/8/P{8}/[A-Z]{8} w KQkq - 0 1$", out))
    assert len(fens) > 1
    starts = {scripted(mola, "fen", args=("--color", "both", "--variant", "chess960")) for _ in range(4)}
    assert len(starts) > 1
    castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    out = scripted(mola, "e1h1", "fen", args=("--color", "both", "--variant", "chess960", "--fen", castling))
    assert "4k3/8/8/8/8/8/8/5RK1 b - - 1 1" in out


def test_one_file_by_two_names_has_a_game_once(mola, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scripted(mola, "e4", "save games.pgn", "e5", "save ./games.pgn", args=("--color", "both"))
    assert [line_of(game) for game in games_of(tmp_path / "games.pgn")] == [["e2e4", "e7e5"]]


def test_the_start_position_has_a_name(mola):
    typed = [line for name in ("setup", "fen", "new") for line in ("e4", f"{name} startpos", "fen")]
    out = scripted(mola, *typed, args=("--color", "both"))
    assert out.count(chess.STARTING_FEN) == 3


def test_wrong_numbers_and_files_are_told_in_plain_words(mola, tmp_path):
    file = tmp_path / "game.pgn"
    file.write_text("1. e4 *\n")
    out = scripted(mola, "depth 1000", "depth 255", f"load {file} 0", "book /no/such", "tb /no/such")
    assert "A number of plies from 1 to 255 is expected." in out and "Mola searches 255 plies deep." in out
    assert f"{file}: games are counted from 1" in out
    assert out.count("/no/such: No such file or directory\n") == 2


def test_ascii_has_no_accents(mola):
    typed = ("1. d4 Nf6 2. c4 g6 3. Nc3 d5", "history", "pgn")
    out = scripted(mola, *typed, "\u265e\u00e9", args=("--color", "both", "--ascii"))
    assert out.isascii() and "D80 Grunfeld Defense" in out and 'Opening "Grunfeld Defense"' in out and "?e: " in out
    assert "Gr\u00fcnfeld" in scripted(mola, *typed, args=("--color", "both"))


@pytest.mark.parametrize("args, env", [(("--ascii",), {}), ((), {"LC_ALL": "C"})])
def test_ascii_leaves_games_and_names_of_files_as_they_are(mola, tmp_path, args, env):
    """In a pipe `pgn` writes what `save` does; a message names the file that there is."""
    file, saved, none = tmp_path / "\u016f.pgn", tmp_path / "M\u00fc\u99ac.pgn", tmp_path / "\u99ac"
    file.write_text(
        '[Event "\u041f\u0440\u0430\u0433\u0430 \u2013 open"]\n[White "S\u00f8rensen, \u99ac"]\n\n1. e4 e5 *\n',
        encoding="utf-8",
    )
    typed = (f"load {file}", "pgn", f"save {saved}", f"load {none}", f"load {file} 2", f"save {none}/x", f"book {none}",
             f"book {file}", f"tb {none}")  # fmt: skip
    out = scripted(mola, *typed, args=("--color", "both", *args), env=env)
    assert saved.read_text(encoding="utf-8").rstrip() in out and '[White "S\u00f8rensen, \u99ac"]' in out
    assert f"The game is saved in {saved}." in out and f"{file}: the file has only one game" in out
    assert out.count(f"{none}: ") == 3 and f"{none}/x: " in out and f"{file}: not a Polyglot book" in out
    assert "Sorensen, ? - ?" in out, "a message"


@pytest.mark.parametrize(
    "locale, is_ascii",
    [
        ({"LC_ALL": "C"}, True),
        ({"LC_ALL": "", "LC_CTYPE": "POSIX", "LANG": "C.UTF-8"}, True),
        ({"LC_ALL": "", "LC_CTYPE": "", "LANG": "de_DE.ISO-8859-1"}, True),
        ({"LC_ALL": "en_US.utf8", "LC_CTYPE": "C", "LANG": "C"}, False),
        ({"LC_ALL": "", "LC_CTYPE": "", "LANG": ""}, False),
    ],
)
def test_a_locale_without_unicode_has_letters(mola, locale, is_ascii):
    assert scripted(mola, env=locale).isascii() == is_ascii
    assert not scripted(mola, args=("--theme", "mono"), env=locale).isascii()


def test_words_alone_tell_what_is_set(mola):
    out = scripted(mola, "elo", "elo 1200", "elo", "time", "time 5+3", "time", "?", "exit")
    assert "at full strength" in out and "at about 1200" in out
    assert "The clocks are off" in out and "White 5:00" in out and "Commands:" in out


def test_chess960_stays_in_the_variant(mola):
    out = scripted(mola, "fen", "new 960 1", "fen", "new atomic", "new 960", "fen", "new race", "new 960",
                   args=("--color", "both", "--variant", "crazyhouse", "--chess960", "0"))  # fmt: skip
    fens = [line for line in out.splitlines() if re.search(r" [wb] \S+ - ", line)]
    assert fens[:2] == [
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR[] w KQkq - 0 1",
        "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR[] w KQkq - 0 1",
    ]
    assert len(fens) == 3 and "Racing Kings has no Chess960." in out


@pytest.mark.parametrize(
    "args, why",
    [
        (["--elo", "5000"], "a whole number from 760 to 2200 is expected"),
        (["--variant", "racingkings", "--chess960", "1"], "Racing Kings has no Chess960"),
    ],
)
def test_wrong_arguments(mola, args, why):
    done = subprocess.run([mola, "play", *args], capture_output=True, text=True)
    assert done.returncode == 2 and why in done.stderr


@pytest.mark.parametrize("end", ["resign", "draw"])
def test_the_end_stops_the_clocks(mola, end):
    args = [mola, "play", "--color", "both", "--time", "1"]
    with subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(f"{end}\n")
        process.stdin.flush()
        time.sleep(1.1)
        out, _ = process.communicate("clock\n")
    assert "White 1:00" in out


def test_a_first_move_has_the_increment(mola):
    out = scripted(mola, "clock", "e4", args=("--color", "both", "--time", "0+5"))
    assert "White 0:05" in out and "forfeit" not in out


def test_moves_of_a_book_have_no_score(mola, tmp_path):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 c5 *\n\n1. e4 c5 *\n")
    book = tmp_path / "book.bin"
    command = [mola, "book", "make", games, "--min-game", "1", "--out", book]
    made = subprocess.run(command, capture_output=True)
    assert made.returncode == 0, made.stderr
    out = scripted(mola, f"book {book}", "e4")
    assert "Mola plays 1... c5  (from the book)" in out and "0.00" not in out


def test_an_empty_book_is_refused(mola, tmp_path):
    games, book, empty = (tmp_path / name for name in ("games.pgn", "book.bin", "empty.bin"))
    games.write_text("1. e4 c5 *\n\n1. e4 c5 *\n")
    empty.touch()
    subprocess.run([mola, "book", "make", games, "--min-game", "1", "--out", book], check=True, capture_output=True)
    out = scripted(mola, f"book {empty}", "book", f"book {book}", f"book {empty}", "book")
    assert out.count(f"{empty}: not a Polyglot book, or a damaged one") == 2
    assert "There is no book; `book FILE` opens one." in out, "it is not opened"
    assert out.count("Book: e4 ") == 2 and "does not have this position" not in out, "the last book stays"


def test_printed_pgn_is_legal(mola):
    out = scripted(mola, "e4", "e5", "pgn", args=("--color", "both"))
    game = chess.pgn.read_game(io.StringIO(out[out.index("[Event") :]))
    assert not game.errors and line_of(game) == ["e2e4", "e7e5"]


def test_stalemate_and_repetition_are_announced(mola):
    out = scripted(mola, "Qf7", args=("--color", "both", "--fen", "7k/8/6Q1/8/8/8/8/K7 w - - 0 1"))
    assert "1/2-1/2" in out and "stalemate" in out.lower()
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2
    out = scripted(mola, *shuffle, args=("--color", "both"))
    assert "repetition" in out.lower()


@pytest.mark.parametrize("variant", ["crazyhouse", "atomic", "3check", "horde", "antichess"])
def test_variants_are_played_and_saved(mola, tmp_path, variant):
    file = tmp_path / "game.pgn"
    args = ("--variant", variant, "--color", "both", "--depth", "2")
    scripted(mola, "moves", "hint", "go", f"save {file}", args=args)
    (game,) = games_of(file)
    assert game.board().uci_variant == variant
    assert len(line_of(game)) >= 1


@pytest.mark.parametrize("command", ["gnuchess --uci", "xboard:fairymax", "{mola} uci"])
def test_another_engine_plays(mola, tmp_path, command):
    """Over both protocols; its name is in the PGN."""
    for name, path in (("gnuchess", lambda: program("gnuchess")), ("fairymax", fairymax)):
        if name in command:
            command = command.replace(name, path(), 1)
    file = tmp_path / "game.pgn"
    args = ("--engine", command.format(mola=mola), "--time", "0.1+0.1")
    out = scripted(mola, "e4", "d4", f"save {file}", "quit", args=args)
    (game,) = games_of(file)
    assert len(line_of(game)) == 4, out
    assert game.headers["Black"] in out and game.headers["Black"] != "You"


def test_an_engine_that_cannot_start_is_one_clear_fault(mola):
    args = [mola, "play", "--engine", "/nowhere/engine"]
    done = subprocess.run(args, input=b"", capture_output=True, timeout=20)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and b"/nowhere" in done.stderr
    args = [mola, "play", "--engine", "nowhere"]
    done = subprocess.run(args, input="", capture_output=True, timeout=20, text=True)
    assert done.stderr == "mola: nowhere: cannot be started: program not found\n"


STUCK = """#!/usr/bin/env python3
import sys
for line in sys.stdin:
    if line == "uci\\n":
        print("id name Stuck\\nuciok", flush=True)
    elif line == "isready\\n":
        print("readyok", flush=True)
"""


@pytest.fixture
def stuck(tmp_path):
    """An engine that never moves, nor quits."""
    path = tmp_path / "stuck.py"
    path.write_text(STUCK)
    path.chmod(0o755)
    return str(path)


def test_an_engine_that_hangs_can_be_left(mola, stuck, tmp_path):
    """Long before its time is over."""
    file = tmp_path / "games.pgn"
    with Terminal(mola, "--engine", stuck, "--time", "5+0", "--pgn", str(file)) as terminal:
        terminal.until(PROMPT)
        terminal.type("e4\r")
        terminal.until(rb"(?s)e4.*Black: Stuck")
        os.kill(terminal.process.pid, signal.SIGTERM)
        assert terminal.process.wait(20) == 0
    assert line_of(games_of(file)[0]) == ["e2e4"]


OFFERS = """#!/usr/bin/env python3
import sys
moves, plays = iter(["e7e5", "g8f6"]), False
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "protover":
        print("feature myname=Peaceful ping=1 setboard=1 usermove=1 done=1", flush=True)
    elif word == "ping":
        print("pong", *line.split()[1:], flush=True)
    elif word == "go" or plays and word == "usermove":
        move, plays = next(moves), True
        print("offer draw\\n" * (move == "g8f6") + f"move {move}", flush=True)
    elif word in ("new", "force"):
        plays = False
    elif word == "quit":
        break
"""


@pytest.mark.parametrize("between, ending", [((), "1/2-1/2"), (("undo",), "declines")])
def test_a_draw_that_is_offered_can_be_accepted(mola, tmp_path, between, ending):
    path = tmp_path / "peaceful.py"
    path.write_text(OFFERS)
    path.chmod(0o755)
    out = scripted(mola, "e4", "draw", "d4", *between, "draw", "quit", args=("--engine", f"xboard:{path}"))
    assert "Peaceful declines the draw." in out.split("Nf6")[0]
    assert "Peaceful offers a draw; `draw` accepts it." in out and ending in out.split("offers a draw")[1], out


def test_an_opponent_has_its_own_strength(mola):
    out = scripted(mola, "level 3", "elo 1500", "draw", "quit", args=("--engine", f"{mola} uci", "--color", "black"))
    assert out.count("its strength is one of its options") == 2 and "Mola declines" not in out.replace(" uci", "")


def test_strength_by_rating(mola):
    assert "at about 1500; `level` takes" in scripted(mola, "elo 1500", "level", "quit")
    out = scripted(mola, "elo 1200", "elo 1", "e4", "board", "quit", args=("--elo", "900"))
    assert "about 1200" in out and "expected" in out and "at 1200" in out


def test_the_time_of_a_person_runs_out(mola):
    with Terminal(mola, "--color", "both", "--time", "0.01") as terminal:
        terminal.until(rb"0-1  time forfeit")
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_undo_and_redo_restore_the_clocks(mola):
    with Terminal(mola, "--color", "both", "--time", "0.05") as terminal:
        terminal.until(PROMPT)
        time.sleep(1.1)
        terminal.type("e4\r")
        terminal.until(rb"1-0  time forfeit")
        terminal.type("undo\rclock\r")
        terminal.until(rb"White 0:0[23]  Black 0:03")
        terminal.type("redo\rclock\r")
        terminal.until(rb"White 0:0[12]  Black 0:0[23]")
        # New clocks are of the moves from here on.
        terminal.type("time 10\r")
        terminal.until(rb"White 10:00  Black 10:00")
        terminal.type("undo\rclock\r")
        terminal.until(rb"White (10:00|9:59)  Black 10:00")
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_a_takeback_beyond_new_clocks_refunds_no_time(mola):
    with Terminal(mola, "--color", "both") as terminal:
        terminal.until(PROMPT)
        terminal.type("e4\re5\rtime 1\rundo\rundo\r")
        time.sleep(2.1)
        terminal.type("d4\rd5\rundo\rclock\r")
        terminal.until(rb"White 0:5[0-8]  Black (1:00|0:59)")
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_nobody_loses_on_time_to_a_bare_king(mola):
    with Terminal(mola, "--color", "both", "--fen", "8/8/8/4k3/8/8/8/K6Q w - - 0 1") as terminal:
        terminal.until(PROMPT)
        terminal.type("time 0.01\r")
        time.sleep(0.8)
        terminal.type("Qh5\r")
        terminal.until(rb"1/2-1/2  time forfeit")
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_another_engine_is_told_of_each_game(mola, tmp_path):
    log = tmp_path / "log"
    engine = f"cmd=sh,arg=-c,arg=tee {log} | '{mola}' uci"
    scripted(mola, "e4", "new", "d4", "quit", args=("--depth", "2", "--engine", engine))
    lines = log.read_text().split("\n")
    told = [line for line in lines if line == "ucinewgame" or line.startswith("position")]
    first, second = "position startpos moves e2e4", "position startpos moves d2d4"
    assert told == ["ucinewgame", first, "ucinewgame", second], lines


def test_bytes_that_are_not_text(mola):
    done = subprocess.run(
        [mola, "play", "--color", "both"], capture_output=True, timeout=30,
        input=b"\xff\xfe\n\x00\ne4\r\n" + b"x" * 10_000_000 + b"\nfen\nquit\n",
    )  # fmt: skip
    assert done.returncode == 0
    assert b"/4P3/" in done.stdout
    assert len(done.stdout) < 100_000, "a long line is not echoed"


@pytest.mark.parametrize(
    "args", [("--fen", "rubbish"), ("--level", "0"), ("--time", "abc"), ("--chess960", "960")]
)
def test_bad_flags_are_one_clear_fault(mola, args):
    done = subprocess.run([mola, "play", *args], input=b"", capture_output=True, timeout=10)
    assert done.returncode != 0
    assert done.stderr and b"panicked" not in done.stderr


# On a terminal


class Terminal:
    """`mola play` on a pseudo-terminal, of 80 columns and 24 rows if nothing else is said."""

    def __init__(self, mola: str, *args: str, columns: int = 80, script: str = "", **env: str):
        """A script of a shell with job control starts it by `"$@"`."""
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        self.process = subprocess.Popen(
            [*(["bash", "-mc", script, "bash"] if script else []), mola, "play", *args],
            stdin=slave, stdout=slave, stderr=slave, env={**environment, "TERM": "xterm-256color", **env}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        self.output = b""

    def until(self, pattern: bytes, timeout: float = 15) -> bytes:
        """The output up to the pattern; later output is kept."""
        end = time.monotonic() + timeout
        while not (found := re.search(pattern, self.output)):
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"no {pattern!r} in {self.output[-2000:]!r}"
            with contextlib.suppress(OSError):  # EIO: the other side is closed
                self.output += os.read(self.master, 65536)
        seen, self.output = self.output[: found.end()], self.output[found.end() :]
        return seen

    def read(self, timeout: float) -> bytes:
        """The output within this time, as one string."""
        if self.output:
            got, self.output = self.output, b""
            return got
        ready, _, _ = select.select([self.master], [], [], timeout)
        return os.read(self.master, 65536) if ready else b""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def leave(self) -> int:
        """The exit code; the terminal must be as it was."""
        end = time.monotonic() + 5
        while self.process.poll() is None:  # keep reading, or the engine may block on output
            assert time.monotonic() < end, "still running"
            if select.select([self.master], [], [], 0.05)[0]:
                self.output += os.read(self.master, 65536)
        assert termios.tcgetattr(self.slave) == self.before, "terminal settings not restored"
        return self.process.returncode

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


PROMPT = rb"1\. "


def test_a_terminal_gets_colours(mola):
    with Terminal(mola, "--color", "both") as terminal:
        shown = terminal.until(PROMPT)
        assert COLOR.search(shown)
        terminal.type("e4\r")
        terminal.until(rb"1\.\.\. ")
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_a_terminal_of_another_encoding(mola):
    with Terminal(mola, "--color", "both") as terminal:
        terminal.until(PROMPT)
        os.write(terminal.master, b"\xe9t\xe9\r")
        terminal.until(rb"not a move|No move|is no move")
        terminal.type("e4\r")
        terminal.until(rb"1\.\.\. ")
        terminal.type("quit\r")
        assert terminal.leave() == 0


@pytest.mark.parametrize(
    "text", ["\x1b[200~e4\re5\rNf3\rNc6\x1b[201~\r", "e4\re5\rNf3\rNc6\r"], ids=["pasted", "typed ahead"]
)
def test_lines_that_come_together_are_run_one_by_one(mola, text):
    with Terminal(mola, "--color", "both") as terminal:
        terminal.until(PROMPT)
        terminal.type(text)
        terminal.until(rb"3\. ")
        terminal.type("fen\r")
        terminal.until(rb"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_no_color_is_respected(mola):
    with Terminal(mola, "--color", "both", NO_COLOR="1") as terminal:
        assert not COLOR.search(terminal.until(PROMPT))
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_a_dumb_terminal_gets_no_escape_codes(mola):
    with Terminal(mola, "--depth", "2", TERM="dumb") as terminal:
        terminal.until(rb"(?s)8 .*1 ")
        terminal.type("e4\n")
        seen = terminal.until(rb"Mola plays")
        terminal.type("quit\n")
        assert terminal.leave() == 0
        assert b"\x1b" not in seen + terminal.output


def test_bare_mola_on_a_terminal_offers_play(mola):
    master, slave = pty.openpty()
    with subprocess.Popen([mola], stdin=slave, stdout=slave, stderr=slave) as process:
        time.sleep(0.5)
        shown = os.read(master, 65536)
        assert b"help" in shown
        os.write(master, b"quit\r")
        try:
            assert process.wait(5) == 0
        finally:
            process.kill()
    os.close(master)
    os.close(slave)


def test_tab_completes_a_command(mola):
    with Terminal(mola, "--color", "both") as terminal:
        terminal.until(PROMPT)
        terminal.type("his\t\r")
        terminal.until(rb"history")
        terminal.type("quit\r")
        assert terminal.leave() == 0


@pytest.mark.parametrize("how", ["ctrl-d", "ctrl-c twice", "SIGTERM", "hang-up"])
def test_ways_to_leave(mola, how):
    with Terminal(mola, "--color", "both") as terminal:
        terminal.until(PROMPT)
        if how == "ctrl-d":
            terminal.type("\x04")
        elif how == "ctrl-c twice":
            terminal.type("\x03")
            terminal.until(PROMPT)
            terminal.type("\x03")
        else:
            os.kill(terminal.process.pid, signal.SIGTERM if how == "SIGTERM" else signal.SIGHUP)
        assert terminal.leave() == 0


def test_ctrl_c_discards_a_line(mola):
    """Then it is none of the two that quit."""
    with Terminal(mola, "--color", "both") as terminal:
        terminal.until(PROMPT)
        for text in ("foo\x03", "bar\x03", "\x03", "foo\x03", "e4x\x7f\x7f\x7f\x03"):
            terminal.type(text)
            terminal.until(rb"\n.*1\. ")
        terminal.type("d4\r")
        terminal.until(rb"1\.\.\. ")
        terminal.type("\x03")
        terminal.until(rb"(?s)Press Ctrl-C again.*1\.\.\. ")
        terminal.type("\x03")
        assert terminal.leave() == 0


def test_a_board_of_narrow_squares(mola):
    with Terminal(mola, "--color", "both", "--theme", "mono", columns=20) as terminal:
        terminal.until(PROMPT)
        terminal.type("e4\r")
        shown = terminal.until("♖♘♗♕♔♗♘♖".encode()).decode()
        lines = [line.strip() for line in shown.splitlines()]
        assert "4 ····♙···" in lines and "2 ♙♙♙♙[♙♙♙" in lines, lines
        terminal.type("quit\r")
        assert terminal.leave() == 0


@pytest.mark.parametrize("columns", [40, 60])
def test_a_narrow_window(mola, columns):
    """No board is broken, by names or by the words of a table."""
    with Terminal(mola, "--color", "both", "--theme", "mono", columns=columns) as terminal:
        shown = terminal.until(PROMPT)
        terminal.type("eval\r")
        shown += terminal.until(rb"phase 24 of 24")
        lines = [line.strip() for line in shown.decode().splitlines()]
        ranks = [at for at, line in enumerate(lines) if re.match("[1-8] ", line)]
        assert ranks == list(range(ranks[0], ranks[0] + 8)) and not any("+---" in line for line in lines)
        for name in ("Part", "Tables", "Tempo", "Sum"):
            (row,) = [line.split() for line in lines if line.startswith(f"{name} ")]
            assert len(row) >= 4, row
        terminal.type("quit\r")
        assert terminal.leave() == 0


# What a shell does with a program that stops: it goes on after Enter.
STOPPED = '"$@"; echo stopped; read; fg; echo over'


def test_ctrl_z_draws_the_line_again(mola):
    with Terminal(mola, "--color", "both", script=STOPPED) as terminal:
        terminal.until(PROMPT)
        terminal.type("d\x1a")
        terminal.until(rb"stopped")
        assert termios.tcgetattr(terminal.slave) == terminal.before
        terminal.type("\n")
        # The shell names the command, then the line is there.
        terminal.until(rb'"\$@"[^\n]*\n[^\n]*1\. d')
        terminal.type("4\r")
        terminal.until(rb"1\.\.\. ")
        terminal.type("quit\r")
        terminal.until(rb"over")
        assert terminal.leave() == 0


@pytest.mark.parametrize("columns", [30, 50, 80])
def test_analysis_is_cut_at_a_move(mola, columns):
    with Terminal(mola, "--color", "both", columns=columns) as terminal:
        terminal.until(PROMPT)
        terminal.type("analyze 1\r")
        shown = terminal.until(rb"(?s)kn/s.*\n[^\n]*1\. \r").decode()
        lines = [line.strip() for line in shown.splitlines() if re.match(r"d\d+ ", line)]
        check_lines(lines)
        assert max(map(len, lines)) < columns
        terminal.type("quit\r")
        assert terminal.leave() == 0


def test_analysis_through_a_pipe_is_not_cut(mola):
    # A mate whose line is long.
    shown = scripted(mola, "analyze 2", args=("--fen", "8/8/8/8/3k4/8/8/KQ6 w - - 0 1"))
    lines = [line for line in shown.splitlines() if re.match(r"d\d+ ", line)]
    check_lines(lines, "8/8/8/8/3k4/8/8/KQ6 w - - 0 1")
    assert max(map(len, lines)) > 80


def check_lines(lines, fen=chess.STARTING_FEN):
    """Lines of analysis have statistics and whole moves."""
    assert lines
    for line in lines:
        statistics, _, moves = line.partition(" kn/s")
        assert not moves or re.fullmatch(r"d\d+ \S+ \S+ nodes \d+", statistics), line
        board = chess.Board(fen)
        for move in re.sub(r"\d+\.+", "", moves).split():
            board.push_san(move)
        assert not line.endswith("."), line


def test_ctrl_c_makes_the_engine_move(mola):
    with Terminal(mola, "--color", "black", "--time", "60+0") as terminal:
        time.sleep(0.5)
        terminal.type("\x03")
        terminal.until(rb"(?s)Mola plays.*1\.\.\. ", timeout=3)
        # This was not the first of the two that quit.
        terminal.type("\x03")
        terminal.until(rb"Press Ctrl-C again")
        terminal.type("quit\r")
        assert terminal.leave() == 0
