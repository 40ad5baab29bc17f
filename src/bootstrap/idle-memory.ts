import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PeriodicTask, type Clock } from '../core/clock/index.js';
import { Log } from '../core/logging/index.js';

const CHECK_MS = 4000;
// V8 gives up its young generation only when little has been allocated for a while.
const FIRST_CHECK = 3;
// A server with little to do is not held up more than once a minute.
const REPEAT_CHECKS = 15;
// Share of the time in which the event loop was busy.
const IDLE_UTILIZATION = 0.1;
// A collection takes 50 to 90 ms, so it must be worth it.
const MIN_GROWTH_BYTES = 12 * 1024 * 1024;

/** What `IdleMemory` reads and does. */
export interface Heap {
  /** Share of the time since the last call in which the event loop was busy, 0 to 1. */
  utilization(): number;
  /** Size of the heap with its free parts, bytes. */
  size(): number;
  /** Collects garbage, and returns free pages to the system. */
  compact(): void;
}

/** Compacts the heap when the server has become idle. V8 does so only now and then, so that a server would keep its peak for hours. */
export class IdleMemory {
  private readonly task: PeriodicTask;
  private idleChecks = 0;
  private compactedTo = 0;

  constructor(
    clock: Clock,
    private readonly heap: Heap = processHeap(),
  ) {
    const log = new Log('memory');
    this.task = new PeriodicTask(
      clock,
      CHECK_MS,
      () => Promise.resolve(this.check()),
      (error) => log.error('the heap could not be compacted', error),
    );
  }

  start(): void {
    this.heap.utilization();
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private check(): void {
    this.idleChecks = this.heap.utilization() > IDLE_UTILIZATION ? 0 : this.idleChecks + 1;
    // Pages are returned in the background, so the result is known at a later check.
    if (this.idleChecks > FIRST_CHECK) this.compactedTo = Math.min(this.compactedTo, this.heap.size());
    if (this.idleChecks % REPEAT_CHECKS !== FIRST_CHECK || this.heap.size() - this.compactedTo < MIN_GROWTH_BYTES) return;
    this.heap.compact();
    this.compactedTo = this.heap.size();
  }
}

function processHeap(): Heap {
  let last: EventLoopUtilization | undefined;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return {
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    size: () => process.memoryUsage().heapTotal,
    compact: () => {
      // With this flag, a collection moves the objects of sparse pages together. Without it, half of the heap stays fragmented.
      setFlagsFromString('--optimize-for-size');
      try {
        collect();
      } finally {
        setFlagsFromString('--no-optimize-for-size');
      }
    },
  };
}
