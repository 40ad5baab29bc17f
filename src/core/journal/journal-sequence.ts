import { Injectable } from '@nestjs/common';
import { Reader } from '../database/index.js';
import type { Invariant } from '../faults/index.js';

const NEWEST = 5000;
// `lag` reads the entry before in the same channel.
const BROKEN = `SELECT channel_id AS "channelId", pos, seq, before FROM (
    SELECT channel_id, pos, seq, lag(seq) OVER (PARTITION BY channel_id ORDER BY pos) AS before FROM journal
    WHERE pos > (SELECT max(pos) FROM journal) - ${NEWEST} AND channel_id IS NOT NULL) AS numbered
  WHERE before IS NOT NULL AND seq <> before + 1 LIMIT 1`;

interface BrokenRow {
  readonly channelId: string;
  readonly pos: number | string;
  readonly seq: number;
  readonly before: number;
}

/** The newest entries of each channel are numbered without gaps, in the order of their offsets. */
@Injectable()
export class JournalSequence implements Invariant {
  readonly name = 'journal.sequence';

  constructor(private readonly reader: Reader) {}

  async violation(): Promise<string | undefined> {
    const [row] = await this.reader.rows<BrokenRow>(BROKEN);
    return row && `entry ${row.pos} of channel ${row.channelId} has number ${row.seq} after ${row.before}.`;
  }
}
