import { newId } from '../../../src/core/ids/index.js';
import { wavFile } from '../../../src/providers/speech/index.js';
import { ADA, BOB } from '../../support/create-test-app.js';
import { form, png } from '../../support/uploads.js';
import { CHANNELS, SESSIONS, USER, type ContractApp } from './contract-app.js';
import { until } from './until.js';

type Ids = Record<string, string>;

/** A request that is right. Parameters of the path that it does not name are those of the world. */
export interface GoodRequest {
  readonly params?: Ids;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

/** A row of the list of operations: its number there, method, path, and how to call it well. */
export type Row = readonly [number: number, operation: string, good?: (fixtures: OperationFixtures) => GoodRequest | Promise<GoodRequest>];

const RECORDING = Buffer.from(wavFile([{ samples: new Int16Array(16_000), sampleRate: 16_000 }]));
export const recording = (): FormData => form(RECORDING, 'a.wav', 'audio/wav');
export const picture = (): FormData => form(png(), 'a.png', 'image/png');

/** Something of everything that operations are about, and more of it for those that take away. */
export class OperationFixtures {
  readonly ids: Ids = {};
  private memories: string[] = [];

  constructor(readonly app: ContractApp) {}

  async fill(): Promise<void> {
    const { app, ids } = this;
    app.useScriptedModel();
    app.test.model.always(() => 'Noon.');
    const session = await app.newSession();
    for (const content of ['One?', 'Two?', 'Three?', 'Four?', 'Five?', 'Six?']) {
      await app.api.post(`${SESSIONS}/${session.sessionId}/messages`, { content, transport: 'http' });
    }
    await until(async () => (this.memories = await this.memoryIds()).length >= 12);
    const channel = await app.newChannel();
    const place = await this.data('POST', '/api/messaging/message-servers', { name: 'Club', sourceType: 'discord' });
    const world = await this.data('POST', `/api/agents/${ADA.id}/worlds`, { name: 'Tea house' });
    const room = await this.data('POST', `/api/agents/${ADA.id}/rooms`, { name: 'Kitchen', worldId: world.world.id });
    const upload = await this.data('POST', `/api/media/agents/${ADA.id}/upload-media`, picture());
    const upload2 = await this.data('POST', `${CHANNELS}/${channel.id}/upload-media`, picture());
    const run = (await this.data('GET', `/api/agents/${ADA.id}/runs`)).runs[0];
    Object.assign(ids, {
      agentId: ADA.id,
      sessionId: session.sessionId,
      channelId: channel.id,
      messageServerId: place.id,
      worldId: world.world.id,
      roomId: room.id,
      runId: run.runId,
      memoryId: this.memory(),
      messageId: (await app.say(channel.id, 'Hello.')).id,
      jobId: (await this.data('POST', '/api/messaging/jobs', { userId: USER, agentId: ADA.id, content: 'When?' })).jobId,
      agentFile: upload.filename,
      channelFile: upload2.filename,
    });
  }

  async data(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>> {
    const answer = await this.app.api.send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} is ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  /** A memory that no other test uses. */
  memory(): string {
    return this.memories.pop()!;
  }

  async channel(): Promise<string> {
    return (await this.app.newChannel({ participants: [USER] })).id;
  }

  /** A message in a channel without agents. */
  async message(): Promise<Ids> {
    const channelId = await this.channel();
    return { channelId, messageId: (await this.app.say(channelId, 'Hello.')).id };
  }

  async session(): Promise<string> {
    return (await this.app.newSession()).sessionId;
  }

  async agent(): Promise<string> {
    return (await this.data('POST', '/api/agents', { characterJson: { name: `Agent ${newId()}`, bio: 'New.' } })).id;
  }

  async server(): Promise<string> {
    return (await this.data('POST', '/api/messaging/message-servers', { name: 'Another', sourceType: 'discord' })).id;
  }

  async room(): Promise<string> {
    return (await this.data('POST', `/api/agents/${ADA.id}/rooms`, { name: 'Hall' })).id;
  }

  async log(): Promise<string> {
    return (await this.data('GET', `/api/agents/${ADA.id}/logs?limit=1`))[0].id;
  }

  /** A server with the other agent in it. */
  async servedAgent(): Promise<Ids> {
    const messageServerId = await this.server();
    await this.data('POST', `/api/messaging/message-servers/${messageServerId}/agents`, { agentId: BOB.id });
    return { messageServerId, agentId: BOB.id };
  }

  async presentAgent(): Promise<Ids> {
    const channelId = await this.channel();
    await this.data('POST', `${CHANNELS}/${channelId}/agents`, { agentId: BOB.id });
    return { channelId, agentId: BOB.id };
  }

  private async memoryIds(): Promise<string[]> {
    const { memories } = await this.data('GET', `/api/memory/${ADA.id}/memories?limit=100`);
    return (memories as { id: string }[]).map(({ id }) => id);
  }
}
