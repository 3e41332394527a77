"""Subclasses of the boards and values of `mola.chess` behave as those of python-chess."""

import copy
import dataclasses
import pickle
import random
import typing
from importlib import import_module

import python_package  # first: it puts `mola` on the path
import chess
import chess.variant
import mola.chess
import mola.chess.variant
import pytest
from observations.svg import elements

assert python_package

ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
IN_CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"


def shown(ask) -> str:
    """An answer or an error, the same from either library."""
    try:
        answer = str(ask())
    except Exception as error:
        answer = f"{type(error).__name__}: {error}"
    return answer.replace("mola.chess", "chess")


def same(ask) -> None:
    """Both libraries give the same answers, in order."""
    ours, theirs = ([shown(answer) for answer in ask(library)] for library in (mola.chess, chess))
    assert ours == theirs


def kind(ask):
    """The answer, or the kind of the error."""
    try:
        return ask()
    except Exception as error:
        return type(error).__name__


def variants(library):
    return import_module(f"{library.__name__}.variant")


def test_moves_that_a_subclass_generates():
    def ask(chess):
        class Fewer(chess.Board):
            def generate_pseudo_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
                moves = super().generate_pseudo_legal_moves(from_mask, to_mask)
                return (move for move in moves if move != chess.Move.from_uci("e2e4"))

        board = Fewer()
        move = chess.Move.from_uci("e2e4")
        yield lambda: (board.legal_moves.count(), board.is_legal(move), move in board.pseudo_legal_moves)
        yield lambda: board.parse_san("e4")
        yield lambda: board.parse_uci("e2e4")

        class Triple(chess.Board):
            """Pawns may go three squares."""

            def generate_pseudo_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
                yield from super().generate_pseudo_legal_moves(from_mask, to_mask)
                for square in chess.scan_forward(self.pieces_mask(chess.PAWN, self.turn) & from_mask & chess.BB_RANK_2):
                    if chess.BB_SQUARES[square + 24] & to_mask & ~self.occupied:
                        yield chess.Move(square, square + 24)

        for fen in (chess.STARTING_FEN, "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1", "4r1k1/8/8/8/8/8/4P3/4K3 w - - 0 1"):
            triple = Triple(fen)
            yield lambda: list(map(triple.san, triple.legal_moves))
            yield lambda: triple.push_san("f5")
            yield lambda: (triple.fen(), triple.pop())

        class Other(chess.Board):
            def generate_legal_moves(self, *masks):
                return (move for move in super().generate_legal_moves(*masks) if move.from_square != chess.B1)

        knights = Other("4k3/8/8/8/8/2p5/8/1N2KN2 w - - 0 1")
        yield lambda: (list(knights.generate_legal_captures()), knights.san(chess.Move(chess.F1, chess.D2)))

    same(ask)


def test_rules_that_a_subclass_changes():
    def ask(chess):
        def subclass(**methods):
            return type("Changed", (chess.Board,), methods)

        def moves(board):
            return [move.uci() for move in board.legal_moves]

        e2, e4, g1 = (chess.Move.from_uci(uci) for uci in ("e1e2", "e2e4", "e1g1"))
        board = subclass(is_into_check=lambda self, move: False)(IN_CHECK)
        yield lambda: (board.is_legal(chess.Move.from_uci("e1d2")), moves(board))
        strict = subclass(is_pseudo_legal=lambda self, move: False)()
        yield lambda: (strict.is_legal(e4), strict.parse_uci("e2e4"))
        for methods in (
            {"generate_castling_moves": lambda self, *masks: iter(())},
            {"clean_castling_rights": lambda self: 0},
            {"attackers_mask": lambda self, color, square, occupied=None: chess.BB_F1 if square == chess.F1 else 0},
            {"is_castling": lambda self, move: False},
        ):
            castling = subclass(**methods)(ROOKS)
            yield lambda: (moves(castling), castling.is_legal(g1), castling.has_castling_rights(True))
            yield lambda: (castling.fen(), castling.castling_shredder_fen())
            yield lambda: castling.parse_san("O-O")
            yield lambda: (castling.san(g1), castling.push(g1), castling.fen())
        for methods in (
            {"attackers_mask": lambda self, color, square, occupied=None: 0},
            {"checkers_mask": lambda self: 0},
            {"king": lambda self, color: None},
            {"is_check": lambda self: True},
        ):
            checked = subclass(**methods)(IN_CHECK)
            yield lambda: (checked.is_check(), checked.checkers(), checked.is_checkmate(), checked.was_into_check())
            yield lambda: (checked.attackers(False, chess.E1), checked.is_attacked_by(False, chess.E1))
            yield lambda: (moves(checked), checked.is_into_check(e2), checked.gives_check(e2), checked.san(e2))
        passant = subclass(has_legal_en_passant=lambda self: False)(EN_PASSANT)
        yield lambda: (passant.fen(), passant.epd(en_passant="fen"))
        passant = subclass(generate_pseudo_legal_ep=lambda self, *masks: iter(()))(EN_PASSANT)
        yield lambda: (moves(passant), passant.fen(), passant.epd(en_passant="xfen"), list(passant.generate_legal_ep()))
        rights = subclass(castling_xfen=lambda self: "KQ", castling_shredder_fen=lambda self: "HA")()
        yield lambda: (rights.fen(), rights.shredder_fen(), rights.epd())
        kinds = subclass(is_capture=lambda self, move: True, is_zeroing=lambda self, move: False)()
        yield lambda: (kinds.san(chess.Move.from_uci("g1f3")), kinds.push(e4), kinds.fen())
        fifty = subclass(is_fifty_moves=lambda self: True, is_variant_loss=lambda self: len(self.move_stack) > 0)()
        yield lambda: (fifty.can_claim_draw(), fifty.outcome(claim_draw=True), fifty.san(e4))
        knights = subclass(attacks_mask=lambda self, square: chess.BB_E4)()
        yield lambda: (knights.attacks(0), list(knights.pseudo_legal_moves), moves(knights))

    same(ask)


def test_moves_are_made_by_the_subclass():
    def ask(chess):
        class Counting(chess.Board):
            made = taken = 0

            def push(self, move):
                self.made += 1
                super().push(move)

            def pop(self):
                self.taken += 1
                return super().pop()

        board = Counting()
        move = chess.Move.from_uci("e2e4")
        for act in (
            lambda: board.san(move), lambda: board.gives_check(move), lambda: board.push_san("e4"),
            board.can_claim_threefold_repetition, board.can_claim_fifty_moves, board.outcome,
        ):
            yield lambda: (act(), board.made > 0, board.made - board.taken)

        class Texts(chess.Board):
            def fen(self, **options):
                return "FEN"

            def board_fen(self, **options):
                return "pieces"

        texts, empty = Texts(), chess.Move(chess.G4, chess.H4)
        for act in (texts.push, texts.san, texts.gives_check):
            yield lambda: act(empty)
        for act in (texts.parse_san, texts.parse_uci):
            yield lambda: act("e5" if act == texts.parse_san else "e2e5")

    same(ask)


def test_the_root_is_no_copy_once_moves_are_made():
    def ask(chess):
        class Noting(chess.Board):
            notes = ()

            def copy(self, *, stack=True):
                board = super().copy(stack=stack)
                board.notes = (*self.notes, "copied")
                return board

        board = Noting(chess960=True)
        yield lambda: (board.root().notes, board.root())
        board.push_san("e4")
        yield lambda: (type(board.root()).__name__, board.root().notes, board.root(), board.root().move_stack)

    same(ask)


def test_epd_is_read_by_the_subclass():
    def ask(chess):
        class German(chess.Board):
            def parse_san(self, san):
                return super().parse_san(san.replace("S", "N"))

        for operations in (
            "bm Sf3;", 'bm Sf3 Sc3; id "bm S;x"; pv e4 e5 Sf3; - c0 "a\\"b"; am ; x Sf3; ce 3; acd;',
            "hmvc 3; fmvn 9; bm Sf3", 'id "a;bm Sf3;"; bm "Sf3";', "bm Sf9;", "- bm Sf3;", "hmvc x;",
        ):
            yield lambda: German.from_epd(f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {operations}")

    same(ask)


METHODS = (
    "attackers_mask attacks_mask castling_xfen checkers_mask clean_castling_rights generate_castling_moves "
    "generate_pseudo_legal_ep generate_pseudo_legal_moves has_legal_en_passant is_capture is_castling is_check "
    "is_en_passant is_into_check is_pseudo_legal is_zeroing king piece_type_at pieces_mask pop push"
).split()


def calling(base, names):
    """A class that overrides methods by themselves: nothing changes, but all go the slow ways."""

    def method(name):
        return lambda self, *arguments: getattr(base, name)(self, *arguments)

    return type("Calling", (base,), {name: method(name) for name in names})


def facts(board, moves):
    yield lambda: (list(map(board.uci, board.legal_moves)), board.pseudo_legal_moves.count(), board.fen())
    yield lambda: (list(board.generate_legal_captures()), list(board.generate_castling_moves()))
    yield lambda: (board.checkers(), board.is_checkmate(), board.was_into_check(), board.outcome(claim_draw=True))
    for move in moves:
        yield lambda: (board.is_legal(move), board.is_pseudo_legal(move), board.is_capture(move))
        if board.is_legal(move):
            yield lambda: (board.san(move), board.lan(move), board.gives_check(move), board.is_into_check(move))
            yield lambda: (board.parse_san(board.san(move)), board.parse_uci(move.uci()))


@pytest.mark.parametrize("variant", [cls.__name__ for cls in chess.variant.VARIANTS])
def test_slow_ways_are_those_of_the_rules(variant):
    """Random games with boards that override methods without a change."""
    pick = random.Random(variant)
    for _ in range(6):
        names = pick.choice([METHODS, pick.sample(METHODS, 2)])
        theirs, ours = (
            calling(getattr(variants(library), variant, library.Board), names)() for library in (chess, mola.chess)
        )
        for ply in range(40):
            legal = list(theirs.generate_legal_moves())
            if not legal:
                break
            if ply % 5 == 0:
                some = [*pick.sample(legal, min(3, len(legal))), chess.Move(pick.randrange(64), pick.randrange(64))]
                copies = [mola.chess.Move(move.from_square, move.to_square, move.promotion, move.drop) for move in some]
                expected = list(map(shown, facts(theirs, some)))
                assert list(map(shown, facts(ours, copies))) == expected, (names, theirs.fen())
            move = pick.choice(legal)
            theirs.push(move)
            ours.push(mola.chess.Move(move.from_square, move.to_square, move.promotion, move.drop))


@pytest.mark.parametrize("variant, fen", [
    ("KingOfTheHillBoard", "3k1r2/3pp2p/1nr2np1/2B2p2/2PK3P/3P4/1P1b2P1/R6B b - - 4 24"),
    ("ThreeCheckBoard", "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2 +3+0"),
    ("AtomicBoard", "rnbq1bnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQ - 0 2"),
    ("RacingKingsBoard", "7K/8/8/8/8/8/k7/2R5 b - - 0 1"),
    ("HordeBoard", "rnbqkbnr/pppppppp/8/8/8/8/8/8 b kq - 0 1"),
    ("SuicideBoard", "8/8/8/8/8/8/8/RNBQKBNR b - - 0 1"),
])
@pytest.mark.parametrize("names", [[], METHODS, ["attackers_mask"], ["_is_safe"], ["clean_castling_rights"]])
def test_no_moves_after_the_end_of_a_variant(variant, fen, names):
    theirs, ours = (calling(getattr(variants(library), variant), names)(fen) for library in (chess, mola.chess))
    assert not any(theirs.generate_legal_moves()) and theirs.is_game_over()
    moves = [chess.Move.from_uci(uci) for uci in ("e7e6", "b8a6", "a2a3", "e8g8")]
    copies = [mola.chess.Move(move.from_square, move.to_square) for move in moves]
    assert list(map(shown, facts(ours, copies))) == list(map(shown, facts(theirs, moves)))
    assert ours.is_game_over()


def test_moves_and_pieces():
    def ask(chess):
        class Shouted(chess.Move):
            def uci(self):
                return super().uci().upper() + "'"

        class Named(chess.Piece):
            def symbol(self):
                return "it's"

        for value in (Shouted(12, 28), Named(1, True)):
            yield lambda: (str(value), repr(value), f"{value}")
        yield lambda: hash(chess.Piece(0, False))
        board, move = chess.Board(), chess.Move(12, 28)
        board.push(move)
        move.from_square, move.to_square = 52, 36
        board.push(move)
        yield lambda: (board.move_stack, board.peek() is move)

    same(ask)


def test_errors_of_square_sets_are_their_own():
    def ask(chess):
        def failing():
            yield 1
            raise ValueError("no square")

        for operand in (lambda: [64], failing, lambda: None, lambda: [1, 2], lambda: 3):
            for name in ("or", "and", "sub", "xor", "ior", "iand", "isub", "ixor"):
                yield lambda: getattr(chess.SquareSet(5), f"__{name}__")(operand())
        for square in (-1, True, 5, 64):
            yield lambda: chess.SquareSet().remove(square)

    same(ask)


def test_marks_of_promoted_pieces_in_crazyhouse():
    def ask(chess):
        for fen in (
            "4k3/8/8/8/8/8/P~7/4K3[] w - - 0 1", "4k3/8/8/8/8/8/P~7/4K~2R[Qq] w K - 0 1",
            "4k3/8/8/8/8/8/P~7/4K2R~/QP w K - 0 1", "4k3/8/8/8/8/8/8/4K2R/ w K - 0 1",
        ):
            board = variants(chess).CrazyhouseBoard(fen)
            yield lambda: (board.fen(), board.promoted, board.king(True), board.legal_moves.count())

    same(ask)


def test_defaults_of_masks_can_be_passed():
    import inspect

    for name in ("generate_legal_moves", "generate_castling_moves", "piece_map"):
        for parameter in inspect.signature(getattr(mola.chess.Board, name)).parameters.values():
            assert parameter.default in (parameter.empty, chess.BB_ALL)


def test_private_methods_that_a_subclass_changes():
    def ask(chess):
        def subclass(base="Board", **methods):
            return type("Changed", (getattr(variants(chess), base, chess.Board),), methods)

        def moves(board):
            return [move.uci() for move in board.legal_moves]

        through_check = "4k3/8/8/8/8/8/5r2/4K2R w K - 0 1"
        for base in ("Board", "AtomicBoard", "SuicideBoard", "CrazyhouseBoard"):
            for answer in (True, False):
                board = subclass(base, _attacked_for_king=lambda self, path, occupied: answer)(through_check)
                yield lambda: (moves(board), board.is_legal(chess.Move(chess.E1, chess.G1)))
                yield lambda: (board.parse_san("O-O"), board.push_san("O-O"), board.fen())
        pinned = "4k3/8/8/8/4r3/8/4N3/4K2R w K - 0 1"
        for methods in (
            {"_is_safe": lambda self, king, blockers, move: True},
            {"_slider_blockers": lambda self, king: 0},
            {"_generate_evasions": lambda self, *arguments: iter(())},
        ):
            for fen in (pinned, IN_CHECK):
                safe = subclass(**methods)(fen)
                yield lambda: (moves(safe), [safe.is_into_check(move) for move in safe.pseudo_legal_moves])
                yield lambda: (safe.parse_san("Nc3"), safe.is_checkmate())
        free = subclass(attackers_mask=lambda self, color, square, occupied=None: 0)(through_check)
        yield lambda: (moves(free), free.is_legal(chess.Move(chess.E1, chess.G1)))
        skewered = subclass(_ep_skewered=lambda self, king, capturer: True)(EN_PASSANT)
        yield lambda: (moves(skewered), skewered.fen(), skewered.has_legal_en_passant())
        passed = subclass(_valid_ep_square=lambda self: None)
        yield lambda: (passed(EN_PASSANT).status(), passed().status(), passed(EN_PASSANT).is_valid())
        for name in ("_algebraic", "_algebraic_and_push", "_algebraic_without_suffix"):
            named = subclass(**{name: lambda self, move, *, long=False: f"{move.uci()}{long}"})
            e4 = chess.Move(chess.E2, chess.E4)
            yield lambda: named().variation_san([e4])
            for text in ("san", "lan", "san_and_push"):
                board = named()
                board.push(chess.Move.null())
                board.push(chess.Move.null())
                yield lambda: (getattr(board, text)(e4), board.fen(), len(board.move_stack))
        epd = subclass(_parse_epd_ops=lambda self, text, make: {"hmvc": 7, "text": text, "fen": make().fen()})
        yield lambda: epd.from_epd("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;")

    same(ask)


@pytest.mark.parametrize("variant", ["Board", "AtomicBoard", "CrazyhouseBoard", "ThreeCheckBoard"])
def test_captures_of_a_subclass(variant):
    """A capture takes the capturing piece, too, or does what the variant says, and notes what it was."""

    def ask(chess):
        base = getattr(variants(chess), variant, chess.Board)

        class Noting(base):
            notes = ()

            def _push_capture(self, move, capture_square, piece_type, was_promoted):
                super()._push_capture(move, capture_square, piece_type, was_promoted)
                noted = (str(move), capture_square, piece_type, was_promoted, self.turn, str(self.peek()))
                self.notes = (*self.notes, noted)

        class Vanishing(base):
            def _push_capture(self, move, capture_square, piece_type, was_promoted):
                self._remove_piece_at(move.to_square)

        fens = [EN_PASSANT, "r3k2r/8/8/8/8/8/6q1/R3K2R w KQkq - 0 1", "4k3/3q4/8/8/8/8/8/3RK3 w - - 0 1"]
        for cls in (Noting, Vanishing):
            for fen in fens:
                for move in list(base(fen).legal_moves):
                    board = cls(fen)
                    yield lambda: (board.is_legal(move), board.san(move), board.gives_check(move))
                    yield lambda: (board.push(move), board.fen(), getattr(board, "notes", None), board.pop(), board.fen())
                yield lambda: list(cls(fen).legal_moves)

    same(ask)


def test_repetitions_of_keys_of_a_subclass():
    def ask(chess):
        class Alike(chess.Board):
            def _transposition_key(self):
                return 1

        class Unlike(chess.Board):
            def _transposition_key(self):
                return super()._transposition_key(), len(self.move_stack)

        knights = "g1f3 g8f6 f3g1 f6g8".split()
        for cls in (Alike, Unlike):
            yield lambda: (cls() == cls(), cls() == chess.Board(), chess.Board() == cls(), cls() == cls(IN_CHECK))
            for line in (knights * 4, "e2e4 e7e5 g1f3 b8c6 f1b5".split(), "g1f3 g8f6 b1c3 b8c6".split()):
                board = cls()
                for uci in line:
                    board.push_uci(uci)
                    yield lambda: [board.is_repetition(count) for count in range(-1, 6)]
                    yield lambda: (board.can_claim_threefold_repetition(), board.is_fivefold_repetition())
                    yield lambda: (board.outcome(claim_draw=True), len(board.move_stack), board.fen())

    same(ask)


def test_moves_and_pieces_are_data_classes():
    def ask(chess):
        @dataclasses.dataclass
        class Scored(chess.Move):
            score: float = 0.0

        @dataclasses.dataclass(frozen=False)
        class Named(chess.Piece):
            name: str = "man"

        for cls in (chess.Move, chess.Piece, Scored, Named):
            yield lambda: getattr(cls, "__dataclass_params__")
            yield lambda: (cls.__annotations__, typing.get_type_hints(cls), cls.__match_args__)
            yield lambda: [(field.name, field.type, field.hash) for field in dataclasses.fields(cls)]
        scored, named = Scored(12, 28, score=1.5), Named(1, True)
        yield lambda: (repr(scored), scored.uci(), scored == Scored(12, 28), scored == chess.Move(12, 28))
        yield lambda: hash(scored)
        yield lambda: (dataclasses.asdict(scored), dataclasses.replace(scored, to_square=20).uci(), vars(named)["name"])
        yield lambda: (repr(named), named.symbol(), dataclasses.astuple(named), copy.copy(named) == named)
        yield lambda: chess.Board().san(scored)
        yield lambda: (pickle.loads(pickle.dumps(chess.Move(1, 2))), copy.deepcopy(chess.Piece(1, True)))

        class Slow(chess.Move):
            pass

        slow = Slow(1, 2)
        slow.note = "kept"
        yield lambda: (copy.copy(slow).note, copy.deepcopy(slow).note, copy.copy(slow) == slow)

    same(ask)


def test_values_of_data_classes_in_pydantic():
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")

    def ask(chess):
        class Ply(pydantic.BaseModel):
            move: chess.Move
            piece: typing.Optional[chess.Piece] = None

        move = chess.Move(12, 28, 5)
        yield lambda: Ply(move=move).model_dump_json()
        yield lambda: Ply(move=move, piece=chess.Piece(2, False)).model_dump()
        for text in ('{"move":{"from_square":1,"to_square":2}}', '{"move":{"from_square":1}}', '{"move":{"to_square":"x"}}'):
            yield lambda: repr(Ply.model_validate_json(text))
        yield lambda: pydantic.TypeAdapter(chess.Move).dump_json(move)
        yield lambda: pydantic.TypeAdapter(typing.List[chess.Piece]).validate_python([{"piece_type": 1, "color": True}])
        yield lambda: pydantic.TypeAdapter(chess.Move).json_schema()["properties"]

    same(ask)


def test_values_that_are_no_moves_or_pieces():
    def ask(chess):
        for value in ("e2e4", None, 5):
            for name in (
                "push is_capture is_castling is_en_passant is_zeroing gives_check is_into_check is_irreversible san lan "
                "uci is_legal is_pseudo_legal is_kingside_castling san_and_push _reduces_castling_rights"
            ).split():
                yield lambda: kind(lambda: getattr(chess.Board(), name)(value))
            yield lambda: kind(lambda: value in chess.Board().legal_moves)
            yield lambda: kind(lambda: chess.Board().set_piece_at(0, value))
            yield lambda: kind(lambda: chess.Board().set_piece_map({0: value}))
            yield lambda: kind(lambda: chess.BaseBoard().set_piece_at(0, value))
        board = chess.Board()
        yield lambda: board.push("e2e4")
        yield lambda: board.set_piece_at(0, "P")

    same(ask)


def test_numbers_of_numpy():
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed")

    def ask(chess):
        for number in (*map(numpy.int64, (0, 518, 959, 960, -1)), numpy.int32(77), True, 10**30, "5", 5.0, None):
            for cls in (chess.BaseBoard, chess.Board, *variants(chess).VARIANTS):
                yield lambda: without_words(lambda: cls.from_chess960_pos(number).board_fen())

    def without_words(ask):
        """Of wrong types only the kind of error is the same."""
        try:
            return ask()
        except TypeError:
            return "TypeError"

    same(ask)


HOME_ROWS = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
KNIGHT_IN_HAND = "k7/8/8/8/8/8/8/K7[N] w - - 0 1"
QUEEN_BESIDE = "k7/8/8/8/8/8/8/K1q4R w - - 0 1"


@pytest.mark.parametrize("variant, fen, methods", [
    ("CrazyhouseBoard", KNIGHT_IN_HAND, {"legal_drop_squares_mask": lambda self: chess.BB_RANK_4}),
    ("CrazyhouseBoard", KNIGHT_IN_HAND, {"generate_legal_drops": lambda self, mask=chess.BB_ALL: iter(())}),
    ("CrazyhouseBoard", KNIGHT_IN_HAND, {"generate_pseudo_legal_drops": lambda self, mask=chess.BB_ALL: iter(())}),
    ("CrazyhouseBoard", KNIGHT_IN_HAND, {"attackers_mask": lambda self, color, square, occupied=None: chess.BB_H8}),
    ("RacingKingsBoard", HOME_ROWS, {"gives_check": lambda self, move: False}),
    ("RacingKingsBoard", HOME_ROWS, {"is_check": lambda self: False}),
    ("RacingKingsBoard", HOME_ROWS, {"is_legal": lambda self, move: False}),
    ("RacingKingsBoard", HOME_ROWS, {"is_variant_end": lambda self: True}),
    ("AtomicBoard", chess.STARTING_FEN, {"is_legal": lambda self, move: move.to_square != chess.E4}),
    ("AtomicBoard", QUEEN_BESIDE, {"was_into_check": lambda self: False}),
    ("AtomicBoard", QUEEN_BESIDE, {"king": lambda self, color: None}),
    ("AtomicBoard", QUEEN_BESIDE, {"is_variant_win": lambda self: True}),
    ("AtomicBoard", "8/8/8/8/8/8/kK6/8 w - - 0 1", {"_kings_connected": lambda self: False}),
    ("SuicideBoard", QUEEN_BESIDE, {"is_capture": lambda self, move: True}),
    ("GiveawayBoard", QUEEN_BESIDE, {"generate_pseudo_legal_captures": lambda self, *masks: iter(())}),
    ("AntichessBoard", QUEEN_BESIDE, {"is_legal": lambda self, move: False}),
    ("SuicideBoard", QUEEN_BESIDE, {"is_stalemate": lambda self: True}),
    ("GiveawayBoard", QUEEN_BESIDE, {"generate_legal_moves": lambda self, *masks: iter(())}),
])
def test_rules_of_variants_that_a_subclass_changes(variant, fen, methods):
    def ask(chess):
        cls = type("Changed", (getattr(variants(chess), variant),), methods)
        board = cls(fen)
        yield lambda: [move.uci() for move in board.legal_moves]
        yield lambda: (board.is_variant_win(), board.is_variant_loss(), board.is_variant_draw(), board.outcome())
        yield lambda: (board.is_check(), board.is_stalemate(), board.was_into_check(), list(board.generate_legal_captures()))
        for uci in ("a1b2", "h1h7", "h2h3", "e2e4", "e2f4"):
            move = chess.Move.from_uci(uci)
            for name in ("is_legal", "is_into_check", "gives_check"):
                # Another board, as python-chess's is spoilt by a move of no piece.
                yield lambda: getattr(cls(fen), name)(move)
        for san in ("N@e5", "N@e4", "Kb2", "Rh7", "K@e4", "e4"):
            yield lambda: board.parse_san(san)

    same(ask)


def test_kings_that_attack_more():
    """In check the king makes its ordinary steps only."""

    def ask(chess):
        class Leaping(chess.Board):
            def attacks_mask(self, square):
                attacked = super().attacks_mask(square)
                return attacked | chess.BB_KNIGHT_ATTACKS[square] if self.kings & chess.BB_SQUARES[square] else attacked

        for fen in (QUEEN_BESIDE, "k7/8/8/8/8/8/8/K6R w - - 0 1", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", IN_CHECK):
            board = Leaping(fen)
            yield lambda: [move.uci() for move in board.legal_moves]
            yield lambda: [board.is_into_check(move) for move in board.pseudo_legal_moves]

    same(ask)


@pytest.mark.parametrize("base", ["BaseBoard", "Board", "CrazyhouseBoard", "SuicideBoard"])
def test_pieces_that_a_subclass_sees(base):
    def ask(chess):
        def subclass(**methods):
            return type("Changed", (getattr(variants(chess), base, getattr(chess, base, None)),), methods)

        svg = import_module(f"{chess.__name__}.svg")
        polyglot = import_module(f"{chess.__name__}.polyglot")
        hash_board = polyglot.ZobristHasher(polyglot.POLYGLOT_RANDOM_ARRAY).hash_board
        cls = subclass()
        pawns = subclass(piece_at=lambda self, square: super(cls, self).piece_at(square) and chess.Piece(1, True))
        knights = subclass(piece_type_at=lambda self, square: chess.KNIGHT if square < 20 else None)
        for board in (pawns(), knights()):
            yield lambda: sorted((square, piece.symbol()) for square, piece in board.piece_map().items())
            yield lambda: (board.board_fen(), str(board), board.piece_at(chess.E1), board.piece_map(mask=3))
            yield lambda: (board.board_fen(promoted=True), repr(board))
            yield lambda: elements(svg.board(board))
        unseen = subclass(piece_map=lambda self, **options: {}, piece_at=lambda self, square: None)
        kings = subclass(piece_type_at=lambda self, square: chess.KING)
        for board in (pawns(), knights(), unseen(), kings()):
            yield lambda: hex(hash_board(board))
        few = subclass(pieces_mask=lambda self, kind, color: super(cls, self).pieces_mask(kind, color) & chess.BB_RANK_2)()
        yield lambda: (few.pieces(chess.KNIGHT, True), few.pieces(chess.PAWN, True), few.status().value)
        yield lambda: few.parse_san("Nf3")
        quiet = subclass(attacks_mask=lambda self, square: 5, attackers_mask=lambda self, *arguments: 9)()
        yield lambda: (quiet.attacks(0), quiet.attackers(True, 3), quiet.is_attacked_by(True, 63), quiet.pin(True, 12))
        hidden = subclass(king=lambda self, color: None)("4r3/8/8/8/8/8/4P3/4K3" if base == "BaseBoard" else None)
        hidden.set_board_fen("4r3/8/8/8/8/8/4P3/4K3")
        yield lambda: (hidden.pin_mask(True, chess.E2), hidden.is_pinned(True, chess.E2))

    same(ask)


def test_hints_of_types():
    def ask(chess):
        pgn = import_module(f"{chess.__name__}.pgn")
        for base in (chess.BaseBoard, chess.Board, *variants(chess).VARIANTS):
            cls = type("Named", (base,), {"__annotations__": {"name": str}})
            yield lambda: typing.get_type_hints(cls)["name"]
        yield lambda: typing.get_type_hints(cls)["aliases"]
        yield lambda: typing.get_type_hints(pgn.GameNode.turn)
        yield lambda: typing.get_type_hints(pgn.GameNode.set_arrows)["arrows"]

    same(ask)


def test_iterators_of_moves_that_have_begun():
    def ask(chess):
        class Skipping(chess.Board):
            def generate_legal_moves(self, *masks):
                moves = iter(super().generate_legal_moves(*masks))
                next(moves, None)
                return moves

        board = Skipping("7k/8/8/8/8/8/8/K1R3R1 b - - 0 1")
        yield lambda: (list(board.legal_moves), bool(board.legal_moves), board.legal_moves.count())
        yield lambda: (board.is_stalemate(), board.outcome())

    same(ask)


class SlottedBoard(mola.chess.Board):
    __slots__ = ("note", "unset")


class SlottedBase(mola.chess.BaseBoard):
    __slots__ = ("note",)


class SlottedHouse(mola.chess.variant.CrazyhouseBoard):
    __slots__ = ("note",)


class SlottedMove(mola.chess.Move):
    __slots__ = ("note",)


class Pocket(mola.chess.variant.CrazyhousePocket):
    def __init__(self, symbols="", *, note=None):
        super().__init__(symbols)
        self.note = note


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", [SlottedBoard(), SlottedBase(), SlottedHouse(), SlottedMove(12, 28)], ids=repr)
def test_pickles_keep_slots(value, protocol):
    value.note = [5]
    again = pickle.loads(pickle.dumps(value, protocol))
    assert type(again) is type(value) and again == value and again.note == [5]
    assert not hasattr(again, "unset")


class Cached(mola.chess.Board):
    """Leaves out an attribute as classes usually do."""

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("cache", None)
        return state


class CachedHouse(mola.chess.variant.CrazyhouseBoard):
    def __getstate__(self):
        return {**super().__getstate__(), "cache": None}


class CachedBase(mola.chess.BaseBoard):
    __getstate__ = Cached.__getstate__


class Reopened(mola.chess.Board):
    def __setstate__(self, state):
        self.__dict__.update(state)
        self.cache = "opened again"


class Reduced(mola.chess.Board):
    def __reduce__(self):
        return (type(self), (), {"cache": 7})


@pytest.mark.parametrize("cls, cache", [
    (Cached, "none"), (CachedHouse, None), (CachedBase, "none"), (Reopened, "opened again"),
])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_own_state_keep_position_and_moves(cls, cache, protocol):
    board = cls()
    board.cache, board.note, board.itself = iter(()) if cache == "none" else 5, [5], board
    if cls is CachedBase:
        board.remove_piece_at(0)
    else:
        board.push_uci("e2e4")
    if cls is CachedHouse:
        board.pockets[0] = Pocket("q", note="mine")
    again = pickle.loads(pickle.dumps(board, protocol))
    assert again == board and type(again) is cls
    assert getattr(again, "cache", "none") == cache and again.note == [5] and again.itself is again
    if cls is not CachedBase:
        assert again.move_stack == board.move_stack and again.pop() == board.pop() and again == board
    if cls is CachedHouse:
        assert again.pockets[0].note == "mine"


def test_pickles_of_own_making():
    """A subclass with `__reduce__` decides what is kept, as in python-chess."""
    board = Reduced()
    board.push_uci("e2e4")
    again = pickle.loads(pickle.dumps(board))
    assert again == Reduced() and again.cache == 7


def test_ends_that_ask_for_moves():
    def ask(chess):
        def pawns_cannot_move(self):
            return not any(self.generate_pseudo_legal_moves(from_mask=self.pawns))

        def pawns_cannot_step(self):
            pawns = chess.SquareSet(self.pawns & self.occupied_co[chess.WHITE])
            return not any(self.is_pseudo_legal(chess.Move(pawn, pawn + 8)) for pawn in pawns)

        def nothing_can_move(self):
            return not any(self.generate_pseudo_legal_moves())

        for ends in (pawns_cannot_move, pawns_cannot_step, nothing_can_move):
            for base in (chess.Board, variants(chess).AtomicBoard, variants(chess).CrazyhouseBoard):
                for pawns in ("4P3", "8"):
                    board = type("Ending", (base,), {"is_variant_end": ends})(f"r3k2r/8/8/{pawns}/8/8/8/R3K2R w KQkq - 0 1")
                    yield lambda: [move.uci() for move in board.legal_moves]
                    yield lambda: [move.uci() for move in board.pseudo_legal_moves]
                    yield lambda: (board.is_variant_end(), board.is_game_over(), board.is_legal(chess.Move(4, 6)))
                    yield lambda: (board.is_pseudo_legal(chess.Move(4, 6)), board.san(chess.Move(0, 8)), board.outcome())

    same(ask)


def test_castling_rights_that_a_subclass_adds():
    def ask(chess):
        for base in (chess.Board, variants(chess).AtomicBoard, variants(chess).ThreeCheckBoard):
            for chess960 in (False, True):
                keeping = type("Keeping", (base,), {"clean_castling_rights": lambda self: self.castling_rights})
                board = keeping("rn2k1r1/8/8/8/8/8/8/R3K2R w KQq - 0 1", chess960=chess960)
                board.remove_piece_at(chess.A1)
                yield lambda: (board.fen(), board.shredder_fen(), board.castling_xfen(), board.castling_shredder_fen())
                yield lambda: (board == keeping(board.fen()), board.has_castling_rights(True), repr(board))
                start = type("More", (base,), {"clean_castling_rights": lambda self: self.castling_rights | chess.BB_E1})
                yield lambda: (start().chess960_pos(), start().chess960_pos(ignore_castling=True), start().fen())
                yield lambda: (keeping().chess960_pos(), keeping().chess960_pos(ignore_counters=False))

    same(ask)


def test_castling_rights_of_copies():
    """Those that are set after a move, and lack king or rook, are gone where no move is kept."""

    def ask(chess):
        for base in (chess.Board, variants(chess).AtomicBoard, variants(chess).CrazyhouseBoard):

            class Own(base):
                def __init__(self, fen=base.starting_fen, chess960=False):
                    super().__init__(fen, chess960=chess960)

            for cls in (base, Own):
                board = cls("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
                board.push_uci("e1e2")
                board.castling_rights = chess.BB_A1 | chess.BB_D4
                again = pickle.loads(pickle.dumps(board)) if cls is base else board
                for copy in (board.copy(stack=False), board.copy(stack=1), board.root(), board.mirror(), again):
                    yield lambda: (copy.fen(), copy.castling_xfen(), copy.clean_castling_rights(), int(copy.status()))
                    yield lambda: (copy.push(chess.Move.null()), copy.shredder_fen(), copy.castling_rights)

    same(ask)


def test_castling_rights_of_positions_that_are_repeated():
    def ask(chess):
        board = chess.Board()
        for _ in range(2):
            for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
                board.push_uci(uci)
            board.castling_rights |= chess.BB_D4
        # Of four moves that are kept, the first is made with these rights, and takes them as they must be.
        for make in (
            lambda: board.copy(),
            lambda: pickle.loads(pickle.dumps(board)),
            lambda: board.copy(stack=5),
            lambda: board.copy(stack=4),
            lambda: pickle.loads(pickle.dumps(board.copy(stack=4))),
        ):
            yield lambda: (make().is_repetition(2), make().can_claim_threefold_repetition())

    same(ask)


def test_moves_that_a_subclass_adds_only_where_they_are_asked_for():
    def ask(chess):
        def capture(self, *masks):
            yield chess.Move(chess.E5, chess.D6)

        def castling(self, *masks):
            yield chess.Move(chess.E1, chess.G3)

        for fen in ("4k3/8/8/3pP3/8/8/8/4K2R w K - 0 1", "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1"):
            passing = type("Passing", (chess.Board,), {"generate_pseudo_legal_ep": capture})(fen)
            yield lambda: [move.uci() for move in passing.legal_moves]
            yield lambda: [move.uci() for move in passing.generate_pseudo_legal_captures()]
            yield lambda: passing.is_legal(chess.Move(chess.E5, chess.D6))
            jumping = type("Jumping", (chess.Board,), {"generate_castling_moves": castling})(fen)
            for mask in (chess.BB_ALL, chess.BB_E5, chess.BB_E1):
                yield lambda: [move.uci() for move in jumping.generate_legal_moves(mask)]
            yield lambda: jumping.san(chess.Move(chess.H1, chess.H2))
        level = type("Level", (chess.Board,), {"is_castling": lambda self, move: True})()
        yield lambda: (level.san(chess.Move(12, 28)), level.lan(chess.Move(12, 19)), level.san(chess.Move(12, 21)))
        for chess960 in (False, True):
            cls = type("Asked", (chess.Board,), {"attackers_mask": lambda self, *arguments: 0})
            board = cls("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=chess960)
            yield lambda: [board.is_pseudo_legal(chess.Move(4, to)) for to in (2, 6, 0, 7)]
            yield lambda: board.find_move(chess.E1, chess.G1)

    same(ask)


def test_stop_iteration_of_a_subclass():
    """It ends no list of moves or pieces."""

    def ask(chess):
        def nothing(self, *arguments):
            return next(iter(()))

        board = type("Pieces", (chess.Board,), {"piece_at": nothing})()
        yield lambda: kind(board.fen)
        yield lambda: kind(board.board_fen)
        atomic = type("Legal", (variants(chess).AtomicBoard,), {"is_legal": nothing})()
        yield lambda: kind(lambda: list(atomic.legal_moves))
        yield lambda: kind(atomic.is_game_over)

    same(ask)


def test_piece_types_of_zero_in_moves():
    def ask(chess):
        for move in (chess.Move(12, 28, 0), chess.Move(12, 28, None, 0), chess.Move(1, 18, 0), chess.Move(12, 28)):
            board = chess.Board()
            yield lambda: (move in board.legal_moves, move in board.pseudo_legal_moves, move in list(board.legal_moves))
            yield lambda: (board.is_legal(move), board.is_pseudo_legal(move))

    same(ask)


def test_castling_rights_of_any_color():
    def ask(chess):
        board = chess.Board("r3k3/8/8/8/8/8/8/4K3 w q - 0 1")
        yield lambda: [board.has_castling_rights(color) for color in (True, False, 1, 0, 1.0, None, "w", 2)]

    same(ask)


def test_mirrors_swap_pockets_of_any_class():
    def ask(chess):
        house = variants(chess)
        named = type("Named", (house.CrazyhousePocket,), {})
        board = house.CrazyhouseBoard()
        board.pockets[1] = named("pq")
        yield lambda: [(type(pocket).__name__, str(pocket)) for pocket in board.mirror().pockets]

    same(ask)


def test_pockets_keep_their_class():
    pocket = Pocket("qpp", note="mine")
    for again in (copy.copy(pocket), copy.deepcopy(pocket), pickle.loads(pickle.dumps(pocket))):
        assert (type(again), str(again), again.note) == (Pocket, "qpp", "mine")
    assert (type(pocket.copy()), str(pocket.copy()), pocket.copy().note) == (Pocket, "qpp", None)
    assert (len(Pocket()), str(Pocket("n")), pocket._pieces) == (0, "n", [-1, 2, 0, 0, 0, 1, 0])
    board = mola.chess.variant.CrazyhouseBoard()
    board.pockets = [pocket, mola.chess.variant.CrazyhousePocket("k")]
    for again in (board.copy(), copy.deepcopy(board), board.root(), pickle.loads(pickle.dumps(board))):
        assert [type(pocket) for pocket in again.pockets] == [Pocket, mola.chess.variant.CrazyhousePocket]
        assert list(map(str, again.pockets)) == ["qpp", "k"] and again.pockets[0] is not pocket
    board.push_uci("e2e4")
    assert type(board.copy().pockets[0]) is type(board.root().pockets[0]) is Pocket
