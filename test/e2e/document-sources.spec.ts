// An answer from documents: what the model is shown, and the sources that the reply names.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';

const TEXT = `# Warranty

Every kettle has a warranty of three years from the day of purchase.

# Returns

Returns are free within thirty days. Keep the receipt.`;

describe('replies from documents', () => {
  let test: TestApp;
  const api = new ApiClient(() => test.url);

  beforeAll(async () => {
    test = await createTestApp();
    await api.post(`/api/agents/${ADA.id}/knowledge`, { name: 'handbook.md', text: TEXT });
    await eventually(async () => (await api.get(`/api/agents/${ADA.id}/knowledge`)).body.data.documents[0]?.status === 'ready');
  });
  afterAll(() => test.close());

  async function ask(content: string, reply: string): Promise<ApiResponse['body']> {
    const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: newId() })).body.data;
    test.model.reply(reply);
    const { body } = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
    return body.agentResponse;
  }
  const prompt = (): unknown => test.model.requests.at(-1)?.messages[0]?.content;

  it('give the model the pieces with document and place, and list the sources it refers to', async () => {
    const answer = await ask('How long is the warranty of a kettle?', 'Three years [1].');
    expect(prompt()).toContain('[1] handbook.md, Warranty: Every kettle has a warranty of three years from the day of purchase.');
    const { memories } = (await api.get(`/api/agents/${ADA.id}/memories?tableName=knowledge&search=warranty`)).body.data;
    const [piece] = memories as { id: string }[];
    expect(piece).toBeDefined();
    expect(answer.metadata.sources).toEqual([
      {
        ...{ documentId: expect.any(String), memoryId: piece?.id, document: 'handbook.md', place: 'Warranty', url: null, reference: 1 },
        quote: 'Every kettle has a warranty of three years from the day of purchase.',
      },
    ]);
  });

  it('list the sources of statements without a reference', async () => {
    const answer = await ask('How do returns work?', 'Yes, returns are free within thirty days.');
    expect(answer.metadata.sources).toMatchObject([{ document: 'handbook.md', place: 'Returns' }]);
  });

  it('list none for an unrelated reply', async () => {
    expect((await ask('How long is the warranty of a kettle?', 'I would rather not say.')).metadata.sources).toBeUndefined();
    expect((await ask('Hello!', 'Hello, nice to see you.')).metadata.sources).toBeUndefined();
  });

  it('ignore a deleted document', async () => {
    const { documents } = (await api.get(`/api/agents/${ADA.id}/knowledge`)).body.data;
    await api.delete(`/api/agents/${ADA.id}/knowledge/${documents[0].id}`);
    await eventually(async () => (await api.get(`/api/agents/${ADA.id}/knowledge`)).body.data.documents.length === 0);
    const answer = await ask('How long is the warranty of a kettle?', 'Three years [1].');
    expect(prompt()).not.toContain('three years');
    expect(answer.metadata.sources).toBeUndefined();
  });
});
