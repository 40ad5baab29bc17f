// What refusals say: the field as it was sent, and what it has to be
import { expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, SUBMIT, USER } from './support/contract-app.js';

const SUBMITTED = { channel_id: NOBODY, author_id: ADA.id, content: 'Done.' };
const JOB = { userId: USER, content: 'When?' };

const REFUSALS: [path: string, body: object, message: string][] = [
  [`/api/agents/${ADA.id}/worlds`, { name: 'x', sourceType: 5 }, 'sourceType must be a string'],
  [CHANNELS, { name: 'x', description: 5 }, 'description must be a string'],
  [CHANNELS, { name: 'x', description: 'x'.repeat(10_001) }, 'description must have at most 10000 characters'],
  [CHANNELS, { name: 'x', participants: 'x' }, 'participants must be an array'],
  [CHANNELS, { name: 'x', participants: [USER, 'x'] }, 'each value in participants must be a UUID (8-4-4-4-12 hexadecimal digits)'],
  ['/api/messaging/messages/search', { limit: '5' }, 'limit must be an integer number'],
  ['/api/messaging/messages/search', { limit: 101 }, 'limit must not be greater than 100'],
  ['/api/messaging/jobs', { ...JOB, timeoutMs: '5000' }, 'timeoutMs must be an integer number'],
  [SUBMIT, { ...SUBMITTED, raw_message: { text: 5 } }, 'raw_message.text must be a string'],
  [SUBMIT, { ...SUBMITTED, raw_message: { actions: 'x' } }, 'raw_message.actions must be an array'],
  [SUBMIT, { ...SUBMITTED, raw_message: { actions: [5] } }, 'each value in raw_message.actions must be a string'],
  [
    '/api/messaging/message-servers/00000000-0000-0000-0000-000000000000/sync-channels',
    { channels: [{ sourceId: '1', name: 'x', description: 5 }] },
    'channels[0].description must be a string',
  ],
];

const { api } = contractApp();

it.each(REFUSALS)('POST %s %j: %s', async (path, body, message) => {
  const answer = await api.post(path, body);
  expectError(answer, 400, 'VALIDATION_ERROR');
  expect(answer.body.error.message).toBe(message);
});

it('a list without time filters requires nothing but a cursor', async () => {
  const answer = await api.get('/api/agents/worlds?after=x');
  expectError(answer, 400, 'VALIDATION_ERROR');
  expect(answer.body.error).toMatchObject({ message: 'after must be a cursor', details: 'Send the nextCursor of an earlier page.' });
});
