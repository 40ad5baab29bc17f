import { rename, rm } from 'node:fs/promises';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import { png } from '../../support/uploads.js';

const PDF = '%PDF-1.4\n%%EOF';
const NOTES = '# Plan\n\nBuy milk.\n';

const PAINTER = `export default { name: 'painter', actions: [{ name: 'PAINT', description: 'Paints.', handler: async (r, m, s, o, say) => {
  await say({ text: 'Here it is.', attachments: [{ url: 'data:image/png;base64,${png(3).toString('base64')}', name: 'grey.png' }] });
} }] };`;

export const ATTACHMENTS: GoldenGroup = {
  name: 'attachments',
  app: {
    plugins: { 'painter.mjs': PAINTER },
    characters: [
      { name: 'Ada', bio: 'Looks at files.', plugins: [] },
      { name: 'Painter', bio: 'Paints.', plugins: ['painter'], settings: { supportsImages: true } },
      { name: 'Seeing', bio: 'Sees in any case.', settings: { supportsImages: true, supportsDocuments: true } },
      { name: 'Blind', bio: 'Never sees.', settings: { supportsImages: false, supportsDocuments: 'false' } },
    ],
  },
  conversations: {
    'a text file': async (stage) => {
      const talk = await stage.session({ username: 'Ann' });
      await stage.say(talk, 'Read this.', { attachments: [await stage.upload(talk, NOTES, 'plan.md')] });
      await stage.say(talk, 'What do I have to buy?');
    },
    'text files of several messages beyond their budget': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, 'The oldest one.', { attachments: [await stage.upload(talk, NOTES, 'plan.md')] });
      await stage.tell(talk, 'An older one.', { attachments: [await stage.upload(talk, 'öld '.repeat(40), 'older.txt')] });
      await stage.say(talk, 'The newest one.', { attachments: [await stage.upload(talk, 'new '.repeat(5990), 'newest.txt')] });
    },
    'a picture for a model that sees': async (stage) => {
      stage.model.supportsImages = true;
      const talk = await stage.session();
      await stage.say(talk, 'Who is this?', { attachments: [await stage.upload(talk, png(), 'me "now".png')] });
      await stage.say(talk, 'And what does she wear?');
    },
    'a picture for a model that does not see': async (stage) => {
      const talk = await stage.session();
      await stage.say(talk, 'Who is this?', { attachments: [await stage.upload(talk, png(), 'me.png')] });
    },
    'a picture for an agent whose settings say that it sees': async (stage) => {
      const talk = await stage.session({ agentId: stage.agent('Seeing') });
      const attachments = [await stage.upload(talk, png(), 'me.png'), await stage.upload(talk, PDF, 'cv.pdf')];
      await stage.say(talk, 'Who is this?', { attachments });
    },
    'a picture for an agent whose settings say that it does not see': async (stage) => {
      Object.assign(stage.model, { supportsImages: true, supportsDocuments: true });
      const talk = await stage.session({ agentId: stage.agent('Blind') });
      const attachments = [await stage.upload(talk, png(), 'me.png'), await stage.upload(talk, PDF, 'cv.pdf')];
      await stage.say(talk, 'Who is this?', { attachments });
    },
    'more pictures than a prompt shows': async (stage) => {
      stage.model.supportsImages = true;
      const talk = await stage.session();
      const upload = (grey: number): Promise<object> => stage.upload(talk, png(grey), `grey-${grey}.png`);
      await stage.tell(talk, 'The first ones.', { attachments: [await upload(1), await upload(2), await upload(3)] });
      const more = [await upload(4), await upload(5), await upload(6), await upload(7), await upload(8), await upload(9)];
      await stage.say(talk, 'And these.', { attachments: more });
    },
    'a picture that is too large': async (stage) => {
      stage.model.supportsImages = true;
      const talk = await stage.session();
      const large = Buffer.concat([png(), Buffer.alloc(3_700_000)]);
      const attachments = [await stage.upload(talk, large, 'large.png'), await stage.upload(talk, png(), 'small.png')];
      await stage.say(talk, 'Who is this?', { attachments });
    },
    'a picture that the agent has made': async (stage) => {
      const talk = await stage.session({ agentId: stage.agent('Painter') });
      stage.model.calls([{ id: 'paint-1', name: 'PAINT', input: {} }]).reply('Do you like it?');
      await stage.tell(talk, 'Paint something.');
      await stage.say(talk, 'It is grey.');
    },
    'PDF documents for a model that reads them': async (stage) => {
      stage.model.supportsDocuments = true;
      const talk = await stage.session();
      const attachments = [
        await stage.upload(talk, PDF, 'a.pdf'),
        await stage.upload(talk, `${PDF}\n`, 'b.pdf'),
        await stage.upload(talk, PDF, 'c.pdf'),
      ];
      await stage.say(talk, 'What do they say?', { attachments });
    },
    'a PDF document for a model that does not read it': async (stage) => {
      const talk = await stage.session();
      await stage.say(talk, 'What does it say?', { attachments: [await stage.upload(talk, PDF, 'a.pdf')] });
    },
    'attachments that are stored elsewhere': async (stage) => {
      const talk = await stage.session();
      const attachments = [
        { url: 'https://example.org/b.png', title: 'B\nof B' },
        { url: `https://example.org/${'long/'.repeat(60)}c.png` },
        { type: 'image' },
        {},
        await stage.upload(talk, NOTES, 'plan.md'),
      ];
      await stage.say(talk, 'Look.', { attachments });
      await stage.say(talk, 'Again, please.');
    },
    'a file of a user in a group': async (stage) => {
      stage.model.supportsImages = true;
      const [ann, ben] = [stage.user('Ann'), stage.user('Ben')];
      const talk = await stage.channel([ann, ben]);
      await stage.tell(talk, 'Hello.', { by: ben, name: 'Ben' });
      const attachments = [await stage.upload(talk, png(), 'me.png'), { url: 'https://example.org/d.pdf', name: 'D' }];
      await stage.say(talk, 'That is me.', { name: 'Ann', attachments });
      await stage.say(talk, 'Nice.', { by: ben, name: 'Ben' });
    },
    'a file that the window has left': async (stage) => {
      const talk = await stage.session();
      await stage.withSettings({ conversationLength: 3 }, async () => {
        await stage.tell(talk, 'Read this.', { attachments: [await stage.upload(talk, NOTES, 'plan.md')] });
        await stage.say(talk, 'What do I have to buy?');
        await stage.say(talk, 'How much of it?');
      });
    },
    'an edited message with a file': async (stage) => {
      const talk = await stage.session();
      const { userMessage } = await stage.tell(talk, 'Read this.', { attachments: [await stage.upload(talk, NOTES, 'plan.md')] });
      await stage.sent(stage.api.patch(`/api/messaging/messages/${userMessage.id}`, { content: 'Do not read this.' }));
      await stage.say(talk, 'What do I have to buy?');
    },
    'a file whose content is gone': async (stage) => {
      const talk = await stage.session();
      const attachments = [await stage.upload(talk, 'words that get lost', 'lost.txt')];
      const { mediaDir } = stage.test.config;
      await rename(mediaDir, `${mediaDir}-away`);
      await stage.say(talk, 'Look.', { attachments });
      await rm(mediaDir, { recursive: true, force: true });
      await rename(`${mediaDir}-away`, mediaDir);
    },
  },
};
