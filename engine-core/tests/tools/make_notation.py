"""Writes tests/data/notation.jsonl: facts about positions, FENs and moves from python-chess.

    pip install chess==1.11.2
    python engine-core/tests/tools/make_notation.py > engine-core/tests/data/notation.jsonl

The keys are those of the tests in notation.rs; `kind` says which test reads a record.
"""

import json
import random

import chess

RANDOM = random.Random(20250101)


def write(**record):
    print(json.dumps(record, separators=(",", ":")))


def outcome(board, claim_draw):
    found = board.outcome(claim_draw=claim_draw)
    return found and [found.termination.name, found.result()]


def start(chess960):
    number = RANDOM.randrange(960) if chess960 else 518
    return chess.Board.from_chess960_pos(number) if chess960 else chess.Board()


def playout(chess960, plies):
    """A random game; captures are rarer than chance has them, promotions and castling likelier."""
    board = start(chess960)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        weights = [
            8 if m.promotion or board.is_castling(m) else 1 if board.is_capture(m) else 3
            for m in moves
        ]
        board.push(RANDOM.choices(moves, weights)[0])
    return board


def move_facts(board, move):
    facts = {"uci": board.uci(move), "san": board.san(move), "lan": board.lan(move)}
    if board.uci(move, chess960=True) != facts["uci"]:
        facts["uci960"] = board.uci(move, chess960=True)
    if board.is_castling(move):
        facts["castling"] = True
    if board.is_en_passant(move):
        facts["ep"] = True
    return facts


def position(board):
    write(
        kind="position",
        variant="standard",
        chess960=board.chess960,
        start_fen=board.fen(en_passant="fen"),
        line=[],
        fen=board.fen(),
        fen_ep_xfen=board.fen(en_passant="xfen"),
        fen_ep_fen=board.fen(en_passant="fen"),
        shredder_fen=board.fen(shredder=True),
        epd=board.epd(),
        status=int(board.status()),
        insufficient=[board.has_insufficient_material(color) for color in chess.COLORS],
        outcome=outcome(board, False),
        outcome_claim=outcome(board, True),
        moves=[move_facts(board, move) for move in sorted(board.legal_moves, key=chess.Move.uci)],
    )


def is_telling(board):
    """Positions with moves whose text is not just the piece and its target."""
    sans = [board.san(move) for move in board.legal_moves]
    return (
        board.has_legal_en_passant()
        or not sans
        or any(len(san.rstrip("+#")) > 4 or san.startswith("O") or "#" in san for san in sans)
    )


def positions(count):
    while count:
        board = playout(RANDOM.random() < 0.4, RANDOM.choice([4, 9, 20, 40, 80, 150, 300]))
        if is_telling(board) or RANDOM.random() < 0.1:
            position(chess.Board(board.fen(en_passant="fen"), chess960=board.chess960))
            count -= 1


def fen(text, chess960):
    try:
        board = chess.Board(text, chess960=chess960)
    except ValueError:
        write(kind="fen", variant="standard", chess960=chess960, fen=text, ok=False)
        return
    steppers = board.pawns | board.knights
    if board.status() & chess.STATUS_TOO_MANY_KINGS or len(board.checkers() & steppers) > 1:
        return  # Later releases judge these differently.
    write(
        kind="fen",
        variant="standard",
        chess960=chess960,
        fen=text,
        ok=True,
        status=int(board.status()),
        out_fen=board.fen(),
        out_fen_ep_fen=board.fen(en_passant="fen"),
        out_shredder=board.fen(shredder=True),
        clean_castling=hex(board.clean_castling_rights()),
        outcome=outcome(board, False),
        n_legal=board.legal_moves.count(),
    )


def fens(count):
    """Texts that are nearly FENs."""
    for _ in range(count):
        board = playout(RANDOM.random() < 0.5, RANDOM.choice([3, 10, 60, 200]))
        text = board.fen(shredder=RANDOM.random() < 0.5, en_passant="fen")
        for _ in range(RANDOM.choice([0, 1, 1, 2])):
            at = RANDOM.randrange(len(text))
            new = RANDOM.choice("KQRBNPkqrbnp12345678/ -wbahHAeE~369x")
            text = text[:at] + new + text[at + RANDOM.choice([0, 1, 1]):]
        fen(text, board.chess960)


def move_text(board, kind, text):
    record = {"kind": kind, "fen": board.fen(), "chess960": board.chess960, "input": text}
    try:
        move = board.parse_uci(text) if kind == "uci" else board.parse_san(text)
    except ValueError as error:
        write(**record, ok=False, error=type(error).__name__)
    else:
        found = {"uci": board.uci(move), "san": board.san(move)} if move else {}
        write(**record, ok=True, null=not move, **found)


def move_texts(count):
    """Moves as written, as someone may write them, and as nobody should."""
    for _ in range(count):
        board = playout(RANDOM.random() < 0.3, RANDOM.choice([2, 15, 60, 150]))
        moves = list(board.legal_moves) or [chess.Move.null()]
        move = RANDOM.choice(moves)
        san, lan, uci = board.san(move), board.lan(move), board.uci(move)
        bare = san.rstrip("+#")
        spellings = [san, lan, uci, bare, bare + "+", bare + "#", bare + "!", bare.replace("=", "")]
        spellings += [bare.replace("x", ""), lan.replace("-", ""), lan.replace("x", "-"), san.lower()]
        spellings += [bare.replace("O", "0"), "P" + bare, bare[1:], bare[:-1], bare[0] + bare[-2:]]
        spellings += [bare[:1] + lan[1:2] + bare[1:], bare[:1] + lan[2:3] + bare[1:], uci + "q"]
        for text in RANDOM.sample(spellings, 3):
            move_text(board, "san", text)
        squares = "".join(RANDOM.choice(chess.SQUARE_NAMES) for _ in range(2))
        castling = RANDOM.choice(["e1g1", "e1c1", "e8g8", "e8c8", "e1h1", "e8a8"])
        for text in RANDOM.sample([uci, uci.upper(), uci[:4], uci + "n", squares, castling], 2):
            move_text(board, "uci", text)


def claims(fen_text, line):
    """A game ply by ply."""
    board = chess.Board(fen_text)
    for ply, uci in enumerate([None, *line]):
        if uci:
            board.push_uci(uci)
        write(
            kind="claim",
            game=fen_text,
            ply=ply,
            start=fen_text,
            line=line[:ply],
            fen=board.fen(),
            rep2=board.is_repetition(2),
            rep3=board.is_repetition(3),
            fivefold=board.is_fivefold_repetition(),
            claim3=board.can_claim_threefold_repetition(),
            fifty=board.is_fifty_moves(),
            claim50=board.can_claim_fifty_moves(),
            seventyfive=board.is_seventyfive_moves(),
            outcome=outcome(board, False),
            outcome_claim=outcome(board, True),
        )


positions(65)
fens(60)
move_texts(60)
shuffle = ["e1d1", "e8d8", "d1e1", "d8e8"]
claims("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", shuffle * 4)
claims("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", ["e8d8", *shuffle[:1], "d8e8", "d1e1"] * 3)
claims("4k3/8/8/8/8/8/8/4K2R w - - 97 80", shuffle)
claims("4k3/8/8/8/8/8/8/4K2R w - - 148 80", shuffle)
