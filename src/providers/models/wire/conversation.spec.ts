import { expect, it } from '@jest/globals';
import type { ChatFile } from '../chat-model.js';
import { normalise } from './conversation.js';

const call = { id: '1', name: 'A', input: { a: 1 } };
const file = (name: string): ChatFile => ({ mediaType: 'image/png', data: new Uint8Array([1]), name });

it('a conversation that ends with results keeps them last, in the order of the calls', () => {
  const calls = [call, { ...call, id: '2', name: 'B' }];
  const said = normalise(
    [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: '', toolCalls: calls },
      { role: 'tool', content: 'two', toolCallId: '2', toolName: 'B' },
      { role: 'tool', content: 'one', toolCallId: '1', toolName: 'A' },
    ],
    true,
  );
  expect(said).toEqual([
    { role: 'user', content: 'Do it.' },
    { role: 'assistant', content: '', toolCalls: calls },
    { role: 'tool', content: 'one', toolCallId: '1', toolName: 'A' },
    { role: 'tool', content: 'two', toolCallId: '2', toolName: 'B' },
  ]);
});

it('two rounds of calls in a row keep their results apart', () => {
  const said = normalise(
    [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: 'First.', toolCalls: [call] },
      { role: 'tool', content: 'one', toolCallId: '1', toolName: 'A' },
      { role: 'assistant', content: 'Again.', toolCalls: [call] },
      { role: 'tool', content: 'two', toolCallId: '1', toolName: 'A' },
    ],
    true,
  );
  expect(said.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'user: Do it.',
    'assistant: First.',
    'tool: one',
    'assistant: Again.',
    'tool: two',
  ]);
});

it('messages of the user in a row become one, with all of their files', () => {
  const said = normalise(
    [
      { role: 'user', content: 'One.', files: [file('a')] },
      { role: 'user', content: ' ' },
      { role: 'user', content: 'Two.', files: [file('b')] },
      { role: 'user', content: 'Three.' },
    ],
    true,
  );
  expect(said).toEqual([{ role: 'user', content: 'One.\n\nTwo.\n\nThree.', files: [file('a'), file('b')] }]);
});

it('a message behind results begins a turn of its own', () => {
  const said = normalise(
    [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', content: 'one', toolCallId: '1', toolName: 'A' },
      { role: 'user', content: 'And?' },
      { role: 'user', content: 'Well?' },
    ],
    true,
  );
  expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  expect(said.at(-1)?.content).toBe('And?\n\nWell?');
});
