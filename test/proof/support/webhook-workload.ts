import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { sign } from '@octokit/webhooks-methods';
import { ApiClient } from '../../support/api-client.js';
import type { Random } from '../../support/random.js';
import { expectStatus, type Ledger } from '../../crash/support/users.js';
import type { TestCluster } from '../../crash/support/test-cluster.js';

const SECRET = 'a secret of the checker';
const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;
// An inline handler failed or took too long, or an earlier call of it has not ended.
const COME_AGAIN = new Set([409, 500, 504]);
const REDELIVERED = 0.3;

/** Environment of a server with the plugin. */
export const WEBHOOK_PLUGIN_ENV = { SECRET_OF_HOOKS: SECRET };

/**
 * A plugin with a webhook of each mode. A handler writes down when it begins and when it ends, in one system call each, and posts a
 * message that the delivery names. Every tenth delivery fails at first.
 */
export const WEBHOOK_PLUGIN = (notes: string): string => `
  import { appendFileSync } from 'node:fs';
  const note = (what, { deliveryId, attempt }) =>
    appendFileSync(${JSON.stringify(notes)}, [what, deliveryId, attempt, process.pid].join(' ') + '\\n');
  const handler = async (request, response, runtime) => {
    const { number, channelId, text } = request.body;
    note('begins', request);
    await new Promise((resolve) => setTimeout(resolve, (number * 37) % 200));
    if (number % 10 === 0 && request.attempt === 1) throw new Error('told to fail');
    await runtime.sendMessage({ channelId, text, id: request.deliveryId });
    note('ends', request);
    response.json({ deliveryId: request.deliveryId });
  };
  const webhook = { verify: 'github', secret: 'SECRET_OF_HOOKS' };
  export default {
    name: 'hooks',
    config: { SECRET_OF_HOOKS: { secret: true } },
    routes: [
      { type: 'POST', path: '/ack', handler, webhook: { ...webhook, mode: 'ack', backoffMs: 10, attempts: 20 } },
      { type: 'POST', path: '/inline', timeoutMs: 5000, handler, webhook: { ...webhook, mode: 'inline' } },
    ],
  };`;

interface Acknowledged {
  readonly id: string;
  readonly senderId: string;
  /** What the handlers had written down when the sender heard that this one had ended; undefined when it was to end later. */
  readonly notesWhenDone: number | undefined;
}

/** The senders of deliveries, and what holds for each delivery in the end. */
export class WebhookWorkload {
  private readonly acknowledged: Acknowledged[] = [];
  private number = 0;

  /**
   * @param channelId where the handlers write, in the name of `agentId`
   * @param notes the file of the plugin
   */
  constructor(
    private readonly cluster: TestCluster,
    private readonly ledger: Ledger,
    private readonly channelId: string,
    private readonly agentId: string,
    private readonly notes: string,
  ) {}

  /** How many deliveries there were. */
  get count(): number {
    return this.acknowledged.length;
  }

  /** Sends a delivery until it is acknowledged, and at times once more. */
  async deliver(mode: 'ack' | 'inline', random: Random): Promise<void> {
    const { cluster, channelId } = this;
    const senderId = randomUUID();
    const text = `Delivery ${senderId}`;
    const body = JSON.stringify({ number: (this.number += 1), channelId, text });
    const headers = {
      'content-type': 'application/json',
      'x-github-delivery': senderId,
      'x-hub-signature-256': await sign(SECRET, body),
    };
    const send = (): Promise<{ status: number; body: { deliveryId?: string } }> =>
      cluster.insist(async (url) => {
        const answer = await new ApiClient(() => url).send('POST', `/${mode}`, body, { headers });
        // A server that was paused for longer answers 504 in either mode.
        if (answer.status === 504 || (mode === 'inline' && COME_AGAIN.has(answer.status))) return answer;
        if (answer.status !== 202) expectStatus(answer, 200);
        return answer;
      });
    const sentAt = cluster.now();
    let answer = await send();
    for (; answer.status >= 400; answer = await send()) await pause();
    const id = answer.body.deliveryId ?? '';
    const done = mode === 'inline';
    const acknowledgedAt = cluster.acknowledge();
    this.acknowledged.push({ id, senderId, notesWhenDone: done ? statSync(this.notes).size : undefined });
    this.ledger.sent.push({
      channelId,
      authorId: this.agentId,
      text,
      byAgent: true,
      sentAt,
      acknowledgedAt: done ? acknowledgedAt : Infinity,
      id,
    });
    if (!random.chance(REDELIVERED)) return;
    let again = await send();
    // It took too long to find that out.
    for (; again.status === 504; again = await send()) await pause();
    expectStatus(again, 200);
    if (again.body.deliveryId !== id) throw new Error(`delivery ${senderId} was ${id} and is ${again.body.deliveryId} when it comes again`);
  }

  /**
   * Each acknowledged delivery is one record that is done; it was handled, each try was one, and what its sender took for handled
   * was not handled again.
   *
   * @param endsAreCertain no fault kept the end of a try from being stored, and no other server took it over, while the process lived on
   */
  async check(url: string, endsAreCertain: boolean): Promise<string[]> {
    const faults: string[] = [];
    const records = await this.settled(url);
    const bySender = grouped(records, ({ senderId }) => senderId);
    for (const { id, senderId } of this.acknowledged) {
      const mine = bySender.get(senderId) ?? [];
      if (mine.length !== 1) faults.push(`delivery ${id} was acknowledged and has ${mine.length} records`);
      if (mine[0] && (mine[0].id !== id || mine[0].status !== 'done')) {
        faults.push(`delivery ${id} was acknowledged and is ${mine[0].id}, ${mine[0].status}: ${mine[0].error}`);
      }
    }
    const written = readFileSync(this.notes, 'utf8');
    const lines = written.split('\n').filter((line) => line !== '');
    const byId = grouped(lines, (line) => line.split(' ')[1] ?? '');
    for (const { id, notesWhenDone } of this.acknowledged) {
      const mine = byId.get(id) ?? [];
      const ended = mine.filter((line) => line.startsWith('ends'));
      const begun = mine.filter((line) => line.startsWith('begins')).map((line) => line.split(' ')[2]);
      const story = `delivery ${id}: ${mine.join(', ')}`;
      if (ended.length === 0) faults.push(`${story}: it was never handled`);
      if (new Set(begun).size !== begun.length) faults.push(`${story}: a try was made twice`);
      const pids = ended.map((line) => line.split(' ')[3]);
      if (endsAreCertain && new Set(pids).size !== pids.length) faults.push(`${story}: one process handled it twice`);
      if (notesWhenDone !== undefined && written.slice(notesWhenDone).includes(`begins ${id}`)) {
        faults.push(`${story}: it was handled again when its sender had been told`);
      }
    }
    return faults;
  }

  /** All records, when nothing waits to be handled any more. */
  private async settled(url: string): Promise<{ id: string; senderId: string; status: string; mode: string; error: string }[]> {
    const api = new ApiClient(() => url);
    for (const end = performance.now() + PATIENCE_MS; ;) {
      const all = [];
      for (let before = ''; ;) {
        const { body } = await api.get(`/api/plugins/hooks/deliveries?limit=200${before}`);
        const page = body.data.deliveries as { id: string; senderId: string; status: string; mode: string; error: string }[];
        all.push(...page);
        if (page.length < 200) break;
        before = `&before=${page.at(-1)!.id}`;
      }
      const waiting = all.some(({ mode, status }) => mode === 'ack' && status !== 'done' && status !== 'dead');
      if (!waiting || performance.now() > end) return all;
      await pause();
    }
  }
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
