import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { STORE, type Engine, type Store } from '../../src/core/database/index.js';
import { Journal } from '../../src/core/journal/index.js';
import { ApiClient, type ApiResponse } from './api-client.js';
import type { TestApp } from './create-test-app.js';

export interface Forgetting {
  store(): Store;
  /** Names of all tables, without the words of full-text indexes, which have no rows to read. */
  tables(): Promise<string[]>;
  /** All rows of all tables that contain a text, as `table: row`. */
  rowsWith(text: string): Promise<string[]>;
  /** Files of the data directory that contain a text. */
  filesWith(text: string, folder?: string): Promise<string[]>;
  /** Forgets a user; resolves with the report. */
  forget(userId: string): Promise<ApiResponse['body']>;
  /** Settles when a request to forget is done. */
  forgotten(requestId: string): Promise<void>;
}

/** Forgetting a user, and the search for what it leaves. */
export function forgetting(test: () => TestApp, engine: Engine): Forgetting {
  const api = new ApiClient(() => test().url);
  const store = (): Store => test().app.get<Store>(STORE, { strict: false });

  async function tables(): Promise<string[]> {
    const found: { name: string }[] = await store().readSource.query(
      engine === 'sqlite'
        ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_words%' ESCAPE '\\'`
        : `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    return found.map(({ name }) => name);
  }

  async function rowsWith(text: string): Promise<string[]> {
    const source = store().readSource;
    const found: string[] = [];
    for (const name of await tables()) {
      for (const row of await source.query(`SELECT * FROM "${name}"`)) {
        const shown = JSON.stringify(row);
        const decoded = shown.replaceAll(/"([A-Za-z0-9+/]{40,}={0,2})"/g, (_, coded) => Buffer.from(coded, 'base64').toString('utf8'));
        if ((shown + decoded).toLowerCase().includes(text.toLowerCase())) found.push(`${name}: ${shown.slice(0, 300)}`);
      }
    }
    return found;
  }

  async function filesWith(text: string, folder = test().config.dataDir): Promise<string[]> {
    const found: string[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && (await readFile(path)).toString('latin1').includes(text)) found.push(path);
    }
    return found;
  }

  async function forget(userId: string): Promise<ApiResponse['body']> {
    const started = await api.post(`/api/users/${userId}/forget`, {});
    expect(started.status).toBe(202);
    const { requestId } = started.body.data;
    await forgotten(requestId);
    const report = await api.get(`/api/users/${userId}/forget/${requestId}`);
    expect(report.body.data).toMatchObject({ status: 'done' });
    return report.body.data;
  }

  async function forgotten(requestId: string): Promise<void> {
    const journal = test().app.get(Journal, { strict: false });
    const isDone = async (): Promise<boolean> => {
      const rows = await store().readSource.query(`SELECT status FROM forget_requests WHERE id = '${requestId}'`);
      return rows[0].status === 'done';
    };
    await new Promise<void>((resolve, reject) => {
      const stop = journal.subscribe(({ type, payload }) => {
        if (type !== 'user.forgotten' || payload.requestId !== requestId) return;
        stop();
        resolve();
      });
      isDone().then((done) => done && resolve(), reject);
    });
  }

  return { store, tables, rowsWith, filesWith, forget, forgotten };
}
