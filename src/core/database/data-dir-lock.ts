import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { AppError } from '../errors/index.js';

/**
 * Exclusive lock of a data directory. It is SQLite's lock on an empty file, which the operating system releases when the process ends for
 * any reason, so a killed process never blocks the next one.
 */
export class DataDirLock {
  private constructor(private readonly database: sqlite3.Database) {}

  /** @throws AppError DATA_DIR_IN_USE when another process holds the lock, CONFIG_INVALID when the folder cannot be used */
  static async acquire(dataDir: string): Promise<DataDirLock> {
    try {
      await mkdir(dataDir, { recursive: true });
      const database = await open(join(dataDir, 'parley.lock'));
      try {
        await exec(database, 'PRAGMA busy_timeout=0; BEGIN EXCLUSIVE');
      } catch (error) {
        await close(database);
        throw error;
      }
      return new DataDirLock(database);
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (code === 'SQLITE_BUSY') {
        throw new AppError(
          'DATA_DIR_IN_USE',
          `Another process uses the data directory ${dataDir}.`,
          'Stop it, or set DATA_DIR to another folder.',
        );
      }
      throw new AppError(
        'CONFIG_INVALID',
        `The data directory ${dataDir} cannot be used (${code || String(error)}).`,
        'Make it readable and writable, or set DATA_DIR to another folder.',
        error,
      );
    }
  }

  release(): Promise<void> {
    return close(this.database);
  }
}

function open(path: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, (error) => (error ? reject(error) : resolve(database)));
  });
}

function exec(database: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    database.exec(sql, (error) => (error ? reject(error) : resolve()));
  });
}

function close(database: sqlite3.Database): Promise<void> {
  return new Promise((resolve, reject) => {
    database.close((error) => (error ? reject(error) : resolve()));
  });
}
