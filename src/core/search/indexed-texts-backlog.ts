import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, PeriodicTask } from '../clock/index.js';
import { UnitOfWork, type Transaction } from '../database/index.js';
import { Hooks } from '../hooks/index.js';
import { Leadership } from '../leadership/index.js';
import { Log } from '../logging/index.js';
import type { IndexedTexts } from './indexed-texts.js';

/** Rest between two pages, ms: requests come first. */
const REST_MS = 100;
const PAGE = 100;

/**
 * Indexes texts that earlier versions stored without their words, in pages. The position is stored with the words of a page, so a restart
 * goes on where the last process ended. Until a text has its words, it is found as by the earlier version. Of several processes, the leader
 * works.
 */
@Injectable()
export class IndexedTextsBacklog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  private readonly log = new Log('search');
  private failing = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly hooks: Hooks,
    private readonly leadership: Leadership,
    clock: Clock,
  ) {
    this.task = new PeriodicTask(
      clock,
      REST_MS,
      () => this.indexPage(),
      (error) => this.onFailure(error),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async indexPage(): Promise<void> {
    if (!this.leadership.isLeader) return;
    const left = await this.unitOfWork.run('index texts', async (tx) => {
      const [backlog] = await tx.rows<{ name: string; position: string }>(
        'SELECT name, position FROM search_backlog ORDER BY name LIMIT 1',
        [],
      );
      const texts = backlog && this.hooks.of('indexedTexts').find(({ table }) => table === backlog.name);
      if (!texts) return false;
      const next = await nextPage(tx, texts, backlog.position);
      await tx.apply([
        next === undefined
          ? { sql: 'DELETE FROM search_backlog WHERE name = ?', params: [texts.table] }
          : { sql: 'UPDATE search_backlog SET position = ? WHERE name = ?', params: [next, texts.table] },
      ]);
      if (next === undefined) this.log.info(`the texts of all ${texts.table} are indexed`);
      return true;
    });
    this.failing = false;
    if (!left) void this.task.stop();
  }

  private onFailure(error: unknown): void {
    if (!this.failing) this.log.warn('texts of an earlier version could not be indexed; retrying', { error: String(error) });
    this.failing = true;
  }
}

/** Indexes the texts behind a position; returns the position of the last, undefined when there are none. */
async function nextPage(tx: Transaction, { table, key, column, wordsOf }: IndexedTexts, position: string): Promise<string | undefined> {
  const behind = position === '' ? '' : `WHERE ${key} > ?`;
  const rows = await tx.rows<{ key: string | number; text: string }>(
    `SELECT ${key} AS key, ${column} AS text FROM ${table} ${behind} ORDER BY ${key} LIMIT ${PAGE} ${tx.locking('FOR UPDATE')}`,
    position === '' ? [] : [position],
  );
  const statements = rows.flatMap(({ key: id, text }) => {
    const words = wordsOf(text);
    return words === null ? [] : [{ sql: `UPDATE ${table} SET words = ? WHERE ${key} = ?`, params: [words, id] }];
  });
  await tx.apply(statements);
  return rows.length === 0 ? undefined : String(rows.at(-1)?.key);
}
