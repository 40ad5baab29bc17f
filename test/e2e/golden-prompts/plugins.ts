import { DEFAULT_SERVER_ID, idFromText } from '../../../src/core/ids/index.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage, Talk } from '../../support/golden-prompts/stage.js';
import { eventually } from '../../support/memory-app.js';

const CONTEXT = `export default { name: 'context', providers: [
  { name: 'LAST', position: 10, get: () => ({ text: 'It is noon.\\n\\nThe tide is high.', values: { time: 12 } }) },
  { name: 'FIRST', position: -1, get: (runtime, message) => ({ text: 'Asked: ' + message.content.text + ' by ' + message.entityId }) },
  { name: 'PLAIN', get: async () => ({ text: 'The door is open.' }) },
  { name: 'DYNAMIC', dynamic: true, get: () => ({ text: 'never' }) },
  { name: 'PRIVATE', private: true, get: () => ({ text: 'never' }) },
  { name: 'BROKEN', get: () => { throw new Error('no weather') } },
  { name: 'SILENT', get: () => undefined },
  { name: 'VALUES', get: () => ({ values: { speed: 9 }, data: { zone: 'UTC' } }) },
  { name: 'EMPTY', get: () => ({ text: '' }) },
] };`;

const QUIET = `export default { name: 'quiet', providers: [{ name: 'NOTHING', get: () => null }, { name: 'NO_TEXT', get: () => ({ values: { a: 1 } }) }] };`;

const IDS = `export default { name: 'ids', providers: [{ name: 'IDS', get: (runtime, { entityId, channelId, roomId, agentId }) => ({
  text: 'User ' + entityId + ' in channel ' + channelId + ', room ' + roomId + ', agent ' + agentId,
}) }] };`;

const WORK = `export default { name: 'work', actions: [
  { name: 'COUNT', description: 'Counts.', parameters: { type: 'object', properties: { to: { type: 'integer' } }, required: ['to'] },
    async handler(runtime, message, state, options, callback) {
      await callback({ text: 'Counting to ' + options.to });
      return { success: true, text: 'counted', values: { reached: options.to } };
    } },
  { name: 'Odd name!', description: 'Is odd.', handler: () => 'odd' },
  { name: 'FAIL', description: 'Fails.', handler() { throw new Error('it is broken') } },
  { name: 'HIDDEN', description: 'Is hidden.', validate: async () => false, handler() {} },
  { name: 'ASKED', description: 'Is there when it is asked for.', validate: (runtime, message) => message.content.text.includes('please'), handler() {} },
] };`;

const COUNT = { id: 'count-1', name: 'COUNT', input: { to: 3 } };

export const PLUGINS: GoldenGroup = {
  name: 'plugins',
  app: {
    plugins: { 'context.mjs': CONTEXT, 'quiet.mjs': QUIET, 'ids.mjs': IDS, 'work.mjs': WORK },
    characters: [
      { name: 'Contextual', bio: 'Has context.', plugins: ['context'] },
      { name: 'Quiet', bio: 'Has none.', plugins: ['quiet'] },
      { name: 'Numbered', bio: 'Knows ids.', plugins: ['ids'] },
      { name: 'Worker', bio: 'Works.', plugins: ['work'] },
      { name: 'Lazy', bio: 'Works once.', plugins: ['work'], settings: { maxToolRounds: 1 } },
      { name: 'Idle', bio: 'Never works.', plugins: ['work'], settings: { maxToolRounds: 0 } },
      { name: 'Everything', system: 'Do all.', bio: 'Has all.', knowledge: ['All is well.'], plugins: ['context', 'work'] },
    ],
  },
  conversations: {
    'context of providers in the order of their positions': async (stage) => {
      await stage.say(await talkWith(stage, 'Contextual'), 'What is the case?');
    },
    'providers without a text': async (stage) => {
      await stage.say(await talkWith(stage, 'Quiet'), 'What is the case?');
    },
    'a provider that tells ids': async (stage) => {
      const agentId = stage.agent('Numbered');
      const talk = stage.inChannel(idFromText('the channel of the golden prompts'), stage.user(), [agentId]);
      await stage.say(talk, 'Which ids are these?', { server_id: DEFAULT_SERVER_ID, metadata: { isDm: true, targetAgentId: agentId } });
      await stage.say(talk, 'And these?');
    },
    'actions as tools, and their results': async (stage) => {
      const talk = await talkWith(stage, 'Worker');
      stage.model.calls([COUNT, { id: 'fail-1', name: 'FAIL', input: {} }], 'Let me count.').reply('Done.');
      await stage.say(talk, 'Count to three, please.');
      await stage.say(talk, 'What did you do?');
    },
    'several rounds of actions': async (stage) => {
      const talk = await talkWith(stage, 'Worker');
      stage.model
        .calls([COUNT])
        .calls([{ id: 'odd-1', name: 'Odd_name_', input: {} }])
        .calls([{ id: 'none-1', name: 'NONE', input: '{"to":' }])
        .reply('Done.');
      await stage.say(talk, 'Count and be odd.');
    },
    'rounds of actions at their limit': async (stage) => {
      stage.model.calls([COUNT]).reply('Enough.');
      await stage.say(await talkWith(stage, 'Lazy'), 'For ever!');
    },
    'no round of actions': async (stage) => {
      await stage.say(await talkWith(stage, 'Idle'), 'Count.');
    },
    'an action after thoughts of the model': async (stage) => {
      stage.model
        .events([
          { type: 'reasoning', text: 'I should count.' },
          { type: 'tool-call', ...COUNT },
          {
            type: 'finish',
            reason: 'tool-calls',
            usage: {},
            reasoning: { text: 'I should count.', fields: { reasoning_content: 'count' } },
          },
        ])
        .reply('Done.');
      await stage.say(await talkWith(stage, 'Worker'), 'Count.');
    },
    'an answer that is taken up after a restart': async (stage) => {
      const talk = await talkWith(stage, 'Worker');
      await stage.record(talk, async () => {
        stage.model.calls([COUNT]).stall();
        await stage.send(talk, 'Count.');
        await stage.model.called(2);
        const restarting = stage.test.restart((model) => model.reply('Done.'));
        // The server does not wait for what the turn waits for.
        stage.clock.advance(0);
        await restarting;
        const path = `/api/agents/${stage.agent('Worker')}/runs?roomId=${talk.channelId}`;
        await eventually(async () => (await stage.sent(stage.api.get(path))).runs[0].status === 'completed');
      });
    },
    'providers, actions and memories together': async (stage) => {
      await stage.tell(await talkWith(stage, 'Everything'), 'My dog is called Rex.');
      stage.model.calls([COUNT]).reply('Rex.');
      await stage.say(await talkWith(stage, 'Everything', 'Ann'), 'What is my dog called?');
    },
  },
};

function talkWith(stage: Stage, agent: string, username?: string): Promise<Talk> {
  return stage.session({ agentId: stage.agent(agent), username });
}
