"""Boards: attributes that hold objects, odd arguments, text, subclasses and pickles."""


def observe(chess, look):
    pockets(chess, look)
    pictures(chess, look)


def pockets(chess, look):
    """A list of pockets that is changed is that of the board."""
    Board, Pocket = chess.variant.CrazyhouseBoard, chess.variant.CrazyhousePocket
    board = Board("4k3/8/8/8/8/8/8/4K3[] w - - 0 1")
    board.pockets[chess.WHITE] = Pocket("q")
    look("pocket put", lambda: (board.pockets, len(board.pockets[True]), board.fen(), board.legal_moves.count()))
    board.push(chess.Move.from_uci("Q@e2"))
    look("pocket used", lambda: (board.pockets, board.fen(), board.pop(), board.pockets, board.fen()))
    copy = board.copy()
    copy.pockets[chess.BLACK].add(chess.PAWN)
    board.pockets = [Pocket("n"), Pocket("r")]
    look("pockets replaced", lambda: (board.fen(), copy.fen(), board.mirror().turn, board == copy))
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
