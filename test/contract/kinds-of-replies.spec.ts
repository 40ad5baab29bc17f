// What becomes of answers that are more, or less, than a text: reasoning, resets, empty ends, refusals, and streams that break off.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Reader } from '../../src/core/database/index.js';
import { AppError } from '../../src/core/errors/index.js';
import type { ChatEvent, ChatFinish } from '../../src/providers/models/index.js';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { allEvents } from '../support/sse-client.js';
import { contractApp, SESSIONS } from './support/contract-app.js';

const THOUGHT = 'They want a number, so I count.';
const finish = (reason: ChatFinish['reason'], more: Partial<ChatFinish> = {}): ChatFinish => ({
  type: 'finish',
  reason,
  usage: {},
  ...more,
});
const reasoned: ChatEvent[] = [
  { type: 'reasoning', text: THOUGHT },
  { type: 'delta', text: 'Three.' },
  finish('stop', { reasoning: { text: THOUGHT } }),
];
const PLUGIN = `module.exports = { name: 'quiet', actions: [
  { name: 'IGNORE', description: 'Says nothing.', handler: async () => ({ success: true }) }] };`;

describe('a reply', () => {
  const app = contractApp({}, { plugins: { 'quiet.cjs': PLUGIN } });
  const speech = scriptedSpeech(() => app.test);
  const { api } = app;
  const session = async (): Promise<string> => (await app.newSession()).sessionId;
  const say = (sessionId: string, content = 'How many?'): ReturnType<typeof api.post> =>
    api.post(`${SESSIONS}/${sessionId}/messages`, { content, transport: 'http' });
  const said = async (sessionId: string): Promise<{ content: string; metadata: Record<string, unknown> }[]> =>
    (await api.get(`${SESSIONS}/${sessionId}/messages`)).body.data.messages;
  /** Of the last run. */
  const lastRun = async (): Promise<{ status: string; runId: string }> =>
    (await api.get(`/api/agents/${ADA.id}/runs?limit=1`)).body.data.runs[0];

  beforeEach(() => void app.clock.advance(1000));

  it("keeps the model's reasoning out of everything except the run", async () => {
    app.test.model.events(reasoned).reply('You are welcome.');
    const id = await session();
    expect((await say(id)).body.data.agentResponse.text).toBe('Three.');
    const { runId } = await lastRun();
    await say(id, 'Thanks.');
    expect(JSON.stringify(app.test.model.requests.at(-1)?.messages)).not.toContain(THOUGHT);
    expect(JSON.stringify(await said(id))).not.toContain(THOUGHT);
    const { events } = (await api.get(`/api/agents/${ADA.id}/runs/${runId}`)).body.data;
    expect(events).toContainEqual(expect.objectContaining({ type: 'MODEL_USED', data: expect.objectContaining({ reasoning: THOUGHT }) }));
    const { memories } = (await api.get(`/api/memory/${ADA.id}/memories`)).body.data;
    expect(JSON.stringify(memories)).not.toContain(THOUGHT);
  });

  it('stores the reasoning encrypted', async () => {
    app.test.model.events(reasoned);
    await say(await session());
    const steps = await app.test.app.get(Reader).rows<{ payload: string }>('SELECT payload FROM turn_steps', []);
    const payloads = JSON.stringify(steps);
    expect(payloads).not.toContain(THOUGHT);
    expect(payloads).toContain('sealed:1:');
  });

  it("returns the reasoning of a call to the model in the service's format", async () => {
    const reasoning = { text: THOUGHT, fields: { reasoning_content: THOUGHT } };
    const extra = { extra_content: { google: { thought_signature: 'c2ln' } } };
    app.test.model
      .events([{ type: 'tool-call', id: 'call00001', name: 'IGNORE', input: {}, extra }, finish('tool-calls', { reasoning })])
      .reply('Three.');
    await say(await session());
    expect(app.test.model.requests.at(-1)?.messages.at(-2)).toEqual({
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call00001', name: 'IGNORE', input: {}, extra }],
      reasoning,
    });
  });

  it('is spoken without text that turned out to be reasoning', async () => {
    app.test.model.events([
      { type: 'reasoning', text: 'One. Two. ' },
      { type: 'delta', text: 'Three.' },
    ]);
    speech.synthesizer.always();
    const answer = await api.post(`/api/audio/${ADA.id}/speech/conversation`, { text: 'How many?' });
    expect(answer.status).toBe(200);
    expect(speech.synthesizer.requests.map(({ text }) => text)).toEqual(['Three.']);
  });

  it('restarts when the model marks its text as reasoning', async () => {
    app.test.model.events([{ type: 'delta', text: 'I count.' }, { type: 'reset' }, { type: 'delta', text: 'Three.' }]);
    expect((await say(await session())).body.data.agentResponse.text).toBe('Three.');
  });

  it("has the model's stop reason in its metadata", async () => {
    app.test.model.events([{ type: 'delta', text: 'One, two, thr' }, finish('length')]);
    const id = await session();
    expect((await say(id)).body.data.agentResponse.metadata).toMatchObject({ finishReason: 'length' });
    expect((await said(id))[0]).toMatchObject({ content: 'One, two, thr', metadata: { finishReason: 'length' } });
  });

  it.each<[string, ChatFinish, RegExp, RegExp]>([
    ['its limit', finish('length'), /limit of output tokens before the first word\.$/, /maxTokens/],
    ['its limit while it thinks', finish('length', { reasoning: { text: 'Hm' } }), /while it was thinking/, /maxTokens/],
    ['a filter', finish('content-filter'), /content filter/, /other words/],
    [
      'itself, with its reason',
      finish('stop', { refusal: 'I cannot\nhelp with that' }),
      /declines to reply: I cannot help with that\./,
      /other words/,
    ],
  ])('fails when the model is stopped before the first word by %s', async (_what, end, message, details) => {
    app.test.model.events([end]);
    const answer = await say(await session());
    expectError(answer, 503, 'EMPTY_REPLY');
    expect(answer.body.error.message).toMatch(message);
    expect(answer.body.error.details).toMatch(details);
    expect((await lastRun()).status).toBe('error');
  });

  it('is requested again when it is empty, and fails when it is empty again', async () => {
    app.test.model.reply('').reply('Three.');
    const id = await session();
    expect((await say(id)).body.data.agentResponse.text).toBe('Three.');
    app.test.model.reply('').reply(' \n ');
    expectError(await say(id), 503, 'EMPTY_REPLY');
  });

  it('may be empty when the agent chooses silence after an action, or in a group', async () => {
    app.test.model.calls([{ name: 'IGNORE', input: {} }]).reply('');
    const answer = await say(await session());
    expect([answer.status, answer.body.data.agentResponse]).toEqual([201, null]);
    expect((await lastRun()).status).toBe('completed');
    app.clock.advance(1000);
    app.test.model.reply('');
    const { id: channelId } = await app.newChannel();
    await app.say(channelId, 'Anybody?');
    await app.ended(channelId);
    expect((await lastRun()).status).toBe('completed');
  });

  it('keeps its text when the stream breaks off, for users and for the next prompt', async () => {
    const fault = new AppError('MODEL_UNAVAILABLE', 'The model broke off.', 'Try again.');
    app.test.model.fail(fault, { after: ['One, two, '] }).reply('Three.');
    const id = await session();
    const response = await fetch(`${app.test.url}${SESSIONS}/${id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Count.', transport: 'sse' }),
    });
    const events = await allEvents(response);
    expect(events.filter(({ event }) => event === 'chunk').map(({ data }) => data.text)).toEqual(['One, two, ']);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'MODEL_UNAVAILABLE' } });
    expect((await said(id))[0]).toMatchObject({
      content: 'One, two,',
      isAgent: true,
      metadata: { finishReason: 'error', failure: { code: 'MODEL_UNAVAILABLE', message: 'The model broke off.' } },
    });
    await say(id, 'Go on.');
    expect(
      app.test.model.requests
        .at(-1)
        ?.messages.slice(1)
        .map(({ role, content }) => [role, content]),
    ).toEqual([
      ['user', 'Count.'],
      ['assistant', 'One, two,'],
      ['user', 'Go on.'],
    ]);
  });
});
