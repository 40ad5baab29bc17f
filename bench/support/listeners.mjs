// Many socket.io clients in one channel. They share this process's clock with the one who posts, so that the time from
// the sending of a message to its arrival at each of them can be told.
import { io } from 'socket.io-client';
import { percentile } from './statistics.mjs';

const PATIENCE_MS = 30_000;

export default function main() {
  process.once('message', (job) => {
    run(job).then(
      (measured) => process.send(measured),
      (error) => process.send({ error: error.stack }),
    );
  });
}

async function run({ url, channelId, authorId, sockets, messages, pauseMs }) {
  const times = [];
  let arrived = () => undefined;
  const clients = [];
  for (let index = 0; index < sockets; index++) {
    const client = io(url, { transports: ['websocket'], forceNew: true, reconnection: false });
    client.on('messageBroadcast', ({ metadata }) => {
      times.push(performance.now() - metadata.sentAt);
      arrived();
    });
    clients.push(client);
    await within(new Promise((resolve, reject) => client.once('connect', resolve).once('connect_error', reject)), 'a connection');
    await within(client.emitWithAck('join', { channelId }), 'a join');
  }
  for (let sent = 1; sent <= messages; sent++) {
    const all = new Promise((resolve) => {
      arrived = () => times.length >= sent * sockets && resolve();
    });
    const body = JSON.stringify({ author_id: authorId, content: `message ${sent}`, metadata: { sentAt: performance.now() } });
    const path = `${url}/api/messaging/channels/${channelId}/messages`;
    const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (response.status !== 201) throw new Error(`a message was answered with ${response.status}`);
    await within(all, `message ${sent} at all of ${sockets} sockets`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  for (const client of clients) client.disconnect();
  times.sort((a, b) => a - b);
  return { count: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function within(promise, what) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
