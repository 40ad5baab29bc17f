import { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from '../clock/index.js';

// A call that its caller gave up is left to end by itself for this long; then its thread is ended.
const GRACE_MS = 1000;
const HEAP_MIB = 256;

export type WorkerFaultKind =
  /** The queue is full. */
  | 'busy'
  /** The work itself failed; the thread lives on. */
  | 'failed'
  /** The thread ended by itself. */
  | 'died'
  /** One call took longer than allowed; its thread was ended. */
  | 'slow'
  /** The pool is closed. */
  | 'closed';

/** Why a worker gave no answer. */
export class WorkerFault extends Error {
  constructor(
    readonly kind: WorkerFaultKind,
    message: string,
    /** What the worker's own error carried as `code`. */
    readonly code?: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'WorkerFault';
  }
}

export interface WorkerPoolOptions {
  /** Of the threads, and in faults. */
  readonly name: string;
  /** A module that calls `serve` of `serve.js`. */
  readonly script: URL;
  /** Its `workerData`. */
  readonly data?: unknown;
  /** Most threads at a time. */
  readonly threads: number;
  /** Most sessions that share a thread; 1 when left out. */
  readonly perThread?: number;
  /** Most callers that wait for a session; one more is refused. */
  readonly queue: number;
  /** A thread without sessions ends after so many ms, and gives its memory back. */
  readonly idleMs: number;
  /** Longest time for one call, ms. */
  readonly callMs: number;
  /** A thread whose JavaScript objects take more than so many MiB dies; 256 when left out. */
  readonly heapMiB?: number;
  readonly clock: Clock;
}

interface Waiting {
  readonly admit: (thread: Thread) => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Worker threads that start when they are needed, end when they are idle, and are replaced when they die; only the
 * calls of a thread that died fail. They never keep the process alive.
 *
 * Not one of the pools of npm: those strand what is queued when the last thread is ended, and do not notice a
 * thread that exits by itself.
 */
export class WorkerPool {
  private readonly threads = new Set<Thread>();
  private readonly waiting = new Set<Waiting>();
  private closed = false;

  constructor(private readonly options: WorkerPoolOptions) {}

  /** Threads that run at the moment. */
  get running(): number {
    return this.threads.size;
  }

  /** Callers that wait for a session. */
  get queued(): number {
    return this.waiting.size;
  }

  /**
   * A place on a thread, as soon as there is one. It ends when it is closed or the signal aborts.
   *
   * @throws WorkerFault busy or closed; the signal's reason when it is aborted
   */
  async open(signal: AbortSignal): Promise<WorkerSession> {
    signal.throwIfAborted();
    if (this.closed) throw this.closing();
    const thread = this.free() ?? (await this.wait(signal));
    return new WorkerSession(thread, signal);
  }

  /** One call in a session of its own. */
  async run<T>(message: unknown, { signal, transfer }: { signal: AbortSignal; transfer?: ArrayBuffer[] }): Promise<T> {
    const session = await this.open(signal);
    try {
      return await session.call<T>(message, transfer);
    } finally {
      session.close();
    }
  }

  /** Fails what waits and what is under way. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { refuse } of [...this.waiting]) refuse(this.closing());
    await Promise.all([...this.threads].map((thread) => thread.end(this.closing())));
  }

  /** A place that nobody waits for, taken at once. */
  private free(): Thread | undefined {
    const { threads, perThread = 1 } = this.options;
    let thread = [...this.threads].find(({ sessions }) => sessions < perThread);
    if (thread === undefined && this.threads.size < threads) {
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
    if (this.waiting.size >= this.options.queue) {
      throw new WorkerFault('busy', `${this.options.name}: ${this.waiting.size} callers are waiting already.`);
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
      const thread = this.free();
      if (thread === undefined) return;
      const [next] = this.waiting;
      next?.admit(thread);
    }
  }

  private closing(): WorkerFault {
    return new WorkerFault('closed', `${this.options.name}: shut down.`);
  }
}

/** A caller's place on a thread: its calls are answered one after another and share what the worker keeps for them. */
export class WorkerSession {
  private readonly id: number;
  private under = 0;
  private over = false;
  private cancelGrace: Cancel | undefined;

  /** Of `WorkerPool.open` only. */
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
   * @throws WorkerFault failed, died, slow or closed; the signal's reason when it is aborted
   */
  call<T>(message: unknown, transfer: ArrayBuffer[] = []): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onAbort = (): void => reject(this.signal.reason as Error);
      if (this.signal.aborted) return onAbort();
      if (this.over) return reject(new Error('The session is closed.'));
      this.signal.addEventListener('abort', onAbort, { once: true });
      this.under += 1;
      const done = (): void => {
        this.under -= 1;
        this.signal.removeEventListener('abort', onAbort);
        if (this.over && this.under === 0) this.leave();
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

  /** Gives the place back; a call that is under way keeps it until it ends, for a second at most. */
  readonly close = (): void => {
    if (this.over) return;
    this.over = true;
    this.signal.removeEventListener('abort', this.close);
    if (this.under === 0) this.leave();
    else this.cancelGrace = this.thread.endAfter(GRACE_MS);
  };

  private leave(): void {
    this.cancelGrace?.();
    this.thread.leave(this.id);
  }
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: WorkerFault) => void;
  readonly cancelDeadline: Cancel;
}

interface Answer {
  readonly call: number;
  readonly value?: unknown;
  readonly error?: { readonly message: string; readonly code?: string };
}

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
    this.worker.on('message', (answer: Answer) => this.answer(answer));
    this.worker.on('error', (error) => (cause = error));
    this.worker.on('exit', () => {
      void this.end(new WorkerFault('died', `${options.name}: the thread ended unexpectedly.`, undefined, cause));
    });
    // After the listeners: one for messages makes it count again.
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
      if (this.ended) return reject(new WorkerFault('died', `${name}: the thread has ended.`));
      const call = this.nextId();
      const tooSlow = new WorkerFault('slow', `${name}: not done within ${callMs} ms.`);
      const cancelDeadline = clock.after(callMs, () => void this.end(tooSlow));
      this.calls.set(call, { resolve, reject, cancelDeadline });
      this.worker.postMessage({ session, call, message }, transfer);
    });
  }

  endAfter(ms: number): Cancel {
    return this.options.clock.after(ms, () => {
      void this.end(new WorkerFault('died', `${this.options.name}: the thread was ended to stop work that was given up.`));
    });
  }

  async end(reason: WorkerFault): Promise<void> {
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

  private answer({ call: id, value, error }: Answer): void {
    const call = this.calls.get(id);
    if (call === undefined) return;
    this.calls.delete(id);
    call.cancelDeadline();
    if (error === undefined) call.resolve(value);
    else call.reject(new WorkerFault('failed', `${this.options.name}: ${error.message}`, error.code));
  }
}

function idle({ name }: WorkerPoolOptions): WorkerFault {
  return new WorkerFault('died', `${name}: the thread was idle.`);
}
