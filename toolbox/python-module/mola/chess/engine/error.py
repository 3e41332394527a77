"""Exceptions in the communication with chess engines."""


class EngineError(RuntimeError):
    """The engine misbehaved, or was used in a way that it does not support."""


class EngineTerminatedError(EngineError):
    """The engine process ended unexpectedly."""


class AnalysisComplete(Exception):
    """The analysis is over and all its information was consumed."""
