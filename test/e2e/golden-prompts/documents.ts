import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idFromText } from '../../../src/core/ids/index.js';
import { docxOf, pdfOf } from '../../support/documents.mjs';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Data, Stage } from '../../support/golden-prompts/stage.js';
import { eventually } from '../../support/memory-app.js';
import { form } from '../../support/uploads.js';

const HANDBOOK = [
  '# Warranty',
  'Every kettle has a warranty of three years. It begins with the day of delivery.',
  '# Returns',
  'A kettle can be returned within thirty days. The return is free of charge.',
  '## Returns from abroad',
  'The sender pays the return of a kettle from abroad.',
].join('\n\n');
const NAMES = ['Handbook', 'Formats', 'Both', 'Budget', 'Without', 'Changing', 'Odd', 'Long'];

export const DOCUMENTS: GoldenGroup = {
  name: 'documents',
  app: { characters: NAMES.map((name) => ({ name, bio: 'Knows documents.' })) },
  conversations: {
    'pieces of a document with numbers and places': async (stage) => {
      await ingested(stage, 'Handbook', { name: 'handbook.md', text: HANDBOOK });
      const talk = await stage.session({ agentId: stage.agent('Handbook') });
      await stage.say(talk, 'How long is the warranty of a kettle?', { reply: 'Three years [1].' });
      await stage.say(talk, 'And when can it be returned?');
      await stage.say(talk, 'Who was Caesar?');
    },
    'pages of a PDF and a Word document': async (stage) => {
      const pages = [
        ['# Lamp', 'The lamp of the harbour is green.'],
        ['# Fog', 'In fog the horn of the harbour is loud.'],
      ];
      await ingested(stage, 'Formats', form(pdfOf(pages), 'harbour.pdf'));
      await ingested(stage, 'Formats', form(await docxOf(['# Opening hours', 'The harbour opens at seven.']), 'hours.docx'));
      await ingested(stage, 'Formats', form('The keeper of the harbour is called Ann.', 'keeper'));
      await stage.say(await stage.session({ agentId: stage.agent('Formats') }), 'What do you know about the harbour?');
    },
    'documents and memories': async (stage) => {
      const agentId = stage.agent('Both');
      await ingested(stage, 'Both', { name: 'handbook.md', text: HANDBOOK });
      await stage.tell(await stage.session({ agentId }), 'My kettle is red and four years old.');
      await stage.say(await stage.session({ agentId, username: 'Ann' }), 'Does my kettle have a warranty?');
    },
    'documents beyond their budget': async (stage) => {
      await ingested(stage, 'Budget', { name: 'handbook.md', text: HANDBOOK });
      const talk = await stage.session({ agentId: stage.agent('Budget') });
      await stage.withSettings({ documentTokens: 60 }, () => stage.say(talk, 'Tell me about kettles.'));
    },
    'no budget for documents': async (stage) => {
      const agentId = stage.agent('Without');
      await ingested(stage, 'Without', { name: 'handbook.md', text: HANDBOOK });
      await stage.tell(await stage.session({ agentId }), 'My kettle is red.');
      await stage.withSettings({ documentTokens: 0 }, async () => {
        await stage.say(await stage.session({ agentId }), 'Does my kettle have a warranty?');
      });
    },
    'a document that is replaced, and then deleted': async (stage) => {
      const agentId = stage.agent('Changing');
      const talk = await stage.session({ agentId });
      const { id } = await ingested(stage, 'Changing', { name: 'lamp.md', text: 'The lamp is red.' });
      await stage.say(talk, 'Which colour has the lamp?');
      await ingested(stage, 'Changing', { name: 'lamp.md', text: '# Lamp\n\nThe lamp is green.' });
      await stage.say(talk, 'Which colour has the lamp?');
      await stage.sent(stage.api.delete(`/api/agents/${agentId}/knowledge/${id}`));
      await stage.say(talk, 'Which colour has the lamp?');
    },
    'a document whose name and headings are of several lines': async (stage) => {
      await ingested(stage, 'Odd', { name: 'a\nname', text: '# A heading\\\nof the lamp\n\nThe lamp\n- is red\n- is big\n\n> and old' });
      await stage.say(await stage.session({ agentId: stage.agent('Odd') }), 'How is the lamp?');
    },
    'more pieces than a prompt shows': async (stage) => {
      const text = Array.from({ length: 20 }, (_, index) => `# Lamp ${index}\n\nThe lamp number ${index} shines.`).join('\n\n');
      await ingested(stage, 'Long', { name: 'lamps.md', text });
      await stage.say(await stage.session({ agentId: stage.agent('Long') }), 'Which lamps shine?');
    },
    'a document that the character names': async (stage) => {
      const folder = join(stage.test.config.charactersDir, 'notes');
      await mkdir(folder);
      await writeFile(join(folder, 'tides.md'), '# Tides\n\nThe tide is high at noon.');
      const characterJson = { name: 'Keeper', bio: 'Keeps.', knowledge: ['Fog is cloud.', { directory: 'notes' }] };
      const agentId = idFromText('Keeper');
      await stage.sent(stage.api.post('/api/agents', { characterJson }));
      await stage.sent(stage.api.post(`/api/agents/${agentId}/start`));
      await eventually(async () => isReady((await stage.sent(stage.api.get(`/api/agents/${agentId}/knowledge`))).documents[0]));
      await stage.say(await stage.session({ agentId }), 'When is the tide high?');
    },
  },
};

const isReady = (document: Data): boolean => document?.status === 'ready';

/** Gives an agent a document and waits until it is read. */
async function ingested(stage: Stage, agent: string, body: object): Promise<Data> {
  stage.clock.advance(1000);
  const path = `/api/agents/${stage.agent(agent)}/knowledge`;
  const { id } = await stage.sent(stage.api.post(path, body));
  await eventually(async () => isReady(await stage.sent(stage.api.get(`${path}/${id}`))));
  return { id };
}
