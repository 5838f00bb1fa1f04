/** A task and what is known of its runs. */
export interface Task {
  id: string;
  kind: string;
  payload: unknown;
  attempts: number;
  notBefore: number;
}

export interface QueueOptions {
  maxAttempts: number;
  retryDelayMs: number;
  concurrency: number;
}

export type Handler = (task: Task) => Promise<void>;

const defaults: QueueOptions = {
  maxAttempts: 5,
  retryDelayMs: 1_000,
  concurrency: 4,
};

/** Runs tasks in the order they become due, a few at a time. */
export class TaskQueue {
  private readonly options: QueueOptions;
  private readonly handlers = new Map<string, Handler>();
  private readonly waiting: Task[] = [];
  private readonly failed: Task[] = [];
  private running = 0;
  private stopped = false;

  constructor(options: Partial<QueueOptions> = {}) {
    this.options = { ...defaults, ...options };
  }

  register(kind: string, handler: Handler): void {
    if (this.handlers.has(kind)) {
      throw new Error(`a handler for ${kind} is registered`);
    }
    this.handlers.set(kind, handler);
  }

  push(kind: string, payload: unknown, delayMs = 0): string {
    const task: Task = {
      id: crypto.randomUUID(),
      kind,
      payload,
      attempts: 0,
      notBefore: Date.now() + delayMs,
    };
    this.insert(task);
    this.wake();
    return task.id;
  }

  stop(): void {
    this.stopped = true;
  }

  get size(): number {
    return this.waiting.length + this.running;
  }

  get failures(): readonly Task[] {
    return this.failed;
  }

  private insert(task: Task): void {
    let at = this.waiting.length;
    while (at > 0 && this.waiting[at - 1].notBefore > task.notBefore) {
      at -= 1;
    }
    this.waiting.splice(at, 0, task);
  }

  private wake(): void {
    while (!this.stopped && this.running < this.options.concurrency) {
      const next = this.waiting[0];
      if (next === undefined) {
        return;
      }
      const wait = next.notBefore - Date.now();
      if (wait > 0) {
        setTimeout(() => this.wake(), wait);
        return;
      }
      this.waiting.shift();
      void this.run(next);
    }
  }

  private async run(task: Task): Promise<void> {
    this.running += 1;
    try {
      const handler = this.handlers.get(task.kind);
      if (handler === undefined) {
        throw new Error(`no handler for ${task.kind}`);
      }
      await handler(task);
    } catch (error) {
      this.retry(task, error);
    } finally {
      this.running -= 1;
      this.wake();
    }
  }

  private retry(task: Task, error: unknown): void {
    task.attempts += 1;
    if (task.attempts >= this.options.maxAttempts) {
      console.error(`task ${task.id} failed for good`, error);
      this.failed.push(task);
      return;
    }
    task.notBefore = Date.now() + this.options.retryDelayMs;
    this.insert(task);
  }
}
