"""A transport for tests, in place of an engine that follows a script."""

from __future__ import annotations

import asyncio
import collections
from typing import Deque, List, Optional, Tuple, Union

from .protocol import Protocol


class MockTransport(asyncio.SubprocessTransport, asyncio.WriteTransport):
    """A mock engine: expects certain lines in order, and answers each."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__()
        self.protocol = protocol
        self.expectations: Deque[Tuple[str, List[str]]] = collections.deque()
        self.expected_pings = 0
        self.stdin_buffer = bytearray()
        protocol.connection_made(self)

    def expect(self, expectation: str, responses: List[str] = []) -> None:
        """Expects a line next, and answers it."""
        self.expectations.append((expectation, responses))

    def expect_ping(self) -> None:
        """Expects an XBoard ``ping`` at some time, and answers it."""
        self.expected_pings += 1

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
        if self.expected_pings and line.startswith("ping "):
            self.expected_pings -= 1
            self._respond([line.replace("ping ", "pong ", 1)])
            return
        assert self.expectations, f"unexpected: {line!r}"
        expectation, responses = self.expectations.popleft()
        assert expectation == line, f"expected {expectation}, got: {line}"
        if responses:
            self._respond(responses)

    def _respond(self, lines: List[str]) -> None:
        # Asynchronously, as from a pipe.
        text = "".join(f"{line}\n" for line in lines)
        self.protocol.loop.call_soon(self.protocol.pipe_data_received, 1, text.encode("utf-8"))

    def get_pid(self) -> int:
        return id(self)

    def get_returncode(self) -> Optional[int]:
        return None if self.expectations else 0
