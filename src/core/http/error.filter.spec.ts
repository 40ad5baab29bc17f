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
])('reports an unhandled storage error as such: %s is %i %s', (code, status, told) => {
  expect(toAppError(Object.assign(new Error('a fault'), { code }))).toMatchObject({ status, code: told });
});

it.each([null, undefined, 'a text', 7])('reports a thrown %p as an internal error', (thrown) => {
  expect(toAppError(thrown)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
});
