import type { StreamEvent } from '../../../core/http/index.js';
import { eventFields, type Gap, type JournalEntry } from '../../../core/journal/index.js';

/** A channel's journal entry as a server-sent event: the entry's type and payload, with the shared fields and its position. */
export function presentChannelEntry(entry: JournalEntry | Gap): StreamEvent {
  if (entry.type === 'gap') return { event: 'gap', data: { from: entry.from, to: entry.to } };
  const { offset, seq, at, type, payload } = entry;
  return { id: offset, event: type, data: { ...payload, ...eventFields(entry), offset, seq, at } };
}
