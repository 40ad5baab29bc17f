import { expect, it } from '@jest/globals';
import { hintOf } from '../database/index.js';
import { HintedChannels } from './hinted-channels.js';

it('returns the channels whose ids end with the hint', () => {
  const channels = new HintedChannels();
  const [first, same, other] = ['11111111-0000-4000-8000-00000000000A', '22222222-0000-4000-8000-00000000000a', '3'.repeat(36)] as const;
  for (const id of [first, same, other, other]) channels.add(id);
  const hint = hintOf(first, false);
  expect([[...channels.of(hint)], [...channels.of(hintOf(other, false))], [...channels.of('00000000')]]).toEqual([
    [first, same],
    [other],
    [],
  ]);
  channels.delete(first);
  expect([...channels.of(hint)]).toEqual([same]);
  for (const id of [same, other, other]) channels.delete(id);
  expect([...channels.of(hint), ...channels.of(hintOf(other, false))]).toEqual([]);
});
