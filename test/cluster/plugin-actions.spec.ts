// The recorded steps of a turn with actions, on PostgreSQL.
import { afterEach, expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { HELD, PluginApp } from '../plugins/support/plugin-app.js';
import { serverEvents } from '../support/sse-client.js';

const app = new PluginApp();
afterEach(() => app.close());

it('a turn that another process takes over does not repeat recorded actions, and runs its evaluators afterwards', async () => {
  const source = `${HELD} export default { name: 'fixture',
    providers: [{ name: 'NOW', get: () => ({ text: 'It is noon.' }) }],
    evaluators: [{ name: 'REFLECT', handler: (r, m, s, o, c, said) => tell('reflect', said[0].content.text) }],
    actions: [
      { name: 'COUNT', description: 'x', handler(r, m, s, options) { tell('count', options.idempotencyKey); return { text: 'counted', data: { big: 1n } } } },
      { name: 'PAUSE', description: 'x', async handler(r, m, s, options, callback) {
          await callback('Pausing'); tell('pause', options.idempotencyKey); await held('gate'); return { text: 'paused' } } },
    ] };`;
  await app.start({ 'fixture.mjs': source }, { engine: 'postgres' });
  app.test.model.calls([
    { id: 'a', name: 'COUNT', input: {} },
    { id: 'b', name: 'PAUSE', input: {} },
  ]);
  const { body } = await app.api.post('/api/messaging/sessions', { agentId: ADA.id, userId: '11111111-1111-1111-1111-111111111111' });
  const { sessionId, channelId } = body.data;
  await app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Go.', transport: 'websocket' });
  await app.heard('held gate');
  const key = await app.heard('pause');
  const restarting = app.test.restart();
  app.clock.advance(0);
  await restarting;
  const { model } = app.test;
  model.reply('All done.');
  await app.release('gate');
  expect(await app.heard('pause')).toBe(key);
  const signal = AbortSignal.timeout(30_000);
  const stream = await fetch(`${app.test.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, { signal });
  for await (const { event } of serverEvents(stream)) if (event === 'turn.finished' || event === 'turn.failed') break;
  expect(await app.heard('reflect')).toBe('All done.');
  expect(app.told.filter(({ event }) => event === 'count')).toHaveLength(1);
  const results = model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(content) as unknown] : []));
  expect(results).toEqual([
    { success: true, text: 'counted', data: { big: '1' } },
    { success: true, text: 'paused' },
  ]);
  const { body: history } = await app.api.get(`/api/messaging/channels/${channelId}/messages`);
  expect(history.data.messages.map(({ content }: { content: string }) => content)).toEqual(['All done.', 'Pausing', 'Go.']);
});
