// One reader for each channel that is open in this tab; it goes on following while another conversation is shown.
import { onCredentialChange } from '../api.js';
import { ChannelReader } from './channel-reader.js';

const MAX_OPEN = 20;
const readers = new Map<string, ChannelReader>();

/** The reader of a channel; it is opened when it is new. Those not used for longest are closed. */
export function readerOf(channelId: string): ChannelReader {
  const known = readers.get(channelId);
  readers.delete(channelId);
  const reader = known ?? new ChannelReader(channelId);
  readers.set(channelId, reader);
  if (!known) void reader.open();
  for (const [id, oldest] of readers) {
    if (readers.size <= MAX_OPEN) break;
    oldest.close();
    readers.delete(id);
  }
  return reader;
}

onCredentialChange(() => {
  for (const reader of readers.values()) reader.close();
  readers.clear();
});
