import type { Outcome, Statement } from './statement.js';

type Position = NonNullable<Outcome['position']>;

const MAX_CHANNELS = 20_000;

/**
 * The positions that the only writer's next journal entries will get. They are computed in SQL (see `append`), so after the first entry
 * of a channel they need not be read back.
 */
export class JournalPositions {
  private last: number | undefined;
  /** The newest sequence number by channel id. */
  private readonly seqs = new Map<string, number>();

  /** The position of each statement that appends an entry, in order; undefined when one of them is unknown. */
  expect(statements: readonly Statement[]): Position[] | undefined {
    const appending = statements.flatMap(({ journal }) => journal ?? []);
    if (appending.length === 0) return [];
    if (this.last === undefined) return undefined;
    for (const { channelId, opens } of appending) {
      if (channelId === null || this.seqs.has(channelId)) continue;
      if (opens !== true) return undefined;
      this.seqs.set(channelId, 0);
    }
    let { last } = this;
    const positions = appending.map(({ channelId, step }): Position => {
      const offset = ++last;
      if (channelId === null) return { offset, seq: 0 };
      const seq = (this.seqs.get(channelId) ?? 0) + step;
      this.seqs.set(channelId, seq);
      return { offset, seq };
    });
    this.last = last;
    this.trim();
    return positions;
  }

  /** Takes note of the positions that were read back for the newest entries. */
  learn(statements: readonly Statement[], positions: readonly Position[]): void {
    const appending = statements.flatMap(({ journal }) => journal ?? []);
    for (const [index, { channelId }] of appending.entries()) {
      const position = positions[index];
      if (!position) continue;
      this.last = position.offset;
      if (channelId !== null) this.seqs.set(channelId, position.seq);
    }
    this.trim();
  }

  /** After entries were rolled back. */
  forget(): void {
    this.last = undefined;
    this.seqs.clear();
  }

  private trim(): void {
    for (const oldest of this.seqs.keys()) {
      if (this.seqs.size <= MAX_CHANNELS) break;
      this.seqs.delete(oldest);
    }
  }
}
