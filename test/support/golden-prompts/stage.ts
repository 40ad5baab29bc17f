import { expect } from '@jest/globals';
import type { Config } from '../../../src/core/config/index.js';
import { userIdOf } from '../../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, type TestApp } from '../create-test-app.js';
import type { FakeClock } from '../fake-clock.js';
import { form } from '../uploads.js';
import { presentRequest, presentRun, type PlayedTurn } from './played-turn.js';

export type Data = ApiResponse['body'];

const MINUTE = 60_000;
/** How the model calls begin that are no part of a turn: they run when the server gets to them. */
const IN_BACKGROUND = /^(?:Summarise the conversation|You keep notes)/;

/** A conversation in which users write. */
export interface Talk {
  readonly channelId: string;
  /** Of its messages. */
  readonly path: string;
  /** The author of messages that name none; undefined in a session, which knows its user. */
  readonly userId?: string;
  readonly credential?: string;
  readonly agents: readonly string[];
}

export interface Said {
  /** The author; the user of the conversation when absent. */
  readonly by?: string;
  /** Name of the author in a channel. */
  readonly name?: string;
  readonly metadata?: object;
  readonly attachments?: readonly object[];
  readonly credential?: string;
  /** Of the channel, which the message creates. */
  readonly server_id?: string;
  /** What the model answers; as always when absent. */
  readonly reply?: string;
}

/** What a golden conversation is played with: it sends messages and records what the model is asked for each. */
export class Stage {
  readonly api: ApiClient;
  readonly turns: PlayedTurn[] = [];

  /** @param admin credential of the administrator, in an application that has one */
  constructor(
    private readonly name: string,
    readonly test: TestApp,
    readonly clock: FakeClock,
    private readonly agents: ReadonlyMap<string, string>,
    readonly admin: string | undefined,
  ) {
    this.api = new ApiClient(() => test.url);
  }

  get model(): TestApp['model'] {
    return this.test.model;
  }

  /** A user of this conversation only, with the same id at each run. */
  user(name = 'user'): string {
    return userIdOf(`${name} of ${this.name}`);
  }

  /** Id of an agent by the name of its character. */
  agent(name: string): string {
    const id = this.agents.get(name);
    if (id === undefined) throw new Error(`no character of this application is called ${name}`);
    return id;
  }

  /** @throws Error unless the answer is a success */
  async sent(answer: Promise<ApiResponse>): Promise<Data> {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`a request of the conversation failed: ${status} ${JSON.stringify(body)}`);
    return body.data ?? body;
  }

  as(credential: string | undefined): { headers: Record<string, string> } | undefined {
    return credential === undefined ? undefined : { headers: { 'x-api-key': credential } };
  }

  /** A new session. @param username of the user */
  async session({
    userId = this.user(),
    agentId = ADA.id,
    username,
    credential = this.admin,
  }: { userId?: string; agentId?: string; username?: string; credential?: string } = {}): Promise<Talk> {
    const body = { agentId, userId, metadata: username === undefined ? {} : { username } };
    const { sessionId, channelId, token } = await this.sent(this.api.post('/api/messaging/sessions', body, this.as(credential)));
    const held = credential === undefined ? {} : { credential: token as string };
    return { channelId, path: `/api/messaging/sessions/${sessionId}/messages`, agents: [agentId], ...held };
  }

  /** A new group channel. @param people the first of them writes the messages that name no author */
  async channel(
    people: readonly string[],
    { agents = [ADA.id], credential = this.admin, ...fields }: { agents?: string[]; credential?: string; metadata?: object } = {},
  ): Promise<Talk> {
    const body = { name: 'a group', participantCentralUserIds: [...agents, ...people], ...fields };
    const { id } = await this.sent(this.api.post('/api/messaging/channels', body, this.as(credential)));
    return this.inChannel(id, people[0], agents, credential);
  }

  /** The direct channel of a user and an agent. */
  async direct({ userId = this.user(), agentId = ADA.id, credential = this.admin } = {}): Promise<Talk> {
    const path = `/api/messaging/dm-channel?currentUserId=${userId}&targetUserId=${agentId}`;
    const { id } = await this.sent(this.api.get(path, this.as(credential)));
    return this.inChannel(id, userId, [agentId], credential);
  }

  inChannel(channelId: string, userId: string | undefined, agents: readonly string[] = [ADA.id], credential = this.admin): Talk {
    return { channelId, path: `/api/messaging/channels/${channelId}/messages`, userId, agents, credential };
  }

  /** Says something a minute later, waits for the answer and records the turn. */
  async say(talk: Talk, content: string, said: Said = {}): Promise<Data> {
    return this.record(talk, () => this.tell(talk, content, said));
  }

  /** As `say`, for a turn that fails. */
  async sayInVain(talk: Talk, content: string): Promise<void> {
    await this.record(talk, async () => {
      const { status } = await this.post(talk, content, {});
      expect(status).toBeGreaterThanOrEqual(400);
    });
  }

  /** As `say`, without a record of the turn. */
  async tell(talk: Talk, content: string, said: Said = {}): Promise<Data> {
    return this.sent(this.post(talk, content, said));
  }

  /** Says a message that is not waited for. */
  async send(talk: Talk, content: string, said: Said = {}): Promise<Data> {
    return this.sent(this.post(talk, content, said, 'websocket'));
  }

  /** Records all that the model is asked while something is done, and the runs that begin meanwhile, as one turn. */
  async record<T>({ channelId, agents }: Pick<Talk, 'channelId' | 'agents'>, work: () => Promise<T>): Promise<T> {
    const { model } = this;
    const before = model.requests.length;
    const since = this.clock.now();
    const result = await work();
    // A restart has put another model in its place.
    const asked = [...model.requests.slice(before), ...(this.model === model ? [] : this.model.requests)];
    const requests = asked.filter(({ messages }) => !IN_BACKGROUND.test(messages[0]?.content ?? ''));
    const offline = model.provider !== 'scripted';
    const runs: Data[] = [];
    for (const agentId of agents) runs.push(...(await this.runs(agentId, channelId, since)));
    const turn: PlayedTurn = { requests: requests.map((request) => presentRequest(request, offline)), runs: runs.map(presentRun) };
    // Without the fields that are undefined, as a file has it.
    this.turns.push(JSON.parse(JSON.stringify(turn)) as PlayedTurn);
    return result;
  }

  /** Has other settings while something is done. */
  async withSettings(settings: Partial<Config>, work: () => Promise<unknown>): Promise<void> {
    const { config } = this.test;
    const before = { ...config };
    Object.assign(config, settings);
    try {
      await work();
    } finally {
      Object.assign(config, before);
    }
  }

  /** @returns the attachment of a message. Files of one instant have no order */
  async upload({ channelId }: Talk, content: Uint8Array | string, name: string): Promise<{ url: string }> {
    this.clock.advance(1);
    const { url } = await this.sent(this.api.post(`/api/messaging/channels/${channelId}/upload-media`, form(content, name)));
    return { url };
  }

  private post(talk: Talk, content: string, { by, name, reply, credential, ...fields }: Said, transport = 'http'): Promise<ApiResponse> {
    this.clock.advance(MINUTE);
    if (reply !== undefined) this.model.reply(reply);
    const author = talk.userId === undefined ? {} : { author_id: by ?? talk.userId, author_display_name: name };
    return this.api.post(talk.path, { content, ...author, ...fields, transport }, this.as(credential ?? talk.credential));
  }

  /** The runs of an agent in a channel since an instant, oldest first. */
  private async runs(agentId: string, channelId: string, since: number): Promise<Data[]> {
    const path = `/api/agents/${agentId}/runs`;
    const { runs } = await this.sent(this.api.get(`${path}?roomId=${channelId}`, this.as(this.admin)));
    const begun = runs.filter(({ createdAt }: Data) => createdAt > since).reverse();
    return Promise.all(begun.map(({ runId }: Data) => this.sent(this.api.get(`${path}/${runId}`, this.as(this.admin)))));
  }
}
