import { Injectable } from '@nestjs/common';
import { idKeys, Reader } from '../database/index.js';
import type { Invariant } from '../faults/index.js';
import { transientTypes } from './events.js';

const NEWEST = 5000;
// `lag` reads the entry before in the same channel. A transient entry has the number of that entry.
const BROKEN = `SELECT channel_id AS "channelId", pos, seq, before FROM (
    SELECT channel_id, pos, seq, CASE WHEN type IN (SELECT key FROM json_each(?)) THEN 0 ELSE 1 END AS step,
      lag(seq) OVER (PARTITION BY channel_id ORDER BY pos) AS before FROM journal
    WHERE pos > (SELECT max(pos) FROM journal) - ${NEWEST} AND pos > (SELECT trimmed_to FROM journal_floor WHERE id = 1)
      AND channel_id IS NOT NULL) AS numbered
  WHERE before IS NOT NULL AND seq <> before + step LIMIT 1`;

interface BrokenRow {
  readonly channelId: string;
  readonly pos: number | string;
  readonly seq: number;
  readonly before: number;
}

/**
 * The newest entries of each channel are numbered without gaps, in the order of their offsets; transient ones repeat the number before. The
 * one that retention keeps of a quiet channel is followed by a gap.
 */
@Injectable()
export class JournalSequence implements Invariant {
  readonly name = 'journal.sequence';

  constructor(private readonly reader: Reader) {}

  async violation(): Promise<string | undefined> {
    const [row] = await this.reader.rows<BrokenRow>(BROKEN, [idKeys(transientTypes())]);
    return row && `entry ${row.pos} of channel ${row.channelId} has number ${row.seq} after ${row.before}.`;
  }
}
