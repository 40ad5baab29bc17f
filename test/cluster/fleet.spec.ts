// Two applications on one PostgreSQL database: what the one changes, the other does not hold on to.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { createApp } from '../../src/bootstrap/create-app.js';
import { UnitOfWork } from '../../src/core/database/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { append, Journal } from '../../src/core/journal/index.js';
import { AgentsService } from '../../src/modules/agents/index.js';
import { AgentMemory, Recall } from '../../src/modules/memory/index.js';
import { signatureOf } from '../../src/modules/memory/vectors/vector-index.js';
import { VectorIndexes } from '../../src/modules/memory/vectors/vector-indexes.js';
import { toJournalChannel } from '../../src/modules/messaging/channels/channel-rows.js';
import { ChannelsService } from '../../src/modules/messaging/channels/channels.service.js';
import { GENERAL_CHANNEL_ID } from '../../src/modules/messaging/channels/general-channel.js';
import { TurnRunner } from '../../src/modules/turns/index.js';
import { ModelRegistry } from '../../src/providers/models/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeEmbedding } from '../support/fake-embedding.js';
import { Gate } from '../support/scripted-model.js';
import { eventually } from '../support/memory-app.js';

describe('two processes', () => {
  let first: TestApp;
  let second: NestExpressApplication | undefined;
  let folder: string;
  const api = new ApiClient(() => `http://127.0.0.1:${(second?.getHttpServer().address() as AddressInfo).port}`);

  beforeEach(async () => {
    first = await createTestApp({ engine: 'postgres', env: { SECRET_KEY: 'the key that both processes have, long enough' } });
    folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  });
  afterEach(async () => {
    await second?.close();
    second = undefined;
    await first.close();
    await rm(folder, { recursive: true, force: true });
  });

  const startSecond = async (...characters: { readonly name: string }[]): Promise<NestExpressApplication> => {
    const charactersDir = join(folder, 'characters');
    await mkdir(charactersDir);
    for (const character of characters) await writeFile(join(charactersDir, `${character.name}.json`), JSON.stringify(character));
    second = await createApp({ ...first.config, dataDir: folder, charactersDir });
    await second.listen(0, '127.0.0.1');
    return second;
  };

  it('share the characters that either imports at its start', async () => {
    const [agents, channels] = [first.app.get(AgentsService), first.app.get(ChannelsService)];
    const cleo = idFromText('Cleo');
    const inGeneral = async (): Promise<boolean> =>
      (await channels.require(GENERAL_CHANNEL_ID)).participants.some(({ entityId, kind }) => entityId === cleo && kind === 'agent');
    expect(await inGeneral()).toBe(false);
    const changed = { name: ADA.name, bio: ['Ada has changed.'] };
    await startSecond(changed, { ...changed, name: 'Cleo' });
    await eventually(() => agents.find(cleo)?.name === 'Cleo' && agents.find(ADA.id)?.character.bio?.[0] === 'Ada has changed.');
    await eventually(inGeneral);
  });

  it('start together while one of them creates the default channel', async () => {
    const other = new Client({ connectionString: first.config.databaseUrl });
    await other.connect();
    await other.query(`CREATE TEMP TABLE made AS SELECT * FROM channels WHERE id = '${GENERAL_CHANNEL_ID}'`);
    await other.query(`DELETE FROM channels WHERE id = '${GENERAL_CHANNEL_ID}'`);
    await other.query('BEGIN');
    await other.query('INSERT INTO channels SELECT * FROM made');
    const starting = startSecond();
    const waits = 'SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';
    await eventually(async () => (await other.query(waits)).rows.length > 0);
    await other.query('COMMIT');
    await other.end();
    const { participants } = await (await starting).get(ChannelsService).require(GENERAL_CHANNEL_ID);
    expect(participants.map(({ entityId }) => entityId)).toContain(ADA.id);
  });

  it('both reply for an agent that one of them has just created', async () => {
    // It takes the first a while to read what the agent knows, and the second none.
    const docs = join(first.config.charactersDir, 'docs');
    await mkdir(docs);
    for (let index = 0; index < 300; index += 1) await writeFile(join(docs, `${index}.md`), 'A fact.');
    await (await startSecond()).get(TurnRunner).drain(0);
    first.model.reply('Here I am.');
    const { body } = await api.post('/api/agents', { characterJson: { name: 'Nova', bio: ['New.'], knowledge: [{ directory: 'docs' }] } });
    await api.post(`/api/agents/${body.data.id}/start`);
    const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: body.data.id, userId: randomUUID() })).body.data;
    const answer = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello?', transport: 'http' });
    expect(answer.body.data.agentResponse?.text).toBe('Here I am.');
  });

  it('stream a reply from one of them only: the other stops once the reply is taken over', async () => {
    const other = new Client({ connectionString: first.config.databaseUrl });
    await other.connect();
    const chunks = async (): Promise<number> =>
      Number((await other.query(`SELECT count(*) FROM journal WHERE type = 'message.chunk'`)).rows[0].count);
    const gate = new Gate();
    first.model.deltas(
      Array.from({ length: 1000 }, (_, index) => `${index} `),
      { gate },
    );
    const client = new ApiClient(() => first.url);
    const { sessionId } = (await client.post('/api/messaging/sessions', { agentId: ADA.id, userId: randomUUID() })).body.data;
    await client.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Count.', transport: 'websocket' });
    gate.release();
    await eventually(async () => (await chunks()) === 1);
    await other.query(`UPDATE turns SET lease_owner = 'another process', lease_until = ${Number.MAX_SAFE_INTEGER}`);
    const counts = new Set<number>();
    await eventually(async () => {
      gate.release();
      counts.add(await chunks());
      return first.app.get(TurnRunner).active === 0;
    });
    expect([...counts]).toEqual([1]);
    await other.end();
  });

  it('do not cache a channel that the other changes during the read', async () => {
    const other = await startSecond();
    const channel = await other
      .get(ChannelsService)
      .create({ name: 'before', type: 'text', channelType: 'GROUP', participants: [], users: 'all' });
    const locker = new Client({ connectionString: first.config.databaseUrl });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE channel_participants IN ACCESS EXCLUSIVE MODE');
    const channels = first.app.get(ChannelsService);
    const reading = channels.require(channel.id);
    await eventually(async () => {
      const { rows } = await locker.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'channel_participants'::regclass`);
      return rows.length > 0;
    });
    const heard = new Promise<void>((resolve) => {
      first.app.get(Journal).subscribe(({ type }) => {
        if (type === 'channel.updated') resolve();
      });
    });
    await other
      .get(UnitOfWork)
      .commit([
        { sql: 'UPDATE channels SET name = ? WHERE id = ?', params: ['after', channel.id] },
        append('channel.updated', channel.id, toJournalChannel({ ...channel, name: 'after' }), 1),
      ]);
    await heard;
    await locker.query('ROLLBACK');
    await locker.end();
    await reading;
    expect((await channels.require(channel.id)).name).toBe('after');
  });

  it('find a memory in its current state after the other changes or deletes it', async () => {
    const other = await startSecond();
    const found = async (query: string): Promise<string[]> => {
      const memories = await first.app.get(Recall, { strict: false }).relevant(ADA.id, query, { limit: 2, budgetMs: 10_000 });
      return memories.map(({ text }) => text);
    };
    const remember = (app: NestExpressApplication, text: string): Promise<string> =>
      app.get(AgentMemory, { strict: false }).create(ADA.id, { type: 'facts', content: { text }, metadata: {} });
    const ids = [await remember(first.app, 'The hangar is in Kiel.'), await remember(first.app, 'The other hangar is in Bonn.')];
    expect(await found('hangar')).toHaveLength(2);
    await api.patch(`/api/memory/${ADA.id}/memories/${ids[0]}`, { content: { text: 'The submarine is in Kiel.' } });
    await eventually(async () => (await found('submarine')).length === 1);
    expect(await found('hangar')).toEqual(['The other hangar is in Bonn.']);
    await remember(first.app, 'A hangar stands somewhere.');
    await api.delete(`/api/memory/${ADA.id}/memories/all/${ADA.id}`);
    await remember(other, 'My hangar is red.');
    await eventually(async () => (await found('hangar'))[0] === 'My hangar is red.');
  });

  it('search a vector that the other changes', async () => {
    const other = await startSecond();
    const model = new FakeEmbedding();
    for (const app of [first.app, other]) app.get(ModelRegistry).embeddings = () => model;
    const memory = first.app.get(AgentMemory, { strict: false });
    const [cat = new Float32Array(), dog = new Float32Array()] = await model.embed(['cat', 'dog']);
    const ids: string[] = [];
    const give = (index: number, vector: Float32Array): Promise<unknown> =>
      api.patch(`/api/memory/${ADA.id}/memories/${ids[index]}`, { embedding: [...vector] });
    for (const vector of [cat, dog]) {
      ids.push(await memory.create(ADA.id, { type: 'facts', content: { text: 'xyzzy' }, metadata: {} }));
      await give(ids.length - 1, vector);
    }
    const index = await first.app.get(VectorIndexes, { strict: false }).get(ADA.id, model.modelId);
    const nearest = (vector: Float32Array): string | undefined => index.nearest([signatureOf(vector)], 1, {})[0]?.memoryId;
    expect([nearest(cat), nearest(dog)]).toEqual(ids);
    await give(0, dog);
    await give(1, cat);
    await eventually(() => nearest(cat) === ids[1] && nearest(dog) === ids[0]);
    await api.delete(`/api/memory/${ADA.id}/memories/${ids[0]}`);
    await eventually(() => index.size === 1);
  });
});
