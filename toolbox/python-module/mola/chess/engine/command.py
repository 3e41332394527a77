"""A command for an engine: what to send, and how to handle each line of the answer."""

from __future__ import annotations

import asyncio
import enum
import logging
from typing import Callable, Generic, List, Protocol, TypeVar

from .error import EngineError, EngineTerminatedError

T = TypeVar("T")

LOGGER = logging.getLogger("chess.engine")

_ILLEGAL_INSTRUCTION = (-4, 0xC000001D)
"""Exit codes of an engine that has run an instruction which the processor does not know, under Unix
and Windows."""


class CommandState(enum.Enum):
    """The state of a command."""

    NEW = enum.auto()
    ACTIVE = enum.auto()
    CANCELLING = enum.auto()
    DONE = enum.auto()


class Commanded(Protocol):
    """What every command needs of an engine."""

    loop: asyncio.AbstractEventLoop
    initialized: bool

    def send_line(self, line: str) -> None:
        """Sends a line to the engine."""


class BaseCommand(Generic[T]):
    """A command for an engine.

    A subclass overrides :meth:`start`, and others as needed. It sets the future ``result``, and
    calls :meth:`set_finished` when the engine is free for the next command, which may be later.
    Exceptions that it raises end it.
    """

    def __init__(self, engine: Commanded) -> None:
        self._engine = engine
        self._finished_callbacks: List[Callable[[], None]] = []
        self.state = CommandState.NEW
        self.result: asyncio.Future[T] = engine.loop.create_future()
        self.finished: asyncio.Future[None] = engine.loop.create_future()

    # Methods that a subclass overrides.

    def check_initialized(self) -> None:
        """Whether the engine is ready for this command.

        :raises: :exc:`EngineError` if not.
        """
        if not self._engine.initialized:
            raise EngineError("tried to run command, but engine is not initialized")

    def start(self) -> None:
        """Sends the command."""

    def line_received(self, line: str) -> None:
        """Handles a line of the engine's answer."""

    def cancel(self) -> None:
        """Asks the engine to finish: another command waits, or the result is no longer needed."""

    def engine_terminated(self, exc: Exception) -> None:
        """Called when the engine's process has ended."""

    def _takes_over(self, running: BaseCommand[object]) -> bool:
        """Whether this command continues the running one, without stopping it."""
        return False

    # Methods that a subclass calls.

    def add_finished_callback(self, callback: Callable[[], None]) -> None:
        """Calls a function at the end of the command."""
        self._finished_callbacks.append(callback)

    def set_finished(self) -> None:
        """Marks the engine as free for the next command."""
        if self.state is CommandState.DONE:
            return
        self._fail(
            EngineError(f"engine command finished before returning result: {self!r}"),
        )
        self.state = CommandState.DONE
        if not self.finished.done():
            self.finished.set_result(None)
        callbacks, self._finished_callbacks = self._finished_callbacks, []
        for callback in reversed(callbacks):
            callback()

    # Methods that the protocol calls.

    def _start(self) -> None:
        self.state = CommandState.ACTIVE
        try:
            self.check_initialized()
            self.start()
        except Exception as exc:
            self._end_by(exc)

    def _line_received(self, line: str) -> None:
        if self.state not in (CommandState.ACTIVE, CommandState.CANCELLING):
            return
        try:
            self.line_received(line)
        except Exception as exc:
            self._end_by(exc)

    def _cancel(self) -> None:
        """Ends the command early: at once if it has not begun, else when the engine has finished."""
        if self.state is CommandState.NEW:
            self.result.cancel()
            self.set_finished()
        elif self.state is CommandState.ACTIVE:
            self.state = CommandState.CANCELLING
            try:
                self.cancel()
            except Exception as exc:
                self._end_by(exc)

    def _engine_terminated(self, code: int) -> None:
        if self.state is CommandState.DONE:
            return
        hint = ", binary not compatible with cpu?" if code in _ILLEGAL_INSTRUCTION else ""
        exc = EngineTerminatedError(f"engine process died unexpectedly (exit code: {code}{hint})")
        self.engine_terminated(exc)
        self._fail(exc)
        self.set_finished()

    def _unexpected(self, line: str) -> None:
        LOGGER.warning("%s: Unexpected engine output: %r", self._engine, line)

    def _end_by(self, exc: Exception) -> None:
        self._fail_by(exc)
        self.set_finished()

    def _fail_by(self, exc: Exception) -> None:
        """Fails while the engine is not yet free for the next command."""
        if self.result.done():
            LOGGER.warning("%s: error after the result: %r", self._engine, exc)
        self._fail(exc)

    def _fail(self, exc: Exception) -> None:
        if not self.result.done():
            self.result.set_exception(exc)
            # Marks it as retrieved: asyncio would warn if nobody awaited the result any more.
            self.result.exception()

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} at {id(self):#x} "
            f"(state={self.state}, result={self.result}, finished={self.finished}>"
        )


class InitializeCommand(BaseCommand[None]):
    """The first command for an engine: gets what the engine can do."""

    def check_initialized(self) -> None:
        if self._engine.initialized:
            raise EngineError("engine already initialized")
