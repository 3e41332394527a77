"""`mola position`, `fen`, `san` and `epd`: corpora with known answers, and python-chess on mutated input."""

import gzip
import json
import os
import random
import re
import subprocess

import chess
import chess.variant
import pytest

SEED = int(os.environ.get("SEED", "1"))
# How many mutated texts of each kind are compared.
FUZZ = int(os.environ.get("NOTATION_FUZZ", "400"))
# Releases after 1.11.2 allow only one king a side, and detect more impossible checks.
RECENT = hasattr(chess.Board, "piece_count")


def batch(mola, command, queries):
    lines = "\n".join(json.dumps(query) for query in queries)
    run = subprocess.run(
        [mola, command, "--batch"], input=lines + "\n", capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(queries)
    return answers


def corpus(data, name):
    with gzip.open(data / f"notation/{name}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def compare(answers, records, ignored):
    wrong = [
        (key, answer.get(key), value)
        for answer, record in zip(answers, records)
        for key, value in record.items()
        if key not in ignored and answer.get(key) != value
    ]
    assert not wrong[:5], f"{len(wrong)} differ"


# Remarks and sources.
REMARKS = {"note", "src"}
QUESTIONS = {
    "positions": ("position", ["variant", "chess960", "start_fen", "line"]),
    "claims": ("position", ["game", "start", "line"]),
    "fens": ("fen", ["fen", "variant", "chess960"]),
    "san": ("san", ["kind", "fen", "variant", "chess960", "input"]),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_corpus(mola, data, name):
    command, keys = QUESTIONS[name]
    records = corpus(data, name)
    queries = [{key: record[key] for key in keys if key in record} for record in records]
    compare(batch(mola, command, queries), records, REMARKS)


def test_epd_corpus(mola, data):
    records = corpus(data, "epd")
    queries = [
        {key: r[key] for key in (["write", "fen", "ops"] if "write" in r else ["epd"])}
        for r in records
    ]
    compare(batch(mola, "epd", queries), records, REMARKS)


def mutate(rng, text, alphabet):
    letters = list(text)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(letters) + 1)
        action = rng.randrange(4)
        if action == 0:
            letters.insert(at, rng.choice(alphabet))
        elif action == 1 and at < len(letters):
            letters[at] = rng.choice(alphabet)
        elif action == 2 and at < len(letters):
            del letters[at]
        elif at + 1 < len(letters):
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
    return "".join(letters)


def random_board(rng):
    chess960 = rng.random() < 0.25
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(rng.randrange(90)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def fen_facts(fen, chess960, variant=chess.Board):
    try:
        board = variant(fen, chess960=chess960)
    except ValueError:
        return {"ok": False, "error": "ValueError"}
    several_kings = any(len(board.pieces(chess.KING, color)) > 1 for color in chess.COLORS)
    if several_kings and not RECENT:
        return {"ok": True}
    outcome = board.outcome()
    facts = {
        "ok": True,
        "out_fen": board.fen(),
        "out_fen_ep_fen": board.fen(en_passant="fen"),
        "out_shredder": board.fen(shredder=True),
        "insufficient": [board.has_insufficient_material(c) for c in (True, False)],
        "outcome": outcome and [outcome.termination.name, outcome.result()],
        "clean_castling": hex(board.clean_castling_rights()),
        "n_legal": board.legal_moves.count(),
    }
    if RECENT or not board.is_check():
        facts["status"] = int(board.status())
        facts["valid"] = board.is_valid()
    return facts


def test_mutated_fens(mola):
    rng = random.Random(SEED)
    queries = []
    for _ in range(FUZZ):
        board = random_board(rng)
        spell = rng.choice(["legal", "fen"])
        fen = board.fen(shredder=rng.random() < 0.3, en_passant=spell)
        fields = fen.split(" ")
        if rng.random() < 0.3:
            at = rng.randrange(6)
            odd = ["-", "w", "b", "KQkq", "HAha", "Kk", "kQ", "e3", "d6", "a6", "h3", "e9", "00", "-1"]
            fields[at] = rng.choice([*odd, "1_0", "+7", "٣", "", "150", "99999999999", "x"])
        fen = " ".join(fields[: rng.choice([6, 6, 6, 6, 4, 5, 2, 1])])
        if rng.random() < 0.7:
            fen = mutate(rng, fen, "KQRBNPkqrbnp12345678/ -wbahHAeE~36é♔\u3000\x1f0\t_+")
        queries.append({"fen": fen, "chess960": board.chess960})
    facts = [fen_facts(query["fen"], query["chess960"]) for query in queries]
    compare(batch(mola, "fen", queries), facts, set())


def move_facts(board, kind, text):
    try:
        move = board.parse_uci(text) if kind == "uci" else board.parse_san(text)
    except (chess.InvalidMoveError, chess.IllegalMoveError, chess.AmbiguousMoveError) as error:
        return {"ok": False, "error": type(error).__name__}
    return {"ok": True, "uci": board.uci(move), "san": board.san(move), "null": not move}


# Of several kings, releases up to 1.11.2 choose another one.
@pytest.mark.skipif(not RECENT, reason="needs a later python-chess than 1.11.2")
def test_odd_fens_of_variants(mola):
    rng = random.Random(SEED + 4)
    queries, facts = [], []
    for _ in range(FUZZ):
        variant = rng.choice(chess.variant.VARIANTS)
        board = variant(None)
        for _ in range(rng.choice([1, 2, 3, 5, 9, 20])):
            piece = chess.Piece(rng.choice([1, 2, 3, 4, 5, 6, 6]), rng.random() < 0.5)
            board.set_piece_at(rng.randrange(64), piece, promoted=rng.random() < 0.1)
        fields = [
            board.board_fen(promoted=True),
            rng.choice("wb"),
            rng.choice(["-", "KQkq", "HAha", "Kq", "Gb"]),
            rng.choice(["-", "d3", "d6"]),
            *(["1+2"] if variant.uci_variant == "3check" else []),
            rng.choice(["0", "99", "150"]),
            "7",
        ]
        if variant.uci_variant == "crazyhouse":
            fields[0] += f"[{''.join(rng.choices('QRBNPqrbnpk', k=rng.randrange(4)))}]"
        fen = " ".join(fields)
        queries.append({"fen": fen, "variant": variant.uci_variant})
        facts.append(fen_facts(fen, False, variant))
    compare(batch(mola, "fen", queries), facts, set())


def test_mutated_moves(mola):
    rng = random.Random(SEED + 1)
    queries, facts = [], []
    for _ in range(FUZZ):
        board = random_board(rng)
        query = {"fen": board.fen(shredder=True), "chess960": board.chess960}
        for _ in range(4):
            move = rng.choice([*board.legal_moves, chess.Move.null()])
            kind = rng.choice(["san", "san", "uci", "xboard"])
            text = rng.choice([board.san, board.lan, board.uci] if move else [board.san])(move)
            if rng.random() < 0.8:
                text = mutate(rng, text, "abcdefgh12345678NBRQKPxX-=+#Oo0@ .!?é♘qrbn")
            queries.append({**query, "kind": kind, "input": text})
            facts.append(move_facts(board, kind, text))
    compare(batch(mola, "san", queries), facts, set())


def operand_json(board, opcode, operand):
    if isinstance(operand, list):
        return [{"move": move.uci()} for move in operand]
    if isinstance(operand, chess.Move):
        return {"move": operand.uci()}
    return {"float": str(operand)} if isinstance(operand, float) else operand


def epd_facts(epd):
    try:
        board, ops = chess.Board.from_epd(epd)
    except ValueError as error:
        return {"ok": False, "error": type(error).__name__}
    if not RECENT and any(len(board.pieces(chess.KING, color)) > 1 for color in chess.COLORS):
        return {}
    facts = {
        "ok": True,
        "fen": board.fen(),
        "ops": {code: operand_json(board, code, operand) for code, operand in ops.items()},
    }
    try:
        facts["written"] = board.epd(**ops)
    except ValueError:
        pass
    return facts


def test_mutated_epds(mola):
    rng = random.Random(SEED + 2)
    queries = []
    for _ in range(FUZZ):
        board = random_board(rng)
        while board.chess960 or not any(board.legal_moves):
            board = random_board(rng)
        moves = [board.san(move) for move in board.legal_moves]
        operations = [
            f"bm {' '.join(rng.choices(moves, k=rng.randrange(4)))};",
            f"am {rng.choice(moves)};",
            f"pv {rng.choice(moves)};",
            f"sm {rng.choice(moves)};",
            f'id "{rng.choice(["a", "", "x;y", chr(92) + "n", "é", chr(34)])}";',
            f"ce {rng.choice(['12', '-3', '+0', '1.5', '-2e-7', '1e999', '.5', '1_0', '٣', '1e22'])};",
            f"hmvc {rng.randrange(200)};",
            f"fmvn {rng.randrange(99)};",
            "resign;",
            "- ;",
            "noop",
        ]
        epd = f"{board.epd()} {' '.join(rng.sample(operations, rng.randrange(1, 5)))}"
        if rng.random() < 0.7:
            epd = mutate(rng, epd, 'abehNQK12345678 ;"\\-+._é\t0eO')
        queries.append({"epd": epd})
    facts = [epd_facts(query["epd"]) for query in queries]
    compare(batch(mola, "epd", queries), facts, set())


def test_epds_with_an_en_passant_square_that_no_pawn_has_passed(mola):
    """python-chess reads and plays moves that take there."""
    epds = [
        "4k3/8/8/4PP2/8/8/8/4K3 w - f6 bm exf6;",
        "4k3/8/8/4P3/8/8/8/4K3 w - f6 pv exf6 Kf7 Ke2 Kxf6; sm exf6;",
        "4k3/8/8/4Pn2/8/8/8/4K3 w - f6 pv exf6 Kf7 Ke2 Kxf6;",
        "4k3/8/8/8/4pP2/8/8/4K3 b - f3 am exf3 e3;",
        "4k3/8/8/4pP2/4P3/8/8/4K3 b - e4 bm e4;",
        "4k3/8/8/8/4Kp1r/8/8/8 b - e3 bm fxe3;",
        "4k3/8/8/K3P2r/8/8/8/8 w - f6 bm exf6;",
        "4k3/8/8/4P3/8/8/8/r3K3 w - f6 bm exf6;",
        "4k3/8/8/4PpP1/8/8/8/4K3 w - f6 bm exf6 gxf6;",
        "8/5p1k/5Q2/6Pb/5r2/8/8/3K4 w - h6 bm gxh6;",
    ]
    facts = [epd_facts(epd) for epd in epds]
    assert {answer["ok"] for answer in facts} == {True, False}
    compare(batch(mola, "epd", [{"epd": epd} for epd in epds]), facts, set())


def refusal(ask):
    """python-chess's messages for invalid input."""
    try:
        ask()
    except ValueError as error:
        return {"ok": False, "error": type(error).__name__, "message": str(error)}
    return {"ok": True}


def test_refusals_are_those_of_python_chess(mola):
    rng = random.Random(SEED + 5)
    fens, moves = ([], []), ([], [])
    while len(moves[0]) < FUZZ:
        variant = rng.choice(chess.variant.VARIANTS)
        board = variant()
        for _ in range(rng.randrange(60)):
            board.push(rng.choice([*board.legal_moves, chess.Move.null()]))
            if board.is_game_over():
                break
        board = variant(board.fen())
        fen = mutate(rng, board.fen(), "KQRBNPkqrbnp12345678/ -wbahHAeE~36[]")
        # Mola counts no more than 255 checks.
        if variant is chess.variant.ThreeCheckBoard and re.search(r"\d{3}\+|\+\d{3}", fen):
            continue
        query = {"variant": variant.uci_variant}
        fens[0].append({**query, "fen": fen})
        fens[1].append(refusal(lambda: variant(fen)))
        for move in rng.choices([*board.pseudo_legal_moves, chess.Move.null()], k=2):
            kind = rng.choice(["san", "uci"])
            text = board.uci(move) if kind == "uci" or not board.is_legal(move) else board.san(move)
            text = mutate(rng, text, "KQRBNPkqrbnp12345678+#=xabcdefghO-0@,!")
            ask = {"san": board.parse_san, "uci": board.parse_uci}[kind]
            moves[0].append({**query, "fen": board.fen(), "kind": kind, "input": text})
            moves[1].append(refusal(lambda: ask(text)))
    compare(batch(mola, "fen", fens[0]), fens[1], set())
    compare(batch(mola, "san", moves[0]), moves[1], set())


def test_texts_that_were_read_otherwise(mola):
    start = {"fen": chess.STARTING_FEN}
    drop = {"fen": "4k3/8/4K3/8/8/8/8/8[Q] w - - 0 1", "variant": "crazyhouse"}
    cases = [({**start, "kind": "uci", "input": text}, chess.Board().parse_uci) for text in ("a1a1", "a1a1q", "0000")]
    board = chess.variant.CrazyhouseBoard(drop["fen"])
    for text in ("Q@e7", "Q@e7+++", "Q@e7##", "Q@e7+#", "Q@e7!"):
        cases.append(({**drop, "input": text}, board.parse_san))
    facts = [refusal(lambda: ask(query["input"])) for query, ask in cases]
    compare(batch(mola, "san", [query for query, _ in cases]), facts, set())


def test_odd_operations(mola):
    bare = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
    bad = "8/8/8/8/8/8/8/8 x - - "
    texts = ["hmvc 3.5;", "fmvn 1e3;", "hmvc;", "hmvc e4;", 'hmvc "3";', "bm e4 , d4;", "bm e4,;", "x true;", "x NaN;", "x nan;", "ce 1e999;", "ce -1.5e999 ;", "ce 1e;"]
    epds = [bare + text for text in texts] + [bad + text for text in ("hmvc 7;", "7 8;", "hmvc 7; bm e4;")]
    facts = [refusal(lambda: chess.Board.from_epd(epd)) for epd in epds]
    compare(batch(mola, "epd", [{"epd": epd} for epd in epds]), facts, set())
    # Values that Python writes in its own way, or refuses.
    values = [True, False, float("nan"), float("inf"), -float("inf")]
    queries = [
        {"write": "x", "fen": chess.STARTING_FEN, "ops": {"x": {"float": str(v)} if isinstance(v, float) else v}}
        for v in values
    ]
    for answer, value in zip(batch(mola, "epd", queries), values):
        try:
            written = chess.Board().epd(x=value)
        except AssertionError as error:
            assert (answer["error"], answer["message"]) == ("AssertionError", str(error))
        else:
            assert answer["written"] == written


def test_written_moves_are_those_that_python_chess_reads(mola):
    """Legal or not, but whole, and of two squares."""
    moves = ["e2e4", "e2e5", "e2e5q", "0000", "e2e4q", "e2e4Q", "e2e4qq", "e2e5zzz", "e2e5Q", "e2e5qqq", "e2e2", "e2e2q", "e2e", "e2e5x"]
    for move in moves:
        record = json.dumps({"write": "a", "fen": chess.STARTING_FEN, "ops": {"bm": [{"move": move}]}})
        done = subprocess.run([mola, "epd", "--batch"], input=record, capture_output=True, text=True)
        answer = json.loads(done.stdout)
        try:
            written = chess.Board().epd(bm=[chess.Move.from_uci(move)])
        except chess.InvalidMoveError:
            assert not answer["ok"] and answer["message"] == f"ops: {move}: not a move"
        else:
            assert answer["written"] == written


def test_faulty_positions_tell_their_faults(mola):
    fens = ["4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1", "8/8/8/8/8/8/8/8 w - - 0 1", chess.STARTING_FEN.replace(" - ", " e3 "), chess.STARTING_FEN]
    answers = batch(mola, "position", [{"fen": fen} for fen in fens])
    assert [answer["status"] for answer in answers] == [int(chess.Board(fen).status()) for fen in fens]
    pages = [subprocess.run([mola, "position", fen], capture_output=True, text=True).stdout for fen in fens]
    faults = [re.search(r"^Faults +(.*)$", page, re.M)[1] for page in pages]
    assert "castling" in faults[0] and "en passant" in faults[0]
    assert [fault == "none" for fault in faults] == [False, False, False, True]


def test_checks_are_not_cut(mola):
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+{} 0 1"
    for count in (3, 255):
        done = fen_of(mola, fen.format(count), "--variant", "3check")
        assert done.stdout.strip() == fen.format(count)
    done = fen_of(mola, fen.format(330), "--variant", "3check")
    assert done.returncode == 1 and "255 at most" in done.stderr


def three_check_facts(fen):
    try:
        board = chess.variant.ThreeCheckBoard(fen)
    except ValueError as error:
        return {"ok": False, "message": str(error)}
    return {"ok": True, "out_fen": board.fen()}


def test_checks_are_those_of_python_chess(mola):
    """Those left stand before the clocks, those given behind them."""
    rng = random.Random(SEED + 7)
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    numbers = ["0", "1", "2", "3", "7", "-1", "+2", "", "x", "1_0", "٣", "-99", "--1"]

    def checks(numbers):
        sign = "+" * (rng.random() < 0.4)
        return rng.choice(["", sign + "+".join(rng.choices(numbers, k=rng.choice([1, 2, 2, 2, 3])))])

    fens = []
    for _ in range(FUZZ):
        # Mola counts no more than 255 checks that are left.
        words = [board, checks(numbers), *rng.choice([["0", "1"], ["0"], ["4", "9"]]), checks([*numbers, "9" * 20])]
        fens.append(" ".join(word for word in words if word))
    facts = [three_check_facts(fen) for fen in fens]
    compare(batch(mola, "fen", [{"fen": fen, "variant": "3check"} for fen in fens]), facts, set())
    for checks in ("+0+0", "+1+2", "+-1+0"):
        done = fen_of(mola, f"{board} {checks} 0 1", "--variant", "3check")
        assert done.returncode == 1 and f"checks (column {len(board) + 2})" in done.stderr


def test_pockets_hold_31_of_a_kind(mola):
    fen = "4k3/8/8/8/8/8/8/4K3[{}] w - - 0 1"
    query = {"fen": fen.format("P" * 31), "variant": "crazyhouse"}
    full = {"fen": fen.format("P" * 32), "variant": "crazyhouse"}
    right, wrong = batch(mola, "fen", [query, full])
    assert right["ok"] and "more than 31 pieces" in wrong["message"] and f"'{'P' * 32}'" in wrong["message"]
    assert "more than 31 pieces" in fen_of(mola, full["fen"], "--variant", "crazyhouse").stderr


def test_empty_pockets_of_other_programs(mola):
    """`[-]`, as xboard and cutechess write them; python-chess refuses that, and so do batches."""
    fen, written = (f"4k3/8/8/8/8/8/4P3/4K3{pockets} w - - 0 1" for pockets in ("[-]", "[]"))
    with pytest.raises(ValueError) as refused:
        chess.variant.CrazyhouseBoard(fen)
    message, variant = str(refused.value), {"variant": "crazyhouse"}
    assert fen_of(mola, fen, "--variant", "crazyhouse").stdout.strip() == written
    for command in (["position", fen], ["san", fen, "e4"], ["epd", fen.replace("0 1", "bm e4;")]):
        subprocess.run([mola, *command, "--variant", "crazyhouse"], capture_output=True, check=True)
    refusals = [
        *batch(mola, "fen", [{"fen": fen, **variant}, {"fen": f" {fen}", **variant}]),
        *batch(mola, "epd", [{"epd": epd, **variant} for epd in (fen.removesuffix(" 0 1"), fen.replace("0 1", "bm e4;"))]),
    ]
    assert [answer["message"].split("; ")[0] for answer in refusals] == [message] * 4
    (illegal,) = batch(mola, "epd", [{"epd": fen.replace("0 1", "bm e5;"), **variant}])
    assert illegal["message"] == message
    for command, query in (
        ("position", {"fen": fen}),
        ("position", {"start": fen, "line": []}),
        ("san", {"kind": "san", "fen": fen, "input": "e4"}),
        ("epd", {"write": "", "fen": fen, "ops": {}}),
    ):
        record = json.dumps({**query, **variant})
        done = subprocess.run([mola, command, "--batch"], input=record, capture_output=True, text=True)
        assert done.returncode == 1 and message in done.stdout + done.stderr


def test_clocks_are_not_cut(mola):
    board = "4k3/8/8/8/8/8/8/4K3 w - -"
    assert fen_of(mola, f"{board} 7 2147483647").stdout.strip() == f"{board} 7 2147483647"
    done = fen_of(mola, f"{board} 4294967296 2147483648")
    assert done.returncode == 1 and not done.stdout
    assert "halfmove clock (column 27): more than 2147483647" in done.stderr, done.stderr
    assert "move number (column 38): more than 2147483647" in done.stderr
    # Python's numbers have no end.
    (answer,) = batch(mola, "fen", [{"fen": f"{board} 4294967296 1"}])
    assert answer["out_fen"] == f"{board} 4294967296 1"


def test_blank_lines_are_no_fens(mola):
    lines = "startpos\n\n  \n8/8\nstartpos\n"
    done = subprocess.run([mola, "fen", "-"], input=lines, capture_output=True, text=True)
    assert done.stdout.count(chess.STARTING_FEN) == 2
    assert done.stderr.startswith("stdin:4: ") and "bad: 1 of 3" in done.stderr


def test_suggestions_are_in_the_language(mola):
    def said(fen, move):
        return subprocess.run([mola, "san", fen, "--lang", "de", move], capture_output=True, text=True).stderr

    assert "did you mean Sf3?" in said("startpos", "Sf4")
    assert "ambiguous: Sbd2 or Sfd2" in said("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Sd2")
    assert "as in e8=D; did you mean e8=D?" in said("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8")


def fen_of(mola, fen, *arguments):
    return subprocess.run([mola, "fen", fen, *arguments], capture_output=True, text=True)


SHIFTS = [name for name in dir(chess) if name.startswith("shift_")]


@pytest.mark.parametrize("name", [*SHIFTS, *(name for name in dir(chess) if name.startswith("flip_"))])
def test_transforms(mola, name):
    rng = random.Random(SEED + 6)
    assert len(SHIFTS) == 12
    for _ in range(5):
        board = chess.Board(random_board(rng).fen().split(" ")[0] + " w - - 0 1")
        wanted = board.transform(getattr(chess, name)).board_fen()
        assert fen_of(mola, board.fen(), "--transform", name.replace("_", "-")).stdout.split(" ")[0] == wanted


@pytest.mark.parametrize("command", ["fen -", "epd --file -"])
def test_a_bad_line_stops_no_others(mola, command):
    good = chess.STARTING_FEN.encode()
    lines = [b"startpos", b"\xff", b"x" * 2_000_000, b"8/8", b"startpos"]
    done = subprocess.run([mola, *command.split()], input=b"\n".join(lines), capture_output=True)
    assert done.returncode == 1 and done.stdout.count(good) == 2
    said = done.stderr.decode().splitlines()
    for line, (number, words) in zip(said, [(2, "not UTF-8 text"), (3, "more than"), (4, "bad FEN")]):
        assert str(number) in line and words in line and len(line) < 200, line
    assert "bad: 3 of 5" in said[3]


@pytest.mark.parametrize("command", ["san startpos", "san startpos --line", "position startpos", "book probe", "epd"])
def test_messages_cannot_drive_a_terminal(mola, command):
    done = subprocess.run([mola, *command.split(), "\x1b[31mX"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("mola: ")
    assert done.stderr.replace("\n", "").isprintable(), done.stderr


@pytest.mark.parametrize("command, line", [
    ("epd --file", '8/8/8/8/8/2k5/8/K7 w - - id "%s"; c0 "%s";'),
    ("analyse --nodes 10", '8/8/8/8/8/2k5/8/K7 w - - bm Ka2; id "%s"; c0 "%s";'),
    ("perft --suite", "id %s %s\nepd 8/8/8/8/8/2k5/8/K7 w - -\nperft 1 20"),
])
def test_names_of_positions_cannot_drive_a_terminal(mola, tmp_path, command, line):
    path = tmp_path / "positions"
    path.write_text(line % ("\x1b[31m", "\x07\x9b2J") + "\n")
    shown = subprocess.run([mola, *command.split(), path], capture_output=True, text=True)
    said = shown.stdout + shown.stderr
    assert "[31m" in said and said.replace("\n", "").isprintable(), said


def test_horde_is_mirrored(mola):
    """Black then has the pawns."""
    board = chess.variant.HordeBoard()
    shown = fen_of(mola, "startpos", "--variant", "horde", "--mirror")
    assert shown.stdout.strip() == board.mirror().fen(), shown.stderr


def test_chess960_is_mirrored(mola):
    """It is known by its castling rights."""
    board = chess.Board("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", chess960=True)
    assert fen_of(mola, board.fen(), "--mirror", "--shredder").stdout.strip() == board.mirror().shredder_fen()


def test_batches_may_begin_with_a_mark(mola, tmp_path):
    """Programs of Windows write one."""
    book = tmp_path / "book.bin"
    book.write_bytes(b"")
    for command, record in (
        ("fen", {"fen": chess.STARTING_FEN}),
        ("epd", {"epd": chess.Board().epd()}),
        ("san", {"fen": chess.STARTING_FEN, "input": "e4"}),
        ("book probe BOOK", {"fen": chess.STARTING_FEN}),
        ("tables probe", {"fen": "4k3/8/8/8/8/8/8/4KR2 w - - 0 1"}),
    ):
        record = json.dumps(record).encode() + b"\n"
        answers = [
            subprocess.run([mola, *command.replace("BOOK", str(book)).split(), "--batch"], input=begin + record, capture_output=True).stdout
            for begin in (b"", b"\xef\xbb\xbf")
        ]
        assert answers[0] == answers[1] and b"error" not in answers[0], answers


def test_all_names_of_chess960(mola):
    for name in ("chess960", "Chess 960", "fischerandom", "fischerrandom", "fischer random"):
        words = [mola, "san", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "--variant", name]
        assert "e1h1" in subprocess.run(words, capture_output=True, text=True, check=True).stdout, name


def test_json_has_the_turned_board(mola):
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    for turn in (["--mirror"], ["--transform", "rotate-90"], ["--transform", "shift-up", "--mirror"]):
        plain = subprocess.run([mola, "fen", *turn, fen], capture_output=True, text=True, check=True).stdout
        shown = subprocess.run([mola, "fen", "--json", *turn, fen], capture_output=True, text=True, check=True).stdout
        assert json.loads(shown)["out_fen"] == plain.strip() != fen
    for options in (["--json", "--shredder"], ["--json", "--en-passant", "always"], ["--batch", "--transform", "rotate-90"]):
        assert subprocess.run([mola, "fen", *options, fen], capture_output=True).returncode == 2, options


@pytest.mark.parametrize("command", ["fen --json", "epd --json", "san --json startpos"])
def test_json_tells_what_is_wrong(mola, command):
    done = subprocess.run([mola, *command.split(), "Qh9"], capture_output=True, text=True)
    assert done.returncode == 1 and json.loads(done.stdout)["error"] and done.stderr.startswith("mola: ")


@pytest.mark.parametrize(
    "command",
    ["fen", "fen --json", "position", "epd", "epd --json", "san startpos e4", "svg", "perft 1 --fen", "analyse --depth 1 --fen"],
)
def test_the_start_position_has_a_name(mola, command):
    words = command.split() if "startpos" in command else [*command.split(), "startpos"]
    subprocess.run([mola, *words], capture_output=True, check=True)


@pytest.mark.parametrize("name, variant", [("crazyhouse", "crazyhouse"), ("horde", "horde"), ("3check", "3check")])
def test_start_positions_of_chess960_in_variants(mola, name, variant):
    done = subprocess.run([mola, "fen", "--start", "100", "--variant", name], capture_output=True, text=True, check=True)
    board = chess.variant.find_variant(variant)(done.stdout, chess960=True)
    orthodox = type(board)().board_fen().split("/")
    wanted = chess.Board.from_chess960_pos(100).board_fen().split("/")
    for row, rank in enumerate(orthodox):
        wanted[row] = wanted[row] if rank.lower() == "rnbqkbnr" else rank
    assert board.board_fen() == "/".join(wanted) and board.is_valid()
    done = subprocess.run([mola, "fen", "--start", "0", "--variant", "racingkings"], capture_output=True, text=True)
    assert done.returncode == 2 and "has no Chess960" in done.stderr


@pytest.mark.parametrize("flip", [[], ["--flip"]])
def test_attacked_squares_are_shown_as_the_board_is(mola, flip):
    words = [mola, "position", "startpos", "e2e4", "--ascii", "--attacks", *flip]
    shown = subprocess.run(words, capture_output=True, text=True).stdout
    board, white = shown.splitlines()[:9], shown.split("Attacked by white\n")[1].splitlines()[:9]
    assert [line[0] for line in white] == [line[0] for line in board] and white[8] == board[8]
    attacked = {f"{file}{line[0]}" for line in white for file, mark in zip(white[8][2:], line[2:]) if mark == "1"}
    after = chess.Board()
    after.push_san("e4")
    assert attacked == {chess.square_name(at) for at in chess.SQUARES if after.is_attacked_by(chess.WHITE, at)}


def test_a_position_is_shown_with_coordinates(mola):
    shown = subprocess.run([mola, "position", "--ascii"], capture_output=True, text=True).stdout.splitlines()
    assert (shown[0], shown[8]) == ("8 r n b q k b n r", "  a b c d e f g h")
    shown = subprocess.run([mola, "position", "--ascii", "--flip"], capture_output=True, text=True).stdout.splitlines()
    assert (shown[0], shown[8]) == ("1 R N B K Q B N R", "  h g f e d c b a")


@pytest.mark.parametrize("option, locale", [(["--ascii"], "C.UTF-8"), ([], "C")])
def test_names_of_openings_without_accents(mola, option, locale):
    words = [mola, "position", "startpos", "d4", "Nf6", "c4", "g6", "Nc3", "d5"]
    env = {**os.environ, "LC_ALL": locale}
    shown = subprocess.run([*words, *option], capture_output=True, text=True, env=env).stdout
    assert shown.isascii() and "D80 Grunfeld Defense\n" in shown
    shown = subprocess.run([*words, "--json"], capture_output=True, text=True, env=env).stdout
    assert json.loads(shown)["opening"] == ["D80", "Gr\u00fcnfeld Defense"]


def test_bad_records_are_answered_in_their_place(mola):
    lines = '{"fen": "8/8/8/8/8/8/8/8"}\nno json\n{"fen": "x", "variant": "chess7"}\n'
    run = subprocess.run([mola, "fen", "--batch"], input=lines, capture_output=True, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False]
    assert [answer.get("line") for answer in answers] == [None, 2, 3]
    assert run.returncode == 1 and "2 of 3" in run.stderr
