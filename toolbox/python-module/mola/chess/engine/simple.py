"""Engines without asyncio: blocking calls."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import copy
import threading
from typing import (
    Any,
    Callable,
    Coroutine,
    Dict,
    Generator,
    Iterable,
    Iterator,
    List,
    Mapping,
    MutableMapping,
    Optional,
    Type,
    TypeVar,
    Union,
    overload,
)

import mola.chess as chess

from .analysis import AnalysisResult
from .background import run_in_background
from .command import BaseCommand
from .error import EngineTerminatedError
from .info import INFO_ALL, INFO_NONE, Info, InfoDict
from .limit import Limit
from .opponent import Opponent
from .option import ConfigMapping, Option
from .protocol import Protocol
from .result import BestMove, PlayResult
from .uci import UciProtocol
from .xboard import XBoardProtocol

T = TypeVar("T")

_TIME_TO_END = 1.0
"""How many seconds a process has to end after it was killed."""

_ENGINES: Dict[threading.Thread, SimpleEngine] = {}
"""Engines whose processes may still run, by their threads."""


@atexit.register
def _end_processes() -> None:
    """Gives the threads, which end with the interpreter, the time to end the processes first."""
    engines = list(_ENGINES.items())
    for thread, engine in engines:
        # A process that was forked has none of the threads.
        if thread.is_alive():
            engine.close()
    for thread, _ in engines:
        thread.join(2 * _TIME_TO_END)


class SimpleEngine:
    """An engine with blocking calls.

    It has the methods and attributes of :class:`Protocol`, which it runs in an event loop on a
    separate thread. It can be used from several threads; a new command stops the running one.
    Arguments of a method must not be changed until it returns.

    A method raises :exc:`asyncio.TimeoutError` if it takes *timeout* seconds longer than it should,
    unless *timeout* is ``None``. As a context manager it closes the engine. One that nobody has closed
    is closed when the program ends.
    """

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: Protocol,
        *,
        timeout: Optional[float] = 10.0,
    ) -> None:
        self.transport = transport
        self.protocol = protocol
        self.timeout = timeout
        self.returncode: concurrent.futures.Future[int] = concurrent.futures.Future()
        self.shutdown_event = asyncio.Event()
        self._lock = threading.Lock()
        self._shut_down = False
        protocol.returncode.add_done_callback(self._ended)

    def _ended(self, returncode: asyncio.Future[int]) -> None:
        with self._lock:
            if not returncode.cancelled() and not self.returncode.done():
                self.returncode.set_result(returncode.result())

    @contextlib.contextmanager
    def _running(self) -> Generator[None, None, None]:
        """Keeps the event loop running meanwhile."""
        with self._lock:
            if self._shut_down:
                raise EngineTerminatedError("engine event loop dead")
            yield

    def _call(self, coroutine: Coroutine[Any, Any, T], timeout: Optional[float]) -> T:
        """Runs a coroutine on the thread of the engine, and waits for its result.

        If the wait is interrupted, by Ctrl-C for example, the coroutine is cancelled.
        """
        try:
            with self._running():
                future = asyncio.run_coroutine_threadsafe(
                    asyncio.wait_for(coroutine, timeout), self.protocol.loop
                )
        except EngineTerminatedError:
            coroutine.close()
            raise
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _get(self, get: Callable[[], T]) -> T:
        """Runs a function on the thread of the engine."""

        async def call() -> T:
            return get()

        return self._call(call(), self.timeout)

    def _timeout_for(self, limit: Optional[Limit]) -> Optional[float]:
        if self.timeout is None or limit is None or limit.time is None:
            return None
        return self.timeout + limit.time

    @property
    def options(self) -> MutableMapping[str, Option]:
        """The options of the engine, by names in upper or lower case."""
        return self._get(lambda: copy.copy(self.protocol.options))

    @property
    def id(self) -> Mapping[str, str]:
        """The engine's identification."""
        return self._get(lambda: dict(self.protocol.id))

    def communicate(self, command_factory: Callable[[Protocol], BaseCommand[T]]) -> T:
        return self._call(self.protocol.communicate(command_factory), None)

    def configure(self, options: ConfigMapping) -> None:
        self._call(self.protocol.configure(options), self.timeout)

    def send_opponent_information(
        self, *, opponent: Optional[Opponent] = None, engine_rating: Optional[int] = None
    ) -> None:
        self._call(
            self.protocol.send_opponent_information(opponent=opponent, engine_rating=engine_rating),
            self.timeout,
        )

    def ping(self) -> None:
        self._call(self.protocol.ping(), self.timeout)

    def play(
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
        return self._call(
            self.protocol.play(
                board,
                limit,
                game=game,
                info=info,
                ponder=ponder,
                draw_offered=draw_offered,
                root_moves=root_moves,
                options=options,
                opponent=opponent,
            ),
            self._timeout_for(limit),
        )

    @overload
    def analyse(
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
    def analyse(
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
    def analyse(
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

    def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> Union[InfoDict, List[InfoDict]]:
        return self._call(
            self.protocol.analyse(
                board,
                limit,
                multipv=multipv,
                game=game,
                info=info,
                root_moves=root_moves,
                options=options,
            ),
            self._timeout_for(limit),
        )

    def analysis(
        self,
        board: chess.Board,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Optional[Iterable[chess.Move]] = None,
        options: ConfigMapping = {},
    ) -> SimpleAnalysisResult:
        analysis = self._call(
            self.protocol.analysis(
                board,
                limit,
                multipv=multipv,
                game=game,
                info=info,
                root_moves=root_moves,
                options=options,
            ),
            self.timeout,  # to begin
        )
        return SimpleAnalysisResult(self, analysis)

    def send_game_result(
        self,
        board: chess.Board,
        winner: Optional[chess.Color] = None,
        game_ending: Optional[str] = None,
        game_complete: bool = True,
    ) -> None:
        self._call(
            self.protocol.send_game_result(board, winner, game_ending, game_complete), self.timeout
        )

    def quit(self) -> None:
        self._call(self.protocol.quit(), self.timeout)

    def close(self) -> None:
        """Ends the process and the event loop as soon as possible."""

        def end() -> None:
            self.transport.close()
            self.shutdown_event.set()

        with self._lock:
            if not self._shut_down:
                self._shut_down = True
                self.protocol.loop.call_soon_threadsafe(end)

    @classmethod
    def popen(
        cls,
        Protocol: Type[Protocol],
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts an engine that speaks a protocol, and waits until it is ready."""

        async def background(future: concurrent.futures.Future[SimpleEngine]) -> None:
            transport, protocol = await Protocol.popen(command, setpgrp=setpgrp, **popen_args)
            threading.current_thread().name = f"{cls.__name__} (pid={transport.get_pid()})"
            engine = cls(transport, protocol, timeout=timeout)
            _ENGINES[threading.current_thread()] = engine
            try:
                await asyncio.wait_for(protocol.initialize(), timeout)
                future.set_result(engine)
                protocol.returncode.add_done_callback(lambda _: engine.shutdown_event.set())
                await engine.shutdown_event.wait()
            finally:
                engine.close()
                # Gives the transport time to end the process and notice its end.
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.shield(protocol.returncode), _TIME_TO_END)
                del _ENGINES[threading.current_thread()]

        return run_in_background(
            background, name=f"{cls.__name__} (command={command!r})", debug=debug
        )

    @classmethod
    def popen_uci(
        cls,
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts a UCI engine, and waits until it is ready: see :func:`popen_uci`."""
        return cls.popen(
            UciProtocol, command, timeout=timeout, debug=debug, setpgrp=setpgrp, **popen_args
        )

    @classmethod
    def popen_xboard(
        cls,
        command: Union[str, List[str]],
        *,
        timeout: Optional[float] = 10.0,
        debug: Optional[bool] = None,
        setpgrp: bool = False,
        **popen_args: Any,
    ) -> SimpleEngine:
        """Starts an XBoard engine, and waits until it is ready: see :func:`popen_xboard`."""
        return cls.popen(
            XBoardProtocol, command, timeout=timeout, debug=debug, setpgrp=setpgrp, **popen_args
        )

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        pid = self.transport.get_pid()  # after the end, too
        return f"<{type(self).__name__} (pid={pid})>"


class SimpleAnalysisResult:
    """A running analysis, as :meth:`SimpleEngine.analysis` returns it: see
    :class:`AnalysisResult`."""

    def __init__(self, simple_engine: SimpleEngine, inner: AnalysisResult) -> None:
        self.simple_engine = simple_engine
        self.inner = inner

    @property
    def info(self) -> InfoDict:
        """The latest information on the best line."""
        return self.simple_engine._get(lambda: self.inner.info.copy())

    @property
    def multipv(self) -> List[InfoDict]:
        """The latest information on each line, best first."""
        return self.simple_engine._get(lambda: [info.copy() for info in self.inner.multipv])

    def stop(self) -> None:
        """Stops the analysis as soon as possible."""
        with self.simple_engine._running():
            self.simple_engine.protocol.loop.call_soon_threadsafe(self.inner.stop)

    def wait(self) -> BestMove:
        """Waits for the end of the analysis."""
        return self.simple_engine._call(self.inner.wait(), None)

    def would_block(self) -> bool:
        """Whether :meth:`get`, :meth:`next` or a step of the iteration would have to wait."""
        return self.simple_engine._get(self.inner.would_block)

    def empty(self) -> bool:
        """Whether all information so far has been read."""
        return self.simple_engine._get(self.inner.empty)

    def get(self) -> InfoDict:
        """Waits for the next thing that the engine says.

        :raises: :exc:`AnalysisComplete` if there is no more.
        """
        return self.simple_engine._call(self.inner.get(), None)

    def next(self) -> Optional[InfoDict]:
        """Waits for the next information from the engine; ``None`` if there is no more."""
        return self.simple_engine._call(self.inner.next(), None)

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> SimpleAnalysisResult:
        return self

    def __exit__(self, *_: object) -> None:
        # The engine may be gone: then there is nothing to stop.
        with contextlib.suppress(EngineTerminatedError):
            self.stop()
