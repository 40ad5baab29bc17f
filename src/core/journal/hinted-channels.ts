import { hintOf } from '../database/index.js';

/** Channels by the hint for their entries, so that a hint costs the same however many channels there are. */
export class HintedChannels {
  private readonly channels = new Map<string, Set<string>>();

  add(channelId: string): void {
    const hint = hintOf(channelId, false);
    this.channels.set(hint, (this.channels.get(hint) ?? new Set()).add(channelId));
  }

  delete(channelId: string): void {
    const hint = hintOf(channelId, false);
    const channels = this.channels.get(hint);
    channels?.delete(channelId);
    if (channels?.size === 0) this.channels.delete(hint);
  }

  /** The channels that a hint is about: usually one, since a hint is the end of an id. */
  of(hint: string): Iterable<string> {
    return this.channels.get(hint) ?? [];
  }
}
