"""chess.polyglot: keys, entries and choices."""

import os
import random
import struct

import numpy

FOLDER = None
"""Where to write books; set before it is used."""


def positions(chess):
    fens = [
        chess.STARTING_FEN, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/k2Pp2R/8/8/8/4K3 w - e6 0 2", "k7/8/8/8/r2pP1K1/8/8/8 b - e3 0 1",
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ]
    variant = chess.variant
    return [
        *map(chess.Board, fens),
        chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", chess960=True),
        chess.Board("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", chess960=True),
        variant.CrazyhouseBoard(), variant.ThreeCheckBoard(), variant.HordeBoard(),
        variant.CrazyhouseBoard("4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"),
    ]


def write_book(chess, path):
    """A book with all kinds of moves, legal or not, in each position."""
    chance = random.Random(3)
    step = lambda source, target, role=0: role << 12 | source << 6 | target
    moves = [step(4, 7), step(4, 0), step(60, 63), step(60, 56), step(12, 28), step(4, 6), step(0, 0),
             step(12, 12, 1), step(12, 12, 4), step(9, 9, 5), 0x8000 | step(12, 28), step(4, 6, 3),
             *(step(48, 56, role) for role in (0, 1, 4, 5, 6, 7))]
    entries = [(chess.polyglot.zobrist_hash(board), move, chance.choice([0, 1, 2, 65535]), chance.getrandbits(32))
               for board in positions(chess) for move in moves]
    entries.sort(key=lambda entry: entry[0])
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry) for entry in entries))


def observe(chess, look):
    polyglot = chess.polyglot
    look("numbers", lambda: (len(polyglot.POLYGLOT_RANDOM_ARRAY), sum(polyglot.POLYGLOT_RANDOM_ARRAY)))
    look("entry", lambda: (polyglot.Entry(1, 2, 3, 4, chess.Move.null()), polyglot.Entry._fields))
    hasher = polyglot.ZobristHasher(polyglot.POLYGLOT_RANDOM_ARRAY)
    for board in positions(chess):
        look(board.fen(), lambda: (polyglot.zobrist_hash(board), hasher(board), hasher.hash_board(board),
                                   hasher.hash_castling(board), hasher.hash_ep_square(board),
                                   hasher.hash_turn(board)))
    look("few numbers", lambda: polyglot.ZobristHasher([1, 2]))
    path = FOLDER / "odd.bin"
    write_book(chess, path)
    for path in [path, os.devnull]:
        with polyglot.open_reader(path) as book:
            observe_book(chess, look, book)
    bad = FOLDER / "bad.bin"
    bad.write_bytes(b"x" * 17)
    for path in [str(bad), "/nonexistent"]:
        look("no book", lambda: polyglot.open_reader(path))
    closed = polyglot.open_reader(FOLDER / "odd.bin")
    closed.close()
    look("closed", lambda: closed[0])


def observe_book(chess, look, book):
    look("book", lambda: (len(book), list(book), list(reversed(book))))
    look("bisect", lambda: [book.bisect_key_left(key) for key in (0, 1 << 62, 1 << 63, 1 << 64)])
    for index in [0, 1, -1, len(book) - 1, len(book), "a", None]:
        look(f"[{index!r}]", lambda: book[index])
    look("in", lambda: (book[0] in book, chess.polyglot.Entry(1, 2, 3, 4, None) in book))
    excluded = [chess.Move.from_uci("e2e4"), chess.Move.from_uci("e1g1")]
    for board in [*positions(chess), 0, -1, (1 << 64) - 1]:
        for options in [{}, {"minimum_weight": 0}, {"minimum_weight": 2}, {"exclude_moves": excluded}]:
            look(f"{board!r} {options}", lambda: list(book.find_all(board, **options)))
            look("find", lambda: book.find(board, **options))
            look("get", lambda: book.get(board, "default", **options))
            look("choice", lambda: book.choice(board, random=random.Random(5), **options))
        for seed in range(9):
            look("weighted", lambda: book.weighted_choice(board, random=random.Random(seed)))
    for entry in list(book)[:3]:
        look("numpy", lambda: list(book.find_all(numpy.uint64(entry.key), minimum_weight=0)))
