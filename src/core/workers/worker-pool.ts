import { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from '../clock/index.js';
import { Log } from '../logging/index.js';

// Time that an abandoned call has to end by itself before its thread is terminated.
const GRACE_MS = 1000;
const HEAP_MIB = 256;

export type WorkerErrorKind =
  /** The queue is full. */
  | 'busy'
  /** The work failed; the thread continues. */
  | 'failed'
  /** The thread ended unexpectedly. */
  | 'died'
  /** A call exceeded its time limit; its thread was terminated. */
  | 'slow'
  /** The pool is closed. */
  | 'closed';

/** A failed call of a worker. */
export class WorkerError extends Error {
  constructor(
    readonly kind: WorkerErrorKind,
    message: string,
    /** `code` of the worker's own error. */
    readonly code?: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'WorkerError';
  }
}

export interface WorkerPoolOptions {
  /** Name of the threads, also used in error messages. */
  readonly name: string;
  /** Worker script, which calls `serve` of `serve.js`. */
  readonly script: URL;
  /** `workerData` of the threads. */
  readonly data?: unknown;
  /** Maximum number of threads. */
  readonly maxThreads: number;
  /** Maximum number of sessions per thread; 1 by default. */
  readonly sessionsPerThread?: number;
  /** Maximum number of callers that wait for a session; further ones are rejected. */
  readonly maxQueued: number;
  /** Time after which a thread without sessions is terminated, ms. */
  readonly idleMs: number;
  /** Time limit of a call, ms. */
  readonly callMs: number;
  /** Heap limit of a thread, MiB; 256 by default. A thread that exceeds it dies. */
  readonly heapMiB?: number;
  readonly clock: Clock;
}

interface Waiting {
  readonly admit: (thread: Thread) => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Worker threads that start on demand, are terminated when idle, and are replaced when they die; only the calls of a dead thread fail.
 * They do not keep the process alive.
 *
 * The pools on npm do not fit: they lose queued calls when the last thread is terminated, and do not notice a thread that exits by itself.
 */
export class WorkerPool {
  private readonly threads = new Set<Thread>();
  private readonly waiting = new Set<Waiting>();
  private closed = false;

  constructor(private readonly options: WorkerPoolOptions) {}

  /** Number of running threads. */
  get running(): number {
    return this.threads.size;
  }

  /** Number of callers that wait for a session. */
  get queued(): number {
    return this.waiting.size;
  }

  /**
   * Opens a session on a thread, as soon as one is free. It ends when it is closed or the signal aborts.
   *
   * @throws WorkerError busy or closed; the signal's reason when it is aborted
   */
  async open(signal: AbortSignal): Promise<WorkerSession> {
    signal.throwIfAborted();
    if (this.closed) throw this.closedError();
    const thread = this.takeFree() ?? (await this.wait(signal));
    return new WorkerSession(thread, signal);
  }

  /** Makes one call in a session of its own. */
  async run<T>(message: unknown, { signal, transfer }: { signal: AbortSignal; transfer?: ArrayBuffer[] }): Promise<T> {
    const session = await this.open(signal);
    try {
      return await session.call<T>(message, transfer);
    } finally {
      session.close();
    }
  }

  /** Rejects waiting and running calls and terminates the threads. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { refuse } of [...this.waiting]) refuse(this.closedError());
    await Promise.all([...this.threads].map((thread) => thread.end(this.closedError())));
  }

  /** Takes a free session slot, starting a thread if possible. */
  private takeFree(): Thread | undefined {
    const { maxThreads, sessionsPerThread = 1 } = this.options;
    let thread = [...this.threads].find(({ sessions }) => sessions < sessionsPerThread);
    if (thread === undefined && this.threads.size < maxThreads) {
      thread = new Thread(
        this.options,
        () => this.admit(),
        (ended) => {
          this.threads.delete(ended);
          this.admit();
        },
      );
      this.threads.add(thread);
    }
    thread?.take();
    return thread;
  }

  private wait(signal: AbortSignal): Promise<Thread> {
    if (this.waiting.size >= this.options.maxQueued) {
      throw new WorkerError('busy', `${this.options.name}: ${this.waiting.size} callers are waiting already.`);
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.delete(entry);
        signal.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        admit: (thread) => {
          leave();
          resolve(thread);
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      const onAbort = (): void => entry.refuse(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(entry);
    });
  }

  private admit(): void {
    while (this.waiting.size > 0 && !this.closed) {
      const thread = this.takeFree();
      if (thread === undefined) return;
      const [next] = this.waiting;
      next?.admit(thread);
    }
  }

  private closedError(): WorkerError {
    return new WorkerError('closed', `${this.options.name}: shut down.`);
  }
}

/** A caller's session on a thread. Its calls run one after another and share the worker's state for the session. */
export class WorkerSession {
  private readonly id: number;
  private pending = 0;
  private closed = false;
  private cancelGrace: Cancel | undefined;

  /** Called by `WorkerPool.open` only. */
  constructor(
    private readonly thread: Thread,
    private readonly signal: AbortSignal,
  ) {
    this.id = thread.nextId();
    signal.addEventListener('abort', this.close, { once: true });
    if (signal.aborted) this.close();
  }

  /**
   * @param transfer buffers that are moved to the worker instead of copied
   * @throws WorkerError failed, died, slow or closed; the signal's reason when it is aborted
   */
  call<T>(message: unknown, transfer: ArrayBuffer[] = []): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onAbort = (): void => reject(this.signal.reason as Error);
      if (this.signal.aborted) return onAbort();
      if (this.closed) return reject(new Error('The session is closed.'));
      this.signal.addEventListener('abort', onAbort, { once: true });
      this.pending += 1;
      const done = (): void => {
        this.pending -= 1;
        this.signal.removeEventListener('abort', onAbort);
        if (this.closed && this.pending === 0) this.leave();
      };
      this.thread.post(this.id, message, transfer).then(
        (value) => {
          done();
          resolve(value as T);
        },
        (error: Error) => {
          done();
          reject(error);
        },
      );
    });
  }

  /** Ends the session. A running call keeps the thread until it ends, for at most a second. */
  readonly close = (): void => {
    if (this.closed) return;
    this.closed = true;
    this.signal.removeEventListener('abort', this.close);
    if (this.pending === 0) this.leave();
    else this.cancelGrace = this.thread.endAfter(GRACE_MS);
  };

  private leave(): void {
    this.cancelGrace?.();
    this.thread.leave(this.id);
  }
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: WorkerError) => void;
  readonly cancelDeadline: Cancel;
}

interface Result {
  readonly call: number;
  readonly value?: unknown;
  readonly error?: { readonly message: string; readonly code?: string };
}

interface Note {
  readonly note: string;
}

const log = new Log('workers');

class Thread {
  sessions = 0;
  private readonly worker: Worker;
  private readonly calls = new Map<number, Call>();
  private lastId = 0;
  private cancelIdle: Cancel | undefined;
  private ended = false;

  constructor(
    private readonly options: WorkerPoolOptions,
    private readonly onFree: () => void,
    private readonly onEnd: (thread: Thread) => void,
  ) {
    this.worker = new Worker(options.script, {
      name: options.name,
      workerData: options.data,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMiB ?? HEAP_MIB },
    });
    let cause: unknown;
    this.worker.on('message', (message: Result | Note) => {
      if ('note' in message) log.debug(message.note, { thread: options.name });
      else this.settle(message);
    });
    this.worker.on('error', (error) => (cause = error));
    this.worker.on('exit', () => {
      void this.end(new WorkerError('died', `${options.name}: the thread ended unexpectedly.`, undefined, cause));
    });
    // After the listeners, because a message listener refs the worker again.
    this.worker.unref();
  }

  nextId(): number {
    return (this.lastId += 1);
  }

  take(): void {
    this.sessions += 1;
    this.cancelIdle?.();
  }

  leave(session: number): void {
    if (this.ended) return;
    this.sessions -= 1;
    this.worker.postMessage({ session });
    if (this.sessions === 0) this.cancelIdle = this.options.clock.after(this.options.idleMs, () => void this.end(idle(this.options)));
    this.onFree();
  }

  post(session: number, message: unknown, transfer: ArrayBuffer[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { name, callMs, clock } = this.options;
      if (this.ended) return reject(new WorkerError('died', `${name}: the thread has ended.`));
      const call = this.nextId();
      const tooSlow = new WorkerError('slow', `${name}: not done within ${callMs} ms.`);
      const cancelDeadline = clock.after(callMs, () => void this.end(tooSlow));
      this.calls.set(call, { resolve, reject, cancelDeadline });
      this.worker.postMessage({ session, call, message }, transfer);
    });
  }

  endAfter(ms: number): Cancel {
    return this.options.clock.after(ms, () => {
      void this.end(new WorkerError('died', `${this.options.name}: the thread was ended to stop work that was given up.`));
    });
  }

  async end(reason: WorkerError): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    this.cancelIdle?.();
    for (const { reject, cancelDeadline } of this.calls.values()) {
      cancelDeadline();
      reject(reason);
    }
    this.calls.clear();
    this.onEnd(this);
    await this.worker.terminate();
  }

  private settle({ call: id, value, error }: Result): void {
    const call = this.calls.get(id);
    if (call === undefined) return;
    this.calls.delete(id);
    call.cancelDeadline();
    if (error === undefined) call.resolve(value);
    else call.reject(new WorkerError('failed', `${this.options.name}: ${error.message}`, error.code));
  }
}

function idle({ name }: WorkerPoolOptions): WorkerError {
  return new WorkerError('died', `${name}: the thread was idle.`);
}
