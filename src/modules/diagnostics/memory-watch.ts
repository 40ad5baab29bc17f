import { memoryUsage } from 'node:process';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Log } from '../../core/logging/index.js';
import { FaultRecorder } from './fault-recorder.js';

const EVERY_MS = 10_000;
const MB = 1_000_000;
/** Memory has to fall below this share of the mark before it is recorded again. */
const LOW_SHARE = 0.9;

/** Records a fault when the resident memory of the process rises above MEMORY_MARK_MB. */
@Injectable()
export class MemoryWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private above = false;
  private readonly task: PeriodicTask;

  constructor(
    private readonly recorder: FaultRecorder,
    clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const log = new Log('diagnostics');
    this.task = new PeriodicTask(
      clock,
      EVERY_MS,
      () => this.look(),
      (error) => log.error('the memory could not be read', error),
    );
  }

  onApplicationBootstrap(): void {
    if (this.config.memoryMarkMb > 0 && this.config.faultRecords > 0) this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  private look(): Promise<void> {
    const rss = memoryUsage.rss();
    const mark = this.config.memoryMarkMb * MB;
    if (rss > mark && !this.above) {
      this.above = true;
      this.recorder.record({
        kind: 'memory',
        title: `The server uses ${Math.round(rss / MB)} MB of memory, more than MEMORY_MARK_MB (${this.config.memoryMarkMb}).`,
        signature: 'memory',
        details: { rssBytes: rss, markBytes: mark },
      });
    } else if (rss < mark * LOW_SHARE) this.above = false;
    return Promise.resolve();
  }
}
