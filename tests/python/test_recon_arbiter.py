"""The arbiter of `mola recon` against reconchess's LocalGame, value by value and byte for byte.

$RECON_GAMES is how many random games are compared (default 60, some 10 seconds).
"""

import json
import os
import random
import time

import chess
import pytest
from engine import Engine

reconchess = pytest.importorskip("reconchess", reason="reconchess is not installed")

from reconchess import ChessJSONEncoder, GameHistoryEncoder, LocalGame

GAMES = int(os.environ.get("RECON_GAMES", "60"))
SEED = int(os.environ.get("SEED", time.time()))


class Arbiter(Engine):
    """Requests that were sent, and the expected replies."""

    def __init__(self):
        super().__init__("recon", "arbiter")
        self.expected = []

    def ask(self, method: str, **body) -> str:
        self.send(json.dumps({"method": method, **body}, cls=ChessJSONEncoder))
        return self.until("^{")[-1]

    def expect(self, reply: dict | str, method: str, **body) -> None:
        """A reply equal byte for byte, or any error if `reply` is 'error'."""
        self.write((json.dumps({"method": method, **body}, cls=ChessJSONEncoder) + "\n").encode())
        if not isinstance(reply, str):
            reply = json.dumps(reply, cls=GameHistoryEncoder)
        self.expected.append((reply, method, body))

    def check(self, where: str) -> None:
        for reply, method, body in self.expected:
            line = self.until("^{")[-1]
            if reply == "error":
                assert line.startswith('{"error": "'), (where, method, body, line)
            else:
                assert line == reply, (where, method, body)
        self.expected.clear()


@pytest.fixture
def arbiter():
    with Arbiter() as arbiter:
        yield arbiter


def interesting(board: chess.Board, actions: list[chess.Move], chance: random.Random):
    """A request: any action, a pass, or a kind that is rare in random play."""
    kind = chance.random()
    if kind < 0.05:
        return None
    if kind < 0.4:
        pawns = board.pawns & board.occupied_co[board.turn]
        some = [
            m
            for m in actions
            if board.is_castling(m)
            or chess.BB_SQUARES[m.from_square] & pawns
            and (m.to_square in (board.ep_square, *chess.SquareSet(chess.BB_BACKRANKS)))
            or board.is_capture(m)
        ]
        if some:
            move = chance.choice(some)
            # The promotion may be left out, even where the actions have none without it.
            return chess.Move(move.from_square, move.to_square) if chance.random() < 0.3 else move
    return chance.choice(actions) if actions else None


def any_move(chance: random.Random) -> chess.Move:
    promotion = chance.choice([None, None, *chess.PIECE_TYPES])
    return chess.Move(*chance.sample(chess.SQUARES, 2), promotion)


def random_board(chance: random.Random) -> chess.Board:
    """A position with few pieces, castling rights and an en passant square: special cases of the rules."""
    board = chess.Board()
    for _ in range(chance.choice([0, 0, 10, 40])):
        moves = list(board.pseudo_legal_moves)
        moves = [m for m in moves if not chess.BB_SQUARES[m.to_square] & board.kings]
        if not moves:
            break
        board.push(chance.choice(moves))
    for square in chess.SQUARES:
        piece = board.piece_type_at(square)
        if piece and piece != chess.KING and chance.random() < 0.2:
            board.remove_piece_at(square)
    if board.ep_square and not board.piece_at(board.ep_square + (8 if board.turn == chess.BLACK else -8)):
        board.ep_square = None
    return chess.Board(board.fen(en_passant="fen"))


def play(arbiter: Arbiter, chance: random.Random, free: bool) -> None:
    limits = {
        "reversible_moves_limit": chance.choice([100, 100, 12, None]),
        "full_turn_limit": chance.choice([None, None, 15]) or chance.randrange(60, 150),
    }
    board = random_board(chance)
    # reconchess has no other start positions, so that its limit is a number of the move.
    if board.turn == chess.WHITE:
        board.fullmove_number = 1
    else:
        limits = {"reversible_moves_limit": chance.choice([100, 12]), "full_turn_limit": None}
    game = LocalGame(seconds_per_player=None, **limits)
    game.board = board
    game.turn = game.board.turn
    names = chance.choice([("Ann", "Bob"), ('"\\/\n\x7f', "Zoë 😀")])
    game.store_players(*names)
    game.start()
    fen = game.board.fen(en_passant="fen")
    arbiter.expect(
        {"color": game.turn, "board": game.board},
        "start",
        fen=fen,
        white_name=names[0],
        black_name=names[1],
        seconds_per_player=None,
        phases="free" if free else "strict",
        **limits,
    )
    resign_at = chance.choice([None] * 9 + [chance.randrange(30)])
    turns = 0
    while not game.is_over():
        arbiter.expect({"color": game.turn}, "turn")
        actions = game.move_actions()
        arbiter.expect({"sense_actions": game.sense_actions()}, "sense_actions")
        arbiter.expect({"move_actions": actions}, "move_actions")
        arbiter.expect({"opponent_move_results": game.opponent_move_results()}, "opponent_move_results")
        for step in chance.choices("sme", k=chance.randrange(4)) if free else "sme":
            if step == "s":
                square = chance.choice([None, *chess.SQUARES])
                arbiter.expect({"sense_result": game.sense(square)}, "sense", square=square)
            elif step == "m":
                move = any_move(chance)
                if chance.random() > 0.1:
                    move = interesting(game.board, game.move_actions(), chance)
                try:
                    result = {"move_result": game.move(move)}
                except ValueError:
                    arbiter.expect("error", "move", requested_move=move)
                    if free:
                        continue
                    result = {"move_result": game.move(None)}
                    move = None
                arbiter.expect(result, "move", requested_move=move)
            else:
                game.end_turn()
                arbiter.expect({}, "end_turn")
        turns += 1
        if turns == resign_at and (free or not game.is_over()):
            game.resign()
            arbiter.expect({}, "resign")
        arbiter.expect({"is_over": game.is_over()}, "is_over")
        arbiter.check(fen)
        if turns > 400:
            break
    game.end()
    arbiter.expect({}, "end")
    arbiter.expect({"winner_color": game.get_winner_color()}, "winner_color")
    arbiter.expect({"win_reason": game.get_win_reason()}, "win_reason")
    arbiter.expect({"game_history": game.get_game_history()}, "game_history")
    arbiter.expect({"move_actions": None}, "move_actions")
    arbiter.check(fen)


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("free", [False, True], ids=["strict", "free"])
def test_random_games(arbiter, free):
    print(f"SEED={SEED}")
    chance = random.Random(SEED)
    for _ in range(GAMES // 2):
        play(arbiter, chance, free)


def test_phases_are_watched(arbiter):
    """Each step out of order is refused with its reason and changes nothing."""
    sense, move = {"square": 52}, {"requested_move": chess.Move.from_uci("e2e4")}
    assert "no game" in arbiter.ask("sense", **sense)
    arbiter.ask("start")
    for method, body, error in [
        ("move", move, "not sensed"),
        ("end_turn", {}, "not sensed"),
        ("sense", {"square": 64}, "0 to 63"),
        ("sense", {"square": "e4"}, "expected a whole number"),
        ("sense", {}, "square"),
        ("sense", sense, None),
        ("sense", sense, "already sensed"),
        ("end_turn", {}, "not moved"),
        ("move", {"requested_move": chess.Move.from_uci("e2e5")}, "e2e5 is not a move action"),
        ("move", {"requested_move": {"type": "Move", "value": "e2"}}, "not a move"),
        ("move", {}, "requested_move"),
        ("move", move, None),
        ("move", move, "already moved"),
        ("sense", sense, "already sensed"),
        ("end_turn", {}, None),
        ("resign", {}, None),
        ("resign", {}, "over"),
        ("sense", sense, "over"),
        ("move", move, "over"),
        ("end_turn", {}, "over"),
        ("dance", {}, "is not one of"),
    ]:
        reply = arbiter.ask(method, **body)
        assert ("error" in reply) == bool(error), (method, reply)
        assert not error or error in reply, (method, reply)
    assert arbiter.ask("winner_color") == '{"winner_color": true}'
    arbiter.send("nonsense")
    assert '"error"' in arbiter.until("^{")[-1]
    for fen, error in [("8/8/8/8/8/8/8/8 w - - 0 1", "no king"), ("hello", "FEN")]:
        assert error in arbiter.ask("start", fen=fen)


def test_clocks(arbiter):
    """A clock overrun of less than the increment is forgiven when the turn ends."""
    game = LocalGame(seconds_per_player=0.3, seconds_increment=0.4)
    game.start()
    arbiter.ask("start", seconds_per_player=0.3, seconds_increment=0.4, phases="free")

    def same():
        left = json.loads(arbiter.ask("seconds_left"))["seconds_left"]
        assert abs(left - game.get_seconds_left()) < 0.15
        assert json.loads(arbiter.ask("is_over"))["is_over"] == game.is_over()
        return game.is_over()

    def end_turn():
        game.end_turn()
        arbiter.ask("end_turn")

    assert not same()
    time.sleep(0.45)
    assert same()  # for the moment
    end_turn()
    assert not same()  # White is forgiven and has 0.25 seconds
    end_turn()
    time.sleep(0.9)
    assert same()
    end_turn()
    assert same()
    game.end()
    reply = arbiter.ask("winner_color"), arbiter.ask("win_reason")
    assert reply == ('{"winner_color": false}', '{"win_reason": {"type": "WinReason", "value": "TIMEOUT"}}')
    assert (game.get_winner_color(), game.get_win_reason().name) == (False, "TIMEOUT")


def mutate(line: bytes, chance: random.Random) -> bytes:
    """Requests as from a broken program: bytes lost, doubled or changed, values of other types."""
    values = [b"null", b"true", b"-1", b"64", b"1e999", b"0.5", b'""', b"[]", b"{}", b"[" * 200, b'"\\ud800"', b"9" * 400]
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(line) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            line = line[:at] + line[at + chance.randrange(1, 5) :]
        elif kind == 1:
            line = line[:at] + bytes(chance.choices(range(256), k=chance.randrange(1, 4))) + line[at:]
        elif kind == 2:
            line = line[:at] + line[at // 2 :]
        else:
            head, colon, _ = line.rpartition(b":")
            line = head + colon + chance.choice(values) + b"}"
    return line.replace(b"\n", b" ")


def test_malformed_lines(arbiter):
    """Each line has one reply, whatever it is, and a game continues after all of them."""
    chance = random.Random(SEED)
    requests = [
        {"method": "start", "fen": chess.STARTING_FEN, "seconds_per_player": 900, "full_turn_limit": 3, "phases": "free"},
        {"method": "sense", "square": 5},
        {"method": "move", "requested_move": {"type": "Move", "value": "e2e4"}},
        *({"method": method} for method in ("end_turn", "resign", "is_over", "move_actions", "game_history", "end")),
    ]
    for _ in range(40):
        lines = [mutate(json.dumps(chance.choice(requests)).encode(), chance) for _ in range(50)]
        arbiter.write(b"\n".join(lines) + b"\n")
        for line in lines:
            reply = json.loads(arbiter.until("^")[-1])
            assert isinstance(reply, dict), (line, reply)
    for line in (b"x" * 3_000_000, b'{"method":"sense","square":' + b" " * 2_000_000 + b"5}", b"[" * 900_000):
        arbiter.write(line + b"\n")
        assert "error" in json.loads(arbiter.until("^")[-1])
    assert json.loads(arbiter.ask("start"))["color"]
    assert "sense_result" in json.loads(arbiter.ask("sense", square=12))
