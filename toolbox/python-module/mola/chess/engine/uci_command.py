"""The commands of the Universal Chess Interface."""

from __future__ import annotations

from typing import Optional

from .analysis import AnalysisResult
from .command import LOGGER, BaseCommand, CommandState, InitializeCommand
from .error import EngineError
from .info import Info, InfoDict
from .option import ConfigMapping
from .result import PlayResult
from .uci_engine import OPPONENT, UciEngine
from .uci_info import parse_bestmove, parse_info, parse_option, split_word
from .uci_search import ANALYSE_MODE, UciSearch


class UciInitializeCommand(InitializeCommand):
    """``uci``: gets the engine's identification and options."""

    def __init__(self, engine: UciEngine) -> None:
        super().__init__(engine)
        self.engine = engine

    def start(self) -> None:
        self.engine.send_line("uci")

    def line_received(self, line: str) -> None:
        word, rest = split_word(line)
        if word == "uciok":
            self._ready()
        elif word == "option":
            self._option(rest)
        elif word == "id":
            key, value = split_word(rest)
            if key:
                self.engine.id[key] = value.strip()

    def _option(self, text: str) -> None:
        option = parse_option(text)
        if option is None:
            LOGGER.warning("%s: not an option: %r", self.engine, text)
            return
        self.engine.options[option.name] = option

    def _ready(self) -> None:
        engine = self.engine
        for option in engine.options.values():
            if option._has_value():
                engine.config[option.name] = option.default
                if not option.is_managed() and option.name.lower() != ANALYSE_MODE.lower():
                    engine.target_config[option.name] = option.default
        engine.initialized = True
        self.result.set_result(None)
        self.set_finished()


class UciPingCommand(BaseCommand[None]):
    """``isready``."""

    def start(self) -> None:
        self._engine.send_line("isready")

    def line_received(self, line: str) -> None:
        if split_word(line)[0] == "readyok":
            if not self.result.done():
                self.result.set_result(None)
            self.set_finished()
        else:
            self._unexpected(line)


class UciConfigureCommand(BaseCommand[None]):
    """``setoption``, permanently."""

    def __init__(self, engine: UciEngine, options: ConfigMapping) -> None:
        super().__init__(engine)
        self.engine = engine
        self.options = options

    def start(self) -> None:
        engine = self.engine
        engine._check_options(self.options)
        changes = engine._changes(self.options)
        for name, value in self.options.items():
            option = engine.options[name]
            if not option._is_button():
                engine.target_config[option.name] = option.parse(value)
            if option.name.lower() == OPPONENT.lower():
                engine.config[option.name] = option.parse(value)
        engine._set_options(changes)
        self.result.set_result(None)
        self.set_finished()


class UciPlayCommand(BaseCommand[PlayResult]):
    """``go`` for a move, and perhaps ``go ponder`` after it."""

    def __init__(self, engine: UciEngine, search: UciSearch, info: Info, ponder: bool) -> None:
        super().__init__(engine)
        self.engine = engine
        self.search = search
        self.selector = info
        self.ponder = ponder
        self.info: InfoDict = {}
        self.searching = False
        self.start_time = 0.0
        self.pondering: Optional[UciSearch] = None
        self.ponderhit = False

    def _is_new_game(self) -> bool:
        engine = self.engine
        opponent = self.search.opponent(engine)
        changed = OPPONENT in engine.options and engine.config.get(OPPONENT) != opponent
        return changed or self.search.is_new_game(engine)

    def _takes_over(self, running: BaseCommand[object]) -> bool:
        try:
            self.ponderhit = (
                self.ponder
                and isinstance(running, UciPlayCommand)
                and running.pondering is not None
                and running.pondering.position() == self.search.position()
                and self.search.root_moves is None
                and not self._is_new_game()
                and not self.search.changes(self.engine)
            )
        except EngineError:  # it will say so when it starts
            self.ponderhit = False
        return self.ponderhit

    def start(self) -> None:
        self.start_time = self.engine.loop.time()
        if self.ponderhit:
            self.engine.send_line("ponderhit")
            self.searching = True
            return
        self.search.check(self.engine)
        new_game = self._is_new_game()
        self.search.prepare(self.engine, new_game)
        if not new_game:
            self._go()

    def _go(self) -> None:
        self.search.go(self.engine)
        self.searching = True

    def line_received(self, line: str) -> None:
        word, rest = split_word(line)
        if word == "info":
            if self.searching and self.pondering is None:
                self.info.update(parse_info(rest, self.search.board, self.selector))
        elif word == "bestmove" and self.pondering is not None:
            self.set_finished()
        elif word == "bestmove" and self.searching:
            self._bestmove(rest)
        elif word == "readyok" and not self.searching:
            if self.state is CommandState.CANCELLING:
                self.set_finished()
            else:
                self._go()
        else:
            self._unexpected(line)

    def _bestmove(self, text: str) -> None:
        if self.result.cancelled():
            self.set_finished()
            return
        best = parse_bestmove(self.search.board, text)
        self.result.set_result(PlayResult(best.move, best.ponder, self.info))
        if self.ponder and best.move and best.ponder and self.state is CommandState.ACTIVE:
            seconds = self.engine.loop.time() - self.start_time
            pondering = self.search.after(best, seconds)
            if any(pondering.board.legal_moves):
                pondering.send_position(self.engine)
                self.engine.send_line(pondering.command(ponder=True))
                self.pondering = pondering
                return
        self.set_finished()

    def cancel(self) -> None:
        if self.searching:
            self.engine.send_line("stop")


class UciAnalysisCommand(BaseCommand[AnalysisResult]):
    """``go`` for analysis."""

    def __init__(self, engine: UciEngine, search: UciSearch, info: Info) -> None:
        super().__init__(engine)
        self.engine = engine
        self.search = search
        self.selector = info
        self.analysis: Optional[AnalysisResult] = None

    def start(self) -> None:
        engine, search = self.engine, self.search
        search.check(engine)
        new_game = search.is_new_game(engine)
        search.prepare(engine, new_game)
        if not new_game:
            self._go()

    def _go(self) -> None:
        self.search.go(self.engine)
        self.analysis = AnalysisResult(stop=self._cancel)
        self.result.set_result(self.analysis)

    def line_received(self, line: str) -> None:
        word, rest = split_word(line)
        if word == "info":
            if self.analysis is not None:
                self.analysis.post(parse_info(rest, self.search.board, self.selector))
        elif word == "bestmove" and self.analysis is not None:
            self._bestmove(rest)
        elif word == "readyok" and self.analysis is None:
            if self.result.cancelled():
                self.set_finished()
            else:
                self._go()
        else:
            self._unexpected(line)

    def _bestmove(self, text: str) -> None:
        assert self.analysis is not None
        try:
            self.analysis.set_finished(parse_bestmove(self.search.board, text))
        except EngineError as err:
            self.analysis.set_exception(err)
        self.set_finished()

    def cancel(self) -> None:
        if self.analysis is not None:
            self.engine.send_line("stop")

    def engine_terminated(self, exc: Exception) -> None:
        if self.analysis is not None:
            self.analysis.set_exception(exc)
