import { idForAgent } from '../../../src/core/ids/index.js';
import { ADA } from '../../support/create-test-app.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage, Talk } from '../../support/golden-prompts/stage.js';
import { Gate } from '../../support/scripted-model.js';

/** About 70 tokens. */
const FILLER = 'The lamp in the hall is bright and the garden behind the house is green. '.repeat(4).trim();
const memoryPath = (messageId: string): string => `/api/memory/${ADA.id}/memories/${idForAgent(ADA.id, `${messageId}-${ADA.id}`)}`;

export const WINDOWS: GoldenGroup = {
  name: 'windows',
  app: { env: { CONVERSATION_LENGTH: '6', CONVERSATION_TOKENS: '300' } },
  conversations: {
    'several turns': async (stage) => {
      const talk = await stage.session({ username: 'Ann' });
      await stage.say(talk, 'Which tea is black?', { reply: 'Assam is black.' });
      await stage.say(talk, 'And which is green?', { reply: 'Sencha is green.\nSo is matcha.' });
      await stage.say(talk, 'Thank you.');
    },
    'more messages than the conversation length': async (stage) => {
      const talk = await stage.session();
      for (const word of ['one', 'two', 'three']) await stage.tell(talk, `Remember ${word}.`, { reply: `I remember ${word}.` });
      await stage.say(talk, 'Which do you still see?');
      await stage.say(talk, 'And now?');
    },
    'messages beyond the budget of the conversation': async (stage) => {
      const talk = await stage.session();
      for (const word of ['one', 'two', 'three']) await stage.tell(talk, `${word}: ${FILLER}`, { reply: `Yes, ${word}. ${FILLER}` });
      await stage.say(talk, 'Which do you still see?');
    },
    'a message longer than half of the budget': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, `begin ${'word '.repeat(600)}end`);
      await stage.say(talk, 'What was at its end?');
    },
    'an answer longer than half of the budget, in emoji': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, 'Paint something.', { reply: `<${'👩🏽‍🚀🚀'.repeat(120)}>` });
      await stage.say(talk, 'What is it?');
    },
    'a long message in Japanese': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, `はじめ。${'庭の奥に緑の灯りがあります。'.repeat(40)}おわり。`, { reply: 'はい。' });
      await stage.say(talk, '何と言いましたか？');
    },
    'a message to answer that is longer than the budget': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, 'I will send a long one.');
      await stage.say(talk, `begin ${'word '.repeat(500)}end`);
    },
    'a budget that a single message exceeds': async (stage) => {
      const talk = await stage.session();
      await stage.withSettings({ conversationTokens: 20 }, async () => {
        await stage.tell(talk, FILLER, { reply: FILLER });
        await stage.say(talk, 'What do you see?');
      });
    },
    'an edited memory': async (stage) => {
      const talk = await stage.session();
      const { userMessage } = await stage.tell(talk, 'My colour is blue.', { reply: 'Noted.' });
      await stage.sent(stage.api.patch(memoryPath(userMessage.id), { content: { text: 'My colour is green.' } }));
      await stage.say(talk, 'What is my colour?');
    },
    'an edited message': async (stage) => {
      const talk = await stage.session();
      const { userMessage } = await stage.tell(talk, 'My colour is blue.', { reply: 'Noted.' });
      await stage.sent(stage.api.patch(`/api/messaging/messages/${userMessage.id}`, { content: 'My colour is red.' }));
      await stage.say(talk, 'What is my colour?');
    },
    'a memory without a text': async (stage) => {
      const talk = await stage.session();
      const { userMessage } = await stage.tell(talk, 'My colour is blue.', { reply: 'Noted.' });
      await stage.sent(stage.api.patch(memoryPath(userMessage.id), { content: { note: 'nothing' }, metadata: { mine: true } }));
      await stage.say(talk, 'What is my colour?');
    },
    'a deleted memory of a message': async (stage) => {
      const talk = await stage.session();
      const { userMessage } = await stage.tell(talk, 'The code is 1234.', { reply: 'Good.' });
      await stage.sent(stage.api.delete(memoryPath(userMessage.id)));
      await stage.say(talk, 'What did I say?');
    },
    'a deleted memory of the newest answer': async (stage) => {
      const talk = await stage.session();
      const { agentResponse } = await stage.tell(talk, 'The code is 1234.', { reply: 'I keep 1234 to myself.' });
      await stage.sent(stage.api.delete(memoryPath(agentResponse.messageId)));
      await stage.say(talk, 'What did you say?');
    },
    'a deleted message': async (stage) => {
      const talk = await stage.session();
      const { userMessage } = await stage.tell(talk, 'The code is 1234.', { reply: 'Good.' });
      await stage.tell(talk, 'The word is fish.', { reply: 'Fine.' });
      await stage.sent(stage.api.delete(`/api/messaging/channels/${talk.channelId}/messages/${userMessage.id}`));
      await stage.say(talk, 'What do you know?');
    },
    'a cleared conversation': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, 'The code is 1234.', { reply: 'Good.' });
      await stage.sent(stage.api.delete(`/api/messaging/channels/${talk.channelId}/messages`));
      await stage.say(talk, 'What do you know?');
    },
    'an answer that broke off': async (stage) => {
      const talk = await stage.session();
      stage.model.fail(new Error('the line is dead'), { after: ['It was a dark and'] });
      await stage.sayInVain(talk, 'Tell a story.');
      await stage.say(talk, 'Go on.');
    },
    'an empty reply that is asked again': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, 'Hello.', { reply: 'Hello.' });
      stage.model.reply('').reply('Yes?');
      await stage.say(talk, 'Hm.');
    },
    'two empty replies': async (stage) => {
      const talk = await stage.session();
      stage.model.reply('').reply(' \n');
      await stage.sayInVain(talk, 'Hm?');
      await stage.say(talk, 'Are you there?');
    },
    'a group in which the agent said nothing': async (stage) => {
      const talk = await stage.channel([stage.user('Ann'), stage.user('Ben')]);
      await stage.say(talk, 'Nothing to answer here.', { name: 'Ann', reply: '' });
      await stage.say(talk, 'But here.', { by: stage.user('Ben'), name: 'Ben' });
    },
    'a group whose other user has left the window': async (stage) => {
      const talk = await stage.channel([stage.user('Ann'), stage.user('Ben')]);
      await stage.tell(talk, 'I say one thing.', { by: stage.user('Ben'), name: 'Ben' });
      for (const word of ['one', 'two']) await stage.tell(talk, `Say ${word}.`, { name: 'Ann', reply: `This is ${word}.` });
      await stage.say(talk, 'Say three.', { name: 'Ann' });
      await stage.say(talk, 'Say four.', { name: 'Ann' });
    },
    'a message while the one before is answered': (stage) => interleaved(stage),
    'the shortest window': async (stage) => {
      const talk = await stage.session();
      await stage.withSettings({ conversationLength: 2 }, async () => {
        for (const word of ['one', 'two', 'three']) await stage.say(talk, `Say ${word}.`, { reply: `This is ${word}.` });
      });
    },
    'a conversation that goes on after a restart': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, 'Which tea is black?', { reply: 'Assam is black.' });
      await stage.test.restart((model) => model.always(() => 'I see.'));
      await stage.say(talk, 'And which is green?');
      await stage.say(talk, 'Thank you.');
    },
    'messages while the agent stood still': async (stage) => {
      const talk = await stage.session();
      await stage.tell(talk, 'Good night.', { reply: 'Good night.' });
      await stage.sent(stage.api.post(`/api/agents/${ADA.id}/stop`));
      await stage.send(talk, 'Do you dream?');
      await stage.send(talk, 'Of what?');
      await stage.sent(stage.api.post(`/api/agents/${ADA.id}/start`));
      await stage.say(talk, 'Good morning.');
      await stage.say(talk, 'Well?');
    },
    'a message that nobody but another agent answered': async (stage) => {
      const bob = stage.agent('Bob');
      const talk: Talk = await stage.channel([stage.user()], { agents: [ADA.id, bob] });
      await stage.tell(talk, 'Bob, what is new?', { name: 'Ann', reply: 'A boat.' });
      await stage.tell(talk, 'Bob, whose?', { name: 'Ann', reply: 'Mine.' });
      await stage.say(talk, 'Ada, have you heard?', { name: 'Ann' });
    },
  },
};

/** Answers keep the position of the message that they answer, also behind messages that were sent before them. */
async function interleaved(stage: Stage): Promise<void> {
  const talk = await stage.session();
  await stage.record(talk, async () => {
    const gate = new Gate();
    stage.model.deltas(['It is noon.'], { gate }).reply('In an hour.');
    const { length } = stage.model.requests;
    const first = stage.tell(talk, 'What time is it?');
    await stage.model.called(length + 1);
    await stage.send(talk, 'When do you leave?');
    gate.open();
    await first;
    await stage.model.called(length + 2);
  });
  await stage.say(talk, 'And the others?');
}
