import type { BackupSource, Manifest } from '../../../core/backup/index.js';

/** A complete backup at a destination. */
export interface StoredBackup {
  readonly name: string;
  /** When it began, epoch ms. */
  readonly createdAt: number;
}

export interface MakeOptions {
  /** Stops the backup, which then fails. */
  readonly signal?: AbortSignal;
  /** Called when everything is written, before the backup becomes visible. Its error makes the backup fail. */
  readonly confirm?: () => Promise<void>;
}

/**
 * A place for backups: a folder, or a prefix of a bucket. A backup has a name and is complete when its manifest is there, which is written
 * last and deleted first.
 */
export interface BackupDestination {
  /** Address of the place, for people. */
  readonly address: string;

  /** Address of a backup, for `parley restore`. */
  addressOf(name: string): string;

  /**
   * Makes a backup. A failed one leaves nothing visible.
   *
   * @throws AppError CONFLICT, STORAGE_FULL, STORAGE_UNAVAILABLE, DATABASE_CORRUPT or CONFIG_INVALID
   */
  make(source: BackupSource, now: Date, name: string, options?: MakeOptions): Promise<void>;

  /** The complete backups, the oldest first. */
  list(): Promise<StoredBackup[]>;

  /** The manifest of a complete backup; undefined when the destination has none with this name. */
  manifest(name: string): Promise<Manifest | undefined>;

  /**
   * Returns a folder of this machine with a backup. Files that the destination lacks are missing there, too.
   *
   * @param into a folder that does not exist, for a copy if one is needed
   */
  fetch(name: string, into: string, signal?: AbortSignal): Promise<string>;

  /** Takes the manifest of a damaged backup away, so that it is never restored. Its other files stay until `removeUnfinished`. */
  reject(name: string): Promise<void>;

  /** Deletes a backup. */
  remove(name: string): Promise<void>;

  /** Deletes what is left of scheduled backups that are not complete. The caller knows that none is being written. */
  removeUnfinished(): Promise<void>;

  /** Ends the connections. */
  close(): void;
}
