import type { StreamEvent } from '../../../core/http/index.js';
import { definitionOf, eventFields } from '../../../core/journal/index.js';
import type { ChannelEvent, ChannelGap } from '../replies/reply-progress.js';

/**
 * What happens in a channel as a server-sent event: the entry's type and payload, with the shared fields and its position. Undefined for a type
 * of a later version, which knows what of it clients may see.
 */
export function presentChannelEvent(channelEvent: ChannelEvent | ChannelGap): StreamEvent | undefined {
  if (channelEvent.cursor === undefined) return { event: 'gap', data: { from: channelEvent.entry.from, to: channelEvent.entry.to } };
  const { entry, cursor } = channelEvent;
  const { offset, seq, at, type, payload } = entry;
  if (!definitionOf(type)) return undefined;
  return { id: cursor, event: type, data: { ...payload, ...eventFields(entry), offset, seq, at } };
}
