"""What can go wrong between a program and a chess engine."""


class EngineError(RuntimeError):
    """The engine misbehaved, or was used in a way that it does not support."""


class EngineTerminatedError(EngineError):
    """The engine process ended when it was still needed."""


class AnalysisComplete(Exception):
    """Nothing is left to read: the analysis is over and all its information was consumed."""
