"""Starting engines under asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, List, Tuple, Type, Union

from .protocol import ProtocolT
from .uci import UciProtocol
from .xboard import XBoardProtocol


async def popen_uci(
    command: Union[str, List[str]], *, setpgrp: bool = False, **popen_args: Any
) -> Tuple[asyncio.SubprocessTransport, UciProtocol]:
    """Starts a UCI engine, and waits until it is ready.

    :param command: The path of the engine, or a list of it and its arguments.
    :param setpgrp: Put the process into its own group, so that signals to this process, such
        as Ctrl-C, do not reach it.
    :param popen_args: Further arguments for :class:`subprocess.Popen`, except ``stdin``,
        ``stdout``, ``bufsize`` and ``universal_newlines``.

    Returns the transport and the protocol of the process.
    """
    return await start(UciProtocol, command, setpgrp, popen_args)


async def popen_xboard(
    command: Union[str, List[str]], *, setpgrp: bool = False, **popen_args: Any
) -> Tuple[asyncio.SubprocessTransport, XBoardProtocol]:
    """Starts an XBoard engine, and waits until it is ready. The parameters and the result are like
    those of :func:`popen_uci`."""
    return await start(XBoardProtocol, command, setpgrp, popen_args)


async def start(
    protocol: Type[ProtocolT],
    command: Union[str, List[str]],
    setpgrp: bool,
    popen_args: Any,
) -> Tuple[asyncio.SubprocessTransport, ProtocolT]:
    """Starts an engine that speaks a protocol."""
    transport, engine = await protocol.popen(command, setpgrp=setpgrp, **popen_args)
    try:
        await engine.initialize()
    except BaseException:
        transport.close()
        raise
    return transport, engine
