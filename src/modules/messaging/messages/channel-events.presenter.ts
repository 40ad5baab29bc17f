import type { StreamEvent } from '../../../core/http/index.js';
import { definitionOf, eventFields, type Gap, type JournalEntry } from '../../../core/journal/index.js';

/**
 * A channel's journal entry as a server-sent event: the entry's type and payload, with the shared fields and its position. Undefined for a type
 * of a later version, which knows what of it clients may see.
 */
export function presentChannelEntry(entry: JournalEntry | Gap): StreamEvent | undefined {
  if (entry.type === 'gap') return { event: 'gap', data: { from: entry.from, to: entry.to } };
  const { offset, seq, at, type, payload } = entry;
  if (!definitionOf(type)) return undefined;
  return { id: offset, event: type, data: { ...payload, ...eventFields(entry), offset, seq, at } };
}
