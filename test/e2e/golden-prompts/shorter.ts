import { ModelError } from '../../../src/providers/sdk/index.js';
import { ADA } from '../../support/create-test-app.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage, Talk } from '../../support/golden-prompts/stage.js';

/** About 40 tokens. */
const FILLER = 'The lamp in the hall is bright and the garden behind the house is green. '.repeat(2).trim();
const PLUGIN = `export default { name: 'context', providers: [{ name: 'NOW', get: () => ({ text: 'It is noon.' }) }],
  actions: [{ name: 'LOOK_UP', description: 'Looks up.', handler: () => 'Found.' }] };`;

/** Prompts that are made shorter because of what the model says of them. */
export const SHORTER: GoldenGroup = {
  name: 'shorter',
  app: {
    env: { CONVERSATION_TOKENS: '300', RECALL_TOKENS: '100' },
    plugins: { 'context.mjs': PLUGIN },
    characters: [
      { ...ADA, bio: 'Ada is an agent of the tests.', plugins: [] },
      { name: 'Clerk', bio: 'Works.', plugins: ['context'] },
    ],
  },
  conversations: {
    'half of the budgets for a model that cannot read more': async (stage) => {
      const talk = await lengthy(stage);
      stage.model.fail(tooLong()).reply('Yes.');
      await stage.say(talk, 'Too long?');
      await stage.say(talk, 'And now?');
      stage.clock.advance(3_600_000);
      await stage.say(await stage.session(), 'An hour later?');
    },
    'a share after the limit that the model names': async (stage) => {
      const talk = await lengthy(stage);
      stage.model.fail(tooLong(200)).reply('Yes.');
      await stage.say(talk, 'Too long?');
    },
    'smaller and smaller shares': async (stage) => {
      const talk = await lengthy(stage);
      stage.model.fail(tooLong()).fail(tooLong()).reply('Yes.');
      await stage.say(talk, 'Too long?');
    },
    'a prompt that is too long in any case': async (stage) => {
      const talk = await lengthy(stage);
      stage.model.fail(tooLong()).fail(tooLong()).fail(tooLong()).fail(tooLong());
      await stage.sayInVain(talk, 'Too long?');
    },
    'a prompt that cannot be shorter': async (stage) => {
      stage.model.fail(tooLong());
      await stage.sayInVain(await stage.session(), 'Too long?');
    },
    'memories and a shorter prompt': async (stage) => {
      await stage.tell(await stage.session(), `My dog is called Rex. ${FILLER}`);
      await stage.tell(await stage.session(), `My dog is old. ${FILLER}`);
      const talk = await stage.session();
      await stage.tell(talk, `The dog sleeps. ${FILLER}`, { reply: FILLER });
      stage.model.fail(tooLong()).reply('Yes.');
      await stage.say(talk, 'What is my dog called?');
    },
    'a shorter prompt after an action': async (stage) => {
      const talk = await lengthy(stage, stage.agent('Clerk'));
      stage.model
        .calls([{ id: 'call-1', name: 'LOOK_UP', input: {} }])
        .fail(tooLong())
        .reply('Found.');
      await stage.say(talk, 'Look it up.');
    },
    'a model that makes more tokens of a text than estimated': async (stage) => {
      stage.model.usage = { inputTokens: 1200 };
      await stage.tell(await stage.session(), FILLER.repeat(12));
      stage.model.usage = {};
      const talk = await stage.session({ userId: stage.user('another') });
      for (const word of ['one', 'two', 'three']) await stage.tell(talk, `${word}: ${FILLER}`, { reply: FILLER });
      await stage.say(talk, 'Which do you see?');
    },
    'a model that read only a part of a prompt': async (stage) => {
      const talk = await stage.direct();
      stage.model.usage = { inputTokens: 2000 };
      await stage.say(talk, `begin ${'word '.repeat(3000)}end`);
      stage.model.usage = {};
      await stage.say(talk, 'And now?');
    },
  },
};

function tooLong(contextTokens?: number): Error {
  return new ModelError('context', 'The model cannot read a prompt of this length.', 'Start a new one.', undefined, contextTokens);
}

/** A conversation that fills the budget. */
async function lengthy(stage: Stage, agentId = ADA.id): Promise<Talk> {
  const talk = await stage.session({ agentId });
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) await stage.tell(talk, `${word}: ${FILLER}`, { reply: 'Yes.' });
  return talk;
}
