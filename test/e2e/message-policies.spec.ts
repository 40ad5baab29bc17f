import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Reader } from '../../src/core/database/index.js';
import { AppError } from '../../src/core/errors/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { MessagePolicies, type MessagePolicy } from '../../src/modules/messaging/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';

const SESSIONS = '/api/messaging/sessions';
const USER_ID = idFromText('the user');
const MINUTE = 60_000;

/** A quota as an installation may have one: it counts messages in the unit that stores them. */
class Quota implements MessagePolicy {
  readonly name = 'quota';
  exhausted = false;
  /** What happens while the rule waits. */
  meanwhile: (() => Promise<void> | void) | undefined;

  constructor(readonly order: number) {}

  async check({ id }: { readonly id: string }): ReturnType<MessagePolicy['check']> {
    await this.meanwhile?.();
    if (this.exhausted) throw new AppError('RATE_LIMIT_EXCEEDED', 'The quota is used up.', 'Wait until tomorrow.');
    const sql = `INSERT INTO plugin_values (plugin, "key", value, updated_at) VALUES ('quota', ?, '1', 0)`;
    return [{ sql, params: [id] }];
  }
}

/** A clock whose timers are late, as on a busy machine. */
class LateClock extends FakeClock {
  late = 0;

  override now(): number {
    return super.now() + this.late;
  }
}

let clock: LateClock;
let test: TestApp;
let api: ApiClient;

beforeAll(async () => {
  clock = new LateClock();
  test = await createTestApp({ clock });
  test.model.always(() => 'Yes.');
  api = new ApiClient(() => test.url);
});

afterAll(() => test.close());

/** Runs with a quota beside the session rule. */
async function withQuota(order: number, work: (quota: Quota) => Promise<void>): Promise<void> {
  const quota = new Quota(order);
  const remove = test.app.get(MessagePolicies, { strict: false }).register(quota);
  try {
    await work(quota);
  } finally {
    remove();
  }
}

const counted = async (): Promise<string[]> =>
  (await test.app.get(Reader, { strict: false }).rows<{ key: string }>(`SELECT "key" FROM plugin_values WHERE plugin = 'quota'`, [])).map(
    ({ key }) => key,
  );

interface Door {
  readonly session: string;
  post(): Promise<ApiResponse>;
}

async function aDoor(name: string): Promise<Door> {
  const { body } = await api.post(SESSIONS, { agentId: ADA.id, userId: USER_ID, timeoutConfig: { timeoutMinutes: 30 } });
  const session = `${SESSIONS}/${body.sessionId}`;
  if (name === 'its session') return { session, post: () => api.post(`${session}/messages`, { content: 'Hello' }) };
  const path = `/api/messaging/channels/${body.channelId}/messages`;
  return { session, post: () => api.post(path, { author_id: USER_ID, content: 'Hello', transport: 'websocket' }) };
}

describe.each(['its session', 'its channel'])('a message of a session posted through %s, under the session rule and a quota', (door) => {
  it('renews the session and is counted, in one unit [sessions.interfaces]', async () => {
    await withQuota(-1, async () => {
      const { session, post } = await aDoor(door);
      const before = await counted();
      clock.advance(5 * MINUTE);
      expect((await post()).status).toBe(201);
      expect((await api.get(session)).body.lastActivity).toBe(new Date(clock.now()).toISOString());
      expect((await counted()).length).toBe(before.length + 1);
    });
  });

  it('is neither counted nor renews when the quota refuses after the session policy', async () => {
    await withQuota(1, async (quota) => {
      const { session, post } = await aDoor(door);
      const { lastActivity } = (await api.get(session)).body;
      const before = await counted();
      clock.advance(MINUTE);
      quota.exhausted = true;
      const { status, body } = await post();
      expect({ status, code: body.error.code }).toEqual({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
      expect((await api.get(session)).body.lastActivity).toBe(lastActivity);
      expect(await counted()).toEqual(before);
    });
  });
});

it.each([
  [-1, 'RATE_LIMIT_EXCEEDED'],
  [1, 'SESSION_EXPIRED'],
])('a message refused by both policies gets the first error: a quota of order %i', async (order, code) => {
  await withQuota(order, async (quota) => {
    const { post } = await aDoor('its channel');
    quota.exhausted = true;
    clock.advance(31 * MINUTE);
    expect((await post()).body.error.code).toBe(code);
  });
});

it('a message is refused when its session expires while another policy runs', async () => {
  await withQuota(-1, async (quota) => {
    const { session, post } = await aDoor('its session');
    clock.advance(20 * MINUTE);
    quota.meanwhile = () => {
      clock.late = 11 * MINUTE;
    };
    expect((await post()).body.error?.code).toBe('SESSION_EXPIRED');
    expect((await api.get(session)).body.error?.code).toBe('SESSION_EXPIRED');
    clock.late = 0;
  });
});

it("a message expects replies of the channel's agents when it is stored, not when it arrives", async () => {
  await withQuota(0, async (quota) => {
    const { data } = (await api.post('/api/messaging/channels', { name: 'changing', participants: [ADA.id, USER_ID] })).body;
    const path = `/api/messaging/channels/${data.id}`;
    quota.meanwhile = async () => {
      await api.patch(path, { participantCentralUserIds: [USER_ID] });
    };
    expect((await api.post(`${path}/messages`, { author_id: USER_ID, content: 'Anybody?', transport: 'websocket' })).status).toBe(201);
    const [entry] = await test.app
      .get(Reader, { strict: false })
      .rows<{ payload: string }>(`SELECT payload FROM journal WHERE channel_id = ? AND type = 'message.created'`, [data.id]);
    expect(JSON.parse(entry?.payload ?? '')).toMatchObject({ content: 'Anybody?', awaiting: [] });
  });
});

it('the question of a job is subject to the policies, too', async () => {
  await withQuota(0, async (quota) => {
    const ask = (): Promise<ApiResponse> => api.post('/api/messaging/jobs', { userId: USER_ID, content: 'Well?', agentId: ADA.id });
    const before = await counted();
    expect((await ask()).status).toBe(201);
    expect((await counted()).length).toBe(before.length + 1);
    quota.exhausted = true;
    expect((await ask()).body.error.code).toBe('RATE_LIMIT_EXCEEDED');
  });
});
