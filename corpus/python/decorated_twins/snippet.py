# ... existing code ...

class PriorityBackend:
    # ... existing code ...

    @synchronized
    def pop(self):
        while self._heap:
            job = heapq.heappop(self._heap)[2]
            if not job.exhausted:
                return job
        return None

    @synchronized
    def __len__(self):
        # ... existing code ...


# ... existing code ...
