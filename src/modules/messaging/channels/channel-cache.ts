import type { Channel } from './channel-types.js';

const MAX_CHANNELS = 20_000;
/** Total over all cached channels. */
const MAX_PARTICIPANTS = 200_000;

/** Cache of channels, oldest first, bounded by the number of channels and of participants. */
export class ChannelCache {
  private readonly channels = new Map<string, Channel>();
  private participants = 0;
  /** Number of invalidations; a channel read before one of them may be stale. */
  private changes = 0;

  get(channelId: string): Channel | undefined {
    return this.channels.get(channelId);
  }

  /** Reads a channel and caches it, unless a change was reported during the read. */
  async load(read: () => Promise<Channel | undefined>): Promise<Channel | undefined> {
    const { changes } = this;
    const channel = await read();
    if (channel && changes === this.changes) this.set(channel);
    return channel;
  }

  set(channel: Channel): void {
    this.remove(channel.id);
    this.channels.set(channel.id, channel);
    this.participants += channel.participants.length;
    for (const oldest of this.channels.keys()) {
      if (this.channels.size <= MAX_CHANNELS && this.participants <= MAX_PARTICIPANTS) break;
      this.remove(oldest);
    }
  }

  /** Drops a channel that has changed. */
  invalidate(channelId: string): void {
    this.changes += 1;
    this.remove(channelId);
  }

  /** Drops all channels. */
  clear(): void {
    this.changes += 1;
    this.channels.clear();
    this.participants = 0;
  }

  private remove(channelId: string): void {
    this.participants -= this.channels.get(channelId)?.participants.length ?? 0;
    this.channels.delete(channelId);
  }
}
