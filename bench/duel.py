"""One game between two engines, by the clock."""

import asyncio
import dataclasses
import datetime
import shlex
import time

import chess
import chess.engine
import chess.pgn

# What a sound engine never does; each loses the game.
FAULTS = ("illegal move", "time forfeit", "hang", "crash")

# How long after its flag an engine may still think before it counts as hung.
PATIENCE = 10.0


@dataclasses.dataclass
class Clock:
    """A time control in seconds."""

    base: float
    increment: float

    @staticmethod
    def parse(text: str) -> "Clock":
        base, _, increment = text.partition("+")
        return Clock(float(base), float(increment or 0))


@dataclasses.dataclass
class Player:
    """How to start an engine."""

    name: str
    command: list[str]
    is_xboard: bool
    options: dict[str, str]

    @staticmethod
    def parse(text: str, options: list[str]) -> "Player":
        command = shlex.split(text.removeprefix("xboard:"))
        name = command[0].rpartition("/")[2]
        named = dict(option.split("=", 1) for option in options)
        return Player(name, command, text.startswith("xboard:"), named)

    async def start(self) -> chess.engine.Protocol:
        popen = chess.engine.popen_xboard if self.is_xboard else chess.engine.popen_uci
        _, engine = await popen(self.command)
        await engine.configure({k: v for k, v in self.options.items() if k in engine.options})
        return engine


async def stop(engine: chess.engine.Protocol) -> None:
    """Asks to quit; some engines need more than asking."""
    try:
        await asyncio.wait_for(engine.quit(), 1)
    except (TimeoutError, chess.engine.EngineError):
        engine.transport.kill()


async def duel(
    players: list[Player], start: chess.Board, control: Clock, margin: float
) -> chess.pgn.Game:
    """White is the first player. The game's Termination tells how it ended."""
    board = start.copy()
    clocks = {chess.WHITE: control.base, chess.BLACK: control.base}
    engines: dict[chess.Color, chess.engine.Protocol] = {}
    node = game = chess.pgn.Game()
    game.setup(board)
    game.headers.update(
        Event="arena", White=players[0].name, Black=players[1].name,
        Date=datetime.date.today().strftime("%Y.%m.%d"),
        TimeControl=f"{control.base:g}+{control.increment:g}",
    )  # fmt: skip
    fault = None
    try:
        for color, player in zip((chess.WHITE, chess.BLACK), players, strict=True):
            engines[color] = await player.start()
        while not board.is_game_over(claim_draw=True):
            turn = board.turn
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
                white_inc=control.increment, black_inc=control.increment,
            )  # fmt: skip
            begin = time.monotonic()
            try:
                result = await asyncio.wait_for(
                    engines[turn].play(board, limit, game=game), max(clocks[turn], 0) + PATIENCE
                )
            except TimeoutError:
                fault = "hang"
            except chess.engine.EngineTerminatedError:
                fault = "crash"
            except chess.engine.EngineError as error:
                fault, game.headers["Annotator"] = "illegal move", str(error)
            clocks[turn] -= time.monotonic() - begin
            if not fault and clocks[turn] < -margin:
                fault = "time forfeit"
            if not fault and result.resigned:
                break
            if not fault and result.move is None:
                fault = "illegal move"
            if fault:
                break
            # What was late by less than the margin is forgiven.
            clocks[turn] = max(clocks[turn], 0) + control.increment
            board.push(result.move)
            node = node.add_variation(result.move)
            node.set_clock(clocks[turn])
    finally:
        await asyncio.gather(*map(stop, engines.values()))
    outcome = board.outcome(claim_draw=True)
    if outcome and not fault:
        game.headers["Result"] = outcome.result()
        game.headers["Termination"] = outcome.termination.name.lower().replace("_", " ")
    else:
        game.headers["Result"] = "0-1" if board.turn == chess.WHITE else "1-0"
        game.headers["Termination"] = fault or "resignation"
    return game
