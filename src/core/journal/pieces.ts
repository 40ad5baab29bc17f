import type { JournalEntry } from './events.js';
import { Log } from '../logging/index.js';

/**
 * A part of an entry, told before the entry is stored (docs/decisions/0064). A piece may be lost, because the entry contains it.
 */
export interface Piece {
  readonly type: 'piece';
  /** Offset of the entry that a reader must have before it. */
  readonly behind: number;
  /** What the entry will be, with this part only; its offset and number are those of the reader's last entry. */
  readonly entry: Pick<JournalEntry, 'type' | 'channelId' | 'payload' | 'at' | 'requestId'>;
}

type PieceListener = (piece: Piece) => void;

/** Carries pieces between processes. What it loses costs readers the time until the entry is stored. */
export interface PieceTransport {
  /** Sends a piece to the processes that listen to its channel, if there is any. */
  send(piece: Piece): void;
  /** @returns a function that ends it */
  listen(channelId: string, listener: PieceListener): () => void;
}

/** The readers of pieces in this process, by channel. */
export class Pieces {
  private readonly channels = new Map<string, { readonly listeners: Set<PieceListener>; readonly stop: () => void }>();
  private readonly log = new Log('journal');

  private transport: PieceTransport | undefined;

  /** Has pieces carried to and from other processes. To be called before the first reader. */
  carryBy(transport: PieceTransport): void {
    this.transport = transport;
  }

  /** Tells a piece to every reader of its channel. */
  tell(piece: Piece): void {
    this.deliver(piece);
    this.transport?.send(piece);
  }

  /** @returns a function that ends it */
  listen(channelId: string, listener: PieceListener): () => void {
    const known = this.channels.get(channelId) ?? this.open(channelId);
    known.listeners.add(listener);
    return () => {
      known.listeners.delete(listener);
      if (known.listeners.size > 0 || this.channels.get(channelId) !== known) return;
      this.channels.delete(channelId);
      known.stop();
    };
  }

  private open(channelId: string): { readonly listeners: Set<PieceListener>; readonly stop: () => void } {
    const stop = this.transport?.listen(channelId, (piece) => this.deliver(piece)) ?? ((): void => undefined);
    const opened = { listeners: new Set<PieceListener>(), stop };
    this.channels.set(channelId, opened);
    return opened;
  }

  private deliver(piece: Piece): void {
    for (const listener of this.channels.get(piece.entry.channelId ?? '')?.listeners ?? []) {
      try {
        listener(piece);
      } catch (error) {
        this.log.error('a reader of pieces failed', error, { channelId: piece.entry.channelId });
      }
    }
  }
}
