// What an answer knows of earlier conversations, when embeddings are slow, late or away; and what its run says of that.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { newId } from '../../src/core/ids/index.js';
import { RecallRowsRepository } from '../../src/modules/memory/recall/recall-rows.repository.js';
import { VectorsRepository } from '../../src/modules/memory/vectors/vectors.repository.js';
import { TurnRunner } from '../../src/modules/turns/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { Gate } from '../support/scripted-model.js';
import { FakeEmbedding } from '../support/fake-embedding.js';
import { eventually } from '../support/memory-app.js';

type Data = ApiResponse['body'];

const USER = newId();
const FACT = 'my dog is called Rex';

describe('recall', () => {
  let test: TestApp;
  let api: ApiClient;
  let clock: FakeClock;
  let embeddings: FakeEmbedding;

  beforeEach(async () => {
    clock = new FakeClock();
    embeddings = new FakeEmbedding();
    test = await createTestApp({ clock, embeddings: () => embeddings });
    api = new ApiClient(() => test.url);
    expect((await ask(await begin(), FACT)).status).toBe(201);
  });
  afterEach(() => test.close());

  /** Lets the server be quiet until what was said has its vector. */
  async function embedAll(): Promise<void> {
    const vectors = test.app.get(VectorsRepository);
    await eventually(async () => {
      clock.advance(1000);
      return !(await vectors.hasPending());
    });
  }

  async function begin(): Promise<string> {
    // Runs of one instant have no order.
    clock.advance(1);
    return (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data.sessionId;
  }

  function ask(sessionId: string, content: string): Promise<ApiResponse> {
    test.model.reply('Yes.');
    return api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
  }

  const knows = (): boolean => JSON.stringify(test.model.requests.at(-1)?.messages[0]).includes(FACT);

  /** What the newest run says of its recall. */
  async function recorded(): Promise<Data> {
    const { runs } = (await api.get(`/api/agents/${ADA.id}/runs?limit=1`)).body.data;
    const { events } = (await api.get(`/api/agents/${ADA.id}/runs/${runs[0].runId}`)).body.data;
    return events.find(({ type }: Data) => type === 'MEMORY_RECALLED')?.data;
  }

  it('waits for slow embeddings, and reports the recalled memories in the run', async () => {
    await embedAll();
    const session = await begin();
    const release = embeddings.hold();
    const asked = embeddings.calls.length;
    const answer = ask(session, 'What is my dog called?');
    await eventually(() => embeddings.calls.length === asked + 1);
    clock.advance(120);
    release();
    expect((await answer).status).toBe(201);
    expect(knows()).toBe(true);
    expect(await recorded()).toEqual({
      executionTime: 120,
      byMeaning: { found: 1, durationMs: 120 },
      byWords: { found: expect.any(Number), durationMs: expect.any(Number) },
      memories: [
        {
          ...{ id: expect.any(String), roomId: expect.any(String), score: expect.any(Number), similarity: expect.any(Number) },
          foundBy: ['words', 'recency', 'meaning', 'related'],
        },
      ],
      ...{ documents: [], leftOut: [] },
    });
  });

  it('uses words when embeddings are late, and reports it', async () => {
    await embedAll();
    const session = await begin();
    embeddings.hold();
    const asked = embeddings.calls.length;
    const fetching = jest.spyOn(test.app.get(RecallRowsRepository), 'read');
    const answer = ask(session, 'What is my dog called?');
    await eventually(() => embeddings.calls.length === asked + 1 && fetching.mock.results.length === 1);
    await fetching.mock.results[0]?.value;
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(2000);
    expect((await answer).status).toBe(201);
    expect(knows()).toBe(true);
    expect(await recorded()).toMatchObject({
      executionTime: 2000,
      byMeaning: { skipped: 'late' },
      byWords: { found: 1 },
      memories: [{ similarity: null }],
    });
  });

  it('finds a recent message that has no vector yet', async () => {
    expect((await ask(await begin(), 'What is my dog called?')).status).toBe(201);
    expect(knows()).toBe(true);
    expect(await recorded()).toMatchObject({ byMeaning: { skipped: 'nothing_embedded' }, byWords: { found: 1 } });
  });

  it('finds in another conversation a message that is acknowledged and has no reply yet', async () => {
    const [talking, asking] = [await begin(), await begin()];
    const gate = new Gate();
    test.model.deltas(['Fine.'], { gate });
    const said = api.post(`/api/messaging/sessions/${talking}/messages`, { content: 'My parrot is called Polly.', transport: 'http' });
    await eventually(() => test.model.requests.at(-1)?.messages.at(-1)?.content === 'My parrot is called Polly.');
    expect((await ask(asking, 'Who is my bird?')).status).toBe(201);
    expect(test.model.requests.at(-1)?.messages[0]?.content).toContain('My parrot is called Polly.');
    gate.open();
    expect((await said).status).toBe(201);
  });

  it('forgets a deleted conversation only', async () => {
    const { sessionId, channelId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
    await ask(sessionId, 'my parrot is called Polly');
    await embedAll();
    await ask(await begin(), 'What is my dog called?');
    expect((await api.delete(`/api/messaging/channels/${channelId}`)).status).toBe(204);
    await ask(await begin(), 'What are my dog and my parrot called?');
    expect(knows()).toBe(true);
    expect(JSON.stringify(test.model.requests.at(-1))).not.toContain('Polly');
    expect(await recorded()).toMatchObject({ byMeaning: { found: 1 } });
  });

  it('works for the first question after a start, whose encoder starts in the background', async () => {
    await embedAll();
    embeddings = new FakeEmbedding();
    embeddings.warm = false;
    await test.restart();
    clock.advance(1000);
    await eventually(() => embeddings.warm);
    expect((await ask(await begin(), 'What is my dog called?')).status).toBe(201);
    expect(knows()).toBe(true);
    expect(await recorded()).toMatchObject({ byMeaning: { found: 1 } });
  });

  it('does not start the encoder without memories', async () => {
    embeddings = new FakeEmbedding();
    embeddings.warm = false;
    await test.app.get(UnitOfWork).commit([{ sql: 'DELETE FROM memories', params: [] }]);
    await test.restart();
    clock.advance(60_000);
    expect((await ask(await begin(), 'What is my dog called?')).status).toBe(201);
    expect(embeddings.calls).toEqual([]);
    expect(await test.app.get(VectorsRepository).hasPending()).toBe(true);
  });

  it('serves sixteen concurrent questions', async () => {
    await embedAll();
    const sessions = await Promise.all(Array.from({ length: 16 }, begin));
    const [asked, before] = [embeddings.calls.length, test.model.requests.length];
    const release = embeddings.hold();
    const answers = sessions.map((session, index) => ask(session, `What is my dog called? ${index}`));
    await eventually(() => embeddings.calls.length === asked + 16);
    release();
    for (const answer of answers) expect((await answer).status).toBe(201);
    const prompts = test.model.requests.slice(before).map(({ messages }) => JSON.stringify(messages[0]));
    expect(prompts.filter((prompt) => prompt.includes(FACT))).toHaveLength(16);
  });

  it('ends when the reply is cancelled', async () => {
    await embedAll();
    const { sessionId, channelId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
    embeddings.hold();
    const asked = embeddings.calls.length;
    const answer = ask(sessionId, 'What is my dog called?');
    await eventually(() => embeddings.calls.length === asked + 1);
    const { id } = (await api.get(`/api/messaging/channels/${channelId}/messages`)).body.data.messages[0];
    await api.delete(`/api/messaging/channels/${channelId}/messages/${id}`);
    expect((await answer).status).toBe(409);
    expect(test.app.get(TurnRunner).active).toBe(0);
  });
});
