import type { DataSource, QueryRunner } from 'typeorm';
import { Log } from '../logging/index.js';
import { apply, MIGRATION_LOCK, newFloor, pendingContractions, raiseFloor, readRecords, SHORT_WAIT } from './migration-records.js';
import { hasOlderServer, holdAnnouncements } from './server-versions.js';

const PENDING = 'the upgrade is not complete, and servers of the previous version can still be started';
const NEXT = 'it completes by itself when they have been gone for UPGRADE_ROLLBACK_MINUTES';

/** An upgrade whose contractions wait, because servers of the previous version may use the same PostgreSQL database (docs/decisions/0043). */
export class PendingUpgrade {
  private pending = true;
  private readonly log = new Log('upgrade');

  private constructor(private readonly source: DataSource) {
    this.log.info(PENDING, { next: NEXT });
  }

  /** @returns undefined when no contraction waits */
  static async of(source: DataSource): Promise<PendingUpgrade | undefined> {
    return (await withRunner(source, (runner) => isPending(source, runner))) ? new PendingUpgrade(source) : undefined;
  }

  get isPending(): boolean {
    return this.pending;
  }

  /** For the operator, until the upgrade is complete. */
  get advice(): string | undefined {
    return this.pending ? `${PENDING}: ${NEXT}` : undefined;
  }

  /** Learns whether another process has completed the upgrade. */
  async refresh(): Promise<void> {
    if (!this.pending || (await withRunner(this.source, (runner) => isPending(this.source, runner)))) return;
    this.pending = false;
    this.log.info('the upgrade is complete; the previous version cannot be started any more');
  }

  /**
   * Runs the contractions whose versions no older server uses.
   *
   * @param rollbackMs how long none has to have been seen
   */
  async completeAfter(rollbackMs: number): Promise<void> {
    if (!this.pending) return;
    await withRunner(this.source, async (runner) => {
      await runner.startTransaction();
      try {
        await contract(this.source, runner, rollbackMs);
        await runner.commitTransaction();
      } catch (error) {
        await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
    });
    await this.refresh();
  }
}

async function contract(source: DataSource, runner: QueryRunner, rollbackMs: number): Promise<void> {
  await runner.query(SHORT_WAIT);
  const [next] = pendingContractions(source, await readRecords(runner));
  // Most often, an older server has just been seen, which needs no lock to find out.
  if (!next || (await hasOlderServer(runner, next.since, rollbackMs))) return;
  await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await holdAnnouncements(runner);
  for (const contraction of pendingContractions(source, await readRecords(runner))) {
    if (await hasOlderServer(runner, contraction.since, rollbackMs)) break;
    await apply(runner, contraction);
  }
  const floor = newFloor(source, await readRecords(runner));
  if (floor !== undefined) await raiseFloor(runner, floor);
}

async function isPending(source: DataSource, runner: QueryRunner): Promise<boolean> {
  return pendingContractions(source, await readRecords(runner)).length > 0;
}

async function withRunner<T>(source: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  try {
    return await work(runner);
  } finally {
    await runner.release();
  }
}
