import { STORE, type Store } from '../../../src/core/database/index.js';
import { ADA } from '../../support/create-test-app.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage, Talk } from '../../support/golden-prompts/stage.js';
import { eventually } from '../../support/memory-app.js';

const DAY_MS = 86_400_000;
/** After this time without a message, what a user said is read. */
const READ_AFTER_MS = 120_000;

/** What the model notes of a message, by words of the message. */
const NOTES: Readonly<Record<string, object>> = {
  'live in Paris': { add: [{ text: 'Lives in Paris.', key: 'home', sources: [1] }] },
  'moved to Rome': { change: [{ id: 'F1', text: 'Lives in Rome.', sources: [1] }] },
  'no home any more': { end: [{ id: 'F1', sources: [1] }] },
  'like tea': { add: [{ text: 'Likes\ntea.', key: 'taste', sources: [1] }] },
  ...Object.fromEntries(
    ['waltz', 'tango', 'polka', 'samba', 'rumba', 'foxtrot'].map((dance) => [
      `dance the ${dance}`,
      { add: [{ text: `Dances the ${dance} on every first Sunday of the month.`, key: dance, sources: [1] }] },
    ]),
  ),
};

export const PROFILES: GoldenGroup = {
  name: 'profiles',
  app: { env: { MEMORY_EXTRACTION: 'auto' } },
  answers: ({ messages }) => {
    const [system, said] = messages.map(({ content }) => content);
    if (!system?.startsWith('You keep notes')) return 'I see.';
    const known = Object.keys(NOTES).find((words) => said?.split('New messages').at(-1)?.includes(words));
    return JSON.stringify(known === undefined ? { add: [] } : NOTES[known]);
  },
  conversations: {
    'a fact about a user with a name': async (stage) => {
      await noted(stage, 'I live in Paris.');
      await stage.say(await stage.session({ username: 'Ann\nof Paris' }), 'Where do I live?');
    },
    'facts about a user without a name': async (stage) => {
      await noted(stage, 'I live in Paris.');
      await noted(stage, 'And I like tea.');
      await stage.say(await stage.session(), 'What do you know about me?');
    },
    'a fact that has changed, and one that has ended': async (stage) => {
      await noted(stage, 'I live in Paris.');
      stage.clock.advance(3 * DAY_MS);
      await noted(stage, 'I have moved to Rome.');
      await stage.say(await stage.session(), 'Where do I live?');
      stage.clock.advance(DAY_MS);
      await noted(stage, 'I have no home any more.');
      await stage.say(await stage.session(), 'Where do I live?');
    },
    'facts beyond their budget': async (stage) => {
      for (const dance of ['waltz', 'tango', 'polka', 'samba', 'rumba', 'foxtrot']) await noted(stage, `On Sundays I dance the ${dance}.`);
      await stage.withSettings({ profileTokens: 80 }, async () => {
        await stage.say(await stage.session(), 'When is the waltz?');
        await stage.say(await stage.session(), 'Good morning.');
      });
    },
    'no budget for facts': async (stage) => {
      await noted(stage, 'I live in Paris.');
      await stage.withSettings({ profileTokens: 0 }, async () => stage.say(await stage.session(), 'Where do I live?'));
    },
    'facts about a user in company': async (stage) => {
      const [ann, ben] = [stage.user(), stage.user('Ben')];
      await noted(stage, 'I live in Paris.');
      await stage.say(await stage.channel([ann, ben]), 'Where do I live?', { name: 'Ann' });
      await stage.say(await stage.channel([ann]), 'Where do I live?', { name: 'Ann' });
    },
    'facts in the conversation in which they were told': async (stage) => {
      const talk = await noted(stage, 'I live in Paris.');
      await stage.say(talk, 'Where do I live?');
    },
  },
};

/** Says something in a new conversation of the user, and waits until the model has noted it. */
async function noted(stage: Stage, content: string): Promise<Talk> {
  const talk = await stage.session();
  await stage.tell(talk, content);
  stage.clock.advance(READ_AFTER_MS);
  const { readSource } = stage.test.app.get<Store>(STORE, { strict: false });
  const waiting = `SELECT 1 FROM profile_jobs WHERE user_id = ? AND agent_id = ? AND status IN ('pending', 'running')`;
  await eventually(async () => (await readSource.query<unknown[]>(waiting, [stage.user(), ADA.id])).length === 0);
  return talk;
}
