import { eventFields, socketEvents, type Cursor, type Gap, type JournalEntry } from '../../core/journal/index.js';

/** A socket.io event. */
export interface WireEvent {
  readonly name: string;
  readonly payload: Record<string, unknown>;
}

/** Tells a client that entries of a channel behind its cursor are no longer kept. */
export function gapEvent({ from, to }: Gap, channelId: string): WireEvent {
  return { name: 'gap', payload: { from, to, channelId, roomId: channelId } };
}

/**
 * The socket.io events of a journal entry (docs/reference/events.md). Each contains the entry's `offset` and `seq`, and the `cursor` behind it
 * for the next join.
 */
export function wireEvents({ entry, cursor }: { readonly entry: JournalEntry; readonly cursor: Cursor }): WireEvent[] {
  const { channelId, offset, seq } = entry;
  const shared = eventFields(entry);
  return socketEvents(entry).map(([name, fields]) => ({ name, payload: { ...shared, ...fields, roomId: channelId, offset, seq, cursor } }));
}
