// Tools that are known at run time only, beside the static actions of plugins.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { MODULES } from '../../src/app.module.js';
import { defineModule } from '../../src/core/modules/index.js';
import type { Tool, ToolContext, ToolSource } from '../../src/providers/tools/index.js';
import { TurnComponents } from '../../src/modules/turns/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { PluginApp, TELL } from '../plugins/support/plugin-app.js';

const USER = '11111111-1111-1111-1111-111111111111';
const CHARACTERS = [
  { ...ADA, bio: ['Ada is an agent of the tests.'] },
  { ...BOB, bio: 'Bob is the other agent.' },
];

let app: PluginApp;

async function start(plugins: Readonly<Record<string, string>> = {}): Promise<void> {
  await app.start(plugins, { characters: CHARACTERS });
}

beforeEach(() => {
  app = new PluginApp();
});
afterEach(async () => {
  app.test.model.assertDone();
  await app.close();
});

/** Registers a source as a module does. */
function register(source: ToolSource, onFailed?: (component: string, error: unknown) => void): () => void {
  const components = app.test.app.get(TurnComponents, { strict: false });
  return components.register('weather', { toolSources: [source], appliesTo: ({ id }) => id === ADA.id, onFailed });
}

const tool = (name: string, call: Tool['call'] = () => ({ success: true, text: name })): Tool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  call,
});

async function say(agentId = ADA.id): Promise<{ text: string; channelId: string }> {
  const { sessionId, channelId } = (await app.api.post('/api/messaging/sessions', { agentId, userId: USER })).body.data;
  const { body } = await app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Well?', transport: 'http' });
  return { text: body.data.agentResponse.text, channelId };
}

const offeredIn = (request: number): (string | undefined)[] => (app.test.model.requests[request]?.tools ?? []).map(({ name }) => name);
const resultsIn = (request: number): unknown[] =>
  (app.test.model.requests[request]?.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(content)] : []));

describe('a tool source', () => {
  it('is read once per turn, and only for agents that have it', async () => {
    await start();
    let names = ['rain', 'wind'];
    register({ name: 'forecast', tools: () => names.map((name) => tool(name)) });
    app.test.model.reply('One.').reply('Two.').reply('Three.');
    await say();
    names = ['snow'];
    await say();
    await say(BOB.id);
    expect([0, 1, 2].map(offeredIn)).toEqual([['rain', 'wind'], ['snow'], []]);
  });

  it('is declared by a module as a hook', async () => {
    @Injectable()
    class Forecast implements ToolSource {
      readonly name = 'forecast';
      tools({ agent }: ToolContext): Tool[] {
        return [tool(`rain_for_${agent.name}`)];
      }
    }
    @Module({ providers: [Forecast] })
    class ForecastModule {}
    MODULES.push(
      defineModule({ name: 'forecast', about: 'A module of this test.', module: ForecastModule, hooks: { toolSources: [Forecast] } }),
    );
    try {
      await start();
    } finally {
      MODULES.pop();
    }
    app.test.model.reply('One.');
    await say();
    expect(offeredIn(0)).toEqual(['rain_for_Ada']);
  });

  it('offers tools that are called, validated and recorded like actions', async () => {
    await start();
    const seen: unknown[] = [];
    register({
      name: 'forecast',
      tools: ({ agent, message }) => [
        tool('rain', async ({ parameters, idempotencyKey, abortSignal }, speak) => {
          seen.push({
            agent: agent.name,
            text: message.content.text,
            parameters,
            aborted: abortSignal.aborted,
            key: typeof idempotencyKey,
          });
          await speak('Looking out of the window.');
          return { success: true, text: 'none' };
        }),
      ],
    });
    app.test.model
      .calls([
        { name: 'rain', input: { town: 'Rome' } },
        { name: 'rain', input: { city: 'Rome' } },
      ])
      .reply('Dry.');
    const { text, channelId } = await say();
    expect(text).toBe('Dry.');
    expect(seen).toEqual([{ agent: 'Ada', text: 'Well?', parameters: { city: 'Rome' }, aborted: false, key: 'string' }]);
    expect(resultsIn(1)).toEqual([
      { success: false, error: expect.stringContaining('city: is missing') },
      { success: true, text: 'none' },
    ]);
    const { body } = await app.api.get(`/api/messaging/channels/${channelId}/messages`);
    expect(body.data.messages.map(({ content }: { content: string }) => content)).toEqual(['Dry.', 'Looking out of the window.', 'Well?']);
    const { runs } = (await app.api.get(`/api/agents/${ADA.id}/runs`)).body.data;
    const run = (await app.api.get(`/api/agents/${ADA.id}/runs/${runs[0].runId}`)).body.data;
    const actions = run.events.filter(({ type }: { type: string }) => type === 'ACTION_COMPLETED');
    expect(actions).toHaveLength(2);
    expect(JSON.stringify(actions)).toContain('rain');
  });

  it('is left out of a turn when it fails, and offers no invalid tool', async () => {
    await start();
    const faults: string[] = [];
    register({ name: 'broken', tools: () => Promise.reject(new Error('no connection')) }, (component, error) =>
      faults.push(`${component}: ${String(error)}`),
    );
    register(
      {
        name: 'odd',
        tools: () => [{ ...tool('typed'), parameters: { type: 'wrong' } }, { ...tool('x'), name: '' }, tool('fine')],
      },
      (component, error) => faults.push(`${component}: ${String(error)}`),
    );
    app.test.model.reply('Anyway.');
    expect((await say()).text).toBe('Anyway.');
    expect(offeredIn(0)).toEqual(['fine']);
    expect(faults).toEqual([
      expect.stringContaining('tool source odd: Error: the tool typed is not valid: its parameters must be of type object'),
      expect.stringContaining('tool source odd: Error: a tool needs a name'),
      'tool source broken: Error: no connection',
    ]);
  });

  it('offers at most a hundred tools', async () => {
    await start();
    register({ name: 'many', tools: () => Array.from({ length: 101 }, (_, index) => tool(`tool${index}`)) });
    app.test.model.reply('So many.');
    await say();
    expect(offeredIn(0)).toHaveLength(100);
  });

  it('does not block a turn when it hangs', async () => {
    await start();
    const asked: AbortSignal[] = [];
    const hangs = new Promise<void>((resolve) => {
      register({
        name: 'slow',
        tools: ({ signal }) => {
          asked.push(signal);
          resolve();
          return new Promise(() => undefined);
        },
      });
    });
    app.test.model.reply('Without it.');
    const answer = say();
    await hangs;
    app.clock.advance(2000);
    expect((await answer).text).toBe('Without it.');
    expect(offeredIn(0)).toEqual([]);
    expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('of a plugin adds actions, after static ones of the same name, until the plugin is unloaded', async () => {
    await start({
      'remote.mjs': `${TELL}
const action = (name, from) => ({ name, description: from, handler: (runtime) => ({ success: true, text: from + ' for ' + runtime.agentId }) });
export default {
  name: 'remote',
  actions: [action('SHARED', 'static')],
  toolSources: [
    { name: 'SERVER', tools: async (runtime, message) => [null, { name: 'IDLE' }, action('SHARED', 'found'), action('OWN', message.content.text)] },
    { name: 'DOWN', tools() { throw new Error('offline') } },
  ],
};
`,
    });
    app.test.model
      .calls([
        { name: 'SHARED', input: {} },
        { name: 'OWN', input: {} },
      ])
      .reply('Both.');
    await say();
    expect(offeredIn(0)).toEqual(['SHARED', 'OWN']);
    expect(resultsIn(1)).toEqual([
      { success: true, text: `static for ${ADA.id}` },
      { success: true, text: `Well? for ${ADA.id}` },
    ]);
    expect((await app.listed())['remote']).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ component: 'tool source DOWN', count: 1 }),
        expect.objectContaining({ component: 'tool source SERVER', count: 2 }),
      ]),
    });
  });
});
