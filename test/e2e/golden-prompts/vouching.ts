import { ADA } from '../../support/create-test-app.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage } from '../../support/golden-prompts/stage.js';
import { ADMIN, recallConversations, USER_SECRET } from '../../support/recall-conversations.js';

const TOLD = 'The code of my safe is 4711.';
const QUESTION = 'What is the code of my safe?';

export const VOUCHING: GoldenGroup = {
  name: 'vouching',
  app: { env: { API_KEY: ADMIN, USER_TOKEN_SECRET: USER_SECRET, RATE_LIMIT: 'off' } },
  conversations: {
    'a user for whom the administrator vouches': async (stage) => {
      await tellVouched(stage);
      await stage.say(await stage.session(), QUESTION);
    },
    'a user with a user token': async (stage) => {
      await tellVouched(stage);
      await stage.say(await stage.session({ credential: credentials(stage).userToken(stage.user()) }), QUESTION);
    },
    'a user for whom a key vouches': async (stage) => {
      await tellVouched(stage);
      await stage.say(await stage.session({ credential: await credentials(stage).key({ users: [stage.user()] }) }), QUESTION);
    },
    'a user for whom no credential vouches': async (stage) => {
      await tellVouched(stage);
      const talk = await stage.session({ credential: await credentials(stage).key() });
      await stage.say(talk, QUESTION);
      await stage.tell(talk, 'I keep it in the kitchen.');
      await stage.say(talk, 'Where do I keep it?');
    },
    'what a user without a credential said, in the same conversation and in another one': async (stage) => {
      const talk = await stage.session({ credential: await credentials(stage).key() });
      await stage.tell(talk, TOLD);
      await stage.withSettings({ conversationLength: 3 }, async () => {
        await stage.tell(talk, 'I talk about other things now.');
        await stage.say(talk, QUESTION);
      });
      await stage.say(await stage.session(), QUESTION);
    },
    'a direct channel that an unknown caller began': async (stage) => {
      await tellVouched(stage);
      const talk = await stage.direct({ credential: await credentials(stage).key() });
      await stage.say(talk, QUESTION, { credential: ADMIN });
      const owned = await stage.direct();
      await stage.say(owned, `${QUESTION} Again.`);
    },
    'a message of a user in the name of whom a key does not speak': async (stage) => {
      await tellVouched(stage);
      const talk = await stage.channel([stage.user()]);
      await stage.say(talk, QUESTION, { credential: await credentials(stage).key({ users: [stage.user('Ben')] }) });
      await stage.say(talk, `${QUESTION} Again.`);
    },
    'a user who speaks in a channel without being listed': async (stage) => {
      await tellVouched(stage);
      const talk = await stage.channel([stage.user()]);
      await stage.say(talk, QUESTION, { name: 'Ann' });
      await stage.tell(talk, 'Hello from Ben.', { by: stage.user('Ben'), name: 'Ben' });
      await stage.say(talk, `${QUESTION} Again.`, { name: 'Ann' });
    },
    'a memory that an unknown caller has rewritten': async (stage) => {
      const { userMessage } = await tellVouched(stage);
      const credential = await credentials(stage).key();
      const change = { content: 'The code of my safe is 1234.' };
      await stage.sent(stage.api.patch(`/api/messaging/messages/${userMessage.id}`, change, stage.as(credential)));
      await stage.say(await stage.session(), QUESTION);
    },
  },
};

function credentials(stage: Stage): Pick<ReturnType<typeof recallConversations>, 'key' | 'userToken'> {
  return recallConversations(stage.api, stage.clock, () => stage.model);
}

async function tellVouched(stage: Stage): ReturnType<Stage['tell']> {
  return stage.tell(await stage.session({ agentId: ADA.id }), TOLD);
}
