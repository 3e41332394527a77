"""A transport for tests, in place of an engine that follows a script."""

from __future__ import annotations

import asyncio
import collections
from typing import Deque, List, Optional, Sequence, Tuple, Union

from .protocol import Protocol

PING = object()


class MockTransport(asyncio.SubprocessTransport, asyncio.WriteTransport):
    """A mock engine: expects certain lines in order, and answers each."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__()
        self.protocol = protocol
        self.expectations: Deque[Tuple[object, Sequence[str]]] = collections.deque()
        self.stdin_buffer = bytearray()
        protocol.connection_made(self)

    def expect(self, expectation: str, responses: List[str] = []) -> None:
        """Expects a line next, and answers it."""
        self.expectations.append((expectation, responses))

    def expect_ping(self) -> None:
        """Expects an XBoard ``ping`` next, and answers it."""
        self.expectations.append((PING, []))

    def assert_done(self) -> None:
        """Checks that all expected lines came."""
        assert not self.expectations, f"pending expectations: {self.expectations}"

    def get_pipe_transport(self, fd: int) -> Optional[asyncio.BaseTransport]:
        return self

    def write(self, data: Union[bytes, bytearray, memoryview]) -> None:
        self.stdin_buffer += data
        *lines, self.stdin_buffer = self.stdin_buffer.split(b"\n")
        for line in lines:
            self._answer(line.decode("utf-8"))

    def _answer(self, line: str) -> None:
        assert self.expectations, f"unexpected: {line!r}"
        expectation, responses = self.expectations.popleft()
        if expectation is PING:
            assert line.startswith("ping "), f"expected ping, got: {line!r}"
            responses = [line.replace("ping ", "pong ", 1)]
        else:
            assert expectation == line, f"expected {expectation}, got: {line}"
        if responses:
            # Asynchronously, as from a pipe.
            text = "".join(f"{response}\n" for response in responses)
            self.protocol.loop.call_soon(self.protocol.pipe_data_received, 1, text.encode("utf-8"))

    def get_pid(self) -> int:
        return id(self)

    def get_returncode(self) -> Optional[int]:
        return None if self.expectations else 0
