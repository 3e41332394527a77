"""Prints facts about boards of random games: the same lines with python-chess and with `mola.chess`.

    board_facts.py chess|mola SEED GAMES PLIES
"""

import random
import sys

if sys.argv[1] == "mola":
    import mola

    mola.install()

import chess
import chess.variant

ALONE = """fen epd shredder_fen is_check checkers_mask was_into_check is_checkmate is_stalemate
    is_insufficient_material is_seventyfive_moves is_fifty_moves is_variant_end is_variant_win
    is_variant_loss is_variant_draw clean_castling_rights has_pseudo_legal_en_passant
    has_legal_en_passant castling_xfen castling_shredder_fen has_chess960_castling_rights ply
    is_fivefold_repetition can_claim_fifty_moves can_claim_threefold_repetition outcome status
    chess960_pos is_repetition __repr__ __str__ piece_map unicode""".split()
ATTRIBUTES = "castling_rights ep_square halfmove_clock fullmove_number promoted occupied turn".split()
OF_MOVES = """is_legal is_pseudo_legal is_capture is_en_passant is_castling is_zeroing
    is_kingside_castling uci xboard""".split()
OF_LEGAL_MOVES = "san lan is_irreversible gives_check is_into_check".split()


def answer(question):
    try:
        return str(question())
    except (ValueError, AssertionError, IndexError) as error:
        return f"{type(error).__name__}: {error}"


def moves(iterator):
    return " ".join(map(str, iterator))


def facts(board, rng):
    """Questions and answers about a board."""
    for name in ALONE:
        yield name, answer(getattr(board, name))
    for name in ATTRIBUTES:
        yield name, answer(lambda: getattr(board, name))
    masks = rng.getrandbits(64), rng.getrandbits(64)
    for name in ("legal_moves", "legal_captures", "pseudo_legal_moves", "castling_moves"):
        generate = getattr(board, f"generate_{name}")
        yield name, moves(generate()) + " | " + moves(generate(*masks))
    for color in chess.COLORS:
        yield "color", answer(
            lambda: (
                board.has_insufficient_material(color),
                board.king(color),
                board.has_kingside_castling_rights(color),
                board.has_queenside_castling_rights(color),
            )
        )
    square = rng.randrange(64)
    yield "square", answer(
        lambda: (
            board.attacks(square),
            board.attackers_mask(True, square),
            board.pin(False, square),
            board.piece_at(square),
        )
    )
    yield "copies", answer(
        lambda: (board.copy() == board, board.mirror().fen(), board.root().fen())
    )
    legal = list(board.legal_moves)
    others = [chess.Move(rng.randrange(64), rng.randrange(64)) for _ in range(4)]
    for move in legal + list(board.pseudo_legal_moves) + others:
        yield str(move), [answer(lambda: getattr(board, name)(move)) for name in OF_MOVES]
    for move in legal:
        yield str(move), [answer(lambda: getattr(board, name)(move)) for name in OF_LEGAL_MOVES]
        yield str(move), answer(lambda: (board.parse_san(board.san(move)), board.parse_uci(board.uci(move))))
    for move in others:
        yield "find", answer(lambda: board.find_move(move.from_square, move.to_square))
    text = "".join(rng.choice("NBRQKabcdefgh12345678x-=+#O ") for _ in range(rng.randrange(1, 6)))
    yield text, [answer(lambda: board.parse_san(text)), answer(lambda: board.parse_uci(text))]


def main():
    seed, games, plies = map(int, sys.argv[2:])
    for game in range(games):
        # Each game has its own random numbers, so that one difference does not hide the next.
        rng = random.Random(1000 * seed + game)
        variant = chess.variant.VARIANTS[game % len(chess.variant.VARIANTS)]
        board = variant()
        if variant is chess.Board and rng.random() < 0.5:
            board = chess.Board.from_chess960_pos(rng.randrange(960))
        for ply in range(plies):
            if rng.random() < 0.3:
                for name, value in facts(board, rng):
                    print(game, ply, variant.__name__, board.fen(), name, str(value).replace("\n", "/"))
            legal = list(board.legal_moves)
            captures = [move for move in legal if board.is_capture(move)]
            if not legal or rng.random() < 0.03 and board.move_stack:
                if not board.move_stack:
                    break
                board.pop()
            else:
                board.push(rng.choice(captures if captures and rng.random() < 0.3 else legal))


main()
