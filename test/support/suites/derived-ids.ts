import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../../src/bootstrap/create-app.js';
import { Reader, UnitOfWork, type Engine, type SqlValue } from '../../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, idForAgent, idFromText, InstallationIds, newId } from '../../../src/core/ids/index.js';
import { DerivedChannels, UserIds } from '../../../src/modules/messaging/index.js';
import { ApiClient } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { scriptedSpeech } from '../scripted-speech-app.js';

const [ONE, OTHER, THIRD] = ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222', newId()];
const DIRECT = idFromText(`direct:${DEFAULT_SERVER_ID}:${ONE}:${OTHER}`);
const CHANNELS = '/api/messaging/channels';

type Json = ReturnType<typeof JSON.parse>;

/** A channel as the version before wrote it. */
interface OldChannel {
  readonly id: string;
  readonly channelType?: string;
  readonly metadata?: object;
  readonly participants?: readonly (readonly [id: string, kind: 'user' | 'agent'])[];
  /** Time before the key was made, ms. */
  readonly before?: number;
}

/** Ids that only one installation can compute: where they come from, and what was there before. */
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
    const write = (sql: string, ...params: SqlValue[]): Promise<unknown> => test.app.get(UnitOfWork).commit([{ sql, params }]);
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
    const old = async ({ id, channelType = 'GROUP', metadata = {}, participants = [], before = 1 }: OldChannel): Promise<void> => {
      const at = test.app.get(InstallationIds).createdAt - before;
      await write(
        `INSERT INTO channels (id, server_id, name, type, channel_type, description, source_type, source_id, metadata, turn_policy, created_at, updated_at)
          VALUES (?, ?, 'old', ?, ?, NULL, NULL, NULL, ?, 'enqueue', ?, ?)`,
        ...[id, DEFAULT_SERVER_ID, channelType, channelType, JSON.stringify(metadata), at, at],
      );
      for (const [entityId, kind] of participants) {
        await write(
          'INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at) VALUES (?, ?, ?, ?)',
          id,
          entityId,
          kind,
          at,
        );
      }
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
      expect([(await derived.direct(ONE, OTHER, 'all')).id, await people.fromPlatform('irc', 'ann')]).toEqual([channelId, authorId]);
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

    describe('in a database of an earlier version', () => {
      it('a direct channel keeps its id', async () => {
        await old({
          id: DIRECT,
          channelType: 'DM',
          participants: [
            [ONE, 'user'],
            [OTHER, 'user'],
          ],
        });
        expect([await direct(), await direct()]).toEqual([DIRECT, DIRECT]);
        expect((await api.delete(`${CHANNELS}/${DIRECT}`)).status).toBe(204);
        expect(await direct()).not.toBe(DIRECT);
      });

      it.each<[string, Omit<OldChannel, 'id'>]>([
        [
          'one that a third has joined',
          {
            channelType: 'DM',
            participants: [
              [ONE, 'user'],
              [OTHER, 'user'],
              [THIRD, 'user'],
            ],
          },
        ],
        [
          'one with another agent in it',
          {
            channelType: 'DM',
            participants: [
              [ONE, 'user'],
              [ADA.id, 'agent'],
            ],
          },
        ],
        [
          'a group',
          {
            participants: [
              [ONE, 'user'],
              [OTHER, 'user'],
            ],
          },
        ],
        [
          'one that was made as the key was',
          {
            channelType: 'DM',
            participants: [
              [ONE, 'user'],
              [OTHER, 'user'],
            ],
            before: 0,
          },
        ],
        [
          'one that was made after the key',
          {
            channelType: 'DM',
            participants: [
              [ONE, 'user'],
              [OTHER, 'user'],
            ],
            before: -1,
          },
        ],
      ])('a direct channel is not %s', async (_what, channel) => {
        await old({ id: DIRECT, ...channel });
        const id = await direct();
        expect(id).not.toBe(DIRECT);
        expect(await direct()).toBe(id);
      });

      it('channels of platforms and conversations keep their ids, and users keep their messages', async () => {
        const [ann, ben] = [idFromText('irc:user:ann'), idFromText('ben')];
        await old({ id: idFromText('irc:channel:lobby'), metadata: { created_by: 'irc' }, participants: [[ann, 'user']] });
        await old({
          ...{ id: idForAgent(BOB.id, 'kitchen'), channelType: 'VOICE_DM', metadata: { created_by: 'audio' } },
          participants: [
            [ben, 'user'],
            [BOB.id, 'agent'],
          ],
        });
        expect(await ingest()).toMatchObject({ channelId: idFromText('irc:channel:lobby'), authorId: ann });
        expect((await ingest({ userId: 'new' })).authorId).not.toBe(idFromText('irc:user:new'));
        expect(await talk({ roomId: 'kitchen', entityId: 'ben' })).toEqual({ channelId: idForAgent(BOB.id, 'kitchen'), authorId: ben });
      });

      it('a user who only wrote is known as well, but not by later messages', async () => {
        const author = (name: string): string => idFromText(`irc:user:${name}`);
        const { channelId } = await ingest();
        for (const name of ['cat', 'dan']) {
          await api.post(`${CHANNELS}/${channelId}/messages`, { author_id: author(name), content: 'Hello' });
        }
        await write('UPDATE messages SET created_at = ? WHERE author_id = ?', test.app.get(InstallationIds).createdAt - 1, author('cat'));
        expect((await ingest({ userId: 'cat' })).authorId).toBe(author('cat'));
        expect((await ingest({ userId: 'dan' })).authorId).not.toBe(author('dan'));
      });

      it.each<[string, string, Omit<OldChannel, 'id'>, () => Promise<string>]>([
        [
          'another door has made',
          idFromText('irc:channel:lobby'),
          { metadata: { created_by: 'eliza_gui' } },
          async () => (await ingest()).channelId,
        ],
        [
          'is younger than the key',
          idFromText('irc:channel:lobby'),
          { metadata: { created_by: 'irc' }, before: 0 },
          async () => (await ingest()).channelId,
        ],
        [
          'is of another agent',
          idForAgent(BOB.id, 'kitchen'),
          { channelType: 'VOICE_DM', participants: [[ADA.id, 'agent']] },
          async () => (await talk({ roomId: 'kitchen' })).channelId,
        ],
      ])('a channel that %s does not count as the earlier one', async (_what, id, channel, comes) => {
        await old({ id, ...channel });
        const found = await comes();
        expect(found).not.toBe(id);
        expect(await comes()).toBe(found);
      });

      it('a user who wrote as an agent under its name no longer does', async () => {
        await old({ id: newId(), participants: [[BOB.id, 'user']] });
        expect((await talk({ entityId: 'Bob' })).authorId).not.toBe(BOB.id);
      });
    });
  });
}
