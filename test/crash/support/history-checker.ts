import { ApiClient } from '../../support/api-client.js';
import { allEvents, serverEvents, type ServerEvent } from '../../support/sse-client.js';
import type { KnownSession, Ledger, Sent } from './users.js';

const PATIENCE_MS = 60_000;

/** Everything a channel's journal holds, oldest first. */
export type ChannelHistory = readonly ServerEvent[];

/**
 * Holds what the server says now against what its users were told, and gives back what does not agree: each line is one
 * broken promise.
 */
export class HistoryChecker {
  readonly faults: string[] = [];
  /** The journal of each channel that was judged. */
  readonly histories = new Map<string, ChannelHistory>();
  /** Turns that were begun again because a kill had ended them. */
  repeated = 0;
  private readonly api: ApiClient;

  constructor(
    private readonly url: string,
    private readonly ledger: Ledger,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.api = new ApiClient(() => url);
  }

  /** @returns the ids of each channel's messages, in order */
  async check(channelIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const written = new Map<string, string[]>();
    for (const session of this.ledger.sessions) await this.session(session);
    for (const channelId of channelIds) {
      const sent = this.ledger.sent.filter((message) => message.channelId === channelId);
      await this.pendingTurnsEnd(channelId);
      const history = await this.read(channelId);
      this.histories.set(channelId, history);
      this.numbering(channelId, history);
      this.messages(channelId, history, sent);
      this.answers(channelId, history);
      await this.listed(channelId, history);
      for (const message of sent) await this.stream(message);
      written.set(
        channelId,
        history.filter(({ event }) => event === 'message.created').map(({ data }) => data.id as string),
      );
    }
    return written;
  }

  private async session({ sessionId, channelId, agentId, userId }: KnownSession): Promise<void> {
    const { status, body } = await this.api.get(`/api/messaging/sessions/${sessionId}`);
    const { data = {} } = body as { data?: Record<string, unknown> };
    const same = data['channelId'] === channelId && data['agentId'] === agentId && data['userId'] === userId;
    if (status !== 200 || !same) {
      this.fault(`session ${sessionId} was acknowledged and is now answered with ${status} ${JSON.stringify(body)}`);
    }
  }

  /** Follows the journal until every owed answer has ended one way or the other. */
  private async pendingTurnsEnd(channelId: string): Promise<void> {
    const owed = new Set<string>();
    const ended = new Set<string>();
    const due = this.ledger.sent.filter((message) => message.channelId === channelId && !message.unsure);
    const expected = new Set(due.map(({ text }) => text));
    const reader = new AbortController();
    const giveUp = setTimeout(() => reader.abort(), this.patienceMs);
    try {
      for await (const { event, data } of serverEvents(await this.follow(channelId, reader.signal))) {
        if (event === 'message.created') {
          expected.delete(data.content as string);
          for (const { replyId } of data.awaiting as { replyId: string }[]) owed.add(replyId);
        }
        if (isEnding(event)) ended.add(data.replyId as string);
        if (expected.size === 0 && [...owed].every((id) => ended.has(id))) return;
      }
    } catch (error) {
      if (!reader.signal.aborted) throw error;
      this.fault(
        `channel ${channelId}: ${expected.size} messages and ${owed.size - ended.size} of ${owed.size} answers did not come within ${this.patienceMs} ms`,
      );
    } finally {
      clearTimeout(giveUp);
      reader.abort();
    }
  }

  /** The whole journal of a channel, up to a mark that is set now. */
  async read(channelId: string): Promise<ChannelHistory> {
    const mark = `read at ${Date.now()}`;
    const { status, body } = await this.api.patch(`/api/messaging/channels/${channelId}`, { name: mark });
    if (status !== 200) throw new Error(`channel ${channelId} could not be marked: ${status} ${JSON.stringify(body)}`);
    const events: ServerEvent[] = [];
    const reader = new AbortController();
    const response = await this.follow(channelId, AbortSignal.any([reader.signal, AbortSignal.timeout(this.patienceMs)]));
    for await (const event of serverEvents(response)) {
      if (event.event === 'channel.updated' && event.data.name === mark) break;
      if (event.event !== 'ready') events.push(event);
    }
    reader.abort();
    return events;
  }

  private numbering(channelId: string, history: ChannelHistory): void {
    let seq = 0;
    let offset = 0;
    for (const { id = '', event, data } of history) {
      // A part of a running reply repeats the position of the entry before it.
      const isPart = event === 'message.chunk';
      if (!isPart) seq += 1;
      if (data.seq !== seq) this.fault(`channel ${channelId}: ${event} at ${id} has seq ${data.seq} where ${seq} was due`);
      const rises = isPart ? data.offset >= offset : data.offset > offset;
      if (!rises || Number(id.split('.')[0]) !== data.offset) {
        this.fault(`channel ${channelId}: ${id} (offset ${data.offset}) behind offset ${offset}`);
      }
      seq = data.seq as number;
      offset = data.offset as number;
    }
  }

  /** Each acknowledged message is there once, as acknowledged, in the order of the acknowledgements; nothing else is. */
  private messages(channelId: string, history: ChannelHistory, sent: readonly Sent[]): void {
    const created = history.filter(({ event }) => event === 'message.created').map(({ data }) => data);
    const written = created.filter(({ inReplyTo }) => inReplyTo === null);
    const bySeq: Sent[] = [];
    for (const message of written) {
      const record = sent.find(({ text, authorId = message.authorId }) => text === message.content && authorId === message.authorId);
      if (!record) this.fault(`channel ${channelId}: nobody wrote "${message.content}"`);
      else if (bySeq.includes(record)) this.fault(`channel ${channelId}: "${message.content}" is there twice`);
      else {
        if ((record.id ?? message.id) !== message.id || (record.seq ?? message.seq) !== message.seq) {
          this.fault(
            `channel ${channelId}: "${record.text}" was acknowledged as ${record.id}, seq ${record.seq}, and is ${message.id}, seq ${message.seq}`,
          );
        }
        bySeq.push(record);
      }
    }
    for (const record of sent) {
      if (!record.unsure && !bySeq.includes(record)) this.fault(`channel ${channelId}: "${record.text}" was acknowledged and is lost`);
    }
    bySeq.forEach((record, index) => {
      const overtaken = bySeq.slice(index + 1).find((later) => later.acknowledgedAt < record.sentAt);
      if (overtaken) {
        this.fault(`channel ${channelId}: "${record.text}" stands before "${overtaken.text}", which was acknowledged before it was sent`);
      }
    });
    for (const { text, answer } of sent) {
      const reply = answer && created.find(({ id }) => id === answer.id);
      if (answer && (!reply || reply.content !== answer.text)) {
        this.fault(`channel ${channelId}: the answer to "${text}" was given to its caller and is not stored`);
      }
    }
  }

  /**
   * Each owed answer ended exactly once: with one reply that repeats the question, or with one recorded failure. What a failed one had said
   * is a message, which tells that it broke off.
   */
  private answers(channelId: string, history: ChannelHistory): void {
    const created = history.filter(({ event }) => event === 'message.created').map(({ data }) => data);
    const endings = history.filter(({ event }) => isEnding(event));
    let brokenOff = 0;
    for (const message of created) {
      for (const { replyId, agentId } of message.awaiting as { replyId: string; agentId: string }[]) {
        const name = `channel ${channelId}: the answer of ${agentId} to "${message.content}"`;
        const mine = endings.filter(({ data }) => data.replyId === replyId);
        const replies = created.filter(({ id }) => id === replyId);
        if (mine.length !== 1) this.fault(`${name} ended ${mine.length} times: ${mine.map(({ event }) => event).join(', ')}`);
        const due = `You said: ${message.content}`;
        if (mine[0]?.event === 'turn.finished') {
          if (replies.length !== 1) this.fault(`${name} ended with turn.finished and ${replies.length} replies`);
          else if (replies[0]?.content !== due) this.fault(`${name} is "${replies[0]?.content}"`);
        } else if (replies.length > 0) {
          const isPart = mine[0]?.event === 'turn.failed' && replies.length === 1 && replies.every((reply) => isBrokenOff(reply, due));
          if (!isPart) this.fault(`${name} ended with ${mine[0]?.event} and ${JSON.stringify(replies)}`);
          else brokenOff += 1;
        }
        this.repeated += history.filter(
          ({ event, data }) => event === 'turn.started' && data.replyId === replyId && data.attempt > 1,
        ).length;
      }
    }
    const replies = created.filter(({ inReplyTo }) => inReplyTo !== null);
    if (replies.length !== endings.filter(({ event }) => event === 'turn.finished').length + brokenOff) {
      this.fault(`channel ${channelId}: ${replies.length} replies for ${endings.length} ended turns`);
    }
  }

  /** The list of messages says what the journal says. */
  private async listed(channelId: string, history: ChannelHistory): Promise<void> {
    const listed: string[] = [];
    let before = '';
    for (;;) {
      const { body } = await this.api.get(`/api/messaging/channels/${channelId}/messages?limit=100${before}`);
      const { messages, hasMore, nextCursor } = body.data as {
        messages: { id: string; seq: number }[];
        hasMore: boolean;
        nextCursor?: { before: string };
      };
      listed.push(...messages.map(({ id, seq }) => `${seq} ${id}`));
      if (!hasMore) break;
      before = `&before=${nextCursor?.before}`;
    }
    const expected = history.filter(({ event }) => event === 'message.created').map(({ data }) => `${data.seq} ${data.id}`);
    if (JSON.stringify(listed.reverse()) !== JSON.stringify(expected)) {
      this.fault(
        `channel ${channelId}: the list of its messages differs from its journal\n${listed.join('\n')}\n---\n${expected.join('\n')}`,
      );
    }
  }

  /** What an `sse` caller put together has the entries and the text of the stream as it stands now in one piece. */
  private async stream({ text, stream }: Sent): Promise<void> {
    if (!stream) return;
    const whole = await allEvents(await fetch(this.url + stream.location, { signal: AbortSignal.timeout(this.patienceMs) }));
    const [heard, uncut] = [stream.events, whole].map((events) =>
      JSON.stringify(events.filter(({ event }) => event !== 'chunk').map(withoutExtras)),
    );
    this.pieces(text, whole);
    this.pieces(text, stream.events);
    if (heard !== uncut) this.fault(`the stream of "${text}", cut ${stream.cuts} times, was\n${heard}\nand in one piece is\n${uncut}`);
  }

  /** The pieces of an answer are its text, each once, also when several attempts made them. */
  private pieces(text: string, stream: readonly ServerEvent[]): void {
    for (const { data: answer } of stream.filter(({ event }) => event === 'done' || event === 'message')) {
      const said = new SaidText();
      for (const { event, data } of stream) if (event === 'chunk' && data.messageId === answer.messageId) said.add(data);
      for (const hole of said.faults) this.fault(`the answer to "${text}": ${hole}`);
      if (said.text !== answer.text) this.fault(`the pieces of the answer to "${text}" are "${said.text}", and it is "${answer.text}"`);
    }
  }

  private async follow(channelId: string, signal: AbortSignal): Promise<Response> {
    const response = await fetch(`${this.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, { signal });
    if (response.status !== 200) throw new Error(`the events of channel ${channelId} were answered with ${response.status}`);
    return response;
  }

  private fault(text: string): void {
    this.faults.push(text);
  }
}

/** The text of a reply as a client puts it together. */
export class SaidText {
  text = '';
  readonly faults: string[] = [];
  private attempt = 0;

  add({ text, start, attempt, reset }: { text: string; start: number; attempt: number; reset?: boolean }): void {
    if (attempt < this.attempt) this.faults.push(`"${text}" of attempt ${attempt} came in attempt ${this.attempt}`);
    if (!reset && start !== this.text.length) this.faults.push(`"${text}" starts at ${start} behind ${this.text.length} units`);
    this.text = reset ? text : this.text + text;
    this.attempt = attempt;
  }
}

function isEnding(event: string): boolean {
  return event === 'turn.finished' || event === 'turn.failed' || event === 'turn.cancelled';
}

/** The beginning of what the whole reply would have been, kept with the failure that ended it. */
function isBrokenOff({ content, metadata }: ServerEvent['data'], due: string): boolean {
  const { finishReason, failure } = (metadata ?? {}) as { finishReason?: string; failure?: unknown };
  return content !== '' && due.startsWith(String(content)) && finishReason === 'error' && failure !== undefined;
}

/**
 * A session's status moves on with time: it is told with the answer and is no part of it. The id tells how much of the reply that was running
 * came before the event.
 */
function withoutExtras({ event, data }: ServerEvent): unknown {
  const { sessionStatus: _, ...rest } = data as Record<string, unknown>;
  return { event, data: rest };
}
