import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage } from '../../support/golden-prompts/stage.js';

export const TIMES: GoldenGroup = {
  name: 'times',
  conversations: {
    'the time zone of a message': async (stage) => {
      const talk = await stage.session();
      await stage.say(talk, 'What time is it?', { metadata: { timezone: 'America/Los_Angeles' } });
      await stage.say(talk, 'And here?', { metadata: { timeZone: 'Australia/Adelaide' } });
      await stage.say(talk, 'And now?');
    },
    'the time zone of a channel': async (stage) => {
      const talk = await stage.channel([stage.user()], { metadata: { timezone: 'Europe/Berlin' } });
      await stage.say(talk, 'What time is it?');
      await stage.say(talk, 'And where I am?', { metadata: { timezone: '+05:30' } });
    },
    'time zones that are offsets': (stage) => askIn(stage, ['UTC-3', 'GMT+14', '-14:30', 'UTC', ' Europe/London ']),
    'time zones that do not exist': (stage) => askIn(stage, ['Mars/Olympus', '', 7, '+99']),
    'a turn at another day of the user': async (stage) => {
      stage.clock.advance(14 * 3_600_000 + 58 * 60_000);
      await askIn(stage, ['Pacific/Auckland', 'Pacific/Honolulu', 'UTC']);
    },
  },
};

async function askIn(stage: Stage, zones: readonly unknown[]): Promise<void> {
  for (const timezone of zones) await stage.say(await stage.session(), 'Which day is it?', { metadata: { timezone } });
}
