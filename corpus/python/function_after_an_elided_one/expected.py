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
        return self.attempts > self.retries

    def __repr__(self):
        return f"<Job {self.name} attempt {self.attempts}>"


class FifoBackend:
    def __init__(self):
        self._lock = threading.RLock()
        self._jobs = []

    @synchronized
    def push(self, job):
        self._jobs.append(job)

    @synchronized
    def pop(self):
        if not self._jobs:
            return None
        return self._jobs.pop(0)

    @synchronized
    def __len__(self):
        return len(self._jobs)


class PriorityBackend:
    def __init__(self):
        self._lock = threading.RLock()
        self._heap = []
        self._counter = itertools.count()

    @synchronized
    def push(self, job):
        heapq.heappush(self._heap, (-job.priority, next(self._counter), job))

    @synchronized
    def pop(self):
        if not self._heap:
            return None
        return heapq.heappop(self._heap)[2]

    @synchronized
    def __len__(self):
        return len(self._heap)


class Backoff:
    """Waits longer after each failure."""

    def __init__(self, base=0.5, factor=2.0, limit=30.0):
        self.base = base
        self.factor = factor
        self.limit = limit

    def delay(self, attempt):
        delay = self.base * self.factor ** (attempt - 1)
        return min(delay, self.limit)


class Report:
    def __init__(self):
        self._lock = threading.RLock()
        self.done = []
        self.failed = []

    @synchronized
    def success(self, job):
        self.done.append(job)

    @synchronized
    def failure(self, job):
        self.failed.append(job)

    def summary(self):
        lines = [f"{len(self.done)} done, {len(self.failed)} failed"]
        for job in self.failed:
            lines.append(f"  {job.name}: {job.error}")
        return "\n".join(lines)


class Worker(threading.Thread):
    def __init__(self, runner, number):
        super().__init__(name=f"worker-{number}", daemon=True)
        self.runner = runner

    def run(self):
        while not self.runner.stopping.is_set():
            job = self.runner.backend.pop()
            if job is None:
                time.sleep(0.01)
                continue
            self.runner.execute(job)


class Runner:
    def __init__(self, backend: Backend, *, workers=2, backoff=None):
        self.backend = backend
        self.backoff = backoff or Backoff()
        self.report = Report()
        self.stopping = threading.Event()
        self.workers = [Worker(self, number) for number in range(workers)]

    def submit(self, name, action: Callable[[], object], **options):
        job = Job(name, action, **options)
        self.backend.push(job)
        return job

    def execute(self, job):
        try:
            job.run()
        except Exception as error:
            job.error = error
            if job.exhausted:
                self.report.failure(job)
                return
            time.sleep(self.backoff.delay(job.attempts))
            self.backend.push(job)
        else:
            self.report.success(job)

    def start(self):
        for worker in self.workers:
            worker.start()

    def stop(self, timeout=5.0):
        deadline = time.monotonic() + timeout
        while len(self.backend) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.stopping.set()
        for worker in self.workers:
            worker.join(timeout)
        return self.report


def demo():
    runner = Runner(PriorityBackend(), workers=4)

    def flaky():
        if random.random() < 0.3:
            raise RuntimeError("bad luck")

    for number in range(20):
        runner.submit(f"job-{number}", flaky, priority=number % 3)
    runner.start()
    print(runner.stop().summary())


def selftest():
    runner = Runner(FifoBackend(), workers=1)
    runner.submit("nothing", lambda: None)
    runner.start()
    return not runner.stop().failed


if __name__ == "__main__":
    demo()
    assert selftest()
