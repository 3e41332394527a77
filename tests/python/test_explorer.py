"""`mola pgn tree`, `players`, `openings` and `find` against slow Python on python-chess."""

import collections
import json
import math
import random

import chess
import chess.pgn
import chess.polyglot
import pytest
from games import first
from games import run as run_pgn

GAMES = 200


def run(mola, *args, **options):
    return run_pgn(mola, *args, **options).stdout


def half_up(value):
    return math.floor(value + 0.5)


class Game:
    def __init__(self, game):
        self.headers = game.headers
        self.moves = list(game.mainline_moves())
        self.boards = [game.board()]
        for move in self.moves:
            board = self.boards[-1].copy(stack=False)
            board.push(move)
            self.boards.append(board)
        self.keys = [board._transposition_key() for board in self.boards]

    def number(self, name):
        value = self.headers.get(name, "").split(".")[0]
        return int(value) if value.isdigit() else None

    def rating(self, white):
        return self.number("WhiteElo" if white else "BlackElo")

    @property
    def result(self):
        return self.headers["Result"]


@pytest.fixture(scope="module")
def collection(data, tmp_path_factory):
    """A file of games of both shared collections, and the same read by python-chess."""
    folder = tmp_path_factory.mktemp("explorer")
    paths = [first(data / "pgn" / name, GAMES // 2, folder / name)
             for name in ("twic1599_1000k.pgn", "lichess_db_1000k.pgn")]
    path = folder / "games.pgn"
    path.write_bytes(b"\n".join(part.read_bytes() for part in paths))
    games = []
    with open(path, encoding="latin-1") as stream:
        while (game := chess.pgn.read_game(stream)) is not None:
            games.append(Game(game))
    assert len(games) == GAMES
    return path, games


class Tally:
    """Results from the point of view of one side."""

    def __init__(self):
        self.games = self.white = self.draws = self.black = 0
        self.ratings, self.opponents, self.points, self.years = [], [], [], []

    def add(self, game, white):
        self.games += 1
        self.white += game.result == "1-0"
        self.draws += game.result == "1/2-1/2"
        self.black += game.result == "0-1"
        if (rating := game.rating(white)) is not None:
            self.ratings.append(rating)
        points = {"1-0": float(white), "0-1": float(not white), "1/2-1/2": 0.5}.get(game.result)
        if (rating := game.rating(not white)) is not None and points is not None:
            self.opponents.append(rating)
            self.points.append(points)
        if (year := game.number("Date")) is not None:
            self.years.append(year)

    def performance(self):
        if not self.opponents:
            return None
        score = sum(self.points) / len(self.points)
        difference = 800 if score == 1 else -800 if score == 0 else 400 * math.log10(score / (1 - score))
        return sum(self.opponents) / len(self.opponents) + max(-800, min(800, difference))

    def check(self, found):
        assert (found["games"], found["draws"]) == (self.games, self.draws)
        average = half_up(sum(self.ratings) / len(self.ratings)) if self.ratings else None
        assert found["average_rating"] == average
        performance = self.performance()
        assert (found["performance"] is None) == (performance is None)
        assert performance is None or abs(found["performance"] - performance) <= 0.51
        assert found["last_year"] == max(self.years, default=None)


def expected_moves(games, key):
    moves = collections.defaultdict(Tally)
    total = Tally()
    for game in games:
        if key in game.keys:
            ply = game.keys.index(key)
            total.add(game, game.boards[ply].turn)
            if ply < len(game.moves):
                moves[game.boards[ply].san(game.moves[ply])].add(game, game.boards[ply].turn)
    return total, moves


def questions(games, count):
    """Positions of random games: most of them early, where games meet."""
    rng = random.Random(11)
    for _ in range(count):
        game = rng.choice(games)
        ply = min(rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 40, 60]), len(game.moves))
        yield game.boards[ply], game.keys[ply]


def check_tree(found, games, key):
    total, moves = expected_moves(games, key)
    total.check(found)
    assert (found["white"], found["black"]) == (total.white, total.black)
    assert {move["san"] for move in found["moves"]} == set(moves)
    for move in found["moves"]:
        moves[move["san"]].check(move)
    order = [-move["games"] for move in found["moves"]]
    assert order == sorted(order)


def test_tree(mola, collection):
    path, games = collection
    for board, key in questions(games, 60):
        found = json.loads(run(mola, "tree", path, "-q", "--fen", board.fen(), "--to", "json"))
        check_tree(found, games, key)


def test_tree_of_some_games(mola, collection):
    path, games = collection
    some = [game for game in games if (game.rating(True) or 0) >= 2400 and game.result == "1-0"]
    found = run(mola, "tree", path, "-q", "--where", "WhiteElo >= 2400 and result = white", "--to", "json")
    check_tree(json.loads(found), some, chess.Board()._transposition_key())


def test_deeper_trees_and_other_formats(mola, collection, tmp_path):
    path, games = collection
    castled = json.loads(run(mola, "tree", path, "-q", "--line", "e4 e5 Nf3 Nc6 Bc4 Bc5 0-0", "--to", "json"))
    assert castled["fen"].startswith("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq -")
    found = json.loads(run(mola, "tree", path, "-q", "--depth", 3, "--line", "1. e4 c5", "--to", "json"))
    board = chess.Board()
    for san in ("e4", "c5"):
        board.push_san(san)
    reached = [game for game in games if board._transposition_key() in game.keys]
    check_tree(found, reached, board._transposition_key())
    for move in found["moves"][:4]:
        after = board.copy(stack=False)
        after.push_san(move["san"])
        _, moves = expected_moves(reached, after._transposition_key())
        assert {answer["san"]: answer["games"] for answer in move["moves"]} == {
            san: tally.games for san, tally in moves.items()}
    lines = run(mola, "tree", path, "-q", "--depth", 2, "--to", "csv").decode().splitlines()
    assert lines[0].startswith("line,san,uci,games,") and any(line.startswith("e4 c5,c5,c7c5,") for line in lines)
    book = tmp_path / "tree.bin"
    run(mola, "tree", path, "-q", "--depth", 8, "--to", "polyglot", "-o", book, "--min-games", 2)
    with chess.polyglot.open_reader(book) as reader:
        assert {entry.move for entry in reader.find_all(chess.Board())} >= {chess.Move.from_uci("e2e4")}
    assert "White to move" in run(mola, "tree", path, "-q").decode()


def test_find(mola, collection):
    path, games = collection
    for board, key in questions(games, 60):
        found = run(mola, "find", path, "-q", "--main-line", "--fen", board.fen(), "--list").decode().splitlines()
        plies = [game.keys.index(key) for game in games if key in game.keys]
        assert [int(line.split("\t")[1].removeprefix("ply ")) for line in found] == plies


def test_players(mola, collection):
    path, games = collection
    expected = collections.defaultdict(lambda: {True: Tally(), False: Tally()})
    for game in games:
        for white, name in ((True, "White"), (False, "Black")):
            expected[game.headers[name]][white].add(game, white)
    found = json.loads(run(mola, "players", path, "-q", "--to", "json"))
    assert {row["player"] for row in found} == set(expected)
    for row in found:
        white, black = expected[row["player"]].values()
        assert row["games"] == white.games + black.games
        assert (row["wins"], row["losses"]) == (white.white + black.black, white.black + black.white)
        assert row["draws"] == white.draws + black.draws
        ratings = white.ratings + black.ratings
        assert row["average_rating"] == (half_up(sum(ratings) / len(ratings)) if ratings else None)
        assert row["best_rating"] == max(ratings, default=None)
        both = Tally()
        both.opponents, both.points = white.opponents + black.opponents, white.points + black.points
        performance = both.performance()
        assert performance is None or abs(row["performance"] - performance) <= 0.51
    name = found[0]["player"]
    career = json.loads(run(mola, "players", path, "-q", "--player", name.upper(), "--to", "json"))
    own = [game for game in games if name in (game.headers["White"], game.headers["Black"])]
    assert career["games"] == len(own) == sum(row["games"] for row in career["opponents"])
    assert sum(row["games"] for row in career["as_white"]) == sum(game.headers["White"] == name for game in own)
    assert "opponent" in run(mola, "players", path, "-q", "--player", name).decode()


def test_openings(mola, collection):
    path, games = collection
    rows = json.loads(run(mola, "openings", path, "-q", "--to", "json"))
    assert sum(row["games"] for row in rows) == len(games)
    named = run(mola, "eco", path, "-q")
    counts = collections.Counter(
        line.split("\t")[2].strip("?") or "no name"
        for line in run(mola, "headers", "--tags", "Opening", text=named).decode().splitlines())
    assert {row["opening"]: row["games"] for row in rows} == counts
