"""Locks and waits, once for each kind of client."""

from __future__ import annotations

from threading import Lock
from time import sleep

from anyio import Lock as AsyncLock, sleep as async_sleep

__all__ = ["AsyncLock", "Lock", "async_sleep", "sleep"]
