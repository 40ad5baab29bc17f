import { describe, expect, it } from '@jest/globals';
import { callRoute, type RouteTestResult } from 'parley-server/plugin-sdk/testing';
import plugin from './index.js';

const CHANNEL = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

function post(body: unknown, key = 'secret', settings: object = { POST_MESSAGE_KEY: 'secret' }): Promise<RouteTestResult> {
  return callRoute(plugin, { method: 'POST', path: '/post-message', body, headers: { 'X-API-KEY': key } }, { settings: { ...settings } });
}

describe('post-message', () => {
  it('posts what it is given', async () => {
    const answer = await post({ channelId: CHANNEL, message: 'Deployed', metadata: { build: 7 } });
    expect(answer).toMatchObject({ status: 200, body: { success: true, messageId: expect.any(String) } });
    expect(answer.sent).toEqual([{ channelId: CHANNEL, text: 'Deployed', metadata: { build: 7 } }]);
  });

  it.each([
    ['another key', post({ channelId: CHANNEL, message: 'x' }, 'wrong')],
    ['any key while none is set', post({ channelId: CHANNEL, message: 'x' }, 'secret', {})],
  ])('does not let in %s', async (_name, answer) => {
    expect(await answer).toMatchObject({ status: 401, body: { success: false, error: 'Unauthorized' }, sent: [] });
  });

  it.each([
    [undefined],
    [{ message: 'x' }],
    [{ channelId: CHANNEL }],
    [{ channelId: CHANNEL, message: '' }],
    [{ channelId: 7, message: 'x' }],
  ])('needs channel and message: %j', async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, sent: [] });
  });

  it('says why a message could not be posted', async () => {
    expect(await post({ channelId: CHANNEL, message: ' ' })).toMatchObject({ status: 400, body: { error: 'text must not be empty' } });
  });
});
