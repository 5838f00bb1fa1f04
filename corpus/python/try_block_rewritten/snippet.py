# ... existing code ...

class Runner:
    # ... existing code ...

    def execute(self, job):
        while not self.stopping.is_set():
            try:
                job.run()
            except Exception as error:
                job.error = error
            else:
                self.report.success(job)
                return
            if job.exhausted:
                self.report.failure(job)
                return
            time.sleep(self.backoff.delay(job.attempts))

    # ... existing code ...

# ... existing code ...
