// Operation 1: POST /api/messaging/sessions
import { beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { DEFAULT_SERVER_ID } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectError, expectHybrid } from '../support/expect-envelope.js';
import { contractApp, MINUTE, NOBODY, SESSIONS, USER } from './support/contract-app.js';
import { describeBody } from './support/describe-operation.js';
import { anyText, boolean, integer, knownUuid, object, oneOf, uuid, ZERO_UUID, type Field } from './support/kinds.js';
import { expectOnly, expectShape, SESSION } from './support/shapes.js';

const LEAST = { agentId: ADA.id, userId: USER };
const DEFAULTS = { timeoutMinutes: 30, autoRenew: true, maxDurationMinutes: 720, warningThresholdMinutes: 5 };

const FIELDS: Field[] = [
  ['agentId', knownUuid, 'required'],
  ['userId', uuid, 'required'],
  ['metadata', object(10_240), 'optional'],
  ['metadata.platform', anyText(), 'optional'],
  ['metadata.username', anyText(), 'optional'],
  ['metadata.discriminator', anyText(), 'optional'],
  ['metadata.avatar', anyText(), 'optional'],
  ['timeoutConfig', object(), 'optional'],
  ['timeoutConfig.timeoutMinutes', integer(5, 1440), 'optional'],
  ['timeoutConfig.autoRenew', boolean, 'optional'],
  ['timeoutConfig.maxDurationMinutes', integer(1), 'optional'],
  ['timeoutConfig.warningThresholdMinutes', integer(1), 'optional'],
  ['turnPolicy', oneOf('enqueue', 'reject', 'interrupt'), 'optional'],
];

/** The requested configuration, the resulting one, and the minutes from creation to expiry. */
const CONFIGURATIONS: [name: string, asked: object | undefined, config: object, expiresAfter: number][] = [
  ['nothing', undefined, DEFAULTS, 30],
  ['an empty configuration', {}, DEFAULTS, 30],
  ['the shortest timeout', { timeoutMinutes: 5 }, { ...DEFAULTS, timeoutMinutes: 5 }, 5],
  ['the longest timeout, cut by the default maximum', { timeoutMinutes: 1440 }, { ...DEFAULTS, timeoutMinutes: 1440 }, 720],
  [
    'the longest timeout and a maximum beyond it',
    { timeoutMinutes: 1440, maxDurationMinutes: 2880 },
    { ...DEFAULTS, timeoutMinutes: 1440, maxDurationMinutes: 2880 },
    1440,
  ],
  ['no renewal', { autoRenew: false }, { ...DEFAULTS, autoRenew: false }, 30],
  ['a maximum', { maxDurationMinutes: 60 }, { ...DEFAULTS, maxDurationMinutes: 60 }, 30],
  [
    'a maximum below the timeout, raised to it',
    { timeoutMinutes: 60, maxDurationMinutes: 10 },
    { ...DEFAULTS, timeoutMinutes: 60, maxDurationMinutes: 60 },
    60,
  ],
  ['the least maximum, raised to the timeout', { maxDurationMinutes: 1 }, { ...DEFAULTS, maxDurationMinutes: 30 }, 30],
  ['the least warning threshold', { warningThresholdMinutes: 1 }, { ...DEFAULTS, warningThresholdMinutes: 1 }, 30],
  [
    'all four fields',
    { timeoutMinutes: 45, autoRenew: false, maxDurationMinutes: 90, warningThresholdMinutes: 7 },
    { timeoutMinutes: 45, autoRenew: false, maxDurationMinutes: 90, warningThresholdMinutes: 7 },
    45,
  ],
  ['keys that are unknown', { timeoutMinutes: 10, color: 'red' }, { ...DEFAULTS, timeoutMinutes: 10 }, 10],
];

const METADATA: [name: string, metadata: object | undefined, shown: object][] = [
  ['nothing', undefined, {}],
  ['an empty object', {}, {}],
  ...[
    ['the four known keys', { platform: 'web', username: 'ann', discriminator: '0001', avatar: 'https://example.org/a.png' }] as const,
    ['keys of the caller', { tenant: 7, nested: { list: [1, null] } }] as const,
    ['keys that the service has itself', { sessionId: 'mine', agentId: 'mine', userId: 'mine' }] as const,
    ['an avatar that is no address', { avatar: 'a face' }] as const,
  ].map(([name, metadata]): [string, object, object] => [name, metadata, metadata]),
];

const NO_METADATA = 'Invalid metadata: it must be a JSON object of at most 10240 characters';

/** The message of each fault; where a body has several, the first in the order of contract 9A is the one that is told. */
const FAULTS: [name: string, body: object, told: string][] = [
  ['both ids are missing: both are named', {}, 'Missing required fields: agentId, userId'],
  ['agentId is missing: both are named', { userId: USER }, 'Missing required fields: agentId, userId'],
  ['userId is missing: both are named', { agentId: ADA.id }, 'Missing required fields: agentId, userId'],
  ['agentId is no text: that counts as missing', { agentId: 7, userId: 'y' }, 'Missing required fields: agentId, userId'],
  ['neither id is a UUID: agentId comes first', { agentId: 'x', userId: 'y' }, "Invalid UUID format for field 'agentId'"],
  ['userId and metadata are wrong', { agentId: ADA.id, userId: 'y', metadata: 7 }, "Invalid UUID format for field 'userId'"],
  ['metadata and timeoutConfig are wrong', { ...LEAST, metadata: 7, timeoutConfig: 7 }, NO_METADATA],
  ['userId is wrong and the agent unknown', { agentId: NOBODY, userId: 'y' }, "Invalid UUID format for field 'userId'"],
  ['metadata is wrong and the agent unknown', { agentId: NOBODY, userId: USER, metadata: [] }, NO_METADATA],
  ['a text of metadata is none', { ...LEAST, metadata: { avatar: 7 } }, 'Invalid metadata: avatar must be text'],
  ['timeoutConfig is no object', { ...LEAST, timeoutConfig: [] }, 'Invalid timeout configuration: timeoutConfig must be an object'],
  [
    'the timeout is wrong and the agent unknown',
    { agentId: NOBODY, userId: USER, timeoutConfig: { timeoutMinutes: 4 } },
    'Invalid timeout configuration: timeoutConfig.timeoutMinutes must be an integer from 5 to 1440',
  ],
  [
    'autoRenew is no boolean',
    { ...LEAST, timeoutConfig: { autoRenew: 1 } },
    'Invalid timeout configuration: timeoutConfig.autoRenew must be true or false',
  ],
  ...['maxDurationMinutes', 'warningThresholdMinutes'].map((field): [string, object, string] => [
    `${field} is too small`,
    { ...LEAST, timeoutConfig: { [field]: 0 } },
    `Invalid timeout configuration: timeoutConfig.${field} must be an integer from 1 to 2147483647`,
  ]),
  [
    'turnPolicy is an unknown word',
    { ...LEAST, turnPolicy: 'sometimes' },
    'turnPolicy must be one of the following values: enqueue, reject, interrupt',
  ],
];

const NOT_FOUND: [name: string, agentId: string][] = [
  ['is unknown', NOBODY],
  ['is not running', BOB.id],
  ['is the all-zero UUID', ZERO_UUID],
];

describe('POST /api/messaging/sessions', () => {
  const app = contractApp();
  const { api, clock } = app;
  const create = (body: unknown): ReturnType<typeof api.post> =>
    api.post(SESSIONS, body, { headers: { 'content-type': 'application/json' } });

  beforeAll(async () => {
    await app.test.app.get(UnitOfWork).commit([{ sql: "UPDATE agents SET status = 'inactive' WHERE id = ?", params: [BOB.id] }]);
    await app.test.restart();
  });

  describeBody({
    fields: FIELDS,
    good: () => LEAST,
    send: create,
    data: (answer) => expectHybrid(answer, 201),
    shape: SESSION,
    // The maximum is raised to the timeout: see below. The channel has the policy.
    shownAt: { 'timeoutConfig.maxDurationMinutes': undefined, timeoutConfig: undefined, turnPolicy: undefined },
  });

  it('responds 201 with a Session under data and at the top level [sessions.create]', async () => {
    const session = expectHybrid(await create(LEAST), 201);
    expectShape(session, SESSION);
    const now = new Date(clock.now()).toISOString();
    expect(session).toMatchObject({ agentId: ADA.id, userId: USER, createdAt: now, lastActivity: now, renewalCount: 0 });
    expect(session).toMatchObject({ timeRemaining: 30 * MINUTE, isNearExpiration: false, status: 'active' });
    expectOnly(session.timeoutConfig, DEFAULTS);
    expectOnly(session.metadata, {});
  });

  it('stores the returned session [sessions.create]', async () => {
    const session = expectHybrid(await create({ ...LEAST, metadata: { a: 1 }, timeoutConfig: { timeoutMinutes: 7 } }), 201);
    expect(expectHybrid(await api.get(`${SESSIONS}/${session.sessionId}`))).toEqual(session);
  });

  it('creates a new session each time, with its own channel', async () => {
    const [one, other] = [expectHybrid(await create(LEAST), 201), expectHybrid(await create(LEAST), 201)];
    expect(new Set([one.sessionId, other.sessionId, one.channelId, other.channelId]).size).toBe(4);
  });

  it('finds the agent by its id in upper case and shows ids in lower case [sessions.parties]', async () => {
    const user = 'abcdefab-1111-4111-8111-abcdefabcdef';
    const session = expectHybrid(await create({ agentId: ADA.id.toUpperCase(), userId: user.toUpperCase() }), 201);
    expect(session).toMatchObject({ agentId: ADA.id, userId: user });
  });

  it.each([ADA.id, BOB.id.toUpperCase()])('accepts a user that is not an agent: %s', async (userId) => {
    const answer = await create({ agentId: ADA.id, userId });
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.message).toContain('userId');
  });

  it('returns the expiry in the header X-Session-Expires-At', async () => {
    const answer = await create(LEAST);
    expect(answer.headers.get('x-session-expires-at')).toBe(answer.body.data.expiresAt);
  });

  describe('applies timeoutConfig [sessions.defaults] [sessions.timeout] [sessions.minutes]', () => {
    it.each(CONFIGURATIONS)('with %s, to all four fields and the expiry', async (_name, asked, config, minutes) => {
      const session = expectHybrid(await create({ ...LEAST, timeoutConfig: asked }), 201);
      expectOnly(session.timeoutConfig, config);
      expect(session.expiresAt).toBe(new Date(clock.now() + minutes * MINUTE).toISOString());
    });
  });

  describe('returns metadata [sessions.metadata]', () => {
    it.each(METADATA)('with %s, and makes a direct channel of agent and user, whose own keys it keeps', async (_name, metadata, shown) => {
      const session = expectHybrid(await create({ ...LEAST, metadata }), 201);
      expectOnly(session.metadata, shown);
      const { data } = (await api.get(`/api/messaging/channels/${session.channelId}`)).body;
      expect(data).toMatchObject({ name: `session-${session.sessionId}`, type: 'DM' });
      expect(data.metadata).toMatchObject({ sessionId: session.sessionId, agentId: ADA.id, userId: USER });
      expect(data.metadata.participantCentralUserIds.sort()).toEqual([ADA.id, USER].sort());
    });
  });

  describe('reports the first error when [sessions.errors] [sessions.parties]', () => {
    it.each(FAULTS)('%s', async (_name, body, told) => {
      const answer = await create(body);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toBe(told);
    });

    it.each(NOT_FOUND)('the agent %s', async (_name, agentId) => {
      const answer = await create({ agentId, userId: USER });
      expectError(answer, 404, 'AGENT_NOT_FOUND');
      expect(answer.body.error.message).toBe(`Agent with ID '${agentId}' not found`);
    });
  });

  it('names every invalid field in details', async () => {
    const answer = await create({ agentId: 'x', userId: 'y', metadata: 7, timeoutConfig: { timeoutMinutes: 4, autoRenew: 'yes' } });
    expectError(answer, 400, 'VALIDATION_ERROR');
    for (const field of ['agentId', 'userId', 'metadata', 'timeoutMinutes', 'autoRenew']) {
      expect(answer.body.error.details).toContain(field);
    }
  });

  it('creates neither session nor channel when it refuses', async () => {
    const count = async (): Promise<number[]> => [
      (await api.get(SESSIONS)).body.data.total,
      (await api.get(`/api/messaging/message-servers/${DEFAULT_SERVER_ID}/channels`)).body.data.length,
    ];
    const before = await count();
    for (const [, body] of FAULTS) expect((await create(body)).status).toBe(400);
    for (const [, agentId] of NOT_FOUND) expect((await create({ agentId, userId: USER })).status).toBe(404);
    expect(await count()).toEqual(before);
  });

  it('hides the cause of an internal error behind a 500 [envelope.internal] [sessions.errors]', async () => {
    app.breakStorage();
    expectError(await create(LEAST), 500, 'INTERNAL_ERROR');
  });
});
