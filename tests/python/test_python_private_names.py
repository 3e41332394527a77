"""Private names of python-chess that other packages use answer as its own do, over random positions."""

import inspect
import random
from importlib import import_module

import python_package  # first: it puts `mola` on the path
import chess
import chess.variant
import mola.chess
import mola.chess.variant
import pytest

assert python_package

VARIANTS = [cls.__name__ for cls in chess.variant.VARIANTS]


def board_of(library, variant, *arguments, **options):
    return getattr(import_module(f"{library.__name__}.variant"), variant, library.Board)(*arguments, **options)


def positions(variant, games=4, plies=50):
    """Positions of random games with many checks, half of them of Chess960, on boards of both libraries."""
    pick = random.Random(variant)
    for game in range(games):
        options = {"chess960": game % 2 == 1}
        theirs, ours = (board_of(library, variant, **options) for library in (chess, mola.chess))
        if options["chess960"] and variant not in ("RacingKingsBoard", "HordeBoard"):
            number = pick.randrange(960)
            for board in (theirs, ours):
                board.set_chess960_pos(number)
        for _ in range(plies):
            legal = list(theirs.legal_moves)
            if not legal:
                break
            checks = list(filter(theirs.gives_check, legal))
            move = pick.choice(checks or legal)
            theirs.push(move)
            ours.push(same_move(move))
            yield theirs, ours, pick


def same_move(move):
    return mola.chess.Move(move.from_square, move.to_square, move.promotion, move.drop)


def shown(ask) -> str:
    try:
        answer = ask()
        return str(list(answer) if inspect.isgenerator(answer) else answer)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def same(theirs, ours) -> None:
    assert shown(ours) == shown(theirs)


METHODS = (
    "_algebraic _algebraic_and_push _algebraic_without_suffix _attacked_for_king _ep_skewered _from_chess960 "
    "_generate_evasions _is_halfmoves _is_safe _parse_epd_ops _push_capture _reduces_castling_rights "
    "_slider_blockers _to_chess960 _transposition_key _valid_ep_square"
).split()
FUNCTIONS = "_attack_table _carry_rippler _edges _rays _sliding_attacks _step_attacks".split()


def test_signatures():
    for owner, names in ((lambda library: library.Board, METHODS), (lambda library: library, FUNCTIONS)):
        for name in names:
            theirs, ours = (inspect.signature(getattr(owner(library), name)) for library in (chess, mola.chess))
            described = [
                [(p.name, p.kind, p.default) for p in signature.parameters.values() if p.name != "self"]
                for signature in (theirs, ours)
            ]
            assert described[0] == described[1], name


def test_functions_of_squares():
    pick = random.Random(1)
    knight = [17, 15, 10, 6, -17, -15, -10, -6]
    for square in chess.SQUARES:
        assert mola.chess._edges(square) == chess._edges(square)
        for deltas in (knight, [9, 7], [-8, 8], [-9, -7, 7, 9, -8, 8, -1, 1]):
            occupied = pick.getrandbits(64) & pick.getrandbits(64)
            assert mola.chess._step_attacks(square, deltas) == chess._step_attacks(square, deltas)
            ours, theirs = (library._sliding_attacks(square, occupied, deltas) for library in (mola.chess, chess))
            assert ours == theirs
    assert mola.chess._rays() == chess._rays()
    assert list(mola.chess._carry_rippler(0x8001_0010)) == list(chess._carry_rippler(0x8001_0010))
    assert mola.chess._attack_table([-8, 8]) == chess._attack_table([-8, 8])


@pytest.mark.parametrize("variant", VARIANTS)
def test_methods(variant):
    checks = 0
    for theirs, ours, pick in positions(variant):
        same(theirs._transposition_key, ours._transposition_key)
        same(theirs._valid_ep_square, ours._valid_ep_square)
        assert list(map(vars, ours._stack)) == list(map(vars, theirs._stack))
        path, occupied = (pick.getrandbits(64) & pick.getrandbits(64) for _ in range(2))
        same(lambda: theirs._attacked_for_king(path, occupied), lambda: ours._attacked_for_king(path, occupied))
        king = theirs.king(theirs.turn)
        for square in {king, pick.randrange(64)} - {None}:
            same(lambda: theirs._slider_blockers(square), lambda: ours._slider_blockers(square))
            if theirs.ep_square is not None:
                other = pick.randrange(64)
                same(lambda: theirs._ep_skewered(square, other), lambda: ours._ep_skewered(square, other))
        moves = [*theirs.pseudo_legal_moves, *(chess.Move(*pick.sample(chess.SQUARES, 2)) for _ in range(3))]
        if king is not None:
            checkers = theirs.checkers_mask()
            blockers = theirs._slider_blockers(king)
            for move in moves:
                same(lambda: theirs._is_safe(king, blockers, move), lambda: ours._is_safe(king, blockers, same_move(move)))
            if checkers:
                checks += 1
                for masks in ((), (path, occupied)):
                    same(
                        lambda: list(theirs._generate_evasions(king, checkers, *masks)),
                        lambda: list(ours._generate_evasions(king, checkers, *masks)),
                    )
        for move in moves:
            same(lambda: theirs._to_chess960(move), lambda: ours._to_chess960(same_move(move)))
            fields = (move.from_square, move.to_square, move.promotion, move.drop)
            for is_960 in (True, False):
                same(lambda: theirs._from_chess960(is_960, *fields), lambda: ours._from_chess960(is_960, *fields))
        for move in [*pick.sample(moves, min(4, len(moves))), chess.Move.null()]:
            for name in ("_algebraic_without_suffix", "_algebraic", "_algebraic_and_push"):
                for long in ({}, {"long": True}):
                    boards = theirs.copy(), ours.copy()
                    if move not in theirs.legal_moves and name != "_algebraic_without_suffix" and move:
                        continue
                    same(
                        lambda: (getattr(boards[0], name)(move, **long), boards[0].fen()),
                        lambda: (getattr(boards[1], name)(same_move(move), **long), boards[1].fen()),
                    )
    # By these rules kings are taken, or nobody gives check.
    has_no_checks = variant in ("SuicideBoard", "GiveawayBoard", "AntichessBoard", "RacingKingsBoard")
    assert has_no_checks or checks > 5


@pytest.mark.parametrize("variant", ["Board", "AtomicBoard", "CrazyhouseBoard"])
def test_captures(variant):
    for theirs, ours, pick in positions(variant, games=4, plies=40):
        captures = [move for move in theirs.legal_moves if theirs.is_capture(move) and not theirs.is_en_passant(move)]
        if captures:
            move = pick.choice(captures)
            promoted = pick.random() < 0.5
            boards = theirs.copy(), ours.copy()
            for board, made in zip(boards, (move, same_move(move))):
                board._push_capture(made, move.to_square, theirs.piece_type_at(move.to_square), promoted)
            same(boards[0].fen, boards[1].fen)


def test_epd_operations():
    for text in (
        'bm Nf3 Nc3; id "a;\\"b\\\\"; pv e4 e5 Nf3; c0 1; x 1.5; e4 e4; - ; am ;', "hmvc 3; fmvn 9", "bm Nf9;", "",
        "x 1e999;", "9x 3;", 'id "open',
    ):
        same(
            lambda: chess.Board()._parse_epd_ops(text, chess.Board),
            lambda: mola.chess.Board()._parse_epd_ops(text, mola.chess.Board),
        )


def test_states_of_the_stack():
    board = mola.chess.Board()
    board.push_san("e4")
    board.push_san("c5")
    start, after = board._stack
    assert (start.turn, after.turn, after.occupied) == (True, False, start.occupied ^ mola.chess.BB_E2 ^ mola.chess.BB_E4)
    start.restore(board)
    assert board.fen() == mola.chess.STARTING_FEN


def test_moves_and_pieces_of_python_chess_are_refused_by_name():
    """They have all attributes, but are equal to none of ours; what is none lacks an attribute, as in python-chess."""
    board, move = mola.chess.Board(), chess.Move.from_uci("e2e4")
    takes = [
        board.push, board.is_legal, board.is_pseudo_legal, board.san, board.lan, board.uci, board.gives_check,
        board.is_into_check, board.is_capture, board.is_en_passant, board.is_zeroing, board.is_castling,
        board.legal_moves.__contains__, lambda move: move in board.pseudo_legal_moves,
    ]
    for take in takes:
        with pytest.raises(TypeError, match=r"^mola\.chess\.Move expected, not chess\.Move$") as refused:
            take(move)
        assert not getattr(refused.value, "__notes__", []), take
        with pytest.raises(AttributeError, match="^'str' object has no attribute 'from_square'$") as refused:
            take("e2e4")
        assert not getattr(refused.value, "__notes__", []), take
    with pytest.raises(TypeError, match=r"^mola\.chess\.Piece expected, not chess\.Piece\b"):
        board.set_piece_at(chess.E4, chess.Piece.from_symbol("Q"))
    with pytest.raises(AttributeError, match="piece_type"):
        board.set_piece_at(chess.E4, "Q")
    assert board == mola.chess.Board()
