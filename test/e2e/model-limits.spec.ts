// A model service that accepts only so many calls (429 with Retry-After), beside one that accepts all.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { until } from '../support/queue-fixture.js';
import { allEvents } from '../support/sse-client.js';

const CALLS = 20;
const RETRY_AFTER_S = 45;
const SESSIONS = '/api/messaging/sessions';

let clock: FakeClock;
let limited: ModelServer;
let other: ModelServer;
let test: TestApp;
let api: ApiClient;
beforeEach(async () => {
  clock = new FakeClock();
  [limited, other] = [await startModelServer(), await startModelServer()];
  test = await createTestApp({
    clock,
    // Both limits are shorter than the pause.
    env: { OPENAI_BASE_URL: limited.baseUrl, ANTHROPIC_BASE_URL: other.baseUrl, ANTHROPIC_API_KEY: 'a-key', ...SHORT },
    characters: [
      { name: ADA.name, bio: 'Ada is an agent of the tests.' },
      { name: BOB.name, bio: 'Bob is the other agent.', settings: { modelProvider: 'anthropic' } },
    ],
  });
  // The real registry in place of the scripted model.
  Reflect.deleteProperty(test.app.get(ModelRegistry), 'chat');
  api = new ApiClient(() => test.url);
});
afterEach(async () => {
  await test.close();
  await Promise.all([limited.close(), other.close()]);
});

const SHORT = { TURN_TIMEOUT_MS: '1000', MODEL_TIMEOUT_MS: '1000', METRICS: 'on' };

/** @returns the last event of the reply */
async function ask(agentId: string, content: string): Promise<unknown> {
  const userId = `00000000-0000-4000-8000-${content.padStart(12, '0')}`;
  const { sessionId } = (await api.post(SESSIONS, { agentId, userId })).body.data;
  const stream = await fetch(`${test.url}${SESSIONS}/${sessionId}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content, transport: 'sse' }),
  });
  return (await allEvents(stream)).at(-1);
}

function replyTo(content: string): object {
  return { event: 'done', data: { text: `You said: ${content}` } };
}

async function problems(): Promise<{ subject: string; count: number; message: string; details: string }[]> {
  return (await api.get('/api/server/problems')).body.data.problems;
}

function held(): number {
  return test.app
    .get(ModelRegistry)
    .heldCalls()
    .reduce((sum, { calls }) => sum + calls, 0);
}

it('holds the calls that a service refuses until it accepts them, and loses no turn', async () => {
  let calls = 0;
  limited.otherwise(async () => {
    calls += 1;
    const isRefused = calls <= CALLS && calls % 2 === 0;
    await limited.received(CALLS);
    return isRefused ? { kind: 'status', status: 429, headers: { 'retry-after': String(RETRY_AFTER_S) } } : { kind: 'reply' };
  });
  let ended = 0;
  const replies = Array.from({ length: CALLS }, (_, index) => ask(ADA.id, `${index}`).finally(() => (ended += 1)));
  await until(() => held() === CALLS / 2 && ended === CALLS / 2);
  replies.push(ask(ADA.id, `${CALLS}`));
  await until(() => held() === CALLS / 2 + 1);
  clock.advance(29_999);
  expect(await problems()).toEqual([]);

  clock.advance(1);
  const [problem, ...more] = await problems();
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ kind: 'model', subject: 'gpt-4o-mini', count: CALLS / 2 + 1 });
  expect(problem?.message).toMatch(
    /^Calls of gpt-4o-mini \(openai\) wait because the service accepts no more of them: 11, the oldest for 30 s\.$/,
  );
  expect(problem?.details).toMatch(/raise the rate limit of the account of OPENAI_API_KEY/);
  const metrics: string = (await api.get('/metrics')).body;
  expect(metrics.split('\n').filter((line) => line.startsWith('parley_model_calls_held'))).toEqual([
    `parley_model_calls_held{provider="openai",model="gpt-4o-mini"} ${CALLS / 2 + 1}`,
    'parley_model_calls_held_age_seconds{provider="openai",model="gpt-4o-mini"} 30',
  ]);

  expect(await ask(BOB.id, '99')).toMatchObject(replyTo('99'));
  clock.advance(RETRY_AFTER_S * 1000 - 30_001);
  expect(other.requests).toHaveLength(1);
  expect(limited.requests).toHaveLength(CALLS);

  clock.advance(1);
  expect(await Promise.all(replies)).toMatchObject(Array.from({ length: CALLS + 1 }, (_, index) => replyTo(`${index}`)));
  expect(limited.requests).toHaveLength(CALLS + CALLS / 2 + 1);
  expect(await problems()).toEqual([]);
});
