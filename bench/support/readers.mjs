// People who ask at the same moment and read the reply as it comes: as server-sent events, over a socket, or when it is complete. They read
// the times at which its pieces were sent (service.mjs), and hold its end against what they have read.
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { io } from 'socket.io-client';
import { percentile } from './statistics.mjs';

const TRANSPORTS = { sse: overEvents, socket: overSocket, http: complete, bare: fromService };

export default function main() {
  process.on('message', (job) => {
    run(job).then(
      (measured) => process.send(measured),
      (error) => process.send({ error: error.stack }),
    );
  });
}

/** `asks`: what each reader posts, and the `url` of the process that it posts to. */
async function run({ transport, asks, pieces }) {
  const agent = new Agent({ keepAlive: false });
  const times = [];
  let resets = 0;
  const begin = performance.now();
  const ends = await Promise.all(
    asks.map(async (ask) => {
      const reader = new Reader(times);
      await TRANSPORTS[transport](reader, { url: ask.url, agent, ask });
      if (reader.count !== pieces) throw new Error(`a reply has ${reader.count} pieces, not ${pieces}: ${reader.text.slice(0, 200)}`);
      resets += reader.resets;
      return performance.now() - begin;
    }),
  );
  times.sort((a, b) => a - b);
  return { count: asks.length, resets, p50: percentile(times, 0.5), p95: percentile(times, 0.95), seconds: Math.max(...ends) / 1000 };
}

/** What one reader has of a reply. */
class Reader {
  text = '';
  count = 0;
  resets = 0;

  constructor(times) {
    this.times = times;
  }

  /** The next part of the text. */
  add(part) {
    const now = performance.timeOrigin + performance.now();
    const words = (this.text.slice(this.text.lastIndexOf(' ') + 1) + part).split(' ');
    this.text += part;
    for (const word of words.slice(0, -1)) {
      this.count += 1;
      this.times.push(now - Number(word));
    }
  }

  /** Another process has taken the turn over, and its model writes again. */
  restart() {
    this.text = '';
    this.count = 0;
    this.resets += 1;
  }

  /** @throws Error when the text read differs from the whole */
  end(whole) {
    if (this.text.trim() !== whole.trim()) {
      throw new Error(`read "${this.text.slice(-200)}", which is not the end of "${whole.slice(-200)}"`);
    }
  }
}

async function overEvents(reader, { url, agent, ask }) {
  const response = await post(`${url}${ask.path}`, agent, { ...ask.body, transport: 'sse' });
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'chunk') {
      if (data.reset) reader.restart();
      reader.add(data.text);
    }
    if (event === 'error') throw new Error(JSON.stringify(data));
    if (event === 'done') {
      reader.end(data.text ?? reader.text);
      return;
    }
  }
  throw new Error('the stream ended before the reply');
}

async function overSocket(reader, { url, agent, ask }) {
  const client = io(url, { transports: ['websocket'], forceNew: true, reconnection: false });
  try {
    await new Promise((resolve, reject) => client.once('connect', resolve).once('connect_error', reject));
    await client.emitWithAck('join', { channelId: ask.channelId });
    const ended = new Promise((resolve, reject) => {
      client.on('messageStreamChunk', ({ chunk }) => reader.add(chunk));
      client.on('messageBroadcast', ({ text, senderId }) => senderId === ask.agentId && resolve(text));
      client.once('disconnect', reject);
    });
    const response = await post(`${url}${ask.path}`, agent, ask.body);
    await textOf(response);
    reader.end(await ended);
  } finally {
    client.disconnect();
  }
}

async function complete(reader, { url, agent, ask }) {
  const response = await post(`${url}${ask.path}`, agent, { ...ask.body, transport: 'http' });
  const { data } = JSON.parse(await textOf(response));
  reader.add(`${data.agentResponse.text.trim()} `);
}

/** From the service itself, or through a proxy: the floor. */
async function fromService(reader, { url, agent }) {
  const response = await post(`${url}/chat/completions`, agent, {
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: 'Go on.' }],
  });
  for await (const { data } of eventsOf(response)) reader.add(data?.choices[0]?.delta.content ?? '');
}

async function post(url, agent, body) {
  const request = send(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
  const [response] = await once(request.end(JSON.stringify(body)), 'response');
  if (response.statusCode >= 300) throw new Error(`${url} was answered with ${response.statusCode} ${await textOf(response)}`);
  return response.setEncoding('utf8');
}

async function textOf(response) {
  let text = '';
  for await (const part of response) text += part;
  return text;
}

async function* eventsOf(response) {
  let rest = '';
  for await (const part of response) {
    const frames = (rest + part).split('\n\n');
    rest = frames.pop();
    for (const frame of frames) {
      const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
      const data = field('data');
      if (data !== undefined) yield { event: field('event'), data: data === '[DONE]' ? undefined : JSON.parse(data) };
    }
  }
}
