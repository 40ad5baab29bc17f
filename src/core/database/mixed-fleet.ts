import type { DataSource, QueryRunner } from 'typeorm';
import { Log } from '../logging/index.js';
import { complete, MIGRATION_LOCK, nameOf, readRecords, SHORT_WAIT, sortedMigrations } from './migration-records.js';
import type { PostgresQuery } from './postgres-pipeline.js';

/** Key of the lock under which the former version appends to the journal. */
const JOURNAL_LOCK = 7_072_601;
/** LISTEN/NOTIFY channel of the former version. */
export const FORMER_CHANNEL = 'parley_journal';
/** Payload of the notifications that processes of this version send there; those of the former version have none. */
const FOR_FORMER_ONLY = 'parley_commits';

/** As the former version does it, so that its processes wait and are notified. */
const APPEND_IN_TURN: PostgresQuery = {
  text: `SELECT pg_advisory_xact_lock(${JOURNAL_LOCK}), pg_notify('${FORMER_CHANNEL}', '${FOR_FORMER_ONLY}')`,
  values: [],
};

// A process of the former version opens a lost connection again after a second.
const MIN_UNSEEN_MS = 5000;

const HAS_LISTENER = `EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN ${FORMER_CHANNEL}')`;
// The table is unlogged: after a crash of the database it is empty, and the time begins again.
const SEEN = `INSERT INTO former_version (id, seen_at)
  SELECT 1, clock_timestamp() WHERE ${HAS_LISTENER} OR NOT EXISTS (SELECT 1 FROM former_version)
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at RETURNING id`;
const UNSEEN = `SELECT 1 FROM former_version WHERE seen_at <= clock_timestamp() - $1 * interval '1 millisecond'`;

const MIXED = 'the upgrade is not complete, and servers of the former version can still be started';
const NEXT =
  'it completes by itself when they have been gone for UPGRADE_ROLLBACK_MINUTES; until then, all servers write one after another';

/**
 * A PostgreSQL database that processes of the former version may use at the same time, because its schema has only been expanded
 * (docs/decisions/0043). Until the upgrade is complete, appends to the journal take the lock of that version.
 */
export class MixedFleet {
  private mixed = true;
  private readonly log = new Log('upgrade');
  private onEnd: () => void = () => undefined;

  private constructor(private readonly source: DataSource) {
    this.log.info(MIXED, { next: NEXT });
  }

  /** @returns undefined when the upgrade is complete */
  static async of(source: DataSource): Promise<MixedFleet | undefined> {
    return (await isExpanded(source)) ? new MixedFleet(source) : undefined;
  }

  get isMixed(): boolean {
    return this.mixed;
  }

  /** For the operator, while the fleet is mixed. */
  get advice(): string | undefined {
    return this.mixed ? `${MIXED}: ${NEXT}` : undefined;
  }

  /**
   * What a transaction sends before it appends to the journal; undefined once the upgrade is complete. It is a statement of its own, so that
   * the one that appends sees what was committed before the lock was taken.
   */
  get beforeAppend(): PostgresQuery | undefined {
    return this.mixed ? APPEND_IN_TURN : undefined;
  }

  /** Whether a notification on `FORMER_CHANNEL` is of the former version. */
  static isOfFormer(payload: string): boolean {
    return payload !== FOR_FORMER_ONLY;
  }

  /** @param listener called once, when the upgrade is complete */
  onComplete(listener: () => void): void {
    this.onEnd = listener;
  }

  /** Learns whether another process has completed the upgrade. */
  async refresh(): Promise<void> {
    if (!this.mixed || (await isExpanded(this.source))) return;
    this.mixed = false;
    this.log.info('the upgrade is complete; the former version cannot be started any more');
    this.onEnd();
  }

  /**
   * Completes the upgrade unless a process of the former version may come back.
   *
   * @param rollbackMs how long none has to have been seen
   */
  async completeAfter(rollbackMs: number): Promise<void> {
    if (!this.mixed || !(await this.formerIsGone(Math.max(rollbackMs, MIN_UNSEEN_MS)))) return;
    const runner = this.source.createQueryRunner();
    try {
      await runner.startTransaction();
      await contract(this.source, runner);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
    await this.refresh();
  }

  private async formerIsGone(unseenMs: number): Promise<boolean> {
    const seen = await this.source.query<unknown[]>(SEEN);
    return seen.length === 0 && (await this.source.query<unknown[]>(UNSEEN, [unseenMs])).length > 0;
  }
}

/** Runs what was left out, and records all migrations as the former version knows it. */
async function contract(source: DataSource, runner: QueryRunner): Promise<void> {
  await runner.query(SHORT_WAIT);
  // A process of the former version that starts now waits, and then refuses.
  await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const [listener] = (await runner.query(`SELECT 1 WHERE ${HAS_LISTENER}`)) as unknown[];
  const { applied, expanded } = await readRecords(runner);
  const migrations = sortedMigrations(source).filter((migration) => !applied.has(nameOf(migration)));
  const known = new Set(migrations.map(nameOf));
  if (listener !== undefined || [...expanded].some((name) => !known.has(name))) return;
  // Its transactions have ended, and those that wait will be refused: nothing is committed out of order once new processes take no lock.
  await runner.query('SELECT pg_advisory_xact_lock($1)', [JOURNAL_LOCK]);
  await complete(runner, migrations, expanded);
}

/** Whether migrations of this version are recorded as expansions. Those of a later version do not concern it. */
async function isExpanded(source: DataSource): Promise<boolean> {
  const runner = source.createQueryRunner();
  try {
    const { expanded } = await readRecords(runner);
    return source.migrations.some((migration) => expanded.has(nameOf(migration)));
  } finally {
    await runner.release();
  }
}
