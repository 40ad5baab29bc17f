import { expect, it } from '@jest/globals';
import { toAppError } from './error.filter.js';

it.each([
  ['57P01', 503, 'STORAGE_UNAVAILABLE'],
  ['ECONNREFUSED', 503, 'STORAGE_UNAVAILABLE'],
  ['SQLITE_BUSY', 503, 'STORAGE_UNAVAILABLE'],
  ['EMFILE', 503, 'STORAGE_UNAVAILABLE'],
  ['ENOSPC', 507, 'STORAGE_FULL'],
  ['22021', 400, 'BAD_REQUEST'],
  ['42601', 500, 'INTERNAL_ERROR'],
])('a fault of the storage that nobody looked after is told as what it is: %s is %i %s', (code, status, told) => {
  expect(toAppError(Object.assign(new Error('a fault'), { code }))).toMatchObject({ status, code: told });
});

it.each([null, undefined, 'a text', 7])('%p, thrown, is a fault of the server', (thrown) => {
  expect(toAppError(thrown)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
});
