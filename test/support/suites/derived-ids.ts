import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../../src/bootstrap/create-app.js';
import { Reader, type Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { DerivedChannels, UserIds } from '../../../src/modules/messaging/index.js';
import { ApiClient } from '../api-client.js';
import { BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { scriptedSpeech } from '../scripted-speech-app.js';

const [ONE, OTHER, THIRD] = ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222', newId()];
const CHANNELS = '/api/messaging/channels';

type Json = ReturnType<typeof JSON.parse>;

/** Ids that only one installation can compute. */
export function describeDerivedIds(engine: Engine): void {
  describe(`ids of an installation on ${engine}`, () => {
    let test: TestApp;
    let clock: FakeClock;
    const api = new ApiClient(() => test.url);
    beforeEach(async () => {
      clock = new FakeClock();
      test = await createTestApp({ engine, clock });
      test.model.always(() => 'Noted.');
    });
    afterEach(() => test.close());
    const speech = scriptedSpeech(() => test);

    const data = async (answer: ReturnType<ApiClient['post']>): Promise<Json> => {
      const { status, body } = await answer;
      if (status >= 300) throw new Error(`this was to succeed: ${status} ${JSON.stringify(body)}`);
      return body.data;
    };
    const direct = async (): Promise<string> =>
      (await data(api.get(`/api/messaging/dm-channel?currentUserId=${ONE}&targetUserId=${OTHER}`))).id;
    const ingest = async (body: object = {}): Promise<{ channelId: string; authorId: string }> => {
      const message = { roomId: 'lobby', userId: 'ann', text: newId(), sourceType: 'irc', ...body };
      const { messageId } = await data(api.post('/api/messaging/ingest-external', message));
      return data(api.get(`/api/messaging/messages/${messageId}`));
    };
    const talk = async (body: object): Promise<{ channelId: string; authorId: string }> => {
      speech.synthesizer.always();
      const response = await fetch(`${test.url}/api/audio/${BOB.id}/speech/conversation`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Hello.', ...body }),
      });
      await response.arrayBuffer();
      return { channelId: response.headers.get('x-channel-id') ?? '', authorId: response.headers.get('x-entity-id') ?? '' };
    };

    it('are the same after a restart and a rotation of SECRET_KEY', async () => {
      const [channelId, { authorId }] = [await direct(), await ingest()];
      const secret = (await readFile(join(test.config.dataDir, 'secret.key'), 'utf8')).trim();
      const sealed = async (app: NestExpressApplication): Promise<string | undefined> =>
        (await app.get(Reader).rows<{ sealed: string }>('SELECT sealed FROM installation_key'))[0]?.sealed;
      const before = await sealed(test.app);
      await test.restart();
      expect([await direct(), (await ingest()).authorId, await sealed(test.app)]).toEqual([channelId, authorId, before]);
      await test.app.close();
      const secretKey = 'another key, of more than 32 characters';
      const rotated = await createApp({ ...test.config, secretKey, secretKeyPrevious: [secret] }, { clock });
      expect(await sealed(rotated)).not.toBe(before);
      await rotated.close();
      // The old key is not needed any more.
      test.app = await createApp({ ...test.config, secretKey }, { clock });
      const [derived, people] = [test.app.get(DerivedChannels), test.app.get(UserIds)];
      expect([(await derived.direct(ONE, OTHER, 'all')).id, people.fromPlatform('irc', 'ann')]).toEqual([channelId, authorId]);
    });

    it('are equal for concurrent and later requests', async () => {
      const channels = await Promise.all(Array.from({ length: 10 }, () => ingest({ text: 'Hi' })));
      expect(new Set(channels.map(({ channelId, authorId }) => channelId + authorId)).size).toBe(1);
      const places = await Promise.all(Array.from({ length: 5 }, () => direct()));
      // One is not theirs alone any more: the next is found by all again.
      await api.patch(`${CHANNELS}/${places[0] ?? ''}`, { participantCentralUserIds: [ONE, OTHER, THIRD] });
      places.push(...(await Promise.all(Array.from({ length: 5 }, () => direct()))));
      expect(new Set(places).size).toBe(2);
    });

    it("differ from an agent's id for a user with the agent's name", async () => {
      expect((await talk({ entityId: 'Bob' })).authorId).not.toBe(BOB.id);
    });
  });
}
