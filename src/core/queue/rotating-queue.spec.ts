import { expect, it } from '@jest/globals';
import { RotatingQueue } from './rotating-queue.js';

function takeAll(queue: RotatingQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

it('a user with many items does not keep another waiting', () => {
  const queue = new RotatingQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.add(item, ['Ada', 'a']);
  queue.add('b1', ['Ada', 'b']);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
});

it('an agent with many users does not keep the user of another waiting', () => {
  const queue = new RotatingQueue<string>();
  for (const user of ['a', 'b', 'c', 'd']) queue.add(user, ['Ada', user]);
  queue.add('e', ['Bob', 'e']);
  expect(takeAll(queue)).toEqual(['a', 'e', 'b', 'c', 'd']);
});

it('who comes back is behind those who wait', () => {
  const queue = new RotatingQueue<string>();
  queue.add('a1', ['Ada', 'a']);
  queue.add('a2', ['Ada', 'a']);
  queue.add('b1', ['Ada', 'b']);
  expect(queue.take()).toBe('a1');
  queue.add('a3', ['Ada', 'a']);
  expect(takeAll(queue)).toEqual(['b1', 'a2', 'a3']);
});
