// A fault that cannot be planted any more ends the mutation check, which takes too long for CI.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { MUTATIONS } from '../proof/support/planted-faults.mjs';

const DIST = resolve(import.meta.dirname, '../../dist');

it.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
  'finds exactly one place in the build for each part of: %s',
  (_name, mutation) => {
    for (const { file, find } of mutation.more ? [mutation, { file: mutation.file, ...mutation.more }] : [mutation]) {
      expect(readFileSync(`${DIST}/${file}`, 'utf8').split(find)).toHaveLength(2);
    }
  },
);
