// What messages between processes cost a process: over NATS, and those that carry a piece of a reply.
import { register } from 'node:module';

// The build is there when a bench runs, and need not be when imports are checked.
const DIST = new URL('../../dist/', import.meta.url);

const MESSAGES = 100_000;
const BATCH = 100;
const UNCOUNTED = 10_000;
const CHANNELS = 10_000;
const MAX_WAITS = 5000;

/** Processor time, ms: of a message for its sender and its receiver, of a piece beside that, of one channel in a message with hints. */
export async function measureMessages(data, small) {
  // The server is that of the tests, in TypeScript.
  register('../../scripts/typescript-hooks.mjs', import.meta.url);
  const { NatsServer } = await import('../../test/support/nats-server.ts');
  const load = (path) => import(new URL(path, DIST).href);
  const { NatsNotifier } = await load('core/database/nats-notifier.js');
  const { Vault } = await load('core/vault/vault.js');
  const vault = await Vault.open({ dataDir: data, secretKey: undefined, secretKeyPrevious: [] });
  const topic = `pieces.of.${idOf(0)}`;
  const piece = {
    type: 'piece',
    behind: 1_000_000,
    entry: { type: 'message.chunk', channelId: idOf(0), payload: payloadOf(), at: Date.now() },
  };
  const sealed = vault.seal(topic, JSON.stringify(piece));
  const count = Math.ceil(MESSAGES * small);
  const server = await NatsServer.start();
  const [sender, receiver] = [0, 1].map(() => new NatsNotifier([server.url], 'scale'));
  try {
    await Promise.all([sender.open(), receiver.open()]);
    const alone = await sent(sender, topic, sealed, count);
    let received = 0;
    receiver.messages.subscribe(topic, () => (received += 1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const both = await sent(sender, topic, sealed, count, () => received);
    return {
      message: { sendMs: alone, receiveMs: both - alone, bytes: sealed.length },
      piece: {
        sealMs: spent(count, () => vault.seal(topic, JSON.stringify(piece))),
        openMs: spent(count, () => JSON.parse(vault.open(topic, sealed))),
      },
      hintMs: await hints(load, count),
    };
  } finally {
    await Promise.all([sender.close(), receiver.close()]);
    await server.kill();
  }
}

/** @param received how many have arrived, which is waited for */
async function sent(notifier, topic, text, count, received = () => Number.POSITIVE_INFINITY) {
  const send = async (batches) => {
    const target = received() + batches * BATCH;
    for (let batch = 0; batch < batches; batch += 1) {
      for (let each = 0; each < BATCH; each += 1) notifier.messages.publish(topic, text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (let waits = 0; received() < target && waits < MAX_WAITS; waits += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await send(Math.ceil(UNCOUNTED / BATCH));
  const batches = Math.ceil(count / BATCH);
  const before = process.cpuUsage();
  await send(batches);
  return sinceMs(before) / (batches * BATCH);
}

/** One of many hints in a message, about a channel that another process reads. */
async function hints(load, count) {
  const { HintedChannels } = await load('core/journal/hinted-channels.js');
  const { hintOf, readHint, writeHint } = await load('core/database/notifier.js');
  const channels = new HintedChannels();
  for (let index = 0; index < CHANNELS; index += 1) channels.add(idOf(index));
  const message = Array.from({ length: BATCH }, (_, index) => writeHint(hintOf(idOf(CHANNELS + index), false), 1_000_000 + index)).join(
    ' ',
  );
  const read = () =>
    message
      .split(' ')
      .map(readHint)
      .flatMap(({ hint }) => [...channels.of(hint)]);
  return spent(Math.ceil(count / BATCH), read) / BATCH;
}

function spent(count, work) {
  for (let index = 0; index < Math.min(count, UNCOUNTED); index += 1) work();
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) work();
  return sinceMs(before) / count;
}

function sinceMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The text of two pieces of a model. */
function payloadOf() {
  const part = { text: 'of the tides ', index: 100, attempt: 1, restart: 0, start: 1200 };
  return { messageId: idOf(1), agentId: idOf(2), replyId: idOf(3), ...part };
}

function idOf(index) {
  return `a0be23e7-20a1-4d33-b0ad-${(0x1e28d3ada06b + index * 7919).toString(16).padStart(12, '0')}`;
}
