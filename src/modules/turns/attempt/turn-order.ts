import { Injectable } from '@nestjs/common';
import { Reader } from '../../../core/database/index.js';
import type { Invariant } from '../../../core/faults/index.js';

const SIMULTANEOUS = `SELECT channel_id AS "channelId", count(*) AS turns FROM turns WHERE status = 'running'
  GROUP BY channel_id HAVING count(*) > 1 LIMIT 1`;

/** A channel has one running turn at most. */
@Injectable()
export class TurnOrder implements Invariant {
  readonly name = 'turns.order';

  constructor(private readonly reader: Reader) {}

  async violation(): Promise<string | undefined> {
    const [row] = await this.reader.rows<{ channelId: string; turns: number | string }>(SIMULTANEOUS);
    return row && `channel ${row.channelId} has ${row.turns} running turns.`;
  }
}
