"""Quantities estimated from nearest-neighbour balls: functions of (X, memberships) on checked arrays."""

from .information import entropy_of, information_of
from .risk import risk_of

__all__ = ["entropy_of", "information_of", "risk_of"]
