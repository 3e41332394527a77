"""The XBoard protocol line by line, as xboard and cutechess use it."""

import re
import shlex
import time

import chess
import pytest

from engine import Engine, XBoard

LEGAL = {move.uci() for move in chess.Board().legal_moves}
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


def features(xboard: XBoard) -> dict[str, str]:
    """All `feature` lines so far; of several values the last."""
    found = {}
    for line in xboard.greeting:
        if line.startswith("feature "):
            for word in shlex.split(line)[1:]:
                name, _, value = word.partition("=")
                if name != "option":
                    found[name] = value
    return found


def replies(board: chess.Board, *moves: str) -> set[str]:
    """The legal moves after some moves."""
    board = board.copy()
    for move in moves:
        board.push_uci(move)
    return {move.uci() for move in board.legal_moves}


def line_of_play(thinking: str) -> list[str]:
    """The PV of thinking output, without move numbers and the marks of fail high and low."""
    words = thinking.partition("\t")[2].rstrip("?! ").split()
    return [word for word in words if not re.fullmatch(r"\d+\.+", word)]


def alive(xboard: XBoard) -> None:
    """After any input, a new game can be played."""
    xboard.send("force")
    xboard.sync()
    xboard.send("new", "sd 2")
    assert xboard.move("usermove e2e4") in replies(chess.Board(), "e2e4")


# Features


def test_features(xboard):
    found = features(xboard)
    for name in ("ping", "setboard", "usermove", "analyze", "playother", "memory", "smp", "reuse"):
        assert found.get(name, "1" if name == "reuse" else None) == "1", name
    for name in ("san", "sigint", "colors"):
        assert found[name] == "0", name
    assert found["myname"].startswith("Mola")
    assert found["done"] == "1"
    variants = found["variants"].split(",")
    assert "normal" in variants and "fischerandom" in variants


def test_feature_lines_fit_xboard(xboard):
    assert xboard.greeting[0].startswith("feature done=0")
    for line in xboard.greeting:
        assert line.startswith("feature ") and len(line) < 480, line


def test_option_names_are_one_word(xboard):
    options = [o for line in xboard.greeting for o in re.findall(r'option="([^"]*)"', line)]
    assert options
    for option in options:
        assert re.match(
            r"\S+ -(spin|check|combo|button|save|reset|string|slider|file|path)( |$)", option
        ), option
    assert any(option.startswith("Move-Overhead -spin") for option in options)
    assert any(option.startswith("BookFile -file") for option in options)


def test_silent_words(xboard):
    xboard.send(
        "accepted setboard", "rejected nps", "random", "computer", "name Garry Kasparov",
        "rating 2500 2800", "ics freechess.org", "hard", "easy", "post", "nopost", "memory 16",
        "cores 1", "egtpath syzygy /nowhere", "nps 0", "white", "black", "bk", "draw",
    )  # fmt: skip
    for line in xboard.sync():
        assert not re.search(r"(?i)error|illegal", line), line
    alive(xboard)


# Playing


def test_plays_black_after_new(xboard):
    xboard.send("new", "level 40 0:02 0", "post")
    assert xboard.move("usermove e2e4") in replies(chess.Board(), "e2e4")


def test_go_takes_the_side_to_move(xboard):
    xboard.send("new", "st 0.1")
    assert xboard.move() in LEGAL


def test_bare_moves_and_san_are_read(xboard):
    xboard.send(
        "new", "force", "e2e4", "e5", "usermove Nf3", "usermove b8c6", "usermove Bb5", "sd 2"
    )
    assert xboard.move() in replies(chess.Board(), "e2e4", "e7e5", "g1f3", "b8c6", "f1b5")


def test_castling_and_promotion(xboard):
    xboard.send("new", "force", "setboard r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1", "usermove e1g1")
    xboard.send("usermove e8c8", "usermove g7g8q", "sd 2")
    board = chess.Board("r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1")
    assert xboard.move() in replies(board, "e1g1", "e8c8", "g7g8q")


@pytest.mark.parametrize(
    "level",
    [
        "level 40 5 0",
        "level 0 1 0.1",
        "level 0 0:02 0",
        "level 40 0:01 0 junk",
        "level 0 0 1",
        "level 0 0:00 0",
    ],
)
def test_levels(xboard, level):
    xboard.send("new", level, "time 200", "otim 200")
    start = time.monotonic()
    assert xboard.move() in LEGAL
    assert time.monotonic() - start < 1.9


@pytest.mark.parametrize(
    ("level", "clock"),
    [("0 1 0", "time 0"), ("0 1 0", "time -200"), ("0 1 0", "time 1"), ("0 0 0", "otim 100")],
)
def test_no_time_means_move_at_once(xboard, level, clock):
    xboard.send("new", f"level {level}", clock, "otim 100")
    start = time.monotonic()
    assert xboard.move() in LEGAL
    assert time.monotonic() - start < 0.3


def test_st_is_kept(xboard):
    xboard.send("new", "st 0.3")
    start = time.monotonic()
    xboard.move()
    assert 0.05 < time.monotonic() - start < 0.5


def test_st_and_sd_are_orthogonal(xboard):
    xboard.send("new", "sd 2", "st 100")
    start = time.monotonic()
    xboard.move()
    assert time.monotonic() - start < 2


def test_question_mark_moves_now(xboard):
    xboard.send("new", "st 100", "go")
    xboard.never("^move", 0.3)
    start = time.monotonic()
    xboard.move("?")
    assert time.monotonic() - start < 0.3
    xboard.send("?", "?")
    assert not any(line.startswith("move") for line in xboard.sync())


def test_force_stops_without_a_move(xboard):
    xboard.send("new", "st 100", "go")
    xboard.never("^move", 0.2)
    xboard.send("force")
    assert not any(line.startswith("move") for line in xboard.sync())


def test_result_stops_without_a_move(xboard):
    xboard.send("new", "st 100", "go")
    xboard.never("^move", 0.2)
    xboard.send("result 1-0 {White wins on time}")
    xboard.never("^move", 0.3)
    alive(xboard)


def test_ping_waits_for_the_move(xboard):
    xboard.send("new", "st 0.4", "go", "ping 99")
    lines = xboard.until("^pong 99$")
    assert any(line.startswith("move ") for line in lines)


def test_ping_while_pondering_and_analysing(xboard):
    xboard.send("new", "hard", "level 0 1 0", "usermove e2e4")
    xboard.until("^move ")
    xboard.sync(1)
    xboard.send("easy", "new", "analyze")
    xboard.sync(1)
    xboard.send("exit")


def test_every_ponder_hit_has_its_time(xboard):
    """The time of the move before a ponder hit is not taken off the next one."""
    xboard.send("new", "hard", "st 0.6", "usermove e2e4")
    xboard.until("^move ")
    for _ in range(3):
        xboard.send("hint")
        hint = xboard.until("^Hint: ")[-1].split()[1]
        start = time.monotonic()
        xboard.move(f"usermove {hint}")
        assert time.monotonic() - start > 0.3


@pytest.mark.parametrize("limit", ["time 20", "st 0.2", "sd 2"])
def test_a_ponder_hit_has_the_limits_of_now(xboard, limit):
    xboard.send("new", "level 0 1 0", "hard", "usermove e2e4")
    hint = xboard.until("^Hint: ")[-1].split()[1]
    xboard.send(limit)
    start = time.monotonic()
    xboard.move(f"usermove {hint}")
    assert time.monotonic() - start < 1


def test_thinking_lines(xboard):
    xboard.send("new", "post", "sd 6", "go")
    lines = xboard.until("^move ")
    thinking = [line for line in lines if re.match(r"\s*\d+ ", line)]
    assert thinking
    for line in thinking:
        numbers = line.partition("\t")[0].split()
        assert len(numbers) >= 4 and all(re.fullmatch(r"-?\d+", n) for n in numbers), line
        board = chess.Board()
        for move in line_of_play(line):
            board.push_san(move)  # which reads coordinates too


@pytest.mark.parametrize("told", [[], ["rejected exclude", "accepted egt"]])
def test_short_thinking_lines(told):
    """GUIs that do not know the long form show its extra fields as moves."""
    with Engine() as engine:
        engine.send("xboard", "protover 2", *told, "new", "post", "sd 6", "go")
        lines = engine.until("^move ")
        thinking = [line for line in lines if re.match(r"\s*\d+ ", line)]
        assert thinking
        for line in thinking:
            assert re.match(r"\d+ -?\d+ \d+ \d+ [a-h][1-8][a-h][1-8]", line), line


def test_nopost_is_silent(xboard):
    xboard.send("new", "nopost", "sd 5", "go")
    assert [line for line in xboard.until("^move ")[:-1] if line.strip()] == []


def test_nopost_holds_after_analysis(xboard):
    xboard.send("new", "nopost", "analyze")
    xboard.until(r"^\s*[3-9] ")
    xboard.send("exit")
    xboard.sync()
    xboard.send("sd 5", "go")
    assert [line for line in xboard.until("^move ")[:-1] if line.strip()] == []


def test_nopost_silences_an_analysis(xboard):
    xboard.send("new", "post", "analyze")
    xboard.until(r"^\s*[3-9] ")
    xboard.send("nopost", "ping 1")
    xboard.until("^pong 1")
    time.sleep(0.3)
    xboard.send("ping 2")
    assert xboard.until("^pong 2")[:-1] == []
    xboard.send("exit", "analyze")
    xboard.until(r"^\s*[3-9] ")


def test_mate_scores(xboard):
    xboard.send("new", "force", f"setboard {BACK_RANK}", "post", "sd 4", "go")
    lines = xboard.until("^move ")
    assert lines[-1] == "move a1a8"
    scores = [line.split()[1] for line in lines if re.match(r"\s*\d+ ", line)]
    assert scores[-1] == "100001"


def test_announces_the_end(xboard):
    xboard.send("new", "force", f"setboard {BACK_RANK}", "sd 3", "go")
    xboard.until("^move a1a8")
    assert xboard.until(r"^(1-0|0-1|1/2)")[-1].startswith("1-0 {White mates")
    xboard.send("new", "force", "setboard 7k/8/6Q1/8/8/8/8/K7 w - - 0 1", "usermove g6f7")
    assert xboard.until(r"^(1-0|0-1|1/2)")[-1].startswith("1/2-1/2 {Stalemate")


# Positions


@pytest.mark.parametrize(
    "move", ["e2e5", "e7e5", "e1g1", "a9a1", "Nd5", "e2e4q", "hello", "\u265e"]
)
def test_illegal_moves_are_refused(xboard, move):
    xboard.send("new", "force")
    xboard.sync()
    xboard.send(f"usermove {move}")
    said = xboard.sync()
    assert len(said) == 1 and re.match(rf"Illegal move.*: {re.escape(move)}", said[0]), said
    xboard.send("sd 2")
    assert xboard.move() in LEGAL


def test_undo_and_remove(xboard):
    xboard.send("new", "force", "usermove e2e4", "usermove e7e5", "usermove g1f3", "undo", "remove")
    xboard.send("sd 2")
    assert xboard.move() in LEGAL


def test_undo_at_the_start_is_ignored(xboard):
    xboard.send("new", "force", "undo", "remove", "undo")
    xboard.sync()
    alive(xboard)


@pytest.mark.parametrize(
    "fen", ["", "8/8/8/8/8/8/8/8 w - - 0 1", "rubbish", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"]
)
def test_bad_setboard(xboard, fen):
    xboard.send("new", "force")
    xboard.sync()
    xboard.send(f"setboard {fen}")
    said = next(line for line in xboard.sync() if line.startswith("tellusererror Illegal position: "))
    assert said.lower().count("illegal position") == 1
    xboard.send("usermove e2e4")
    assert any(line.startswith("Illegal move") for line in xboard.sync())
    alive(xboard)


def test_edit(xboard):
    """Protocol 1: clear, White's pieces, change colour, Black's, done."""
    xboard.send("new", "force", "edit", "#", "Ke1", "Ra1", "c", "Kg8", "Pf7", "Pg7", "Ph7", ".")
    xboard.send("white", "sd 3")
    assert xboard.move() == "a1a8"


def test_variant(xboard):
    xboard.send(
        "new", "variant fischerandom", "force", "setboard 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1"
    )
    xboard.send("usermove O-O")
    assert not any("Illegal" in line for line in xboard.sync())
    for name in ("chess960", "fischerrandom"):
        xboard.send("new", f"variant {name}", "force", "setboard 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "sd 1")
        xboard.send("usermove O-O")
        assert not any("Illegal" in line for line in xboard.sync()), name
    xboard.send("new", "variant shatranj")
    assert any(line.startswith("Error (unsupported variant)") for line in xboard.sync())
    alive(xboard)


# Analysis, hints, options


def test_analyze(xboard):
    xboard.send("new", "post", "analyze")
    xboard.until(r"^\s*[4-9] ")
    xboard.send("usermove e2e4")
    xboard.sync()
    xboard.until(r"^\s*[3-9] .*\t")
    xboard.send(".")
    assert xboard.until(r"^stat01: \d+ \d+ \d+ \d+ \d+")
    xboard.send("undo", "setboard " + BACK_RANK)
    xboard.until(r"^\s*\d+ 100001 ")
    xboard.send("exit")
    lines = xboard.sync()
    assert not any(line.startswith("move") for line in lines)
    xboard.never(r"^(\s*\d+ |move)", 0.3)
    alive(xboard)


def test_exclude_in_analysis(xboard):
    xboard.send("new", "force", "post", "exclude all", "include a2a3", "analyze")
    for _ in range(3):
        line = xboard.until(r"^\s*[3-9] .*\t")[-1]
        assert line_of_play(line)[0] in ("a3", "a2a3"), line
    xboard.send("exit")
    alive(xboard)


def test_nothing_is_told_of_a_halted_analysis(xboard):
    xboard.send("new", "force", "post", "analyze")
    xboard.until(r"^\s*[3-9] .*\t")
    xboard.send("exclude all", ".")
    xboard.sync()
    xboard.never("^stat01", 0.2)
    xboard.send("include e2e4")
    xboard.until(r"^\s*[3-9] .*\t")
    xboard.send(".")
    xboard.until("^stat01: ")


def test_hint(xboard):
    xboard.send("new", "sd 4", "easy", "usermove e2e4")
    xboard.until("^move ")
    xboard.sync()
    xboard.send("hint")
    hint = xboard.until(r"^Hint: ")[-1].split()[1]
    assert re.fullmatch(r"[a-h][1-8][a-h][1-8]", hint)


def test_ping_waits_for_a_hint(xboard):
    xboard.send("new", "force", "hint", "ping 7")
    assert xboard.until("^pong 7$")[-2].startswith("Hint: ")
    xboard.send("hint", "ping 8", "usermove e2e4")
    xboard.until("^pong 8$")


def test_options(xboard):
    xboard.send("option MultiPV=3", "option Move-Overhead=50", "option Clear-Hash")
    xboard.send("option MoveOverhead=50", "option Move Overhead=50", "option ClearHash")
    assert not any("Error" in line for line in xboard.sync())
    xboard.send("option NoSuchThing=1", "option", "option MultiPV=abc")
    xboard.sync()
    alive(xboard)


def test_multipv(xboard):
    xboard.send("new", "option MultiPV=3", "post", "sd 5", "go")
    lines = xboard.until("^move ")
    last = [line_of_play(line)[0] for line in lines if re.match(r"\s*5 ", line)]
    assert len(set(last[-3:])) == 3


# Rough treatment


@pytest.mark.parametrize(
    "line",
    [
        "level",
        "level x y z",
        "level 40",
        "st",
        "st abc",
        "sd",
        "sd -1",
        "time",
        "time abc",
        "ping",
        "protover",
        "setboard",
        "usermove",
        "variant",
        "memory abc",
        "cores 0",
        "result",
        "accepted",
        "analyze now",
        "include",
        "",
        "   ",
        "joho",
        "uci",
    ],
)
def test_odd_lines_are_survived(xboard, line):
    xboard.send("new", line)
    xboard.send("exit")  # `analyze now` may analyse
    alive(xboard)


def test_unknown_commands_get_an_error(xboard):
    xboard.sync()
    xboard.send("frobnicate 3")
    said = xboard.sync()
    assert len(said) == 1 and re.match(
        r"(Error \(unknown command\)|Illegal move): frobnicate", said[0]
    )


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("level 0 -5 0", r"Error \(bad value\): level 0 -5 0"),
        ("st -1", r"Error \(bad value\): st -1"),
        ("memory abc", r"Error \(bad value\): memory abc"),
        ("memory nan", r"Error \(bad value\): memory nan"),
        ("memory inf", r"Error \(bad value\): memory inf"),
        ("cores nan", r"Error \(bad value\): cores nan"),
        ("option BookFile=/nowhere", r"Error \(cannot use\): option BookFile=/nowhere"),
        ("option EvalFile=/nowhere", r"Error \(cannot use\): option EvalFile=/nowhere"),
    ],
)
def test_what_cannot_be_done_gets_one_error(xboard, line, error):
    xboard.sync()
    xboard.send(line)
    said = [text for text in xboard.sync() if not text.startswith("#")]
    assert len(said) == 1 and re.fullmatch(error, said[0])
    alive(xboard)


def test_odd_lines_of_edit(xboard):
    xboard.sync()
    xboard.send("force", "edit", "#", "Ke1", "Zz9", "Ze1", "c", "Ke8", ".")
    said = xboard.sync()
    assert said == ["Error (unknown edit): Zz9", "Error (unknown edit): Ze1"]
    alive(xboard)


@pytest.mark.parametrize(
    "noise", [b"\xff\xfe\n", b"\x00\n", b"usermove \xc3\x28\n", b"x" * 10_000_000 + b"\n"]
)
def test_bytes_that_are_not_text(xboard, noise):
    xboard.write(noise)
    alive(xboard)


def test_crlf(xboard):
    xboard.write(b"new\r\nsd 2\r\nusermove e2e4\r\n")
    xboard.until("^move ")


def test_protover_alone_starts_the_protocol(engine):
    engine.send("protover 2")
    engine.until(r"feature .*\bdone=1")


def test_xboard_without_protover(engine):
    """A protocol 1 GUI never says `protover`."""
    engine.send("xboard", "new", "sd 2", "e2e4")
    engine.until("^move ")


@pytest.mark.parametrize("busy", ["", "go", "analyze"])
def test_quit_and_end_of_input(busy):
    for end in (lambda e: e.send("quit"), lambda e: e.close_input()):
        with XBoard() as engine:
            engine.send("new", "st 100", busy)
            start = time.monotonic()
            end(engine)
            assert any(line.startswith("move ") for line in engine.rest()) == (busy == "go")
            assert engine.exit_code() == 0
            assert time.monotonic() - start < 1.5
