import { ADA, BOB } from '../../support/create-test-app.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage } from '../../support/golden-prompts/stage.js';
import { eventually } from '../../support/memory-app.js';
import { png } from '../../support/uploads.js';

const line = (name: string, text: string): object => ({ name, content: { text } });
const CONTEXT = `export default { name: 'context', providers: [{ name: 'NOW', get: () => ({ text: 'It is noon.\\n \\nThe tide is high.' }) }] };`;

/** The offline responder reads the grounding of a request besides its messages. */
export const OFFLINE: GoldenGroup = {
  name: 'offline',
  app: {
    plugins: { 'context.mjs': CONTEXT },
    characters: [
      { ...ADA, bio: ['Ada keeps the light.', ' '], lore: 'Ada was born at sea.', plugins: [] },
      {
        ...BOB,
        bio: 'Bob sells bread.',
        knowledge: ['Rye costs two euros.\n\nWheat costs\n three.', ' ', `${'flour '.repeat(400)}ends.`],
        messageExamples: [
          [line('{{user1}}', 'Do you deliver?'), line('Bob', 'Within the village.')],
          [line('{{user1}}', `Long? ${'x'.repeat(700)}`), line('Bob', 'Yes.')],
          ...Array.from({ length: 7 }, (_, index) => [line('{{user1}}', `Number ${index}?`), line('Bob', `It is ${index}.`)]),
        ],
        plugins: ['context'],
        settings: { temperature: 0.5 },
      },
      { name: 'Reader', bio: 'Reads documents.', plugins: [] },
    ],
  },
  conversations: {
    'the grounding of a character': async (stage) => {
      offline(stage);
      await stage.say(await stage.session(), 'Who are you?');
    },
    'the grounding with knowledge, examples and context': async (stage) => {
      offline(stage);
      await stage.say(await stage.session({ agentId: BOB.id }), 'What does rye cost?');
    },
    'what the author said here and elsewhere': async (stage) => {
      offline(stage);
      await stage.tell(await stage.session(), 'My cat is called Otto.');
      const talk = await stage.session({ username: 'Ann' });
      await stage.tell(talk, 'My dog is called Rex.', { reply: 'Rex it is.' });
      await stage.say(talk, 'What are my cat and my dog called?');
    },
    'what others said in a group': async (stage) => {
      offline(stage);
      const [ann, ben] = [stage.user('Ann'), stage.user('Ben')];
      const talk = await stage.channel([ann, ben]);
      await stage.tell(talk, 'My cat is called Otto.', { name: 'Ann' });
      await stage.tell(talk, 'My dog is called Rex.', { by: ben, name: 'Ben' });
      await stage.say(talk, 'What is my cat called?', { name: 'Ann' });
    },
    'a file': async (stage) => {
      offline(stage);
      stage.model.supportsImages = true;
      const talk = await stage.session();
      const attachments = [
        await stage.upload(talk, 'The code of the gate is 0815.\n\nIt changes in May.', 'gate.txt'),
        await stage.upload(talk, png(), 'me.png'),
        { url: 'https://example.org/b.png', title: 'B' },
      ];
      await stage.say(talk, 'Read this.', { attachments });
      await stage.say(talk, 'What is the code?');
    },
    'more memories than a language model is shown': async (stage) => {
      offline(stage);
      for (const day of [1, 2, 3, 4]) {
        await stage.tell(await stage.session(), `On day ${day} my lamp was red. ${'It shone. '.repeat(20)}`);
      }
      await stage.withSettings({ recallTokens: 60 }, async () => stage.say(await stage.session(), 'When was my lamp red?'));
    },
    'pieces of a document': async (stage) => {
      offline(stage);
      const agentId = stage.agent('Reader');
      const path = `/api/agents/${agentId}/knowledge`;
      const text = '# Warranty\n\nEvery kettle has a warranty\nof three years.';
      const { id } = await stage.sent(stage.api.post(path, { name: 'handbook.md', text }));
      await eventually(async () => (await stage.sent(stage.api.get(`${path}/${id}`))).status === 'ready');
      await stage.say(await stage.session({ agentId }), 'How long is the warranty of a kettle?');
    },
  },
};

function offline({ model }: Stage): void {
  Object.assign(model, { provider: 'offline' });
}
