import { randomUUID } from 'node:crypto';
import { ApiClient, type ApiResponse } from '../../support/api-client.js';
import type { Random } from '../../support/random.js';
import { elapsed } from '../../crash/support/load-generator.js';
import { expectStatus } from '../../crash/support/users.js';
import type { TestCluster } from '../../crash/support/test-cluster.js';

/** How long a server may wait for a position (docs/guides/clients.md). */
const MAX_WAIT_MS = 1000;
const PAUSE_MS = 30;

type Data = ApiResponse['body'];

/** Writes on one server, reads on the next with the position of the write, and collects what is old or missing there. */
export class PositionReader {
  reads = 0;
  /** Reads that the server had to answer before it had caught up. */
  late = 0;
  readonly faults: string[] = [];
  private position = '0';
  /** The last write has no position: an earlier attempt had stored it, and its answer was lost. */
  private unknown = false;

  /** @param agentId the agent of the sessions */
  constructor(
    private readonly cluster: TestCluster,
    private readonly random: Random,
    private readonly agentId: string,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    const channel = await this.newChannel();
    const agent = await this.newAgent();
    const kinds = [
      () => this.rename(channel, '/details'),
      () => this.rename(agent, ''),
      () => this.newMessage(channel),
      () => this.newSession(),
      () => this.newChannel(),
      () => this.newAgent(),
    ];
    while (!isOver()) {
      await this.random.pick(kinds)();
      await elapsed(PAUSE_MS);
    }
  }

  private async newChannel(): Promise<string> {
    const name = randomUUID();
    const { id } = await this.write('POST', '/api/messaging/channels', { name }, 201);
    const path = `/api/messaging/channels/${id}`;
    await this.read(`${path}/details`, `the channel "${name}"`, (data) => data.name === name);
    return path;
  }

  private async newAgent(): Promise<string> {
    const name = `Agent ${randomUUID()}`;
    const { id } = await this.write('POST', '/api/agents', { characterJson: { name, bio: 'An agent of the reader.' } }, 201);
    await this.read(`/api/agents/${id}`, `the agent "${name}"`, (data) => data.name === name);
    return `/api/agents/${id}`;
  }

  private async rename(path: string, below: string): Promise<void> {
    const name = `Renamed ${randomUUID()}`;
    await this.write('PATCH', path, { name }, 200);
    await this.read(path + below, `the name "${name}"`, (data) => data.name === name);
  }

  private async newMessage(channel: string): Promise<void> {
    const content = `Position ${randomUUID()}`;
    const body = { author_id: randomUUID(), content, clientMessageId: content, transport: 'websocket' };
    await this.write('POST', `${channel}/messages`, body, 201);
    await this.read(`${channel}/messages?limit=5`, `the message "${content}"`, ({ messages }) =>
      (messages as { content: string }[]).some((message) => message.content === content),
    );
  }

  private async newSession(): Promise<void> {
    const userId = randomUUID();
    const { sessionId } = await this.write('POST', '/api/messaging/sessions', { agentId: this.agentId, userId }, 201);
    await this.read(`/api/messaging/sessions/${sessionId}`, `the session of user ${userId}`, (data) => data.userId === userId);
  }

  private async write(method: string, path: string, body: object, status: number): Promise<Data> {
    let attempts = 0;
    const answer = await this.cluster.insist(async (url) => {
      attempts += 1;
      const given = await new ApiClient(() => url).send(method, path, body, { headers: { 'x-parley-position': this.position } });
      expectStatus(given, status);
      return given;
    });
    const position = answer.headers.get('x-parley-position');
    this.unknown = position === null;
    if (position === null && attempts === 1) this.faults.push(`${method} ${path} was answered without a position`);
    else if (position !== null && Number(position) > Number(this.position)) this.position = position;
    this.cluster.acknowledge();
    return answer.body.data;
  }

  private async read(path: string, what: string, holds: (data: Data) => boolean): Promise<void> {
    const { position } = this;
    if (this.unknown) return;
    await this.cluster.insist(async (url) => {
      const begin = performance.now();
      const answer = await new ApiClient(() => url).get(path, { headers: { 'x-parley-position': position } });
      if (answer.status !== 404) expectStatus(answer, 200);
      this.reads += 1;
      if (answer.status === 200 && holds(answer.body.data)) return;
      const waitedMs = Math.round(performance.now() - begin);
      if (waitedMs >= MAX_WAIT_MS) this.late += 1;
      else {
        const said = JSON.stringify(answer.body).slice(0, 500);
        this.faults.push(`GET ${path} on ${url} with position ${position} lacked ${what} after ${waitedMs} ms: ${answer.status} ${said}`);
      }
    });
    this.cluster.acknowledge();
  }
}
