// The bench `memory` proves recall by values: each must stand in one message only, for any seed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';

interface World {
  readonly statements: readonly { value: string }[];
  readonly foreign: readonly string[];
  readonly questions: readonly { kind: string; turns: readonly string[]; evidence: readonly { value: string; text: string }[] }[];
}

const FILE = pathToFileURL(join(import.meta.dirname, '..', '..', 'bench', 'recall', 'world.mjs')).href;
const { worldOf } = (await import(FILE)) as { worldOf: (seed: number, options?: { small: boolean }) => World };

it('is equal for equal seeds, and different for others', () => {
  expect(worldOf(1)).toEqual(worldOf(1));
  expect(worldOf(1).questions.map(({ turns }) => turns)).not.toEqual(worldOf(2).questions.map(({ turns }) => turns));
});

it.each(Array.from({ length: 20 }, (_, index) => index + 1))('asks 60 questions with an answer and 8 without, seed %i', (seed) => {
  const { questions, statements, foreign } = worldOf(seed);
  const count = (kind: string): number => questions.filter((question) => question.kind === kind).length;
  expect(['single', 'reworded', 'several', 'changed', 'time', 'follow-up', 'never'].map(count)).toEqual([14, 14, 8, 8, 8, 8, 8]);
  const values = [...statements.map(({ value }) => value), ...foreign];
  expect(new Set(values).size).toBe(values.length);
  for (const { kind, evidence } of questions) expect(evidence.length === 0).toBe(kind === 'never');
  for (const { value, text } of questions.flatMap(({ evidence }) => evidence)) expect(text).toContain(value);
  expect(worldOf(seed, { small: true }).questions).toHaveLength(8);
});
