// ... existing code ...

export interface QueueOptions {
  maxAttempts: number;
  retryDelayMs: number;
  maxDelayMs: number;
  concurrency: number;
}

// ... existing code ...

const defaults: QueueOptions = {
  maxAttempts: 5,
  retryDelayMs: 1_000,
  maxDelayMs: 60_000,
  concurrency: 4,
};

// ... existing code ...
export class TaskQueue {
  // ... existing code ...

  private retry(task: Task, error: unknown): void {
    task.attempts += 1;
    if (task.attempts >= this.options.maxAttempts) {
      // ... existing code ...
    }
    const delay = this.options.retryDelayMs * 2 ** (task.attempts - 1);
    task.notBefore = Date.now() + Math.min(delay, this.options.maxDelayMs);
    this.insert(task);
  }
}
