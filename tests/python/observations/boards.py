"""Boards: attributes that hold objects, odd arguments, text, subclasses and pickles."""

import copy
import pickle


def observe(chess, look):
    pockets(chess, look)
    look("names", lambda: [type(getattr(chess, name)) for name in ("__author__", "__email__", "__version__")])
    pictures(chess, look)
    occupied(chess, look)
    loose_sets(chess, look)
    counts(chess, look)
    flags(chess, look)
    en_passant(chess, look)
    odd_moves(chess, look)
    taken_back(chess, look)
    starts(chess, look)
    clocks(chess, look)
    lone_surrogates(chess, look)
    values(chess, look)
    pickles(chess, look)
    for variant in chess.variant.VARIANTS:
        overridden(chess, look, variant)


def pockets(chess, look):
    """A list of pockets that is changed is that of the board."""
    Board, Pocket = chess.variant.CrazyhouseBoard, chess.variant.CrazyhousePocket
    board = Board("4k3/8/8/8/8/8/8/4K3[] w - - 0 1")
    board.pockets[chess.WHITE] = Pocket("q")
    look("pocket put", lambda: (board.pockets, len(board.pockets[True]), board.fen(), board.legal_moves.count()))
    board.push(chess.Move.from_uci("Q@e2"))
    look("pocket used", lambda: (board.pockets, board.fen(), board.pop(), board.pockets, board.fen()))
    other = board.copy()
    other.pockets[chess.BLACK].add(chess.PAWN)
    board.pockets = [Pocket("n"), Pocket("r")]
    look("pockets replaced", lambda: (board.fen(), other.fen(), board.mirror().turn, board == other))
    board.reset()
    look("pockets emptied", lambda: (board.pockets, board.fen()))
    board.pockets.pop()
    look("no pocket", lambda: board.fen())


def pictures(chess, look):
    """Boards as text, with any text for empty squares."""
    for board in [chess.Board(), chess.BaseBoard.empty()]:
        for empty in [" ", "", "⭘", "a b", "\n"]:
            for borders in [True, False]:
                for color in chess.COLORS:
                    look("unicode", lambda: board.unicode(
                        borders=borders, empty_square=empty, orientation=color, invert_color=color))


def overridden(chess, look, variant):
    """Methods that a subclass overrides are called by the others, in the same order."""

    class Logged(variant):
        def __getattribute__(self, name):
            if name in ("reset_board", "clear_board", "clear_stack", "set_fen"):
                vars(self).setdefault("calls", []).append(name)
            return super().__getattribute__(name)

        def reset_board(self):
            super().reset_board()

        def clear_board(self):
            super().clear_board()

        def clear_stack(self):
            super().clear_stack()

        def set_fen(self, fen):
            super().set_fen(fen)

    name = variant.__name__
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    board = Logged()
    for label, change in {
        "nothing": lambda: None,
        "reset": board.reset,
        "clear": board.clear,
        "set": lambda: board.set_piece_at(chess.E4, chess.Piece.from_symbol("Q")),
        "remove": lambda: board.remove_piece_at(chess.E4),
        "fen": lambda: board.set_fen(fen),
        "epd": lambda: board.set_epd(variant(fen).epd() + ' hmvc 3; id "x y";'),
        "short epd": lambda: board.set_epd(variant(fen).epd()),
        "copy": lambda: board.copy().calls,
        "transform": lambda: board.apply_transform(chess.flip_horizontal),
        "mirror": board.apply_mirror,
    }.items():
        vars(board).pop("calls", None)
        look(f"{name} {label}", lambda: (change(), vars(board).get("calls"), board.fen()))

    class Still(variant):
        def generate_legal_moves(self, *masks):
            return iter(())

    board = Still()
    asked = ["is_checkmate", "is_stalemate", "is_seventyfive_moves"]
    for ask in asked if variant.captures_compulsory else [*asked, "is_game_over", "outcome"]:
        board.halfmove_clock = 200
        look(f"still {name} {ask}", lambda: getattr(board, ask)())
    look(f"still {name} san", lambda: board.parse_san("e4"))
    look(f"still {name} uci", lambda: board.parse_uci("e2e4"))

    class Fewer(variant):
        def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
            moves = super().generate_legal_moves(from_mask, to_mask)
            return (move for move in moves if move.from_square != chess.B1)

        def is_legal(self, move):
            return move.from_square != chess.D2 and super().is_legal(move)

    board = Fewer("1r2k2r/P6P/8/8/8/2N5/3P4/RN2K2R w KQk - 0 1") if "[" not in variant.starting_fen else Fewer()
    for text in ["Na3", "Nb1a3", "N1a3", "Nd5", "d4", "d2d4", "b1a3", "axb8=Q", "axb8", "a8=N", "a7a8q", "a7a8",
                 "O-O", "0-0-0", "e1g1", "h7h8", "--", "Nf9", "Kd1", "xb8", "a7xb8Q", "ab8=N", "e2,e4", ""]:
        # There moves that are generated ask `is_legal`.
        if text == "d4" and variant.uci_variant == "atomic":
            continue
        look(f"fewer {name} {text}", lambda: board.parse_san(text))
        look(f"fewer {name} uci {text}", lambda: board.parse_uci(text))

    class Over(variant):
        def is_variant_end(self):
            return self.fullmove_number > 1

    board = Over()
    for number in [1, 2]:
        board.fullmove_number = number
        look(f"over {name}", lambda: (list(map(str, board.legal_moves)), board.is_stalemate(), board.is_checkmate()))
        look(f"over {name} e4", lambda: (chess.Move.from_uci("e2e4") in board.legal_moves, board.parse_san("e4")))
        look(f"over {name} e2e4", lambda: board.parse_uci("e2e4"))

    class Dashed(variant):
        def board_fen(self, *, promoted=None):
            return super().board_fen(promoted=promoted).replace("/", "-")

    class Marked(variant):
        def epd(self, **options):
            return super().epd(**options) + " !"

    for board in [Dashed(), Marked(chess960=True)]:
        look(f"text of {name}", lambda: (board.fen(), board.epd(), board.fen(shredder=True, en_passant="fen"),
                                         board.shredder_fen(promoted=True)))


def occupied(chess, look):
    """The squares of both colors are used as a list, which changes the board."""
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    for key in [0, 1, -1, True, 2, -3, slice(None), slice(1), slice(None, None, -1), "x", None, 1.0]:
        look(f"occupied[{key!r}]", lambda: board.occupied_co[key])
    look("occupied", lambda: (board.occupied_co, list(board.occupied_co), list(reversed(board.occupied_co))))
    look("sums", lambda: (board.occupied_co + [5], [5] + board.occupied_co, sum(board.occupied_co)))
    look("no sum", lambda: board.occupied_co + 5)
    look("search", lambda: (board.occupied_co.index(1 << 60), board.occupied_co.count(17), 17 in board.occupied_co))
    look("not there", lambda: board.occupied_co.index(3))
    for copied in [board.occupied_co.copy(), board.occupied_co[:], copy.copy(board.occupied_co),
                   copy.deepcopy(board.occupied_co), pickle.loads(pickle.dumps(board.occupied_co))]:
        copied[0] = 9
        look("copied", lambda: (copied, type(copied), board.occupied_co, copied == board.occupied_co))
    board.occupied_co.reverse()
    look("reversed", lambda: (board.occupied_co, board.fen()))
    board.occupied_co[:] = board.occupied_co[::-1]
    board.occupied_co[chess.WHITE] |= 2
    look("changed", lambda: (board.occupied_co, board.occupied_co == [1 << 60, 19], board.fen()))


def loose_sets(chess, look):
    """Faults are counted in each set of squares by itself."""
    for variant in [chess.Board, chess.variant.KingOfTheHillBoard, chess.variant.ThreeCheckBoard]:
        for name in ["pawns", "knights", "rooks", "queens", "kings", "occupied", "promoted"]:
            for mask in [0, -1, chess.BB_RANK_1, chess.BB_E1 | chess.BB_E8, chess.BB_E4]:
                board = variant()
                setattr(board, name, mask)
                look(f"status of {variant.__name__} {name} {mask:x}", lambda: (board.status(), board.is_valid()))
        for color in chess.COLORS:
            board = variant()
            board.occupied_co[color] = chess.BB_CORNERS
            look(f"status of {variant.__name__} {color}", lambda: (board.status(), board.is_valid()))


def counts(chess, look):
    """Negative numbers of moves and of repetitions."""
    board = chess.Board()
    for text in ["Nf3", "Nf6", "Ng1", "Ng8", "e4"]:
        board.push_san(text)
    for count in [-1, -2, -5, -9, 0, 1, 2, 9, True, False]:
        look(f"copy {count}", lambda: board.copy(stack=count).move_stack)
        copied = board.copy(stack=count)
        look(f"copy {count} taken back", lambda: (copied.pop(), copied.fen()))
    board.pop()
    for count in range(-2, 4):
        look(f"{count} times", lambda: board.is_repetition(count))


def flags(chess, look):
    """Any object is true or false, as in Python."""
    for flag in [True, False, None, 0, 1, 7, "", "x", [], 1 << 70]:
        board = chess.Board("4k2r/8/8/8/4Q3/8/8/4K3 b k - 0 1")
        board.set_piece_at(chess.E4, chess.Piece.from_symbol("N"), promoted=flag)
        board.chess960 = flag
        bare = chess.BaseBoard.empty()
        bare.set_piece_at(chess.A1, chess.Piece.from_symbol("q"), flag)
        queen = chess.Piece(chess.QUEEN, flag)
        castling = chess.Move.from_uci("e8g8")
        look(f"flag {flag!r}", lambda: (board.promoted, board.fen(promoted=flag), board.fen(shredder=flag),
                                        board.epd(shredder=flag, promoted=flag), board.board_fen(promoted=flag),
                                        bool(board.chess960), board.uci(castling), board.uci(castling, chess960=flag)))
        look(f"flag {flag!r}", lambda: (bare.board_fen(promoted=flag), bare.unicode(invert_color=flag),
                                        queen, queen.unicode_symbol(invert_color=flag)))
        look(f"flag {flag!r}", lambda: chess.Board(None).chess960_pos(
            ignore_turn=flag, ignore_castling=flag, ignore_counters=flag))


def en_passant(chess, look):
    """Unknown ways to write the square mean legal captures."""
    for fen in ["4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1",
                "4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 1"]:
        board = chess.Board(fen)
        for way in ["legal", "fen", "xfen", "", "FEN", "none"]:
            look(f"{way} {fen}", lambda: (board.fen(en_passant=way), board.epd(en_passant=way)))


def odd_moves(chess, look):
    """Moves that no piece can make: onto own pieces, to their own square, of pieces that become others."""
    for variant in [chess.Board, chess.variant.CrazyhouseBoard, chess.variant.AtomicBoard]:
        for text in ["a1a2", "d2d3", "e1h1", "e1e2", "b1d2", "b1a8", "b1c3", "e7e5"]:
            for promotion in [None, chess.QUEEN, chess.KING]:
                board = variant(variant.starting_fen.replace(" 0 1", " 7 9"))
                move = chess.Move.from_uci(text)
                move.promotion = promotion
                look(f"{variant.__name__} {move}", lambda: (board.is_zeroing(move), board.push(move), board.fen(),
                                                            board.promoted, board.castling_rights))
        for square in [chess.D2, chess.B1, chess.E7]:
            board, move = variant(variant.starting_fen.replace(" 0 1", " 7 9")), chess.Move(square, square)
            look(f"{variant.__name__} {move}", lambda: (board.is_zeroing(move), board.push(move), board.fen()))
    for text in ["Q@e4", "Q@a4", "Q@a5", "R@e4", "P@d7", "e1e2"]:
        board = chess.variant.CrazyhouseBoard("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1")
        look(f"check by {text}", lambda: board.gives_check(chess.Move.from_uci(text)))


def taken_back(chess, look):
    """Moves are taken back as far as the list has them."""
    board = chess.Board()
    for text in ["e4", "e5", "Nf3"]:
        board.push_san(text)
    board.move_stack.pop()
    look("one fewer", lambda: (board.pop(), board.fen(), board.root()))
    board.move_stack.clear()
    look("none", lambda: board.pop())
    look("root of none", lambda: (board.root(), board.fen()))
    for _ in range(3):
        board.move_stack.append(chess.Move.from_uci("a2a3"))
    for _ in range(4):
        look("too many", lambda: board.pop())
        look("what is left", lambda: (board.move_stack, board.fen()))


def starts(chess, look):
    """Start positions of Chess960 on boards of either kind."""
    for number in [0, 518, 534, 959]:
        fen = chess.Board.from_chess960_pos(number).fen()
        for rights in ["KQkq", "HAha", "KQ", "-"]:
            for chess960 in [True, False]:
                board = chess.Board(fen, chess960=chess960)
                board.set_castling_fen(rights)
                look(f"start {number} {rights} {chess960}", lambda: (
                    board.chess960_pos(), board.chess960_pos(ignore_castling=True)))


def clocks(chess, look):
    """Clocks of many digits, as Python writes them or not."""
    rest = {chess.Board: "", chess.variant.ThreeCheckBoard: " 3+3"}
    for variant, checks in rest.items():
        for numbers in ["1_0 99999999999", "99999999999 1_0", "\u0663 99999999999", "+5 9_999_999_999", "99999999999",
                        "99999999999 -3", "0 2147483648", "2147483647 2147483647", "1__0 99999999999", "5"]:
            fen = f"4k3/8/8/8/8/8/8/4K3 w - -{checks} {numbers}"
            look(f"{variant.__name__} {numbers}", lambda: variant(fen).fen())


def lone_surrogates(chess, look):
    """Texts that no UTF-8 has are no moves and no positions."""
    for variant in [chess.Board, chess.variant.CrazyhouseBoard]:
        board = variant()
        for text in ["e2e\udce9", "\udce9", "e2\udce9", "e\ud83d\ude00,4", "\ud800@e4", "N@\udce9", "@\udfff'e"]:
            for read in [chess.Move.from_uci, board.parse_uci, board.parse_san, board.push_uci, board.push_san,
                         board.parse_xboard]:
                look(f"{text!r}", lambda: read(text))
        for part in range(8):
            parts = f"{variant.starting_fen} 9".split()[:max(6, part + 1)]
            for bad in ["\udce9", "\ud800'\"\U0010ffff"]:
                fen = " ".join([*parts[:part], bad, *parts[part + 1:]])
                look(f"{part} of {variant.__name__}", lambda: variant(fen))
                look(f"{part} of {variant.__name__}", lambda: variant(f"{fen} {bad}"))
    for rest in ['id "\ud800x\udc80\U0010d8ff";', "a\udce9 5;", "bm \ud800;", "\udce9 1;", "c0 \udce9;", "pm Nf3\udce9;"]:
        look(f"EPD {rest!r}", lambda: chess.Board().set_epd(f"rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - {rest}"))


def values(chess, look):
    """Subclasses of plain values, with constructors of their own."""

    class Note(chess.Move):
        def __init__(self, text, note="", **options):
            move = chess.Move.from_uci(text)
            super().__init__(move.from_square, move.to_square, **options)
            self.note = note

    class Prize(chess.Piece):
        def __init__(self, symbol, worth):
            super().__init__(chess.PIECE_SYMBOLS.index(symbol.lower()), symbol.isupper())
            self.worth = worth

    class Named(chess.SquareSet):
        def __init__(self, *squares, name=None):
            super().__init__(squares)
            self.name = name

    # A pickle needs their names in a module.
    for each in (Note, Prize, Named):
        each.__module__, each.__qualname__ = __name__, each.__name__
        globals()[each.__name__] = each
    every = [Note("e2e4", "best", promotion=5), Prize("q", 9), Named(3, 4, name="two")]
    for value in every:
        name = type(value).__name__
        look(f"{name}", lambda: (str(value), value.__dict__.get("note"), value.__dict__.get("worth"), hash(str(value))))
        for way, again in [("copy", copy.copy), ("deepcopy", copy.deepcopy),
                           *((f"pickle {n}", lambda value, n=n: pickle.loads(pickle.dumps(value, n))) for n in range(6))]:
            look(f"{name} {way}", lambda: (type(again(value)).__name__, str(again(value)), again(value) == value,
                                           [getattr(again(value), key, None) for key in ("note", "worth", "name")]))
    for make in [chess.Move, chess.Piece]:
        look(f"{make.__name__}", lambda: make())
        look(f"{make.__name__} of one", lambda: make(1))
        look(f"{make.__name__} of None", lambda: type(make.__new__(make)).__name__)


def pickles(chess, look):
    """Boards and lists of moves, by all protocols."""
    board = chess.variant.CrazyhouseBoard()
    for text in ["e4", "d5", "exd5", "Qxd5", "P@e4"]:
        board.push_san(text)
    board.note = "kept"
    for protocol in range(6):
        for value in [board, chess.Board(chess960=True), chess.BaseBoard("8/8/8/8/8/8/8/K7")]:
            again = pickle.loads(pickle.dumps(value, protocol))
            look(f"protocol {protocol}", lambda: (again, again == value, getattr(again, "note", None),
                                                  getattr(again, "move_stack", None)))
        moves = pickle.loads(pickle.dumps(board.legal_moves, protocol))
        look(f"moves {protocol}", lambda: (list(moves), moves.count(), moves.board == board, moves.board is board))
    for name in ["legal_moves", "pseudo_legal_moves"]:
        moves = copy.deepcopy({"moves": getattr(board, name)})["moves"]
        look(f"copied {name}", lambda: (list(moves), moves.board == board, moves.board is board))
        look(f"copied {name}", lambda: copy.copy(getattr(board, name)).board is board)
