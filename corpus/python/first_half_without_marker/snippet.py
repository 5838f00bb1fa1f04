"""A small job runner: queues, workers, retries and a report."""

import heapq
import itertools
import random
import threading
import time
from functools import wraps
from typing import Callable, Protocol


class Backend(Protocol):
    """Where jobs are kept."""

    def push(self, job: "Job") -> None:
        ...

    def pop(self) -> "Job | None":
        ...

    def __len__(self) -> int:
        ...


def synchronized(method):
    """Runs a method under its object's lock."""

    @wraps(method)
    def wrapper(self, *args, **kwargs):
        with self._lock:
            return method(self, *args, **kwargs)

    return wrapper


class Job:
    def __init__(self, name, action, *, priority=0, retries=3):
        self.name = name
        self.action = action
        self.priority = priority
        self.retries = retries
        self.attempts = 0
        self.error = None

    def run(self):
        self.attempts += 1
        return self.action()

    @property
    def exhausted(self):
        return self.attempts > self.retries or isinstance(self.error, KeyboardInterrupt)

    def __repr__(self):
        return f"<Job {self.name} attempt {self.attempts}>"
