import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { STORE, type ProcessMessages, type Store } from '../../../core/database/index.js';
import { Journal, type Piece, type PieceTransport } from '../../../core/journal/index.js';
import { Log } from '../../../core/logging/index.js';
import { Vault } from '../../../core/vault/index.js';

/** How often the readers of a channel with a running reply are looked for, ms. */
const ASK_MS = 5000;
/** How long a process counts as a reader after its last word, ms. */
const READS_MS = 3 * ASK_MS;
const MAX_CHANNELS = 10_000;

const ASK = 'pieces.ask';
const READ = 'pieces.read';

interface Audience {
  askedAt: number;
  /** When a process last said that it reads the channel. */
  readAt: number;
}

/** Carries the pieces of running replies to the processes that have readers, where processes can send each other messages. */
@Injectable()
export class RemotePieces implements PieceTransport, OnModuleInit {
  private readonly messages: ProcessMessages | undefined;
  private readonly audiences = new Map<string, Audience>();
  private readonly read = new Set<string>();
  private readonly log = new Log('messaging');

  constructor(
    @Inject(STORE) { notifier }: Store,
    private readonly journal: Journal,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {
    this.messages = notifier?.messages;
  }

  onModuleInit(): void {
    if (!this.messages) return;
    this.messages.subscribe(ASK, (channelId) => {
      if (this.read.has(channelId)) this.messages?.publish(READ, channelId);
    });
    this.messages.subscribe(READ, (channelId) => {
      const audience = this.audiences.get(channelId);
      if (audience) audience.readAt = this.clock.steady();
    });
    this.journal.carryPieces(this);
  }

  send(piece: Piece): void {
    const { channelId } = piece.entry;
    if (channelId === null) return;
    const audience = this.audienceOf(channelId);
    const now = this.clock.steady();
    if (now - audience.askedAt >= ASK_MS) {
      audience.askedAt = now;
      this.messages?.publish(ASK, channelId);
    }
    if (now - audience.readAt < READS_MS) {
      this.messages?.publish(topicOf(channelId), this.vault.seal(topicOf(channelId), JSON.stringify(piece)));
    }
  }

  listen(channelId: string, listener: (piece: Piece) => void): () => void {
    this.read.add(channelId);
    const stop = this.messages?.subscribe(topicOf(channelId), (text) => {
      const piece = this.open(channelId, text);
      if (piece) listener(piece);
    });
    this.messages?.publish(READ, channelId);
    return () => {
      this.read.delete(channelId);
      stop?.();
    };
  }

  private audienceOf(channelId: string): Audience {
    let audience = this.audiences.get(channelId);
    if (!audience) {
      audience = { askedAt: -Infinity, readAt: -Infinity };
      this.audiences.set(channelId, audience);
      // The oldest: its reply has most likely ended, and is asked for again otherwise.
      for (const [oldest] of this.audiences) {
        if (this.audiences.size <= MAX_CHANNELS) break;
        this.audiences.delete(oldest);
      }
    }
    return audience;
  }

  private open(channelId: string, text: string): Piece | undefined {
    try {
      return JSON.parse(this.vault.open(topicOf(channelId), text)) as Piece;
    } catch (error) {
      this.log.warn('a piece of a reply from another process cannot be opened', { channelId, error: String(error) });
      return undefined;
    }
  }
}

function topicOf(channelId: string): string {
  return `pieces.of.${channelId}`;
}
