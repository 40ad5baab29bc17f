import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '../../../src/core/errors/index.js';
import type { ApiResponse } from '../../support/api-client.js';
import { expectError } from '../../support/expect-envelope.js';
import { asShown, badFields, fieldOf, goodFields, isGiven, nameOf, NO_UUIDS, UUIDS, withField, type Field } from './kinds.js';
import { expectShape } from './shapes.js';

/** Bodies that are JSON but no object, and none at all. */
const NO_OBJECTS: [words: string, body: unknown][] = [
  ['there is none', undefined],
  ['it is null', 'null'],
  ['it is a list', '[]'],
  ['it is a list of an object', '[{}]'],
  ['it is text', '"text"'],
  ['it is a number', '7'],
  ['it is true', 'true'],
];

const UNKNOWN_KEYS: [words: string, keys: object][] = [
  ['keys that are unknown', { color: 'ignore-me', size: ['ignore-me'], nested: { of: { 'ignore-me': 1 } } }],
  ['keys that every object has by itself', { constructor: 'ignore-me', toString: 'ignore-me', hasOwnProperty: 'ignore-me', valueOf: 1 }],
];

interface Body {
  readonly fields: readonly Field[];
  /** A good body; may differ from call to call. */
  readonly good: () => object | Promise<object>;
  readonly send: (body: unknown) => Promise<ApiResponse>;
  /** Checks a success. @returns its payload */
  readonly data: (answer: ApiResponse) => unknown;
  readonly shape: object;
  /** Where the payload shows a field, when not under its own name; nothing when it does not show it. */
  readonly shownAt?: Readonly<Record<string, string | undefined>>;
}

/** Every way in which a body may be right or wrong, field by field. */
export function describeBody({ fields, good, send, data, shape, shownAt = {} }: Body): void {
  describe('accepts a body when', () => {
    it.each(goodFields(fields))('%s', async (_name, path, value) => {
      const answer = await send(withField(await good(), path, value));
      const payload = data(answer);
      expectShape(payload, shape);
      const at = Object.hasOwn(shownAt, path) ? shownAt[path] : path;
      if (isGiven(value) && at !== undefined) expectShows(fieldOf(payload, at), asShown(value));
    });

    it.each(UNKNOWN_KEYS)('it has %s, and ignores them [values.exact]', async (_words, keys) => {
      const payload = data(await send({ ...(await good()), ...keys }));
      expectShape(payload, shape);
      expect(JSON.stringify(payload)).not.toContain('ignore-me');
    });
  });

  describe('refuses a body with 400 when [values.exact]', () => {
    it.each(badFields(fields))('%s', async (_name, path, value) => {
      const answer = await send(withField(await good(), path, value));
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(nameOf(path));
    });

    it.each(NO_OBJECTS)('%s', async (_words, body) => {
      expectError(await send(body), 400, 'VALIDATION_ERROR');
    });
  });
}

/** An object that was given may come back with more in it. */
function expectShows(shown: unknown, given: unknown): void {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) expect(shown).toMatchObject(given);
  else expect(shown).toEqual(given);
}

interface PathId {
  /** Sends an otherwise good request with this id in the path. */
  readonly send: (id: string) => Promise<ApiResponse>;
  /** What an id of nothing is answered with. */
  readonly unknown: ErrorCode;
}

/** A path id that is not a UUID is 400 before any other check; a UUID of any version and case is looked up. */
export function describePathId(name: string, { send, unknown }: PathId): void {
  describe(`${name} in the path [values.uuid]`, () => {
    it.each(NO_UUIDS)(`that %s is refused with 400`, async (_words, id) => {
      const answer = await send(encodeURIComponent(id as string));
      expectError(answer, 400, 'INVALID_ID');
      expect(answer.body.error.message).toContain(name);
    });

    it.each(UUIDS)(`that %s, but is unknown, is 404 ${unknown}`, async (_words, id) => {
      expectError(await send(id as string), 404, unknown);
    });
  });
}
