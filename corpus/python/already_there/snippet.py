# ... existing code ...

class Backoff:
    """Waits longer after each failure."""

    # ... existing code ...

    def delay(self, attempt):
        delay = self.base * self.factor ** (attempt - 1)
        return min(delay, self.limit)

# ... existing code ...
