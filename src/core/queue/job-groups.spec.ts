import { expect, it } from '@jest/globals';
import { JobGroups } from './job-groups.js';

function orderedGroups(): JobGroups<number> {
  return new JobGroups<number>(1, true, (a, b) => a - b);
}

it('runs a job found while the claim of a later one is refused', () => {
  const groups = orderedGroups();
  groups.add('channel', 'late', 9);
  expect(groups.take('channel')).toBe(9);
  // A lookup finds the one that is first, which has kept the other from being claimed.
  groups.refresh('channel', 'early', 3);
  groups.defer('channel', 'late');
  expect(groups.take('channel')).toBe(3);
});

it('keeps the order when a refused job is found again', () => {
  const groups = orderedGroups();
  groups.add('channel', 'late', 9);
  groups.take('channel');
  groups.refresh('channel', 'early', 3);
  groups.refresh('channel', 'middle', 5);
  groups.defer('channel', 'late');
  const ran = [groups.take('channel')];
  groups.remove('channel', 'early');
  ran.push(groups.take('channel'));
  groups.remove('channel', 'middle');
  expect(groups.take('channel')).toBeUndefined();
  groups.resume('channel');
  expect([...ran, groups.take('channel')]).toEqual([3, 5, 9]);
});
