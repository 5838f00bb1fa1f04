# ... existing code ...

class LifoBackend:
    def __init__(self):
        self._lock = threading.RLock()
        self._jobs = []

    @synchronized
    def push(self, job):
        # ... existing code ...

    @synchronized
    def pop(self):
        return self._jobs.pop() if self._jobs else None


# ... existing code ...
