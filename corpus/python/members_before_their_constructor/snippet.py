# ... existing code ...

class Runner:
    def submit(self, name, action: Callable[[], object], **options):
        job = Job(name, action, **options)
        self.submitted += 1
        self.backend.push(job)
        return job

    def __init__(self, backend: Backend, *, workers=2, backoff=None):
        # ... existing code ...
        self.workers = [Worker(self, number) for number in range(workers)]
        self.submitted = 0

    # ... existing code ...

# ... existing code ...
