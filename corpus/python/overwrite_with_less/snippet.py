"""Runs jobs one after another."""

from collections import deque


class Runner:
    def __init__(self):
        self.queue = deque()
        self.errors = []

    def submit(self, name, action):
        self.queue.append((name, action))

    def run(self):
        while self.queue:
            name, action = self.queue.popleft()
            try:
                action()
            except Exception as error:
                self.errors.append((name, error))
        return self.errors
