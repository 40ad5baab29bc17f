import { Injectable } from '@nestjs/common';
import { idKeys } from '../database/index.js';
import { addToScope, FORGOTTEN_USER_ID, textsAbout, type Erasure, type ErasureStep, type PersonalData } from '../personal-data/index.js';
import { authoringTypes, definitionOf, type JournalEntry } from './events.js';
import { redactedPayload } from './redacted-payload.js';

const PAGE = 500;
const NEXT = `SELECT pos, channel_id, payload, CASE WHEN channel_id IN
    (SELECT item_id FROM forget_scope WHERE request_id = ? AND kind = 'channel') THEN 1 ELSE 0 END AS erased
  FROM journal WHERE pos > ? ORDER BY pos LIMIT ${PAGE}`;
const AUTHORING = `SELECT pos, type, payload FROM journal
  WHERE pos > ? AND pos <= ? AND type IN (SELECT key FROM json_each(?)) ORDER BY pos LIMIT ${PAGE}`;
const REDACT = 'UPDATE journal SET payload = ?, request_id = NULL WHERE pos = ?';

interface Entry {
  readonly pos: number | string;
  readonly payload: string;
  readonly type?: JournalEntry['type'];
  readonly erased?: number;
}

/** Journal entries about users: redacted in place, so that readers with a cursor still see every position. */
@Injectable()
export class JournalPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    // Messages that were deleted before are in the journal only. Replies to them are erased as well.
    {
      kind: 'messages',
      effect: 'collected',
      order: 2,
      batch: async (erasure, tx, after) => {
        const entries = await tx.rows<Entry>(AUTHORING, [after === '' ? 0 : Number(after), erasure.upTo, idKeys(authoringTypes())]);
        await addToScope(
          erasure,
          tx,
          'message',
          entries.flatMap((entry) => authoredId(entry, erasure.userId) ?? []),
        );
        const last = entries.at(-1);
        return { changed: 0, next: last && entries.length === PAGE ? String(last.pos) : null };
      },
    },
    {
      kind: 'journal entries',
      effect: 'redacted',
      order: 100,
      batch: async (erasure, tx, after) => {
        const from = after === '' ? 0 : Number(after);
        const entries = await tx.rows<Entry>(NEXT, [erasure.requestId, from]);
        // Without the user's id, what remains to be found are erased messages and channels.
        const id = new RegExp(erasure.userId, 'gi');
        const bare = entries.map(({ payload }) => payload.replaceAll(id, FORGOTTEN_USER_ID));
        const about = await textsAbout(erasure, tx, bare);
        const redacted = entries.flatMap(({ pos, payload, erased }, index) => {
          const whole = erased === 1 || about[index] === true;
          const text = Number(pos) <= erasure.upTo ? bare[index] : payload;
          const next = whole ? redactedUnlessOthers(payload, text, Number(pos), erasure) : text;
          return next === undefined || next === payload ? [] : [{ sql: REDACT, params: [next, Number(pos)] }];
        });
        await tx.apply(redacted);
        const last = entries.at(-1);
        return { changed: redacted.length, next: last && entries.length === PAGE ? String(last.pos) : null };
      },
    },
  ];
}

/** The id of the message of an entry if the user has written it. */
function authoredId({ type, payload }: Entry, userId: string): string | undefined {
  const authored = type && definitionOf(type)?.authored?.(JSON.parse(payload) as never);
  return authored?.userId === userId ? authored.messageId : undefined;
}

/** A message of another user, or of this one after the request, stays as it is. */
function redactedUnlessOthers(payload: string, bare: string | undefined, pos: number, { userId, upTo }: Erasure): string | undefined {
  const parsed = JSON.parse(payload) as { authorKind?: string; authorId?: string };
  const isOthers = parsed.authorKind === 'user' && (parsed.authorId !== userId || pos > upTo);
  return isOthers ? bare : JSON.stringify(redactedPayload(parsed, userId));
}
