import { pagedList } from '../../core/http/index.js';
import type { PersonalRecord } from '../../core/personal-data/index.js';
import type { ForgetRequest } from './forget-requests.repository.js';

/** A record about a user. */
export class PersonalRecordView {
  /** What it is: `messages`, `memories`, `sessions`, … */
  kind!: string;

  record!: Record<string, unknown>;
}

/** Everything that is known of a user. */
export class UserExportView {
  /** @format uuid */
  userId!: string;

  records!: PersonalRecordView[];
}

/** Erased rows of a kind. */
export class ErasedKindView {
  kind!: string;

  /** Rows. */
  deleted!: number;

  /** Rows that stay without what they said about the user. */
  redacted!: number;
}

/** A request to forget a user, and its report. It contains nothing about the user. */
export class ForgetRequestView {
  /** @format uuid */
  requestId!: string;

  status!: 'queued' | 'running' | 'done';

  /** The request covers the user's data up to this journal offset. */
  upToOffset!: number;

  /** @format date-time */
  requestedAt!: string;

  /** Null until the end. @format date-time */
  finishedAt!: string | null;

  erased!: ErasedKindView[];

  /** Names of the backups in DATA_DIR/backups, which still hold the data; null until the end. */
  backups!: string[] | null;
}

export function presentExport(userId: string, pages: () => AsyncIterable<readonly PersonalRecord[]>): UserExportView {
  return { userId, records: pagedList<PersonalRecord, PersonalRecordView>(pages, (record) => record) };
}

export function presentRequest({ id, status, upTo, createdAt, updatedAt, erased, backups }: ForgetRequest): ForgetRequestView {
  return {
    requestId: id,
    status,
    upToOffset: upTo,
    requestedAt: new Date(createdAt).toISOString(),
    finishedAt: status === 'done' ? new Date(updatedAt).toISOString() : null,
    erased: erased.map(({ kind, deleted, redacted }) => ({ kind, deleted, redacted })),
    backups: backups === null ? null : [...backups],
  };
}
