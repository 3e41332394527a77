"""UCI line by line: what clients do that python-chess does not."""

import itertools
import os
import re
import subprocess
import sys
import time

import chess
import chess.variant
import pytest

from engine import Uci, bestmove, fields, scored

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
LEGAL = {move.uci() for move in chess.Board().legal_moves}


def alive(uci: Uci) -> None:
    """After any input, a search still works."""
    uci.send("stop")
    uci.ready()
    uci.send("position startpos")
    assert uci.best("go depth 2") in LEGAL


# Greeting and options


def test_says_nothing_of_options_before_uci(engine):
    assert not any("option" in line for line in engine.never(r"^(option|info)", 0.3))
    lines = engine.ask("uci", r"^uciok$")
    assert [line for line in lines if line.startswith("id name Mola")]
    assert [line for line in lines if line.startswith("id author ")]


def test_uci_may_come_twice(uci):
    again = uci.ask("uci", r"^uciok$")
    options = [line for line in again if line.startswith("option")]
    assert options == [line for line in uci.greeting if line.startswith("option")]


def test_option_lines_are_well_formed(uci):
    for line in uci.greeting:
        if not line.startswith("option "):
            continue
        words = line.split()
        assert words[1] == "name" and "type" in words, line
        kind = words[words.index("type") + 1]
        assert kind in ("check", "spin", "combo", "button", "string"), line
        if kind == "spin":
            low, default, high = (int(words[words.index(w) + 1]) for w in ("min", "default", "max"))
            assert low <= default <= high, line
        if kind == "string":
            assert words[words.index("default") + 1], "an empty default is printed as <empty>"


@pytest.mark.parametrize(
    "line",
    [
        "setoption name Hash value 8",
        "setoption name hash value 8",
        "setoption name  Move   Overhead  value  40 ",
        "setoption name Clear Hash",
        "setoption name Clear Hash value",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value -5",
        "setoption name Hash value 99999999999999999999",
        "setoption name Hash value abc",
        "setoption name Threads value 0",
        "setoption name UCI_Chess960 value maybe",
        "setoption name No Such Option value 3",
        "setoption name",
        "setoption",
        "setoption value 3",
        "setoption name UCI_Opponent value GM 2800 human Garry; Kasparov: the 1st",
        "setoption name SyzygyPath",
        "setoption name SyzygyPath value <empty>",
    ],
)
def test_setoption_never_harms(uci, line):
    uci.send(line)
    alive(uci)


def test_setoption_during_a_search_waits(uci):
    uci.send("position startpos", "go infinite", "setoption name Hash value 4", "isready")
    uci.until("^readyok")
    uci.send("stop")
    uci.until("^bestmove")
    alive(uci)


# Searching and stopping


@pytest.mark.parametrize(
    "go", ["go", "go infinite", "go ponder wtime 1000 btime 1000", "go ponder depth 1"]
)
def test_no_bestmove_before_stop(uci, go):
    uci.send("position startpos", go)
    uci.never("^bestmove", 0.5)
    assert uci.best("stop") in LEGAL


@pytest.mark.parametrize(
    "fen",
    [
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",  # mate in 1 found at once
        "7k/8/8/8/8/8/6q1/7K w - - 0 1",  # one legal move
        "7k/8/8/8/8/8/8/K7 w - - 0 1",  # bare kings
        MATED,
        STALEMATED,
    ],
)
def test_infinite_waits_even_when_all_is_known(uci, fen):
    uci.send(f"position fen {fen}", "go infinite")
    uci.never("^bestmove", 0.5)
    uci.ask("stop", "^bestmove")


def test_isready_during_a_search(uci):
    uci.send("position startpos", "go infinite")
    for _ in range(3):
        start = time.monotonic()
        uci.ready()
        assert time.monotonic() - start < 0.5
    uci.ask("stop", "^bestmove")


def test_stop_is_prompt_and_answers_once(uci):
    uci.send("position startpos", "go infinite")
    uci.never("^bestmove", 0.3)
    start = time.monotonic()
    uci.ask("stop", "^bestmove")
    assert time.monotonic() - start < 0.5
    uci.send("stop", "stop", "ponderhit")
    uci.never("^bestmove", 0.2)
    alive(uci)


def test_ponderhit_starts_the_clock(uci):
    uci.send("position startpos moves e2e4 e7e5", "go ponder wtime 600 btime 600")
    uci.never("^bestmove", 0.8)
    start = time.monotonic()
    uci.ask("ponderhit", "^bestmove")
    assert time.monotonic() - start < 0.6


def test_the_opponents_time_costs_no_nodes(uci):
    uci.send("setoption name nodestime value 1")
    clocks = "wtime 60000 btime 60000"
    for hit in ("ponderhit", "stop"):  # for another move after that, the same turn begins again
        uci.send("ucinewgame", "position startpos", f"go ponder {clocks}")
        time.sleep(0.5)
        uci.ask(hit, "^bestmove")
        uci.send(f"position startpos{' moves e2e4 e7e5' if hit == 'ponderhit' else ''}")
        infos = [line for line in uci.ask(f"go {clocks}", "^bestmove") if " nodes " in line]
        assert int(infos[-1].split(" nodes ")[1].split()[0]) > 500


def test_ponderhit_keeps_the_other_limits(uci):
    uci.send("position startpos", "go ponder depth 3")
    uci.never("^bestmove", 0.4)
    assert uci.best("ponderhit") in LEGAL


def test_go_while_searching_answers_both(uci):
    uci.send("position startpos", "go infinite")
    uci.send("go depth 2")
    uci.until("^bestmove")
    uci.until("^bestmove")
    uci.send("isready")
    assert not any(line.startswith("bestmove") for line in uci.until("^readyok"))


def test_ucinewgame_while_searching(uci):
    uci.send("position startpos", "go infinite", "ucinewgame", "isready")
    assert sum(line.startswith("bestmove") for line in uci.until("^readyok")) == 1
    alive(uci)


@pytest.mark.parametrize(
    "clock",
    [
        "wtime 0 btime 0",
        "wtime -300 btime -300",
        "wtime 1 btime 1",
        "wtime 0 btime 1000 winc 0 binc 0",
        "wtime 50",
        "wtime -5 btime 60000 winc 0 binc 0 movestogo 0",
        "movetime 0",
        "movetime 1",
    ],
)
def test_no_time_means_move_at_once(uci, clock):
    uci.send("position startpos")
    start = time.monotonic()
    assert uci.best(f"go {clock}") in LEGAL
    assert time.monotonic() - start < 0.3


@pytest.mark.parametrize(
    "go",
    [
        "wtime 1000 btime 1000 movestogo 0",
        "wtime 1000 btime 1000 movestogo -3",
        "wtime 900 btime 1 movestogo 1",
    ],
)
def test_clock_is_never_overrun(uci, go):
    uci.send("position startpos")
    start = time.monotonic()
    uci.best(f"go {go}")
    assert time.monotonic() - start < 0.9


def test_movetime_is_kept(uci):
    uci.ready()
    start = time.monotonic()
    uci.best("go movetime 300")
    assert 0.15 < time.monotonic() - start < 0.45


@pytest.mark.parametrize("nodes", [1, 1000, 20000])
def test_nodes_are_kept(uci, nodes):
    uci.send("position fen " + KIWIPETE)
    lines = uci.ask(f"go nodes {nodes}", "^bestmove")
    assert int(scored(lines)[-1]["nodes"]) <= nodes + 4096


@pytest.mark.parametrize(
    "go",
    [
        "depth 3 searchmoves a2a3 h2h4",
        "searchmoves a2a3 h2h4 depth 3",
        "searchmoves h2h4 a2a3 nodes 500",
        "depth 3 searchmoves a2a3 e2e5",
    ],
)
def test_searchmoves_in_any_order(uci, go):
    uci.send("position startpos")
    assert uci.best(f"go {go}") in ("a2a3", "h2h4")


@pytest.mark.parametrize(
    "go, ignored",
    [
        ("depth bar depth 2", "depth bar"),
        ("depth depth 2", "depth"),
        ("depth 99999999999999999999 movetime 50", None),
        ("depth -3 movetime 50", "depth"),
        ("depth 0 movetime 50", "depth"),
        ("joho depth 2", "joho"),
        ("movetime", "movetime"),
        ("nodes abc depth 2", "nodes abc"),
        ("searchmoves 0000 depth 2", "0000"),
        ("searchmoves depth 2", None),
    ],
)
def test_garbage_in_go(uci, go, ignored):
    """What cannot be understood is named, and the rest limits the search."""
    uci.send("position startpos", f"go {go}")
    if go == "movetime":
        uci.send("stop")
    *lines, best = uci.until("^bestmove")
    assert best.split()[1] in LEGAL
    named = [line for line in lines if line.startswith("info string go: ignored")]
    assert named == ([f"info string go: ignored {ignored}"] if ignored else [])
    alive(uci)


def test_go_mate_stops_by_itself(uci):
    uci.send("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    lines = uci.ask("go mate 2", "^bestmove")
    assert scored(lines)[-1]["score"] == "mate 2"


# What is printed


def test_info_lines_are_sound(uci):
    uci.send(f"position fen {KIWIPETE}")
    lines = uci.ask("go depth 8", "^bestmove")
    infos = scored(lines)
    assert int(infos[-1]["depth"]) == 8
    for info in infos:
        assert {"depth", "seldepth", "nodes", "nps", "time", "score", "pv"} <= set(info)
        board = chess.Board(KIWIPETE)
        for move in info["pv"].split():
            board.push_uci(move)  # raises on an illegal move
    for before, after in itertools.pairwise(infos):
        assert int(before["depth"]) <= int(after["depth"])
        assert int(before["nodes"]) <= int(after["nodes"])
    assert infos[-1]["pv"].split()[0] == bestmove(lines)


def test_ponder_move_is_legal(uci):
    uci.send("position startpos")
    words = uci.ask("go depth 6", "^bestmove")[-1].split()
    assert words[2] == "ponder"
    board = chess.Board()
    board.push_uci(words[1])
    board.push_uci(words[3])


@pytest.mark.parametrize(
    "fen, distance",
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
        ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", 0),
        ("7k/1R6/8/8/8/8/R7/6K1 b - - 0 1", -1),
    ],
)
def test_mate_scores_and_their_lines(uci, fen, distance):
    """Mate in N is N moves of our side and N - 1 of the other, and the last one mates."""
    uci.send(f"position fen {fen}")
    lines = uci.ask("go depth 10", "^bestmove")
    if distance == 0:  # no move: the root itself is mated
        assert bestmove(lines) == "(none)"
        return
    info = scored(lines)[-1]
    assert info["score"] == f"mate {distance}"
    line = info["pv"].split()
    assert len(line) == (2 * distance - 1 if distance > 0 else -2 * distance)
    board = chess.Board(fen)
    for move in line:
        board.push_uci(move)
    assert board.is_checkmate()


@pytest.mark.parametrize("fen, score", [(MATED, "mate 0"), (STALEMATED, "cp 0")])
def test_ended_roots(uci, fen, score):
    uci.send(f"position fen {fen}")
    lines = uci.ask("go depth 3", "^bestmove")
    assert lines[-1] == "bestmove (none)"
    assert any(f"score {score}" in line for line in lines)


def test_multipv_comes_in_blocks(uci):
    uci.send("setoption name MultiPV value 3", "position startpos")
    infos = scored(uci.ask("go depth 5", "^bestmove"))
    last = [info for info in infos if info["depth"] == "5"]
    assert [info["multipv"] for info in last[-3:]] == ["1", "2", "3"]
    assert len({info["pv"].split()[0] for info in last[-3:]}) == 3


@pytest.mark.parametrize(
    "options, fen, go",
    [
        (["MultiPV value 8"], "4r3/4k3/7p/p7/P4K2/8/7p/8 w - - 1 48", "nodes 1500"),
        (
            ["UCI_Variant value atomic", "MultiPV value 8"],
            "3r4/1p3p2/5k2/2p5/8/4PN2/1P3K2/2B5 w - - 2 19", "nodes 700",
        ),
        (
            ["UCI_Variant value atomic", "MultiPV value 4"],
            "r2qkbn1/1b2p3/n2p2p1/ppp2pB1/2P5/PP1P4/4PPB1/RN1Q1KN1 b q - 3 14",
            "nodes 1000 searchmoves f5f4 a8a7 d8b8",
        ),
    ],
)  # fmt: skip
def test_multipv_after_a_stop_within_an_iteration(uci, options, fen, go):
    """Lines are sorted: those of this iteration first, then the others with the results of the last, or with an
    upper bound where this iteration has shown that they are worse."""
    uci.send(*[f"setoption name {option}" for option in options], "ucinewgame", f"position fen {fen}")
    lines = uci.ask(f"go {go}", "^bestmove")
    infos = [fields(line) for line in lines if " multipv " in line]
    starts = [number for number, info in enumerate(infos) if info["multipv"] == "1"]
    before, last = infos[starts[-2] : starts[-1]], infos[starts[-1] :]
    assert last[0]["pv"].split()[0] == bestmove(lines)
    keys = [tuple(map(int, re.findall(r"-?[0-9]+", info["score"])[:1])) for info in last]
    assert keys == sorted(keys, reverse=True), last
    assert not any("lowerbound" in line for line in lines[-1 - len(last) :])
    known = {info["pv"].split()[0]: (info["depth"], info["score"]) for info in before}
    for info in last:
        assert info["score"] != "mate 0", info
        if info["depth"] == before[0]["depth"]:
            assert known[info["pv"].split()[0]] == (info["depth"], info["score"])


# Positions


def test_positions_by_moves_and_by_fen_agree(uci):
    board = chess.Board()
    moves = ["e2e4", "c7c5", "e4e5", "d7d5", "e5d6", "e7d6", "g1f3", "b8c6", "f1b5", "g8e7", "e1g1"]
    for move in moves:
        board.push_uci(move)
    uci.send("position startpos moves " + " ".join(moves))
    shown = uci.ask("d", "(?i)fen")[-1]
    assert board.board_fen() in shown


@pytest.mark.parametrize(
    "position",
    [
        "position fen " + KIWIPETE,
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
    ],
)
def test_short_and_shredder_fens(uci, position):
    uci.send(position)
    board = chess.Board(KIWIPETE)
    assert chess.Move.from_uci(uci.best("go depth 2")) in board.legal_moves


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "not a fen",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",  # the side to move could take the king
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999999999999999999 1",
    ],
)
def test_bad_fens_say_so_and_change_nothing(uci, fen):
    uci.send("position startpos moves e2e4")
    uci.ready()
    uci.send(f"position fen {fen}")
    said = uci.ready()
    assert len(said) <= 1 and all(line.startswith("info string") for line in said), said
    if "9999" not in fen:
        assert said, "a bad FEN deserves one line"
        shown = uci.ask("d", "(?i)fen")[-1]
        assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b" in shown
    alive(uci)


@pytest.mark.parametrize("bad", ["e2e5", "e9e4", "xyz", "e7e8q", "0000", "\u265e"])
def test_illegal_moves_keep_the_legal_prefix(uci, bad):
    uci.send(f"position startpos moves e2e4 {bad} e7e5")
    said = uci.ready()
    assert len(said) == 1 and said[0].startswith("info string"), said
    assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b" in uci.ask("d", "(?i)fen")[-1]


def test_both_castling_notations_are_read(uci):
    for move in ("e1g1", "e1h1"):
        uci.send(f"position fen {KIWIPETE} moves {move}")
        assert "R4RK1 b" in uci.ask("d", "(?i)fen")[-1]


def test_chess960_castles_as_king_takes_rook(uci):
    uci.send("setoption name UCI_Chess960 value true")
    uci.send("position fen 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
    assert uci.best("go depth 2 searchmoves f1h1") == "f1h1"


def test_a_very_long_game(uci):
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 1500
    uci.send(f"position startpos moves {shuffle}")
    assert uci.best("go depth 4") in LEGAL


@pytest.mark.parametrize(
    "position, move",
    [
        # Black, a queen down, may repeat for the third time.
        (
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            " moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
            "f6g8",
        ),
        # White, a queen up, cannot make progress before the fifty-move rule applies.
        ("7k/8/8/8/8/8/8/KQ6 w - - 99 80", "b1c1"),
    ],
    ids=["repetition", "fifty moves"],
)
def test_draws_on_the_board_are_seen(uci, position, move):
    uci.send(f"position fen {position}")
    info = scored(uci.ask(f"go depth 3 searchmoves {move}", "^bestmove"))[-1]
    kind, value = info["score"].split()
    assert kind == "cp" and abs(int(value)) < 30


# Determinism


def strip_time(lines: list[str]) -> list[str]:
    """Output without time-dependent fields."""
    kept = []
    for line in lines:
        words = line.split()
        for name in ("time", "nps"):
            if name in words:
                at = words.index(name)
                del words[at : at + 2]
        if "currmove" not in words:
            kept.append(" ".join(words))
    return kept


@pytest.mark.parametrize("fen", [KIWIPETE, chess.STARTING_FEN])
def test_one_thread_is_deterministic(uci, fen):
    def run() -> list[str]:
        uci.send("ucinewgame", f"position fen {fen}")
        uci.ready()
        return strip_time(uci.ask("go nodes 100000", "^bestmove"))

    assert run() == run()


def test_go_perft(uci):
    uci.send("position startpos")
    lines = uci.ask("go perft 3", "Nodes searched: ")
    divided = dict(line.split(": ") for line in lines if line[:2] in ("a2", "b2", "e2", "g1", "h2"))
    assert lines[-1].endswith("Nodes searched: 8902")
    assert divided["e2e4"] == "600" and divided["g1f3"] == "440"


@pytest.mark.parametrize(
    "first, answer", [(b"uci", b"uciok"), (b"xboard\nprotover 2", b"feature done=1")], ids=["uci", "xboard"]
)
def test_a_byte_order_mark_before_the_first_word(mola, first, answer):
    lines = b"\xef\xbb\xbf" + first + b"\nquit\n"
    assert answer in subprocess.run([mola], input=lines, capture_output=True, timeout=60).stdout


@pytest.mark.parametrize("busy", ["go perft 9", "bench 30"])
def test_stop_is_also_for_a_search_that_waits(uci, busy):
    uci.send("position startpos", busy, "go infinite")
    assert uci.ask("stop", "^bestmove")
    alive(uci)


@pytest.mark.parametrize("line", ["perft abc", "perft -3", "debug nonsense"])
def test_what_cannot_be_read_is_reported(uci, line):
    answer = uci.ask(line, "^(info string|Nodes|readyok)")[-1]
    word, rest = line.split()
    assert answer.startswith(f"info string {word}: ") and answer.endswith(rest)
    alive(uci)


def test_bench_in_uci(uci):
    line = uci.ask("bench", r"^\d+ nodes \d+ nps", 120)[-1]
    assert int(line.split()[0]) > 10000
    alive(uci)


# Rough treatment


@pytest.mark.parametrize(
    "word",
    [
        "",
        "   ",
        "\t",
        "joho",
        "Uci",
        "go\x00",
        "\x1b[A",
        "position",
        "position fen",
        "debug on",
        "debug",
        "register later",
        "help",
        "d",
        "eval",
        "flip",
    ],
)
def test_odd_lines_are_survived(uci, word):
    uci.send(word)
    alive(uci)


def test_crlf_tabs_and_blanks(uci):
    uci.write(b"position  startpos\tmoves   e2e4 \r\n  go\tdepth 2\r\n")
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(bestmove(uci.until("^bestmove"))) in board.legal_moves


@pytest.mark.parametrize(
    "noise",
    [
        b"\xff\xfe\x80\n",
        b"position fen \xc3\x28\n",
        b"a\x00b\x00\n",
        b"\x00\n",
        bytes(range(14, 256)) + b"\n",
    ],
)
def test_bytes_that_are_not_text(uci, noise):
    uci.write(noise)
    alive(uci)


@pytest.mark.parametrize("start", [b"position startpos moves ", b"setoption name "])
def test_a_line_of_ten_megabytes(uci, start):
    uci.write(start + b"x" * 10_000_000 + b"\n")
    alive(uci)


def test_many_commands_in_one_write(uci):
    uci.write(b"position startpos moves e2e4\nisready\n" * 2500)
    for _ in range(2500):
        uci.until("^readyok")
    alive(uci)


def test_split_writes(uci):
    for part in (b"isr", b"ead", b"y\n"):
        uci.write(part)
        time.sleep(0.05)
    uci.until("^readyok")


def test_quit_ends_with_zero(uci):
    uci.send("quit")
    assert uci.exit_code() == 0


def test_quit_while_searching(uci):
    uci.send("go infinite", "quit")
    start = time.monotonic()
    assert uci.exit_code() == 0
    assert time.monotonic() - start < 1


def test_end_of_input_ends_with_zero(uci):
    uci.close_input()
    assert uci.exit_code() == 0


def test_moves_is_a_word(uci):
    uci.send("position startposmoves e2e4")
    [line] = uci.ready()
    assert 'not "startposmoves"' in line
    uci.send("position startpos  moves e2e4")
    assert uci.ready() == []


def test_another_variant_begins_at_its_start(uci):
    uci.send("position startpos moves e2e4", "setoption name UCI_Variant value racingkings")
    assert chess.variant.RacingKingsBoard().board_fen() in "".join(uci.ask("d", "^Fen"))
    uci.send("setoption name UCI_Variant value racingkings", "setoption name UCI_Variant value chess")
    assert uci.best("go depth 1") in LEGAL


@pytest.mark.parametrize("go", [b"go infinite", b"go depth 4\n"])
def test_end_of_input_while_searching(uci, go):
    uci.write(b"position startpos\n" + go)  # the last line may lack its newline
    uci.close_input()
    assert any(line.startswith("bestmove") for line in uci.rest())
    assert uci.exit_code() == 0


def test_a_closed_output_is_not_an_error(mola):
    with subprocess.Popen([mola], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.close()
        process.stdin.write(b"uci\nisready\ngo depth 5\n")
        process.stdin.close()
        assert process.wait(5) == 0


# What other chess tools expect


def test_the_last_block_is_told_once(uci):
    """Clients count the lines of a depth: `MultiPV 3` is three lines, not six."""
    uci.send("setoption name MultiPV value 3", "position startpos")
    infos = scored(uci.ask("go depth 8", "^bestmove"))
    last = [info["multipv"] for info in infos if info["depth"] == "8"]
    assert last == ["1", "2", "3"]
    uci.send("setoption name MultiPV value 1")
    infos = scored(uci.ask("go depth 7", "^bestmove"))
    assert [info["depth"] for info in infos] == [str(depth) for depth in range(1, 8)]


def test_eval_ends_with_the_line_of_stockfish(uci):
    uci.send("position startpos moves e2e4", "eval")
    line = uci.until("^Final evaluation")[-1]
    score = line.split()[2]
    assert line.endswith("(white side)") and -3 < float(score) < 3 and score[0] in "+-0"
    uci.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "eval")
    assert "none (in check)" in uci.until("^Final evaluation")[-1]


@pytest.mark.parametrize("command", ["bench 3", "bench 4 1 3", "bench 4 1 3 default depth mixed"])
def test_bench_as_scripts_write_it(uci, command):
    lines = uci.ask(command, r"^\d+ nodes \d+ nps$", 60)
    assert any(line.startswith("Nodes/second") for line in lines)


def test_bench_refuses_nonsense(uci):
    for command, why in [("bench 1 2", "bench takes"), ("bench x", "bench: DEPTH x")]:
        assert uci.ask(command, "^info string")[-1].startswith(f"info string error: {why}")


def test_lag_is_not_measured_across_games(uci, tmp_path):
    """A later game may reach the ply of the last search with another clock."""
    log = tmp_path / "log"
    uci.send(f"setoption name Debug Log File value {log}")

    def lags(position: str, left: int) -> int:
        before = log.read_text().count("lag ") if log.exists() else 0
        start = position if position.startswith("fen") else f"startpos moves {position}".removesuffix(" moves ")
        uci.send(f"position {start}")
        uci.ask(f"go wtime {left} btime 60000 depth 3", "^bestmove")
        return log.read_text().count("lag ") - before

    assert lags("", 60000) == 0 and lags("e2e4 e7e5", 59000) == 1
    assert lags("e2e4 e7e5 g1f3 b8c6", 58000) == 1 and lags("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6", 4000) == 0
    uci.send("ucinewgame")
    assert lags("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7", 4000) == 0
    # The same plies from another position are those of another game, too.
    assert lags("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 60000) == 0
    assert lags("fen 4k3/8/8/8/8/8/3P4/4K3 w - - 0 1 moves d2d4 e8d7", 4000) == 0


@pytest.mark.parametrize(
    "variant, fen, line",
    [
        ("giveaway", "8/8/8/8/8/p7/P7/8 w - - 0 1", "mate 1 wdl 1000 0 0"),
        ("chess", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "cp 0 wdl 0 1000 0"),
        ("chess", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "mate 0 wdl 0 0 1000"),
    ],
)
def test_a_game_that_is_over_has_its_result(uci, variant, fen, line):
    uci.send(f"setoption name UCI_Variant value {variant}", "setoption name UCI_ShowWDL value true", f"position fen {fen}")
    assert f"info depth 0 score {line}" in uci.ask("go depth 3", "^bestmove")


def test_a_log_file_that_is_closed_leaves_stderr_alone(uci, tmp_path):
    log = tmp_path / "log"
    uci.send(f"setoption name Debug Log File value {log}")
    assert uci.ready() == []
    uci.send("setoption name Debug Log File value <empty>")
    assert uci.ready() == [] and "isready" in log.read_text()


@pytest.mark.parametrize("level", ["off", "error", "trace"])
def test_a_log_file_has_all_lines_at_every_level(mola, tmp_path, level):
    log = tmp_path / "log"
    lines = f"uci\nsetoption name Debug Log File value {log}\nisready\nquit\n"
    for words, variable in (["--log", level], ""), ([], level):
        log.unlink(missing_ok=True)
        environment = os.environ | {"RUST_LOG": variable}
        done = subprocess.run([mola, "uci", *words], input=lines, capture_output=True, text=True, env=environment)
        assert "isready" in log.read_text() and "readyok" in log.read_text(), words
        assert level == "trace" or done.stderr == ""


@pytest.mark.parametrize("limit", ["depth +-3", "movetime --5", "nodes -+7"])
def test_a_number_has_one_sign(uci, limit):
    uci.send("debug on")
    told = uci.ask(f"go {limit} depth 1", "^bestmove")
    assert not any("4294967295" in line or "86400000000" in line for line in told), told


def test_perft_writes_castling_by_the_name_of_the_variant(mola):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for words, castling in [([], {"e1c1", "e1g1"}), (["--chess960"], {"e1a1", "e1h1"}), (["--variant", "chess960"], {"e1a1", "e1h1"})]:
        done = subprocess.run([mola, "perft", "1", "--divide", "--fen", fen, *words], capture_output=True, text=True, check=True)
        moves = {line.split(":")[0] for line in done.stdout.splitlines()}
        assert castling == moves & {"e1a1", "e1c1", "e1g1", "e1h1"}, words


def test_no_pipe_is_logged_to(uci, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    uci.send(f"setoption name Debug Log File value {tmp_path / 'pipe'}")
    assert uci.ready() == [f"info string error: cannot log to {tmp_path / 'pipe'}: it is a pipe"]
    uci.send("setoption name Debug Log File value /dev/null")
    assert uci.ready() == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_log_that_cannot_be_written_is_told_once(uci):
    uci.send("setoption name Debug Log File value /dev/full")
    assert uci.ready() == ["info string error: cannot log to /dev/full: No space left on device"]
    assert uci.ready() == []


def test_nothing_but_text_is_logged_to(uci, tmp_path):
    """Not the weights or the book, which a log would damage."""
    book = tmp_path / "book.bin"
    entry = bytes.fromhex("463b96181691fc9c 031c 0001 00000000")
    book.write_bytes(entry)
    for options in (("BookFile", "Debug Log File"), ("Debug Log File", "BookFile")):
        for option in options:
            uci.send(f"setoption name {option} value {book}")
        assert uci.ready() == [f"info string error: cannot log to {book}: it holds something else than text"]
        assert book.read_bytes() == entry


@pytest.mark.parametrize("option", ["BookFile", "EvalFile", "SyzygyPath", "GaviotaTbPath", "Debug Log File"])
def test_a_missing_file_is_told_in_plain_words(uci, option):
    uci.send(f"setoption name {option} value /no/such/file")
    (line,) = uci.ready()
    assert line.startswith("info string ") and line.endswith("/no/such/file: No such file or directory")


@pytest.mark.parametrize(
    "wanted, told",
    [
        ("mola=error", set()),
        ("mola::protocol=debug", {"mola::protocol"}),
        ("debug", {"mola::protocol", "common::output"}),
        ("", set()),
    ],
)
def test_diagnostics_of_modules(mola, wanted, told):
    environment = os.environ | {"RUST_LOG": wanted}
    lines = "position startpos moves e2e5\nquit\n"
    done = subprocess.run([mola, "uci"], input=lines, env=environment, capture_output=True, text=True, timeout=60)
    assert set(re.findall(r"DEBUG ([\w:]+)\]", done.stderr)) == told


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of the address space")
@pytest.mark.parametrize("settings, what", [("16 1024 2", "1024 search threads"), ("4096 1 2", "a hash table of 4096 MB")])
def test_a_bench_without_memory_says_so(mola, settings, what):
    command = ["sh", "-c", f"ulimit -v 500000; exec '{mola}' bench {settings}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(f"mola: no memory for {what}") and done.stderr.count("\n") == 1


def test_bench_on_the_command_line(mola):
    done = subprocess.run([mola, "bench", "4", "1", "3"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "Nodes searched" in done.stdout
    done = subprocess.run([mola, "bench", "x"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr == "mola: bench: DEPTH x: a whole number from 1 to 255 is expected\n"
    for settings, what in (("1 99999 1", "THREADS 99999"), ("33554433 1 1", "HASH 33554433"), ("1 1 256", "DEPTH 256")):
        done = subprocess.run([mola, "bench", *settings.split()], capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and f"bench: {what}: a whole number from 1 to" in done.stderr
    done = subprocess.run([mola, "bench", "33554432", "1", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "no memory for a hash table of 33554432 MB, only for" in done.stderr


def test_genfens(mola, tmp_path):
    """As OpenBench starts engines: the commands are arguments. The seed decides."""

    def openings(text: str) -> list[str]:
        done = subprocess.run([mola, text, "quit"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        start = "info string genfens "
        return [line[len(start) :] for line in done.stdout.splitlines() if line.startswith(start)]

    first = openings("genfens 20 seed 5 book None")
    assert len(set(first)) > 15
    assert all(chess.Board(fen).is_valid() for fen in first)
    assert first == openings("genfens 20 seed 5 book None some extra words")
    assert first != openings("genfens 20 seed 6 book None")
    book = tmp_path / "book.epd"
    book.write_text("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n\n")
    for fen in openings(f"genfens 9 seed 1 book {book}"):
        assert not chess.Board(fen).queens
    assert openings("genfens 9 seed 1 book /no/such/book.epd") == []


def test_debug_speaks_plainly(uci):
    uci.send("debug on", "position startpos")
    lines = uci.ask("go depth 2 wtime 1000 winc 10 searchmoves e2e4", "^bestmove")
    told = [line for line in lines if line.startswith("info string go from")]
    assert len(told) == 1 and "{" not in told[0] and "None" not in told[0]
    assert "White has 1000 ms and 10 ms a move" in told[0] and "only e2e4" in told[0]


def test_more_threads_than_the_machine_has_keep_the_clock(uci):
    said = uci.ask("setoption name Threads value 1024", "^info string this machine has")
    assert len(said) == 1
    uci.ready()
    uci.send("position startpos")
    since = time.monotonic()
    uci.best("go movetime 500")
    assert time.monotonic() - since < 3
