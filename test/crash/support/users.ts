import { randomUUID } from 'node:crypto';
import { ApiClient, fromServer } from '../../support/api-client.js';
import { expectDocumented } from '../../support/api-document.js';
import type { Random } from '../../support/random.js';
import { serverEvents, type ServerEvent } from '../../support/sse-client.js';
import { UnexpectedStatus, type TestCluster } from './test-cluster.js';

/** A session whose creation was acknowledged. */
export interface KnownSession {
  readonly sessionId: string;
  readonly channelId: string;
  readonly agentId: string;
  readonly userId: string;
}

/** A message that a user sent, insisting until the server acknowledged it. Its text is like no other's. */
export interface Sent {
  readonly channelId: string;
  /** Undefined for a user whose id the server makes up. */
  readonly authorId?: string;
  readonly text: string;
  readonly byAgent: boolean;
  /** On the clock of the cluster. */
  readonly sentAt: number;
  /** Infinity when the message was never acknowledged. */
  readonly acknowledgedAt: number;
  /** An attempt may have stored it before the last one was refused. */
  readonly unsure?: boolean;
  /** As it was acknowledged; an `http` answer that tells of a failed turn does not name them. */
  readonly id?: string;
  readonly seq?: number;
  /** The answer that an `http` caller was given. */
  readonly answer?: { readonly id: string; readonly text: string };
  /** What an `sse` caller heard, over all cuts. */
  readonly stream?: { readonly location: string; readonly events: readonly ServerEvent[]; readonly cuts: number };
}

/** What all users together were told. */
export interface Ledger {
  readonly sessions: KnownSession[];
  readonly sent: Sent[];
}

/** Where a user speaks: a session, or a channel that others use too. */
export interface Place {
  /** Path of its messages. */
  readonly path: string;
  readonly channelId: string;
  readonly authorId: string;
  /** Fields that the door needs besides the text. */
  readonly fields: object;
  /** Whom every message names. */
  readonly greeting?: string;
  /** How many agents owe an answer. */
  readonly owed: number;
}

interface Body {
  readonly data: { readonly userMessage: { id: string; seq: number }; readonly agentResponse: { responseId: string; text: string } | null };
}

/** A user who writes one message after another, and repeats each with the same id until it is acknowledged. */
export class User {
  private count = 0;
  private readonly name = randomUUID().slice(0, 8);

  constructor(
    private readonly cluster: TestCluster,
    private readonly ledger: Ledger,
    private readonly random: Random,
  ) {}

  async openSession(agentId: string): Promise<Place> {
    const { cluster, ledger } = this;
    const userId = randomUUID();
    const session = await cluster.insist(async (url) => {
      const answer = await new ApiClient(() => url).post('/api/messaging/sessions', { agentId, userId, metadata: { by: this.name } });
      expectStatus(answer, 201);
      return answer.body.data as KnownSession;
    });
    ledger.sessions.push({ sessionId: session.sessionId, channelId: session.channelId, agentId, userId });
    cluster.acknowledge();
    return {
      path: `/api/messaging/sessions/${session.sessionId}/messages`,
      channelId: session.channelId,
      authorId: userId,
      fields: {},
      owed: 1,
    };
  }

  /** Says something over a transport of chance. */
  async say(place: Place): Promise<void> {
    const chance = this.random.next();
    if (chance < 0.4) await this.post(place);
    else if (chance < 0.7) await this.ask(place);
    else await this.stream(place);
  }

  /** Writes in an agent's name. */
  async submit(channelId: string, agentId: string): Promise<void> {
    const { cluster, ledger } = this;
    const text = this.nextText();
    const sentAt = cluster.now();
    const id = randomUUID();
    const { seq } = await cluster.insist(async (url) => {
      const body = { channel_id: channelId, author_id: agentId, content: text, raw_message: { text }, messageId: id };
      const answer = await new ApiClient(() => url).post('/api/messaging/submit', body);
      expectStatus(answer, 201);
      return answer.body.data as { seq: number };
    });
    ledger.sent.push({ channelId, authorId: agentId, text, byAgent: true, sentAt, acknowledgedAt: cluster.acknowledge(), id, seq });
  }

  private async post(place: Place): Promise<void> {
    await this.send(place, 'websocket', ({ data }) => ({ id: data.userMessage.id, seq: data.userMessage.seq }));
  }

  private async ask(place: Place): Promise<void> {
    await this.send(place, 'http', ({ data }) => ({
      id: data.userMessage.id,
      seq: data.userMessage.seq,
      ...(data.agentResponse ? { answer: { id: data.agentResponse.responseId, text: data.agentResponse.text } } : {}),
    }));
  }

  private async send(place: Place, transport: string, read: (body: Body) => Partial<Sent>): Promise<void> {
    const { cluster, ledger } = this;
    const { channelId, authorId } = place;
    const text = this.nextText(place.greeting);
    const body = { ...place.fields, content: text, clientMessageId: text, transport };
    const sentAt = cluster.now();
    const known = await cluster.insist(async (url) => {
      const answer = await new ApiClient(() => url).post(place.path, body);
      // The turn failed, and the caller was told so: the message is stored all the same.
      if (transport === 'http' && answer.status === 503 && answer.body.error.code === 'MODEL_UNAVAILABLE') return {};
      if (transport === 'http' && answer.status === 500 && answer.body.error.code === 'TURN_FAILED') return {};
      expectStatus(answer, 201);
      return read(answer.body as Body);
    });
    ledger.sent.push({ channelId, authorId, text, byAgent: false, sentAt, acknowledgedAt: cluster.acknowledge(), ...known });
  }

  /** Hears the answer as a stream, and takes it up behind the last event it heard whenever it is cut. */
  private async stream(place: Place): Promise<void> {
    const { cluster, ledger } = this;
    const text = this.nextText(place.greeting);
    const body = JSON.stringify({ ...place.fields, content: text, clientMessageId: text, transport: 'sse' });
    const sentAt = cluster.now();
    const events: ServerEvent[] = [];
    let acknowledgedAt = 0;
    let location: string | undefined;
    let attempts = 0;
    await cluster.insist(async (url) => {
      attempts += 1;
      const last = events.at(-1)?.id;
      const response = fromServer(
        location === undefined
          ? await fetch(url + place.path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
          : await fetch(url + location, { headers: last === undefined ? {} : { 'last-event-id': String(last) } }),
      );
      if (response.status !== 200) {
        const answer = { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.json() };
        expectDocumented(location === undefined ? 'POST' : 'GET', location ?? place.path, answer);
        throw new UnexpectedStatus(response.status, `a stream was answered with ${JSON.stringify(answer.body)}`);
      }
      if (location === undefined) {
        location = response.headers.get('content-location') ?? '';
        acknowledgedAt = cluster.acknowledge();
      }
      for await (const event of serverEvents(response)) events.push(event);
      const endings = events.filter((event) => ['done', 'message', 'error'].includes(event.event)).length;
      if (endings !== place.owed) {
        throw new Error(`the stream of "${text}" ended after ${endings} of ${place.owed} answers: ${JSON.stringify(events)}`);
      }
      cluster.acknowledge();
    });
    const stored = events.find(({ event }) => event === 'user_message')?.data as { id: string; seq: number };
    const stream = { location: location ?? '', events, cuts: attempts - 1 };
    const { channelId, authorId } = place;
    ledger.sent.push({ channelId, authorId, text, byAgent: false, sentAt, acknowledgedAt, id: stored.id, seq: stored.seq, stream });
  }

  private nextText(greeting = 'Hello'): string {
    this.count += 1;
    return `${greeting}: ${this.name} says ${this.count} of the things that it came here for`;
  }
}

export function expectStatus(answer: { status: number; body: unknown }, status: number): void {
  if (answer.status !== status) {
    throw new UnexpectedStatus(answer.status, `expected ${status} and was answered ${JSON.stringify(answer.body)}`);
  }
}
