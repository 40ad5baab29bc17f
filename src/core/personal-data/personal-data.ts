import { idKeys, type SqlValue, type Transaction } from '../database/index.js';

/** Stands where the id of a forgotten user stood in what is kept, such as usage and journal entries: the max UUID, the same for all. */
export const FORGOTTEN_USER_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A request to forget a user: everything of the user up to a point of the journal. */
export interface Erasure {
  readonly requestId: string;
  /** Lower case. */
  readonly userId: string;
  /** The last journal offset that the request covers. Newer messages of the user are not touched. */
  readonly upTo: number;
  /** When the request was made, epoch ms. Newer rows of the user are not touched. */
  readonly at: number;
}

/** The result of a batch. */
export interface ErasedBatch {
  /** Rows deleted or redacted. */
  readonly changed: number;
  /** Where the next batch starts; null when the step is complete. */
  readonly next: string | null;
}

/** A part of an erasure, in batches of bounded size. The runner stores the position with each batch, so a step continues after a crash. */
export interface ErasureStep {
  /** The erased rows, plural, for the report: `messages`. */
  readonly kind: string;
  /** `collected`: writes down in `forget_scope` what further steps erase; not in the report. */
  readonly effect: 'deleted' | 'redacted' | 'collected';
  /** Steps of all modules run in this order; see decision 37. */
  readonly order: number;
  /** @param after `next` of the batch before; empty for the first. @param tx the transaction that also stores the progress */
  batch(erasure: Erasure, tx: Transaction, after: string): Promise<ErasedBatch>;
}

/** A record of an export. */
export interface PersonalRecord {
  readonly kind: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** What a module keeps about users; a class of the hook kind `personalData`. */
export interface PersonalData {
  /** Everything that the module keeps about a user, page by page. */
  export?(userId: string): AsyncIterable<readonly PersonalRecord[]>;
  /** How it forgets a user. */
  readonly steps: readonly ErasureStep[];
  /** Deletes files whose rows the steps have deleted; may be repeated. */
  afterErasure?(erasure: Erasure): Promise<void>;
}

/** Kinds of items in `forget_scope`. A `place` is a channel that the user shared with others; it stays. */
export type ScopeKind = 'message' | 'reply' | 'channel' | 'place';

/** Query for the items of a kind in the scope of an erasure; its parameter is the request id. */
export const inScope = (kind: ScopeKind): string => `(SELECT item_id FROM forget_scope WHERE request_id = ? AND kind = '${kind}')`;

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const ERASED = `SELECT item_id FROM forget_scope WHERE request_id = ? AND kind <> 'place' AND item_id IN (SELECT key FROM json_each(?))`;

/** Which of these texts name the user, or a message or channel that the erasure deletes. */
export async function textsAbout(erasure: Erasure, tx: Transaction, texts: readonly string[]): Promise<boolean[]> {
  const named = texts.map((text) => new Set(text.match(UUIDS)?.map((id) => id.toLowerCase())));
  const keys = idKeys(named.flatMap((ids) => [...ids]));
  const found = await tx.rows<{ item_id: string }>(ERASED, [erasure.requestId, keys]);
  const erased = new Set([erasure.userId, ...found.map((row) => row.item_id)]);
  return named.map((ids) => [...ids].some((id) => erased.has(id)));
}

/** Adds items to the scope of an erasure. */
export async function addToScope({ requestId }: Erasure, tx: Transaction, kind: ScopeKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const sql = `INSERT INTO forget_scope (request_id, item_id, kind) SELECT ?, key, '${kind}' FROM json_each(?) WHERE true
    ON CONFLICT (request_id, item_id) DO NOTHING`;
  await tx.apply([{ sql, params: [requestId, idKeys(ids)] }]);
}

/** Parameters of a condition. */
export type ErasureParams = (erasure: Erasure) => readonly SqlValue[];

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    personalData: PersonalData;
  }
}
