import type { Cancel, Clock } from './clock.js';

/** Work that repeats after a pause. Runs never overlap. A failed run is repeated after the pause as well. */
export class PeriodicTask {
  private readonly stopping = new AbortController();
  private cancel: Cancel = () => undefined;
  private working: Promise<void> | undefined;
  private soonMs: number | undefined;

  /**
   * @param pauseMs from the end of one run to the start of the next
   * @param work    receives a signal that aborts when the task stops; long work checks it between its steps
   * @param failed  receives the error of a run
   */
  constructor(
    private readonly clock: Clock,
    private readonly pauseMs: number,
    private readonly work: (stopping: AbortSignal) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Schedules the first run, one pause from now. */
  start(): void {
    this.schedule(this.pauseMs);
  }

  /** Starts the next run in `ms` instead of after the pause, or `ms` after the end of the current run. Later calls do not postpone it. */
  runSoon(ms: number): void {
    if (this.stopping.signal.aborted || this.soonMs !== undefined) return;
    this.soonMs = ms;
    if (!this.working) this.schedule(ms);
  }

  /** Starts no further run; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.cancel();
    await this.working;
  }

  private schedule(ms: number): void {
    this.cancel();
    this.cancel = this.clock.after(ms, () => {
      this.soonMs = undefined;
      this.working = this.work(this.stopping.signal)
        .catch(this.failed)
        .finally(() => {
          this.working = undefined;
          if (!this.stopping.signal.aborted) this.schedule(this.soonMs ?? this.pauseMs);
        });
    });
  }
}
