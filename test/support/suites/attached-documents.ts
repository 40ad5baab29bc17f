import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { docxOf, pdfOf } from '../documents.mjs';
import { forgetting } from '../forgetting.js';
import { eventually } from '../memory-app.js';
import { form } from '../uploads.js';

interface Talk {
  readonly userId: string;
  readonly sessionId: string;
  readonly channelId: string;
}

/** Documents in a conversation: what the model is told of them, and how long they are kept. */
export function describeAttachedDocuments(engine: Engine): void {
  describe(`a document attached in a chat on ${engine} [media.documents]`, () => {
    let test: TestApp;
    const api = new ApiClient(() => test.url);
    const { store, rowsWith, forget } = forgetting(() => test, engine);

    beforeAll(async () => {
      test = await createTestApp({ engine, env: { CONVERSATION_LENGTH: '4' } });
    });
    afterAll(() => test.close());

    async function begin(userId = newId()): Promise<Talk> {
      return { userId, ...(await api.post('/api/messaging/sessions', { agentId: ADA.id, userId })).body };
    }

    async function upload({ channelId }: Talk, content: Uint8Array | string, name: string): Promise<object> {
      const { body } = await api.post(`/api/messaging/channels/${channelId}/upload-media`, form(content, name));
      return { url: body.data.url };
    }

    /** The answer to a message, and what the model was asked. */
    async function ask(
      { sessionId }: Talk,
      content: string,
      { attachments, reply = 'Yes.' }: { attachments?: object[]; reply?: string } = {},
    ): Promise<{ system: string; said: string; answer: ApiResponse['body']; messageId: string }> {
      test.model.reply(reply);
      const { status, body } = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, attachments, transport: 'http' });
      expect(status).toBe(201);
      const messages = test.model.requests.at(-1)?.messages ?? [];
      const [system = '', said = ''] = [messages[0]?.content, messages.at(-1)?.content];
      return { system, said, answer: body.agentResponse, messageId: body.userMessage.id };
    }

    const readings = async (): Promise<number> => Number((await store().reader.rows('SELECT media_id FROM file_readings')).length);

    it('is read: a PDF with its pages, and a Word document with its headings', async () => {
      const talk = await begin();
      const attachments = [
        await upload(
          talk,
          pdfOf([
            ['# Kettles', 'The kettle is blue.'],
            ['# Speed', 'It boils in three minutes.'],
          ]),
          'kettle.pdf',
        ),
        await upload(talk, await docxOf(['# Returns', 'Returns are free within thirty days.']), 'returns.docx'),
      ];
      const { system, said, answer } = await ask(talk, 'How fast is it?', { attachments, reply: 'It takes three minutes [2].' });
      expect(system).toContain(
        '"kettle.pdf", the whole file:\n[1] page 1, Kettles: The kettle is blue.\n[2] page 2, Speed: It boils in three minutes.\n[end of "kettle.pdf"]',
      );
      expect(system).toContain(
        '"returns.docx", the whole file:\n[3] Returns: Returns are free within thirty days.\n[end of "returns.docx"]',
      );
      expect(said).toMatch(
        /"kettle\.pdf" \(application\/pdf, \d+ bytes\), quoted above\]\n\[attached: "returns\.docx" .+, quoted above\]$/,
      );
      expect(answer.metadata.sources).toEqual([
        {
          ...{ mediaId: expect.any(String), document: 'kettle.pdf', place: 'page 2, Speed', reference: 2 },
          ...{ url: expect.stringMatching(/^\/media\/uploads\/channels\/.+\.pdf$/), quote: 'It boils in three minutes.' },
        },
      ]);
    });

    it('is a source of a reply without a reference, with the heading that it is from', async () => {
      const talk = await begin();
      const text = '# Warranty\n\nEvery kettle has a warranty of three years.\n\n# Returns\n\nReturns are free within thirty days.';
      const attachments = [await upload(talk, text, 'handbook.md')];
      const { answer } = await ask(talk, 'How do returns work?', { attachments, reply: 'Returns are free within thirty days.' });
      expect(answer.metadata.sources).toMatchObject([
        { document: 'handbook.md', place: 'Returns', quote: 'Returns are free within thirty days.' },
      ]);
    });

    it('answers the next question too, also after a restart, and is read once', async () => {
      const talk = await begin();
      const attachments = [await upload(talk, pdfOf([['The code is 4711.']]), 'code.pdf')];
      await ask(talk, 'Read this.', { attachments });
      const before = await readings();
      expect((await ask(talk, 'What is the code?')).system).toContain('The code is 4711.');
      await test.restart();
      expect((await ask(talk, 'Again, what is the code?')).system).toContain('The code is 4711.');
      expect(await readings()).toBe(before);
    });

    it('is found by what it says when its message is no longer in the prompt, until it is forgotten', async () => {
      const talk = await begin();
      const attachments = [await upload(talk, pdfOf([['The zeppelin lands in Friedrichshafen.']]), 'trip.pdf')];
      const { messageId } = await ask(talk, 'Read this.', { attachments });
      for (const content of ['One.', 'Two.', 'Three.']) await ask(talk, content);
      expect((await ask(talk, 'Four.')).system).not.toContain('zeppelin');
      const later = await ask(talk, 'Where does the zeppelin land?');
      expect(later.system).toContain('The zeppelin lands in Friedrichshafen.');
      expect(JSON.stringify(test.model.requests.at(-1)?.messages)).not.toContain('Read this.');
      const [memory] = await store().reader.rows<{ id: string }>(
        `SELECT id FROM memories WHERE content LIKE '%Read this.%' AND room_id IN
        (SELECT id FROM rooms WHERE channel_id = ?)`,
        [talk.channelId],
      );
      await api.delete(`/api/memory/${ADA.id}/memories/${memory?.id}`);
      expect((await ask(talk, 'Where does the zeppelin land?')).system).not.toContain('Friedrichshafen.\n');
      expect(messageId).toBeDefined();
    });

    it('that is long is given by its beginning and by what matches the question', async () => {
      const talk = await begin();
      const page = (number: number): string[] => [
        ...Array.from({ length: 20 }, (_, line) => `Line ${line} of chapter ${number} tells of weather, bread and ordinary streets.`),
        ...(number === 70 ? ['The treasure of Captain Quill lies under the old lighthouse.'] : []),
      ];
      const attachments = [await upload(talk, pdfOf(Array.from({ length: 90 }, (_, index) => page(index + 1))), 'novel.pdf')];
      const { system, said, answer } = await ask(talk, "Where is Quill's treasure?", { attachments, reply: 'Under the old lighthouse.' });
      expect(said).toMatch(/"novel\.pdf" .+, quoted above in part\]$/);
      expect(system).toMatch(/"novel\.pdf", \d+ of \d+ pieces:\n\[1\] page 1: Line /);
      expect(system).toMatch(/\[…\]\n\[\d+\] page (?:69|70): [^[]*The treasure of Captain Quill lies under the old lighthouse\./);
      expect(answer.metadata.sources).toMatchObject([{ document: 'novel.pdf', place: expect.stringMatching(/^page (69|70)$/) }]);
      const { runs } = (await api.get(`/api/agents/${ADA.id}/runs?roomId=${talk.channelId}`)).body.data;
      const { parts, files } = (await api.get(`/api/agents/${ADA.id}/runs/${runs[0].runId}`)).body.data.context;
      const { tokens, budget } = parts.find(({ name }: { name: string }) => name === 'attachments');
      expect(budget).toBe(8000);
      expect(tokens).toBeGreaterThan(5000);
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(files).toEqual([
        { id: expect.any(String), name: 'novel.pdf', use: 'part', shown: expect.any(Number), pieces: expect.any(Number) },
      ]);
      // A summary needs the whole, so pieces of all of it are shown.
      const summary = await ask(talk, 'Summarise it.');
      const pages = [...summary.system.matchAll(/\] page (\d+):/g)].map(([, number]) => Number(number));
      expect(pages[0]).toBe(1);
      expect(Math.max(...pages)).toBeGreaterThan(70);
      expect(pages).toEqual(pages.toSorted((a, b) => a - b));
    });

    it.each([
      ['broken', async () => Buffer.from('%PDF-1.4\n%%EOF'), 'The document is damaged'],
      ['encrypted', async () => encryptedPdf(), 'The document is protected by a password. Save it without a password.'],
      ['empty', async () => pdfOf([[]]), 'The document has no text.'],
    ])('that is %s is told to the model and to the user, and the turn goes on', async (name, make, reason) => {
      const talk = await begin();
      const { said, system, answer } = await ask(talk, 'Read this.', { attachments: [await upload(talk, await make(), `${name}.pdf`)] });
      expect(said).toContain(`, which you cannot read: ${reason}`);
      expect(system).not.toContain('# What the attached files say');
      expect(answer.text).toBe('Yes.');
      expect(answer.metadata.unreadAttachments).toEqual([
        { mediaId: expect.any(String), name: `${name}.pdf`, reason: expect.stringContaining(reason) },
      ]);
      expect((await ask(talk, 'And?')).answer.metadata.unreadAttachments).toBeUndefined();
    });

    it('that cannot be opened is not sent to a model that reads PDF documents, and a scanned one is', async () => {
      test.model.supportsDocuments = true;
      const talk = await begin();
      const attachments = [await upload(talk, encryptedPdf(), 'secret.pdf'), await upload(talk, pdfOf([[]]), 'scan.pdf')];
      await ask(talk, 'Read this.', { attachments });
      const last = test.model.requests.at(-1)?.messages.at(-1) as { files?: { name: string }[] };
      expect(last.files?.map(({ name }) => name)).toEqual(['scan.pdf']);
      test.model.supportsDocuments = false;
    });

    it('stays in its conversation', async () => {
      const [talk, userId] = [await begin(), newId()];
      await ask(talk, 'Read this.', { attachments: [await upload(talk, pdfOf([['The password is swordfish.']]), 'secret.pdf')] });
      expect((await ask(await begin(userId), 'What is the password?')).system).not.toContain('swordfish');
      expect((await ask(await begin(talk.userId), 'What is the password?')).system).not.toContain('swordfish');
    });

    it('is deleted with its message, and its text with it', async () => {
      const talk = await begin();
      const { messageId } = await ask(talk, 'Read this.', {
        attachments: [await upload(talk, pdfOf([['The bicycle is vermilion.']]), 'bicycle.pdf')],
      });
      expect(await rowsWith('vermilion')).not.toEqual([]);
      await api.delete(`/api/messaging/central-channels/${talk.channelId}/messages/${messageId}`);
      expect((await ask(talk, 'What is vermilion?')).system).not.toContain('bicycle');
      await eventually(async () => !(await rowsWith('bicycle is vermilion')).some((row) => row.startsWith('file_texts')));
    });

    it('is exported with its text, and forgotten with its user', async () => {
      const talk = await begin();
      await ask(talk, 'Read this.', { attachments: [await upload(talk, pdfOf([['My aunt keeps nine ostriches.']]), 'aunt.pdf')] });
      const { records } = (await api.get(`/api/users/${talk.userId}/export`)).body.data;
      expect(records).toContainEqual({
        kind: 'file texts',
        record: expect.objectContaining({ pieces: [expect.objectContaining({ text: 'My aunt keeps nine ostriches.', page: 1 })] }),
      });
      await forget(talk.userId);
      await eventually(async () => (await rowsWith('ostriches')).length === 0);
    });
  });
}

/** A PDF that needs a password. */
function encryptedPdf(): Buffer {
  const key = `<${'ab'.repeat(32)}>`;
  const plain = pdfOf([['Secret.']]).toString('latin1');
  const dictionary = `<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`;
  return Buffer.from(plain.replace('/Root 1 0 R', `/Root 1 0 R /Encrypt ${dictionary} /ID [<00> <00>]`), 'latin1');
}
