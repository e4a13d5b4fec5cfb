"""A slow, literal implementation of the rules that shares nothing with the engine it is compared with."""

from tests.oracle.match import Oracle

__all__ = ["Oracle"]
