// Mixed load at a steady rate: sessions come and go, messages over every transport, memories, uploads, webhooks, sockets that stay
// for a while, and requests that are refused.
import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { signedDeliveries } from './plugins.mjs';

const SESSIONS = 60;
const CHANNELS = 20;
const SOCKETS = 30;
const MOST_WAITING = 64;
// How much of the past a new reader wants to hear, in entries of the journal.
const LOOK_BACK = 500;
const TICK_MS = 50;
const PATIENCE_MS = 30_000;

const ABOUT = ['the weather in Lisbon', 'the price of oak', 'the tides at the pier', 'the oldest bridge', 'the best apple for a pie'];

const pick = (list) => list[Math.floor(Math.random() * list.length)];

export class SoakLoad {
  /** Messages that were acknowledged, and the answers to them. */
  stored = 0;
  counts = {};
  refused = 0;
  /** Operations that were not begun because so many waited. */
  late = 0;
  faults = [];
  #agents = [];
  #channels = [];
  #sessions = [];
  #sockets = [];
  #waiting = new Set();
  #due = 0;
  #others = 0;
  /** How far the journal has come. */
  #offset = 1;

  constructor({ url, rate, secret }) {
    this.url = url;
    this.rate = rate;
    this.secret = secret;
  }

  static async open(options) {
    const load = new SoakLoad(options);
    load.#agents = (await load.#ask('GET', '/api/agents')).agents.map(({ id }) => id);
    for (let count = 0; count < CHANNELS; count += 1) {
      const body = { name: `channel ${count}`, participantCentralUserIds: load.#agents };
      load.#channels.push((await load.#ask('POST', '/api/messaging/channels', body)).id);
    }
    for (let count = 0; count < SESSIONS; count += 1) await load.#openSession();
    for (let count = 0; count < SOCKETS; count += 1) await load.#openSocket();
    return load;
  }

  /** Loads the server for so long, then waits until what was begun has ended. */
  async run(ms) {
    const end = performance.now() + ms;
    let last = performance.now();
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      const seconds = (performance.now() - last) / 1000;
      last = performance.now();
      this.#due += seconds * this.rate;
      this.#others += (seconds * this.rate) / 4;
      for (; this.#due >= 1; this.#due -= 1) this.#begin(pick(this.#messages));
      for (; this.#others >= 1; this.#others -= 1) this.#begin(pick(this.#rest));
    }
    await Promise.all(this.#waiting);
  }

  async close() {
    for (const { socket } of this.#sockets) socket.disconnect();
    await Promise.all(this.#waiting);
  }

  // Each as often as it is written here.
  #messages = [
    ...Array(7).fill(['messages of sessions', () => this.#say('websocket')]),
    ...Array(2).fill(['messages that wait', () => this.#say('http')]),
    ['messages that stream', () => this.#stream()],
    ...Array(4).fill(['messages over sockets', () => this.#emit()]),
    ...Array(6).fill(['messages of agents', () => this.#submit()]),
  ];

  #rest = [
    ['sessions made', () => this.#replaceSession()],
    ['sessions renewed', () => this.#renew()],
    ['sockets made', () => this.#replaceSocket()],
    ['memories read', () => this.#memories()],
    ['memories changed', () => this.#changeMemory()],
    ['memories deleted', () => this.#deleteMemory()],
    ['uploads', () => this.#upload()],
    ['deliveries', () => this.#deliver()],
    ['requests sent twice', () => this.#sendTwice()],
    ['lists read', () => this.#lists()],
    ['requests refused', () => this.#refusal()],
    ['event streams opened', () => this.#listen()],
  ];

  #begin([name, work]) {
    if (this.#waiting.size >= MOST_WAITING) {
      this.late += 1;
      return;
    }
    const done = work()
      .then(
        () => (this.counts[name] = (this.counts[name] ?? 0) + 1),
        (error) => this.faults.length < 20 && this.faults.push(`${name}: ${error.message} ${error.cause ?? ''}`),
      )
      .finally(() => this.#waiting.delete(done));
    this.#waiting.add(done);
  }

  async #openSession() {
    const body = { agentId: pick(this.#agents), userId: randomUUID() };
    this.#sessions.push({ ...(await this.#ask('POST', '/api/messaging/sessions', body)), busy: 0 });
  }

  async #replaceSession() {
    const [oldest] = this.#sessions;
    if (oldest.busy > 0) return;
    this.#sessions.shift();
    await this.#ask('DELETE', `/api/messaging/sessions/${oldest.sessionId}`);
    await this.#openSession();
  }

  /** Does something in a session that is not ended meanwhile. */
  async #inSession(work, messages = 2) {
    const session = pick(this.#sessions);
    session.busy += 1;
    try {
      await work(`/api/messaging/sessions/${session.sessionId}`);
      this.stored += messages;
    } finally {
      session.busy -= 1;
    }
  }

  #renew() {
    return this.#inSession((path) => this.#ask('POST', `${path}/renew`), 0);
  }

  #say(transport) {
    return this.#inSession((path) => this.#ask('POST', `${path}/messages`, { content: this.#text(), transport }));
  }

  #stream() {
    return this.#inSession(async (path) => {
      const text = await (await this.#send('POST', `${path}/messages`, { content: this.#text(), transport: 'sse' })).text();
      if (!/^event: done$/m.test(text)) throw new Error(`a stream ended with ${text.slice(-300)}`);
    });
  }

  async #emit() {
    const held = pick(this.#sockets);
    held.busy += 1;
    try {
      const { socket, channelId, entityId } = held;
      const answer = await socket.timeout(PATIENCE_MS).emitWithAck('2', { channelId, senderId: entityId, message: this.#text() });
      if (!answer.ok) throw new Error(JSON.stringify(answer));
      this.stored += 1;
    } finally {
      held.busy -= 1;
    }
  }

  async #submit() {
    const { offset } = await this.#ask('POST', '/api/messaging/submit', {
      channel_id: pick(this.#channels),
      author_id: pick(this.#agents),
      content: this.#text(),
    });
    this.#offset = offset;
    this.stored += 1;
  }

  async #openSocket() {
    const channelId = pick(this.#channels);
    const entityId = randomUUID();
    const socket = io(this.url, { transports: ['websocket'], forceNew: true, reconnection: false, auth: { entityId } });
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
    await socket.timeout(PATIENCE_MS).emitWithAck('join', { channelId, after: Math.max(1, this.#offset - LOOK_BACK) });
    this.#sockets.push({ socket, channelId, entityId, busy: 0 });
  }

  async #replaceSocket() {
    const [oldest] = this.#sockets;
    if (oldest.busy > 0) return;
    this.#sockets.shift();
    oldest.socket.disconnect();
    await this.#openSocket();
  }

  async #memoriesOf(agentId) {
    return (await this.#ask('GET', `/api/memory/${agentId}/memories?limit=20`)).memories;
  }

  async #memories() {
    await this.#memoriesOf(pick(this.#agents));
  }

  async #changeMemory() {
    const agentId = pick(this.#agents);
    const memory = pick(await this.#memoriesOf(agentId));
    if (memory) await this.#ask('PATCH', `/api/memory/${agentId}/memories/${memory.id}`, { metadata: { seen: this.stored } }, [404]);
  }

  async #deleteMemory() {
    const agentId = pick(this.#agents);
    const memory = (await this.#memoriesOf(agentId)).at(-1);
    if (memory) await this.#ask('DELETE', `/api/memory/${agentId}/memories/${memory.id}`, undefined, [404]);
  }

  async #upload() {
    const form = new FormData();
    form.append('file', new Blob([`${randomUUID()} `.repeat(200)], { type: 'text/plain' }), 'a.txt');
    const path = `/api/messaging/channels/${pick(this.#channels)}/upload-media`;
    const response = await fetch(this.url + path, { method: 'POST', body: form });
    if (response.status !== 200) throw new Error(`an upload was answered with ${response.status} ${await response.text()}`);
    const { url } = (await response.json()).data;
    await (await fetch(new URL(url, this.url))).arrayBuffer();
  }

  async #deliver() {
    const [{ method, path, headers, body }] = signedDeliveries('/soak', 1, this.secret);
    const response = await fetch(this.url + path, { method, headers, body });
    if (response.status !== 202) throw new Error(`a delivery was answered with ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }

  async #sendTwice() {
    const key = randomUUID();
    const body = { channel_id: pick(this.#channels), author_id: pick(this.#agents), content: this.#text() };
    const [one, other] = [
      await this.#ask('POST', '/api/messaging/submit', body, [], key),
      await this.#ask('POST', '/api/messaging/submit', body, [], key),
    ];
    if (one.id !== other.id) throw new Error('a request that was sent twice was carried out twice');
    this.stored += 1;
  }

  async #lists() {
    await this.#ask('GET', `/api/messaging/channels/${pick(this.#channels)}/messages?limit=50`);
    await this.#ask('GET', '/api/messaging/sessions');
    await this.#ask('GET', `/api/agents/${pick(this.#agents)}/runs`);
  }

  async #refusal() {
    const path = pick([
      `/api/messaging/sessions/${randomUUID()}`,
      `/api/messaging/channels/${randomUUID()}/messages`,
      '/api/nothing/of/the/kind',
      '/api/agents/not-an-id',
    ]);
    const response = await fetch(this.url + path);
    if (response.status !== 404 && response.status !== 400) throw new Error(`${path} was answered with ${response.status}`);
    await response.arrayBuffer();
    this.refused += 1;
  }

  /** Reads the beginning of a stream and goes. */
  async #listen() {
    const gone = new AbortController();
    const path = `/api/messaging/channels/${pick(this.#channels)}/events?lastEventId=${Math.max(1, this.#offset - LOOK_BACK)}`;
    const response = await fetch(this.url + path, { signal: gone.signal });
    await response.body.getReader().read();
    gone.abort();
  }

  #text() {
    return `What do you make of ${pick(ABOUT)}? I ask as number ${this.stored}.`;
  }

  async #ask(method, path, body, allowed = [], key = undefined) {
    const response = await this.#send(method, path, body, key);
    const text = await response.text();
    if (allowed.includes(response.status)) return undefined;
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status} ${text}`);
    const answer = text === '' ? undefined : JSON.parse(text);
    return answer?.data ?? answer;
  }

  #send(method, path, body, key) {
    return fetch(this.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }
}
