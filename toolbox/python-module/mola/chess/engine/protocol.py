"""The communication with an engine process, independent of the protocol."""

from __future__ import annotations

import abc
import asyncio
import subprocess
import sys
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    MutableMapping,
    Optional,
    Tuple,
    Type,
    TypeVar,
    Union,
    overload,
)

import mola.chess as chess

from .analysis import AnalysisResult
from .command import LOGGER, BaseCommand, CommandState
from .error import EngineError, EngineTerminatedError
from .info import INFO_ALL, INFO_NONE, Info, InfoDict
from .limit import Limit
from .opponent import Opponent
from .option import ConfigMapping, Option, UciOptionMap
from .result import PlayResult

T = TypeVar("T")
ProtocolT = TypeVar("ProtocolT", bound="Protocol")

STDIN, STDERR = 0, 2

# A line that never ends must not fill the memory.
MAX_LINE = 1 << 20

# How long to wait for last lines: children of the engine may hold its pipes open.
LAST_LINES_SECONDS = 0.5


class Protocol(asyncio.SubprocessProtocol, metaclass=abc.ABCMeta):
    """The communication with an engine process.

    One command runs at a time. A new command stops it as soon as possible.
    """

    options: MutableMapping[str, Option]
    """The options of the engine, by names in upper or lower case."""

    id: Dict[str, str]
    """What the engine says about itself: ``name``, and mostly ``author``."""

    returncode: asyncio.Future[int]
    """The exit code of the process, once it has ended."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.transport: Optional[asyncio.SubprocessTransport] = None
        self.buffers: Dict[int, bytearray] = {}
        self.command: Optional[BaseCommand[Any]] = None
        self.next_command: Optional[BaseCommand[Any]] = None
        self.initialized = False
        self.returncode = self.loop.create_future()
        self.options = UciOptionMap()
        self.id = {}

    # Callbacks of asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # AsyncSSH's channels have the same interface, but another type.
        self.transport = transport  # type: ignore[assignment]
        LOGGER.debug("%s: Connection made", self)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        code = self.transport.get_returncode() if self.transport else None
        LOGGER.debug("%s: Connection lost (exit code: %s, error: %s)", self, code, exc)
        self._terminated()

    def process_exited(self) -> None:
        LOGGER.debug("%s: Process exited", self)
        if not self.loop.is_closed():
            self.loop.call_later(LAST_LINES_SECONDS, self._terminated)

    def pipe_data_received(self, fd: int, data: Union[bytes, str]) -> None:
        buffer = self.buffers.setdefault(fd, bytearray())
        buffer += data.encode("utf-8") if isinstance(data, str) else data
        *lines, rest = buffer.split(b"\n")
        self.buffers[fd] = rest if len(rest) <= MAX_LINE else bytearray()
        for line in lines:
            text = self._decode(bytes(line.rstrip(b"\r")))
            if fd == STDERR:
                self.error_line_received(text)
            else:
                self._line_received(text)

    def _decode(self, line: bytes) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as err:
            LOGGER.warning("%s: >> %r (%s)", self, line, err)
            return line.decode("utf-8", errors="replace")

    # Lines.

    def send_line(self, line: str) -> None:
        """Sends a line to the engine."""
        if self.transport is None:
            raise EngineError("cannot send line before connection is made")
        LOGGER.debug("%s: << %s", self, line)
        stdin: Any = self.transport.get_pipe_transport(STDIN)
        if stdin is not None:
            stdin.write((line + "\n").encode("utf-8"))

    def error_line_received(self, line: str) -> None:
        """Handles a line that the engine wrote to its standard error."""
        LOGGER.warning("%s: stderr >> %s", self, line)

    def _line_received(self, line: str) -> None:
        LOGGER.debug("%s: >> %s", self, line)
        self.line_received(line)
        if self.command:
            self.command._line_received(line)

    def line_received(self, line: str) -> None:
        """Handles each line of the engine, before the running command does."""

    # Commands.

    async def communicate(self, command_factory: Callable[[Any], BaseCommand[T]]) -> T:
        """Runs a command and returns its result.

        Stops the running command, and drops a waiting one. If the caller that waits for the result
        is cancelled, the command is stopped as well.
        """
        command = command_factory(self)
        if self.returncode.done():
            code = self.returncode.result()
            raise EngineTerminatedError(f"engine process dead (exit code: {code})")
        self._enqueue(command)
        return await command.result

    def _enqueue(self, command: BaseCommand[Any]) -> None:
        command.result.add_done_callback(
            lambda result: command._cancel() if result.cancelled() else None
        )
        command.add_finished_callback(lambda: self._finished(command))
        waiting, self.next_command = self.next_command, command
        if waiting:
            waiting._cancel()
        if self.command is None:
            self._start_next()
        elif self.command.state is CommandState.ACTIVE and command._takes_over(self.command):
            self.command.set_finished()
        else:
            if not self.command.result.done():
                self.command.result.cancel()
            self.command._cancel()

    def _finished(self, command: BaseCommand[Any]) -> None:
        if self.next_command is command:
            self.next_command = None
        if self.command is command:
            self.command = None
            self._start_next()

    def _start_next(self) -> None:
        if self.command is None and self.next_command is not None:
            self.command, self.next_command = self.next_command, None
            self.command._start()

    def _terminated(self) -> None:
        if self.returncode.done():
            return
        code = self.transport.get_returncode() if self.transport else None
        code = -1 if code is None else code
        self.returncode.set_result(code)
        for command in (self.next_command, self.command):
            if command:
                command._engine_terminated(code)

    def __repr__(self) -> str:
        pid = self.transport.get_pid() if self.transport is not None else "?"
        return f"<{type(self).__name__} (pid={pid})>"

    # Implemented for each protocol.

    @abc.abstractmethod
    async def initialize(self) -> None:
        """Initialises the protocol. Called by the functions that start an engine."""

    @abc.abstractmethod
    async def ping(self) -> None:
        """Pings the engine, and waits for the answer."""

    @abc.abstractmethod
    async def configure(self, options: ConfigMapping) -> None:
        """Sets options permanently.

        Keys are names of :attr:`options`; those that are set automatically
        (:meth:`Option.is_managed`) cannot be set.
        """

    @abc.abstractmethod
    async def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        """Sets the engine's opponent. Call it before the first move of a game.

        Engines are told at the beginning of the game. Only XBoard engines are told their own
        rating, *engine_rating*.
        """

    @abc.abstractmethod
    async def play(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
        opponent: Optional[Opponent] = None,
    ) -> PlayResult:
        """Asks the engine for a move.

        :param board: The position. The engine gets all moves of its stack.
        :param limit: When to stop.
        :param game: Identifies the game. The engine is told of a new game if it is not equal to that
            of the previous call.
        :param info: Which information to keep: ``INFO_NONE``, ``INFO_BASIC``,
            ``INFO_SCORE``, ``INFO_PV``, ``INFO_REFUTATION``, ``INFO_CURRLINE``, ``INFO_ALL``, or
            several of them joined by ``|``.
        :param ponder: Whether the engine ponders after its move.
        :param draw_offered: Whether the opponent offers a draw. UCI engines are not told.
        :param root_moves: Consider these moves only.
        :param options: Options for this call.
        :param opponent: The opponent in this call.
        """

    @overload
    async def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> InfoDict: ...

    @overload
    async def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: int,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> List[InfoDict]: ...

    @overload
    async def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> Union[List[InfoDict], InfoDict]: ...

    async def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> Union[List[InfoDict], InfoDict]:
        """Analyses a position and returns the engine's information.

        The parameters are those of :meth:`play`. With *multipv*, the number of best moves, the
        result is a list of at most that many dictionaries, best move first.
        """
        check_limit("analyse", limit)
        analysis = await self.analysis(
            board,
            limit,
            multipv=multipv,
            game=game,
            info=info,
            root_moves=root_moves,
            options=options,
        )
        with analysis:
            await analysis.wait()
        return analysis.info if multipv is None else analysis.multipv

    @abc.abstractmethod
    async def analysis(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> AnalysisResult:
        """Starts to analyse a position; without *limit*, until stopped.

        Iterate over the result to get the information, and stop the analysis through it.
        The parameters are those of :meth:`analyse`.
        """

    @abc.abstractmethod
    async def send_game_result(
        self,
        board: chess.Board,
        winner: Optional[chess.Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        """Tells an XBoard engine how the game ended. UCI knows no such message.

        :param board: The last position.
        :param winner: The winner, if not clear from the board: of a forfeit, for example.
        :param game_ending: Why the game ended, instead of the board's outcome.
        :param game_complete: Whether the game came to its end.
        """

    @abc.abstractmethod
    async def quit(self) -> None:
        """Asks the engine to quit, and waits until it has."""

    @classmethod
    async def popen(
        cls: Type[ProtocolT],
        command: Union[str, List[str]],
        *,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> Tuple[asyncio.SubprocessTransport, ProtocolT]:
        """Starts a process, without initialising the protocol: see :func:`popen_uci`."""
        program = command if isinstance(command, list) else [command]
        if not program:
            raise TypeError("command of the engine is empty")
        if setpgrp:
            popen_args.update(group_of_its_own(popen_args))
        loop = asyncio.get_running_loop()
        return await loop.subprocess_exec(cls, *program, **popen_args)


def check_limit(command: str, limit: Optional[Limit]) -> None:
    """Checks that there is a limit: without one, the engine would never answer.

    :raises: :exc:`EngineError` if not.
    """
    if limit is None:
        raise EngineError(f"{command} without a limit")


def group_of_its_own(popen_args: Dict[str, Any]) -> Dict[str, Any]:
    """Arguments that keep signals to this process, such as Ctrl-C, from a child."""
    if sys.platform == "win32":
        flags = popen_args.get("creationflags", 0)
        return {"creationflags": flags | subprocess.CREATE_NEW_PROCESS_GROUP}
    if sys.version_info >= (3, 11):
        return {"process_group": 0}
    return {"start_new_session": True}
