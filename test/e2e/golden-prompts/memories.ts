import { idForAgent } from '../../../src/core/ids/index.js';
import { ADA, BOB } from '../../support/create-test-app.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage } from '../../support/golden-prompts/stage.js';
import { Gate } from '../../support/scripted-model.js';

const DAY_MS = 86_400_000;
const PLUGIN = `export default { name: 'notes', routes: [{ type: 'POST', path: '/remember', public: true,
  handler: async (request, response, runtime) => response.json({ id: await runtime.memories.create(request.body) }) }] };`;
const memoryPath = (messageId: string): string => `/api/memory/${ADA.id}/memories/${idForAgent(ADA.id, `${messageId}-${ADA.id}`)}`;

export const MEMORIES: GoldenGroup = {
  name: 'memories',
  app: {
    plugins: { 'notes.mjs': PLUGIN },
    characters: [
      { ...ADA, bio: 'Remembers.' },
      { ...BOB, bio: 'Remembers too.' },
    ],
  },
  conversations: {
    'a memory of another conversation of the user': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.');
      await stage.say(await stage.session({ username: 'Ann' }), 'What is my dog called?');
    },
    'no memory of another user': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.', { userId: stage.user('Ben') });
      await stage.say(await stage.session(), 'What is my dog called?');
    },
    'no memory of another agent': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.', { agentId: BOB.id });
      await stage.say(await stage.session(), 'What is my dog called?');
    },
    'memories in their order, with the names of their authors': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.', { username: 'Ann' });
      await tellElsewhere(stage, 'My cat is called Otto,\nand the dog does not like it.');
      await tellElsewhere(stage, 'My dog is called Max now.', { username: 'Anna\nof the dogs' });
      await stage.say(await stage.session(), 'What is my dog called?');
    },
    'memories in a group, of what all have heard': async (stage) => {
      const [ann, ben] = [stage.user('Ann'), stage.user('Ben')];
      await tellElsewhere(stage, 'The code of my safe is 4711.', { userId: ann });
      const before = await stage.channel([ann, ben]);
      await stage.tell(before, 'The code of our gate is 0815.', { name: 'Ann' });
      await stage.say(await stage.channel([ann, ben]), 'What is the code?', { name: 'Ann' });
      await stage.say(await stage.session({ userId: ann }), 'What is the code?');
      await stage.say(await stage.session({ userId: ben }), 'What is the code?');
    },
    'memories for a user who joined a channel later': async (stage) => {
      const [ann, ben] = [stage.user('Ann'), stage.user('Ben')];
      const talk = await stage.channel([ann]);
      await stage.tell(talk, 'The code of the gate was 1111.');
      const people = { participantCentralUserIds: [ADA.id, ann, ben] };
      stage.clock.advance(1000);
      await stage.sent(stage.api.patch(`/api/messaging/channels/${talk.channelId}`, people));
      await stage.tell(talk, 'The code of the gate is 2222.');
      await stage.say(await stage.session({ userId: ben }), 'What is the code of the gate?');
    },
    'an edited memory of another conversation': async (stage) => {
      const { userMessage } = await tellElsewhere(stage, 'My dog is called Rex.');
      await stage.sent(stage.api.patch(memoryPath(userMessage.id), { content: { text: 'My dog is called Max.' } }));
      await stage.say(await stage.session(), 'What is my dog called?');
    },
    'a deleted message of another conversation': async (stage) => {
      const talk = await stage.session();
      const { userMessage } = await stage.tell(talk, 'My dog is called Rex.');
      await stage.tell(talk, 'My cat is called Otto.');
      await stage.sent(stage.api.delete(`/api/messaging/channels/${talk.channelId}/messages/${userMessage.id}`));
      await stage.say(await stage.session(), 'What are my dog and my cat called?');
    },
    'memories of a day and of more than a week ago': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.');
      stage.clock.advance(7 * DAY_MS);
      await tellElsewhere(stage, 'My cat is called Otto.');
      stage.clock.advance(DAY_MS);
      await stage.say(await stage.session(), 'What are my dog and my cat called?');
    },
    'memories beyond their budget': async (stage) => {
      for (const [animal, name] of Object.entries({ dog: 'Rex', cat: 'Otto', parrot: 'Polly', horse: 'Ed' })) {
        await tellElsewhere(stage, `My ${animal} is called ${name}, and it has slept on the sofa all day long.`);
      }
      await stage.withSettings({ recallTokens: 75 }, async () => {
        await stage.say(await stage.session(), 'What is my parrot called?');
      });
    },
    'no budget for memories': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.');
      await stage.withSettings({ recallTokens: 0 }, async () => {
        await stage.say(await stage.session(), 'What is my dog called?');
      });
    },
    'no budget for memories and documents': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.');
      await stage.withSettings({ recallTokens: 0, documentTokens: 0 }, async () => {
        await stage.say(await stage.session(), 'What is my dog called?');
      });
    },
    'a question that refers to what was said before': async (stage) => {
      await tellElsewhere(stage, 'Marlene repairs violins in Cremona.');
      await tellElsewhere(stage, 'The gardener wears yellow boots.');
      const talk = await stage.session();
      await stage.tell(talk, 'I have to think of Marlene today.', { reply: 'What about Marlene?' });
      await stage.withSettings({ recallTokens: 52 }, async () => {
        await stage.say(talk, 'And where does she work?');
        await stage.say(talk, 'What did I say before?');
      });
    },
    'a question that stands for itself': async (stage) => {
      await tellElsewhere(stage, 'Marlene repairs violins in Cremona.');
      await tellElsewhere(stage, 'The gardener wears yellow boots.');
      await tellElsewhere(stage, 'The baker sells rye bread.');
      const talk = await stage.session();
      await stage.tell(talk, 'I have to think of Marlene today.', { reply: 'What about Marlene?' });
      await stage.withSettings({ recallTokens: 52 }, () => stage.say(talk, 'Which colour have the boots of the gardener?'));
    },
    'the parts of a long memory that match': async (stage) => {
      const filler = (about: string): string => `Then I went on for a while and talked about ${about} and other things. `.repeat(3);
      await tellElsewhere(stage, `${filler('trains')}My parrot is called Polly. ${filler('ships')}The parrot eats nuts. ${filler('tea')}`);
      await stage.say(await stage.session(), 'What does my parrot eat?');
    },
    'a memory that says the same as a newer one': async (stage) => {
      await tellElsewhere(stage, 'My dog is called Rex.');
      await tellElsewhere(stage, 'my dog is called REX');
      await stage.say(await stage.session(), 'What is my dog called?');
    },
    'a message of another conversation that is not answered yet': async (stage) => {
      const [talking, asking] = [await stage.session({ username: 'Ann' }), await stage.session()];
      const gate = new Gate();
      const called = stage.model.requests.length;
      stage.model.deltas(['Fine.'], { gate });
      const said = stage.tell(talking, 'My parrot is called Polly.');
      await stage.model.called(called + 1);
      await stage.say(asking, 'What is my parrot called?');
      gate.open();
      await said;
    },
    'memories that a plugin has made': async (stage) => {
      const roomId = (await stage.direct()).channelId;
      await remember(stage, { roomId: ADA.id, entityId: ADA.id, content: { text: 'The harbour is closed on Mondays.' } });
      await remember(stage, {
        roomId: idForAgent(ADA.id, roomId),
        entityId: stage.user(),
        content: { text: 'The user has a boat in the harbour.' },
      });
      await stage.say(await stage.session(), 'When is the harbour closed?');
    },
    'a memory in other scripts': async (stage) => {
      await tellElsewhere(stage, 'Мою собаку зовут Рекс. 🐕');
      await tellElsewhere(stage, 'اسم قطتي أوتو');
      await stage.say(await stage.session({ username: 'Анна' }), 'Как зовут мою собаку?');
    },
  },
};

/** Says something in a conversation of its own. */
async function tellElsewhere(
  stage: Stage,
  content: string,
  options: { userId?: string; agentId?: string; username?: string } = {},
): ReturnType<Stage['tell']> {
  return stage.tell(await stage.session(options), content);
}

async function remember(stage: Stage, memory: object): Promise<void> {
  stage.clock.advance(1000);
  await stage.sent(stage.api.post(`/remember?agentId=${ADA.id}`, memory));
}
