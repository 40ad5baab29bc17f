import { eventFields, socketEvents, type Gap, type JournalEntry } from '../../core/journal/index.js';

/** A socket.io event. */
export interface WireEvent {
  readonly name: string;
  readonly payload: Record<string, unknown>;
}

/**
 * The socket.io events of a journal entry (docs/reference/events.md). Each contains the entry's `offset` and `seq`; the offset of the last
 * received event is the cursor for the next join.
 */
export function wireEvents(entry: JournalEntry | Gap): WireEvent[] {
  if (entry.type === 'gap') return [{ name: 'gap', payload: { from: entry.from, to: entry.to } }];
  const { channelId, offset, seq } = entry;
  const shared = eventFields(entry);
  return socketEvents(entry).map(([name, fields]) => ({ name, payload: { ...shared, ...fields, roomId: channelId, offset, seq } }));
}
