import type { OwedTurn } from './turns.types.js';

interface ChannelQueue {
  readonly turns: OwedTurn[];
  /** The head is being run here. */
  busy: boolean;
  /** The head is being run by another process: wait until the journal says that it ended, or its lease runs out. */
  waiting: boolean;
}

/**
 * What this process knows to be owed, by channel and in order. Only knowledge, no truth: a claim in the database
 * decides, and what is forgotten here is found again by the next sweep.
 */
export class TurnQueue {
  private readonly channels = new Map<string, ChannelQueue>();

  /** @returns true when the turn is new here */
  add(turn: OwedTurn): boolean {
    const queue = this.channels.get(turn.channelId) ?? { turns: [], busy: false, waiting: false };
    if (queue.turns.some((known) => same(known, turn))) return false;
    this.channels.set(turn.channelId, queue);
    const at = queue.turns.findIndex((known) => known.seq > turn.seq || (known.seq === turn.seq && known.agentId > turn.agentId));
    // A running head stays where it is.
    queue.turns.splice(at === -1 ? queue.turns.length : Math.max(at, queue.busy ? 1 : 0), 0, turn);
    return true;
  }

  /** Puts a turn that nobody runs in the place of what is known of it here, so that it may be taken again. */
  refresh(turn: OwedTurn): void {
    if (this.add(turn)) return;
    const queue = this.channels.get(turn.channelId);
    const at = queue?.turns.findIndex((known) => same(known, turn));
    if (!queue || at === undefined) return;
    queue.turns[at] = turn;
    if (at === 0) Object.assign(queue, { busy: false, waiting: false });
  }

  /** The next turn of a channel in which nothing runs, marked as running. */
  take(channelId: string): OwedTurn | undefined {
    const queue = this.channels.get(channelId);
    if (!queue || queue.busy || queue.waiting) return undefined;
    const [head] = queue.turns;
    if (head) queue.busy = true;
    return head;
  }

  /** The taken head was run elsewhere; it stays until `remove` or `retry`. */
  yieldHead(channelId: string): void {
    const queue = this.channels.get(channelId);
    if (!queue) return;
    queue.busy = false;
    queue.waiting = true;
  }

  /** The running head did not end here and may be taken again. */
  putBack(channelId: string): void {
    const queue = this.channels.get(channelId);
    if (queue) queue.busy = false;
  }

  retry(channelId: string): void {
    const queue = this.channels.get(channelId);
    if (queue) queue.waiting = false;
  }

  /** Forgets a turn that ended. */
  remove(turn: Pick<OwedTurn, 'channelId' | 'messageId' | 'agentId'>): void {
    const queue = this.channels.get(turn.channelId);
    if (!queue) return;
    const at = queue.turns.findIndex((known) => same(known, turn));
    if (at === -1) return;
    queue.turns.splice(at, 1);
    if (at === 0) {
      queue.busy = false;
      queue.waiting = false;
    }
    if (queue.turns.length > 0 && at > 0) return;
    this.channels.delete(turn.channelId);
    // Channels that wait have their turn before this one has its next.
    if (queue.turns.length > 0) this.channels.set(turn.channelId, queue);
  }

  /** Forgets a channel's turns, or those of one message in it, or one agent's. @returns what was forgotten */
  drop(channelId: string, messageId?: string, agentId?: string): OwedTurn[] {
    const turns = (this.channels.get(channelId)?.turns ?? []).filter(
      (turn) => (messageId === undefined || turn.messageId === messageId) && (agentId === undefined || turn.agentId === agentId),
    );
    for (const turn of turns) this.remove(turn);
    return turns;
  }

  /** The channel that was served last comes last. */
  channelIds(): string[] {
    return [...this.channels.keys()];
  }
}

function same(a: Pick<OwedTurn, 'messageId' | 'agentId'>, b: Pick<OwedTurn, 'messageId' | 'agentId'>): boolean {
  return a.messageId === b.messageId && a.agentId === b.agentId;
}
