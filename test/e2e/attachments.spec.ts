// What a model gets of the files in a conversation.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { pdfOf } from '../support/documents.mjs';
import { form, png } from '../support/uploads.js';

const USER = '11111111-1111-1111-1111-111111111111';

// What draws a picture, and says so in its own words and through the runtime.
const PAINTER = `
const url = 'data:image/png;base64,${png(3).toString('base64')}';
export default {
  name: 'painter',
  actions: [{
    name: 'PAINT',
    description: 'Paints.',
    handler: async (runtime, message, state, options, say) => {
      await say({ text: 'Here it is.', attachments: [{ url, name: 'grey.png' }, { url: 'https://example.org/a.png' }] });
      await runtime.sendMessage({ channelId: message.channelId, text: 'And again.', attachments: [{ url }] });
    },
  }],
};`;

describe('the files of a conversation [media.for-models]', () => {
  let test: TestApp;
  let api: ApiClient;
  let session: { sessionId: string; channelId: string };

  beforeAll(async () => {
    const characters = [
      { name: ADA.name, bio: ['Ada sees.'], plugins: ['painter'] },
      { name: BOB.name, bio: 'Bob does not.', settings: { supportsImages: false } },
    ];
    test = await createTestApp({ characters, plugins: { 'painter.mjs': PAINTER } });
    api = new ApiClient(() => test.url);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await begin(ADA.id);
    test.model.supportsImages = true;
    test.model.supportsDocuments = false;
  });

  async function begin(agentId: string): Promise<void> {
    session = (await api.post('/api/messaging/sessions', { agentId, userId: USER })).body.data;
  }

  async function upload(content: Uint8Array | string, name: string): Promise<string> {
    return (await api.post(`/api/messaging/channels/${session.channelId}/upload-media`, form(content, name))).body.data.url;
  }

  /** What the model was asked last, when this was said. */
  async function asked(content: string, attachments?: object[]): Promise<ChatMessage[]> {
    test.model.reply('Yes.');
    const answer: ApiResponse = await api.post(`/api/messaging/sessions/${session.sessionId}/messages`, {
      content,
      attachments,
      transport: 'http',
    });
    expect(answer.status).toBe(201);
    return [...(test.model.requests.at(-1)?.messages ?? [])];
  }

  it('reach a model that supports images, also when they were sent earlier', async () => {
    const url = await upload(png(), 'me.png');
    const image = { mediaType: 'image/png', name: 'me.png', data: expect.anything() };
    const now = (await asked('Who is this?', [{ url }])).at(-1);
    expect(now).toEqual({
      role: 'user',
      content: `Who is this?\n[attached: "me.png" (image/png, ${png().length} bytes), shown to you]`,
      files: [image],
    });
    expect(Buffer.from((now as unknown as { files: { data: Uint8Array }[] }).files[0]!.data)).toEqual(png());
    const later = await asked('And what does she wear?');
    expect(later.at(-3)).toMatchObject({ role: 'user', files: [image] });
    expect(later.at(-1)).toEqual({ role: 'user', content: 'And what does she wear?' });
  });

  it('reach a model that reads documents if they are PDF, at most two; others as text', async () => {
    test.model.supportsDocuments = true;
    const pdf = pdfOf([['The kettle is blue.']]);
    const urls = [await upload(pdf, 'a.pdf'), await upload(pdf, 'b.pdf'), await upload(pdf, 'c.pdf')];
    const messages = await asked(
      'What do they say?',
      urls.map((url) => ({ url })),
    );
    const now = messages.at(-1);
    const file = (name: string): object => ({ mediaType: 'application/pdf', name, data: expect.anything() });
    expect(now).toMatchObject({ files: [file('a.pdf'), file('b.pdf')] });
    expect(now?.content).toContain(`"a.pdf" (application/pdf, ${pdf.length} bytes), shown to you]`);
    expect(now?.content).toContain(`"c.pdf" (application/pdf, ${pdf.length} bytes), quoted above]`);
    expect(Buffer.from((now as unknown as { files: { data: Uint8Array }[] }).files[1]!.data)).toEqual(pdf);
    const system = messages[0]?.content ?? '';
    expect(system).toContain('"c.pdf", the whole file:\n[1] page 1: The kettle is blue.\n[end of "c.pdf"]');
    expect(system.match(/The kettle is blue/g)).toHaveLength(1);
  });

  it('are only named to a model that does not', async () => {
    test.model.supportsImages = false;
    const url = await upload(png(), 'me "now".png');
    expect((await asked('Who is this?', [{ url }])).at(-1)).toEqual({
      role: 'user',
      content: `Who is this?\n[attached: "me \\"now\\".png" (image/png, ${png().length} bytes), which you cannot see]`,
    });
  });

  it("are hidden when the agent's settings say so", async () => {
    await begin(BOB.id);
    const url = await upload(png(), 'me.png');
    expect((await asked('Who is this?', [{ url }])).at(-1)).not.toHaveProperty('files');
  });

  it('are passed as text when they are text, exactly as they were written', async () => {
    const [notes, code] = ['# Plan\n\n- Buy  milk.', 'def f():\n    return 1\n\n\ndef g():\n\treturn 2'];
    const attachments = [{ url: await upload(notes, 'plan.md') }, { url: await upload(code, 'f.py') }];
    const messages = await asked('Read this.', attachments);
    expect(messages[0]?.content).toContain(`[1] "plan.md", the whole file:\n${notes}\n[end of "plan.md"]`);
    expect(messages[0]?.content).toContain(`[2] "f.py", the whole file:\n${code}\n[end of "f.py"]`);
    expect(messages.at(-1)?.content).toBe(
      'Read this.\n[attached: "plan.md" (text/markdown, 20 bytes), quoted above]\n[attached: "f.py" (text/plain, 42 bytes), quoted above]',
    );
  });

  it('are only named when they have no readable text, are stored elsewhere, or have lost their content', async () => {
    const pdf = await upload('%PDF-1.4\n%%EOF', 'a.pdf');
    const attachments = [{ url: pdf }, { url: 'https://example.org/b.png', title: 'B' }, { type: 'image' }];
    expect((await asked('Look.', attachments)).at(-1)?.content).toMatch(
      /^Look\.\n\[attached: "a\.pdf" \(application\/pdf, 14 bytes\), which you cannot read: The document is damaged .+\]\n\[attached: B, image\]$/,
    );
    const lost = await upload('words that get lost', 'lost.txt');
    await rm(test.config.mediaDir, { recursive: true });
    expect((await asked('Look.', [{ url: lost }])).at(-1)?.content).toBe(
      'Look.\n[attached: "lost.txt" (text/plain, 19 bytes), which you cannot read: It cannot be read now.]',
    );
  });

  it('created by an agent are stored and served, and its messages contain their address [media.generated]', async () => {
    test.model.calls([{ name: 'PAINT', input: {} }]);
    await asked('Paint.');
    const { messages } = (await api.get(`/api/messaging/channels/${session.channelId}/messages`)).body.data;
    const painted = messages.filter((message: { content: string }) => /Here it is|And again/.test(message.content));
    expect(painted).toHaveLength(2);
    for (const { metadata, rawMessage } of painted) {
      const [{ url, contentType }] = metadata.attachments;
      expect(rawMessage.attachments).toEqual(metadata.attachments);
      expect([url, contentType]).toEqual([expect.stringMatching(new RegExp(`^/media/generated/${ADA.id}/[\\w-]+\\.png$`)), 'image/png']);
      expect(Buffer.from(await (await fetch(test.url + url)).arrayBuffer())).toEqual(png(3));
    }
    expect(painted.at(-1).metadata.attachments[1]).toEqual({ url: 'https://example.org/a.png' });
  });
});
