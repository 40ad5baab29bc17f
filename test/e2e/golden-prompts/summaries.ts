import { STORE, type Store } from '../../../src/core/database/index.js';
import { idForAgent } from '../../../src/core/ids/index.js';
import { ADA } from '../../support/create-test-app.js';
import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage, Talk } from '../../support/golden-prompts/stage.js';
import { eventually } from '../../support/memory-app.js';

const FILLER = 'The lamp in the hall is bright and the garden behind the house is green. '.repeat(4).trim();
/** How often the server looks for summaries to make. */
const HEARTBEAT_MS = 10_000;
const isSummary = (text: string | undefined): boolean => text?.startsWith('Summarise the conversation') === true;

export const SUMMARIES: GoldenGroup = {
  name: 'summaries',
  app: { env: { CONVERSATION_SUMMARY: 'auto', CONVERSATION_TOKENS: '500' } },
  answers: ({ messages }) => {
    const [system, said] = messages.map(({ content }) => content);
    if (!isSummary(system)) return 'Yes.';
    return said?.startsWith('Summary so far') ? 'The user went on about the lamp.\n\nTwice.' : 'The user talks about the lamp.';
  },
  conversations: {
    'a summary in place of its messages': async (stage) => {
      const { talk } = await summarised(stage);
      await stage.say(talk, 'What have I said?');
      await settled(stage, talk);
      await stage.say(talk, 'And now?');
    },
    'a summary that is extended': async (stage) => {
      const { talk } = await summarised(stage);
      for (const word of ['nine', 'ten', 'eleven', 'twelve']) {
        await stage.tell(talk, `${word} ${FILLER}`);
        await settled(stage, talk);
      }
      await stage.say(talk, 'What have I said?');
    },
    'a summary that is made anew without a deleted message': async (stage) => {
      const { talk, first } = await summarised(stage);
      await stage.sent(stage.api.delete(`/api/messaging/channels/${talk.channelId}/messages/${first}`));
      stage.clock.advance(HEARTBEAT_MS);
      await settled(stage, talk);
      await stage.say(talk, 'What have I said?');
    },
    'summaries that are turned off': async (stage) => {
      const { talk } = await summarised(stage);
      await stage.withSettings({ conversationSummary: 'none' }, () => stage.say(talk, 'What have I said?'));
    },
    'a summary that the offline responder does not read': async (stage) => {
      const { talk } = await summarised(stage);
      Object.assign(stage.model, { provider: 'offline' });
      await stage.say(talk, 'What have I said?');
    },
  },
};

/** A conversation with a summary of its older half. */
async function summarised(stage: Stage): Promise<{ talk: Talk; first: string }> {
  const talk = await stage.session({ username: 'Ann' });
  const ids: string[] = [];
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']) {
    ids.push((await stage.tell(talk, `${word} ${FILLER}`)).userMessage.id);
    await settled(stage, talk);
  }
  await stage.sent(stage.api.get(`/api/memory/${ADA.id}/rooms/${talk.channelId}/summary`));
  return { talk, first: ids[0] ?? '' };
}

/** Waits until the summary that a turn has asked for is stored. */
async function settled(stage: Stage, { channelId }: Talk): Promise<void> {
  const { readSource } = stage.test.app.get<Store>(STORE, { strict: false });
  const waiting = `SELECT 1 FROM conversation_summaries WHERE room_id = ? AND status IN ('pending', 'running')`;
  await eventually(async () => (await readSource.query<unknown[]>(waiting, [idForAgent(ADA.id, channelId)])).length === 0);
}
