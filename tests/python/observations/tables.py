"""chess.syzygy and chess.gaviota: names of tables, and values of random positions."""

import os
import random

FOLDER = None
"""The shared data; the caller sets it before `observe`."""

NAMES = [
    "KvK", "KQvK", "KvKQ", "KQvKR", "KRvKQ", "KPvKP", "KNNvKBB", "QvK", "KKvK", "KQKv", "kqvk", "",
    "KQvK ", "KQRBNPvKQ", "KQRBNPPvKQ", "PvP", "KRRvKRR", "KNBvK", "KPPPPvKP", "KvKP",
]

FENS = [
    "8/8/8/k2Pp3/8/8/8/4K3 w - e6 0 2", "8/8/8/8/2pP4/2K5/4k3/8 b - d3 0 1",
    "4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
    "k7/8/8/8/8/8/QQQQQQQK/8 w - - 0 1", "8/8/8/8/5kPp/8/8/5K2 b - g3 0 1",
    "8/8/8/8/8/8/k6K/8 w - - 0 1",
]

MATERIALS = ["KkQ", "Kkr", "KkPp", "KkRn", "KkBN", "Kkp", "KkQr", "KkBp", "KkBB", "KkRp", "KkNp"]


def random_boards(chess, count):
    chance = random.Random(27)
    while count:
        board = chess.Board(None)
        for symbol in chance.choice(MATERIALS):
            squares = [square for square in range(64) if not board.piece_at(square)
                       and (symbol not in "pP" or 8 <= square < 56)]
            board.set_piece_at(chance.choice(squares), chess.Piece.from_symbol(symbol))
        board.turn = chance.random() < 0.5
        if board.is_valid():
            count -= 1
            yield board


def observe(chess, look):
    names(chess, look)
    boards = [*random_boards(chess, 150), *map(chess.Board, FENS)]
    syzygy(chess, look, boards)
    gaviota(chess, look, boards)


def names(chess, look):
    syzygy = chess.syzygy
    for name in NAMES:
        look(f"name {name}", lambda: (
            syzygy.is_tablename(name), syzygy.is_tablename(name, one_king=False),
            syzygy.is_tablename(name, normalized=False), syzygy.is_tablename(name, piece_count=4),
            syzygy.is_tablename(name, piece_count=None)))
        look("normal", lambda: (syzygy.normalize_tablename(name),
                                syzygy.normalize_tablename(name, mirror=True)))
        for one_king in [True, False]:
            look("needs", lambda: sorted(syzygy.dependencies(name, one_king=one_king)))
            look("needs all", lambda: sorted(syzygy.all_dependencies([name], one_king=one_king)))
    for count in range(2, 6):
        for one_king in [True, False]:
            look("names", lambda: list(syzygy.tablenames(piece_count=count, one_king=one_king)))
    look("names", lambda: sum(1 for _ in syzygy.tablenames()))
    for board in [chess.Board(), chess.BaseBoard("k7/8/8/8/8/8/8/KPPn4"), chess.Board.empty()]:
        look("key", lambda: (syzygy.calc_key(board), syzygy.calc_key(board, mirror=True)))
    for pieces in [[6, 14, 5], [1, 9, 6, 14], []]:
        look("key", lambda: (syzygy.recalc_key(pieces), syzygy.recalc_key(pieces, mirror=True)))
    look("zeroing", lambda: [syzygy.dtz_before_zeroing(wdl) for wdl in range(-2, 3)])


def syzygy(chess, look, boards):
    folder = str(FOLDER / "syzygy/regular")
    Tablebase = chess.syzygy.Tablebase
    with chess.syzygy.open_tablebase(folder) as tables:
        look("tables", lambda: (sorted(tables.wdl), sorted(tables.dtz), tables.variant.__name__))
        for board in boards:
            for name in ["probe_wdl", "probe_dtz", "get_wdl", "get_dtz", "probe_wdl_table",
                         "probe_dtz_no_ep"]:
                look(f"{name} {board.fen()}", lambda: getattr(tables, name)(board))
            look("default", lambda: tables.get_dtz(board, "none"))
        queen = "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"
        for other in [chess.variant.AtomicBoard(queen), chess.variant.CrazyhouseBoard(queen),
                      chess.Board(queen, chess960=True)]:
            look("variant", lambda: tables.probe_wdl(other))
    look("closed", lambda: (tables.wdl, tables.get_wdl(boards[0])))
    look("count", lambda: (Tablebase().add_directory(folder),
                           Tablebase().add_directory(folder, load_wdl=False),
                           Tablebase().add_file(os.path.join(folder, "KQvK.rtbw")),
                           Tablebase().add_file("/etc/hostname")))
    look("no folder", lambda: Tablebase().add_directory("/nonexistent"))
    table = chess.syzygy.WdlTable(os.path.join(folder, "KRvKP.rtbw"))
    look("table", lambda: (table.key, table.mirrored_key, table.symmetric, table.num))


def gaviota(chess, look, boards):
    with chess.gaviota.open_tablebase(str(FOLDER / "gaviota"), LibraryLoader=None) as tables:
        look("tables", lambda: sorted(tables.available_tables))
        for board in boards:
            for name in ["probe_dtm", "probe_wdl", "get_dtm", "get_wdl"]:
                look(f"{name} {board.fen()}", lambda: getattr(tables, name)(board))
    look("closed", lambda: (tables.available_tables, tables.get_dtm(boards[0])))
    look("no folder", lambda: chess.gaviota.open_tablebase("/nonexistent", LibraryLoader=None))
