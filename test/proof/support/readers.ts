import { io, type Socket } from 'socket.io-client';
import { SaidText, type ChannelHistory } from '../../crash/support/history-checker.js';
import { serverEvents, type ServerEvent } from '../../support/sse-client.js';

/** A client that follows a channel from its beginning and resumes from its cursor after every cut. */
export interface Reader {
  readonly name: string;
  readonly channelId: string;
  /** Received events, in order. */
  readonly heard: string[];
  /** Faults in the texts of running replies that it received. */
  readonly faults: string[];
  /** The events of a channel's journal that such a reader should receive. */
  readonly expected: (history: ChannelHistory) => string[];
  stop(): void;
}

const RECONNECT_MS = 50;

/** A stock socket.io client that reconnects by itself and follows each of the channels, with a cursor for each. */
export function socketReaders(url: string, channelIds: readonly string[]): Reader[] {
  const channels = new Map(
    channelIds.map((channelId) => [channelId, { heard: new Array<string>(), texts: new ReplyTexts(), cursor: '0' }]),
  );
  const socket: Socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: RECONNECT_MS,
    reconnectionDelayMax: 4 * RECONNECT_MS,
    timeout: 2000,
  });
  // A join may be refused while the database is away: then nothing would be heard for ever.
  const join = (channelId: string): void => {
    socket.emit('join', { channelId, after: channels.get(channelId)!.cursor }, ({ ok }: { ok: boolean }) => {
      if (!ok) setTimeout(() => socket.connected && join(channelId), RECONNECT_MS);
    });
  };
  socket.on('connect', () => channelIds.forEach(join));
  socket.onAny((name: string, payload: SocketEvent) => {
    // The answer to a join names the cursor that was given, not an entry that was heard.
    const channel = channels.get(payload.roomId ?? '');
    if (!channel || payload.cursor === undefined || /_joined$/.test(name)) return;
    const { heard, texts } = channel;
    // The notice of a failure is no message of the channel (docs/decisions/0035).
    if (name === 'messageBroadcast' && payload.source !== 'turn_failure') heard.push(payload.id ?? '');
    if (name === 'messageBroadcast') texts.stored(payload);
    if (name === 'messageStreamChunk') texts.add(payload);
    channel.cursor = payload.cursor;
  });
  const expected = (history: ChannelHistory): string[] =>
    history.filter(({ event }) => event === 'message.created').map(({ data }) => data.id as string);
  const stop = (): void => void socket.close();
  return [...channels].map(([channelId, { heard, texts }]) => ({ name: 'socket', channelId, heard, faults: texts.faults, expected, stop }));
}

/** A reader of server-sent events that comes back with Last-Event-ID. */
export function streamReader(url: string, channelId: string): Reader {
  const heard: string[] = [];
  const texts = new ReplyTexts();
  const over = new AbortController();
  const read = async (): Promise<void> => {
    let cursor = '0';
    while (!over.signal.aborted) {
      try {
        const headers = { 'last-event-id': cursor };
        const response = await fetch(`${url}/api/messaging/channels/${channelId}/events`, { headers, signal: over.signal });
        if (response.status !== 200) throw new Error(String(response.status));
        for await (const each of serverEvents(response)) {
          heard.push(...entries([each]));
          if (each.event === 'message.chunk') texts.add(each.data);
          if (each.event === 'message.created') texts.stored(each.data);
          if (each.id !== undefined) cursor = each.id;
        }
      } catch {
        // A reader that is cut, refused, or finds no server comes back: what counts is what it has heard in the end.
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    }
  };
  void read();
  return { name: 'stream', channelId, heard, faults: texts.faults, expected: entries, stop: () => over.abort() };
}

/** The entries of the journal among events. The change of a name marks the end of a history that is read (`HistoryChecker.read`). */
function entries(events: readonly ServerEvent[]): string[] {
  const others = ['ready', 'channel.updated', 'message.chunk'];
  return events.filter(({ event }) => !others.includes(event)).map(({ event, data }) => `${event} ${data.offset}`);
}

/** An event of a socket, as far as readers look at it. */
interface SocketEvent extends Said {
  readonly roomId?: string;
  readonly cursor?: string;
  readonly id?: string;
  readonly source?: string;
}

interface Said {
  readonly replyId: string | null;
  readonly id?: string;
  readonly content?: string;
  readonly text: string;
  readonly start: number;
  readonly attempt: number;
  readonly reset?: boolean;
}

/** The texts of running replies as a reader has them. */
class ReplyTexts {
  readonly faults: string[] = [];
  private readonly texts = new Map<string, SaidText>();

  add(chunk: Said): void {
    const id = chunk.replyId ?? '';
    const said = this.texts.get(id) ?? new SaidText();
    this.texts.set(id, said);
    said.add(chunk);
    this.faults.push(...said.faults.splice(0).map((fault) => `reply ${id}: ${fault}`));
  }

  /** A message was stored; that of a reply has the text that was told of it. */
  stored({ id = '', content = '', metadata }: Partial<Said> & { readonly metadata?: { readonly failure?: unknown } }): void {
    const said = this.texts.get(id)?.text;
    this.texts.delete(id);
    if (said === undefined || metadata?.failure !== undefined || said.trim() === content) return;
    this.faults.push(`reply ${id} was told as "${said}", and is "${content}"`);
  }
}
