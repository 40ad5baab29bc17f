import { expect, it } from '@jest/globals';
import { turnsIn } from './turn-capacity.js';

const MB = 1024 ** 2;

it.each([
  ['a small container', { total: 512 * MB, heap: 259 * MB }, 512],
  ['a container with 2 GB', { total: 2048 * MB, heap: 1048 * MB }, 2048],
  ['a small heap on a large machine', { total: 65_536 * MB, heap: 200 * MB }, 400],
  ['the smallest machine', { total: 32 * MB, heap: 16 * MB }, 64],
  ['the largest machine', { total: 524_288 * MB, heap: 4144 * MB }, 5000],
])('%s runs as many turns as its memory holds', (_name, memory, turns) => {
  expect(turnsIn(memory)).toBe(turns);
});
