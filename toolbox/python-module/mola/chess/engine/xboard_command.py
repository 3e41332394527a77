"""The commands of the XBoard protocol."""

from __future__ import annotations

import asyncio
import re
from typing import Dict, List, Optional

import mola.chess as chess

from .analysis import AnalysisResult
from .command import LOGGER, BaseCommand, CommandState, InitializeCommand
from .error import EngineError
from .info import Info, InfoDict
from .limit import Limit
from .option import ConfigMapping, ConfigValue, Option
from .result import BestMove, PlayResult
from .score import Mate
from .uci_info import split_word
from .xboard_engine import XBoardEngine
from .xboard_limit import clock_lines
from .xboard_post import XBOARD_ERROR_REGEX, parse_features, parse_option, parse_post

# How long an engine may take to send its features, unless it asks for more time.
FEATURE_SECONDS = 5.0

# The second form is from version 1 of the protocol; GNU Chess still writes it.
MOVE_REGEX = re.compile(r"(?:move|[Mm]y move is\s*:)(?:\s+(.*))?$")

HINT_REGEX = re.compile(r"Hint:\s*(.*)")

RESULT_REGEX = re.compile(r"(1-0|0-1|1/2-1/2)(\s|\Z)")


def is_comment(line: str) -> bool:
    """Whether a line of the engine is for people who debug it."""
    return line.lstrip().startswith("#")


class XBoardInitializeCommand(InitializeCommand):
    """``xboard`` and ``protover``: gets the features and options of the engine."""

    def __init__(self, engine: XBoardEngine) -> None:
        super().__init__(engine)
        self.engine = engine
        self.timer: Optional[asyncio.TimerHandle] = None

    def start(self) -> None:
        self.engine.send_line("xboard")
        self.engine.send_line("protover 2")
        self.timer = self.engine.loop.call_later(FEATURE_SECONDS, self._timeout)
        self.add_finished_callback(self.timer.cancel)

    def _timeout(self) -> None:
        LOGGER.warning("%s: not all features were sent in time", self.engine)
        try:
            self._ready()
        except EngineError as err:
            self._end_by(err)

    def line_received(self, line: str) -> None:
        word, rest = split_word(line)
        if word == "feature":
            self._features(rest)
        elif XBOARD_ERROR_REGEX.match(line):
            raise EngineError(line)

    def _features(self, text: str) -> None:
        for name, value in parse_features(text):
            if name == "option":
                self._option(str(value))
            else:
                self.engine.features[name] = value
        done = self.engine.features.get("done")
        if done == 0 and self.timer:
            self.timer.cancel()
        elif done == 1:
            self._ready()

    def _option(self, text: str) -> None:
        option = parse_option(text)
        if option is None:
            LOGGER.warning("%s: not an option: %r", self.engine, text)
        else:
            self.engine.options[option.name] = option

    def _ready(self) -> None:
        engine = self.engine
        engine._require("ping")
        # Both are supported anyway.
        self._reject("reuse", 0)
        self._reject("sigterm", 0)
        # Moves are sent in coordinates.
        self._reject("san", 1)
        for feature in ("memory", "smp", "egt"):
            if engine.features.get(feature):
                engine.send_line(f"accepted {feature}")
        self._options_of_features()
        if "myname" in engine.features:
            engine.id["name"] = str(engine.features["myname"])
        for option in engine.options.values():
            if option._has_value():
                engine.config[option.name] = engine.target_config[option.name] = option.default
        engine.initialized = True
        self.result.set_result(None)
        self.set_finished()

    def _reject(self, feature: str, value: int) -> None:
        """Rejects a feature, if the engine gave it this value."""
        if self.engine.features.get(feature) == value:
            LOGGER.warning("%s: Rejecting feature %s=%d", self.engine, feature, value)
            self.engine.send_line(f"rejected {feature}")

    def _options_of_features(self) -> None:
        features = self.engine.features
        options = []
        if features.get("memory"):
            options.append(Option("memory", "spin", 16, 1, None, None))
        if features.get("smp"):
            options.append(Option("cores", "spin", 1, 1, None, None))
        for family in str(features.get("egt", "")).split(","):
            if family.strip():
                options.append(Option(f"egtpath {family.strip()}", "path", None, None, None, None))
        self.engine.options.update({option.name: option for option in options})


class XBoardPingCommand(BaseCommand[None]):
    """``ping``."""

    def __init__(self, engine: XBoardEngine) -> None:
        super().__init__(engine)
        self.engine = engine
        self.pong = ""

    def start(self) -> None:
        self.pong = self.engine._send_ping()

    def line_received(self, line: str) -> None:
        if line.strip() == self.pong:
            if not self.result.done():
                self.result.set_result(None)
            self.set_finished()
        elif XBOARD_ERROR_REGEX.match(line):
            raise EngineError(line)
        elif not is_comment(line):
            self._unexpected(line)


class XBoardConfigureCommand(BaseCommand[None]):
    """Sets options permanently."""

    def __init__(self, engine: XBoardEngine, options: ConfigMapping) -> None:
        super().__init__(engine)
        self.engine = engine
        self.options = options

    def start(self) -> None:
        engine = self.engine
        engine._check_options(self.options)
        engine._set_options(self.options)
        for name, value in self.options.items():
            option = engine.options[name]
            if not option._is_button():
                engine.target_config[option.name] = option.parse(value)
        self.result.set_result(None)
        self.set_finished()


class XBoardResultCommand(BaseCommand[None]):
    """``result``."""

    def __init__(self, engine: XBoardEngine, board: chess.Board, line: str) -> None:
        super().__init__(engine)
        self.engine = engine
        self.board = board
        self.line = line

    def start(self) -> None:
        self.engine._set_board(self.board, self.engine.game, {})
        self.engine.send_line(self.line)
        self.result.set_result(None)
        self.set_finished()


class XBoardPlayCommand(BaseCommand[PlayResult]):
    """``go``."""

    def __init__(
        self,
        engine: XBoardEngine,
        board: chess.Board,
        limit: Limit,
        game: object,
        options: Dict[str, ConfigValue],
        info: Info,
        ponder: bool,
        draw_offered: bool,
    ) -> None:
        super().__init__(engine)
        self.engine = engine
        self.board = board
        self.limit = limit
        self.game = game
        self.options = options
        self.selector = info
        self.ponder = ponder
        self.offer_draw = draw_offered
        self.play_result = PlayResult(None, None)
        self.pong = ""
        self.nodes_pong = ""
        """What comes before the search, behind an error if the engine cannot count nodes."""
        self.ending = False
        """Whether only the pong is of interest any more."""

    def start(self) -> None:
        engine = self.engine
        self._check_node_limit()
        engine._check_options(self.options)
        engine._set_options(self.options)
        again = engine.limits.counts_nodes and self.limit.nodes is None
        engine._set_board(self.board, self.game, self.options, again=again)
        if self.limit.nodes is not None:
            engine.limits.counts_nodes = True
            engine.send_line("nps 1")
            if not engine.features.get("nps", 0):
                # It would take the number of nodes for seconds.
                self.nodes_pong = engine._send_ping()
                return
        self._go()

    def _go(self) -> None:
        engine = self.engine
        for line in engine.limits.tell(self.limit, self.board.turn):
            engine.send_line(line)
        if engine.features.get("time", 1):
            for line in clock_lines(self.limit, self.board.turn):
                engine.send_line(line)
        if self.offer_draw and engine.features.get("draw", 1):
            engine.send_line("draw")
        engine.send_line("post" if self.selector else "nopost")
        engine.send_line("hard" if self.ponder else "easy")
        engine.send_line("go")

    def _check_node_limit(self) -> None:
        limit = self.limit
        if limit.nodes is None:
            return
        increment = limit.white_inc if self.board.turn else limit.black_inc
        clocks = (limit.time, limit.white_clock, limit.black_clock, increment)
        if any(clock is not None for clock in clocks):
            raise EngineError("xboard does not support mixing node limits with time limits")
        if not self.engine.features.get("nps", 1):
            raise EngineError("xboard engine does not support node limits (feature nps=0)")

    def line_received(self, line: str) -> None:
        text = line.strip()
        move, hint = MOVE_REGEX.match(text), HINT_REGEX.match(text)
        if self.pong and text == self.pong:
            self._pong()
        elif self.nodes_pong and text == self.nodes_pong:
            self.nodes_pong = ""
            self._go()
        elif self.ending:
            return
        elif XBOARD_ERROR_REGEX.match(line):
            self._refused(line)
        elif move and self.play_result.move is None:
            self._move(move[1] or "")
        elif hint:
            self._hint(hint[1])
        elif text == "resign":
            self.play_result.resigned = True
            self._ask_whether_done()
        elif text == "offer draw":
            self.play_result.draw_offered = True
            self._ask_whether_done()
        elif RESULT_REGEX.match(text):
            self.play_result.resigned |= "resign" in text
            self._ask_whether_done()
        else:
            self._post(line)

    def _refused(self, line: str) -> None:
        """Fails, unless the engine can do without what it has not understood."""
        if self.offer_draw and line.rpartition(":")[2].strip() == "draw":
            LOGGER.warning("%s: the draw offer was not understood: %r", self.engine, line)
            return
        if self.engine.limits.is_about_lifting(line):
            LOGGER.warning("%s: an earlier limit may still hold: %r", self.engine, line)
            return
        if self.limit.nodes is not None and "nps" in line:
            self.engine.features["nps"] = 0
        if self.nodes_pong:
            self.pong, self.nodes_pong = self.nodes_pong, ""
        self.engine.board = None
        self._fail_by(EngineError(line))
        # It may be thinking, and its move must not be taken for that of the next search.
        self.ending = True
        if not self.pong:
            self.engine.send_line("?")
            self.engine.send_line("force")
            self.pong = self.engine._send_ping()

    def _move(self, text: str) -> None:
        engine = self.engine
        try:
            move = self.board.parse_xboard(text)
        except ValueError as err:
            engine.board = None
            raise EngineError(err) from err
        self.play_result.move = move
        if engine.board is not None:
            engine.board.push(move)
        self._ask_whether_done()

    def _hint(self, text: str) -> None:
        best = self.play_result
        if best.move is None or best.ponder is not None or self.result.done():
            LOGGER.warning("Unexpected hint: %r", text)
            return
        after = self.board.copy(stack=False)
        after.push(best.move)
        try:
            best.ponder = after.parse_xboard(text)
        except ValueError:
            LOGGER.exception("Exception parsing hint")

    def _post(self, line: str) -> None:
        info = parse_post(line, self.board, self.selector)
        if info:
            if self.selector and self.play_result.move is None:
                self.play_result.info = info
        elif not is_comment(line):
            self._unexpected(line)

    def _ask_whether_done(self) -> None:
        # More lines may follow the move, such as a draw offer.
        if not self.pong:
            self.pong = self.engine._send_ping()

    def _pong(self) -> None:
        self.pong = ""
        if self.ending:
            self.set_finished()
            return
        if not self.result.done():
            self.result.set_result(self.play_result)
        if not self.ponder:
            self.set_finished()
        elif self.state is CommandState.CANCELLING:
            self._stop_pondering()

    def cancel(self) -> None:
        if self.ending:
            return
        if self.nodes_pong:
            self.pong, self.nodes_pong = self.nodes_pong, ""
            self.ending = True
        elif self.result.done() and not self.result.cancelled():
            self._stop_pondering()
        elif self.play_result.move is None and not self.pong:
            self.engine.send_line("?")

    def _stop_pondering(self) -> None:
        self.ending = True
        self.engine.send_line("easy")
        self.pong = self.engine._send_ping()


class XBoardAnalysisCommand(BaseCommand[AnalysisResult]):
    """``analyze``."""

    def __init__(
        self,
        engine: XBoardEngine,
        board: chess.Board,
        limit: Limit,
        game: object,
        options: Dict[str, ConfigValue],
        info: Info,
        root_moves: Optional[List[chess.Move]],
    ) -> None:
        super().__init__(engine)
        self.engine = engine
        self.board = board
        self.limit = limit
        self.game = game
        self.options = options
        self.selector = info
        self.root_moves = root_moves
        self.analysis: Optional[AnalysisResult] = None
        self.best_move: Optional[chess.Move] = None
        self.pong = ""

    def start(self) -> None:
        engine = self.engine
        if not engine.features.get("analyze", 1):
            raise EngineError("xboard engine does not support analysis (feature analyze=0)")
        if self.root_moves is not None and not engine.features.get("exclude", 0):
            raise EngineError("xboard engine does not support root_moves (feature exclude=0)")
        engine._check_options(self.options)
        engine._set_options(self.options)
        engine._set_board(self.board, self.game, self.options, again=engine.limits.counts_nodes)
        for line in engine.limits.tell_analysis(self.limit):
            engine.send_line(line)
        self._choose_root_moves()
        engine.send_line("post")
        engine.send_line("analyze")
        self.analysis = AnalysisResult(stop=self._cancel)
        self.result.set_result(self.analysis)
        if self.limit.time is not None:
            timer = engine.loop.call_later(max(0.0, self.limit.time), self._cancel)
            self.add_finished_callback(timer.cancel)

    def _choose_root_moves(self) -> None:
        engine = self.engine
        if self.root_moves is not None:
            engine.send_line("exclude all")
            for move in self.root_moves:
                engine.send_line(f"include {self.board.xboard(move)}")
        elif engine.has_excluded:
            # In the same position they would remain excluded.
            engine.send_line("include all")
        engine.has_excluded = self.root_moves is not None

    def line_received(self, line: str) -> None:
        assert self.analysis is not None
        if self.pong and line.strip() == self.pong:
            self._end()
        elif self.engine.limits.is_about_lifting(line) and XBOARD_ERROR_REGEX.match(line):
            LOGGER.warning("%s: an earlier limit may still hold: %r", self.engine, line)
        elif XBOARD_ERROR_REGEX.match(line) and not self.pong:
            self.engine.board = None
            self.analysis.set_exception(EngineError(line))
            self._cancel()
        else:
            self._post(line)

    def _post(self, line: str) -> None:
        assert self.analysis is not None
        info = parse_post(line, self.board, self.selector)
        if info:
            self.analysis.post(info)
            self.best_move = next(iter(info["pv"]), self.best_move)
            if self._reached(info):
                self._cancel()
        elif not is_comment(line):
            self._unexpected(line)

    def _reached(self, info: InfoDict) -> bool:
        """Whether the analysis is deep enough."""
        limit = self.limit
        return (
            (limit.nodes is not None and info["nodes"] >= limit.nodes)
            or (limit.depth is not None and info["depth"] >= limit.depth)
            or (limit.mate is not None and info["score"].relative >= Mate(limit.mate))
        )

    def cancel(self) -> None:
        if not self.pong:
            self.engine.send_line(".")
            self.engine.send_line("exit")
            self.pong = self.engine._send_ping()

    def _end(self) -> None:
        assert self.analysis is not None
        self.analysis.set_finished(BestMove(self.best_move, None))
        self.set_finished()

    def engine_terminated(self, exc: Exception) -> None:
        if self.analysis is not None:
            self.analysis.set_exception(exc)
