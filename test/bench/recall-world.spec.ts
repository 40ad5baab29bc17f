// The bench `memory` proves recall by values: each must stand in one message only, for any seed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';

interface Pack {
  readonly facts: readonly Entry[];
  readonly groups: readonly Entry[];
  readonly followUps: readonly Entry[];
  readonly changes: readonly Entry[];
  readonly events: readonly Entry[];
  readonly neverTold: readonly Entry[];
  readonly speech: { readonly gap: string };
}

type Entry = readonly [id: string | readonly string[], ...lists: (readonly string[])[]];

interface World {
  readonly statements: readonly { value: string }[];
  readonly foreign: readonly string[];
  readonly questions: readonly { kind: string; turns: readonly string[]; evidence: readonly { value: string; text: string }[] }[];
}

const RECALL = join(import.meta.dirname, '..', '..', 'bench', 'recall');
const imported = async (file: string): Promise<unknown> => import(pathToFileURL(join(RECALL, file)).href);
const { worldOf } = (await imported('world.mjs')) as {
  worldOf: (seed: number, options?: { small?: boolean; language?: string }) => World;
};
const { LANGUAGES, packOf } = (await imported('languages/index.mjs')) as { LANGUAGES: string[]; packOf: (language: string) => Pack };

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

const OTHERS = LANGUAGES.filter((language) => language !== 'en');

it.each(OTHERS.flatMap((language) => [1, 2, 3, 4, 5].map((seed) => [language, seed] as const)))(
  'asks the same kinds of questions in %s, seed %i',
  (language, seed) => {
    const { questions, statements, foreign } = worldOf(seed, { language });
    const kinds = (asked: World['questions']): string[] => asked.map(({ kind }) => kind);
    expect(kinds(questions)).toEqual(kinds(worldOf(seed).questions));
    expect(statements).toHaveLength(worldOf(seed).statements.length);
    const values = [...statements.map(({ value }) => value), ...foreign];
    expect(new Set(values).size).toBe(values.length);
    for (const { value, text } of questions.flatMap(({ evidence }) => evidence)) expect(text).toContain(value);
  },
);

it.each(OTHERS)('knows the facts of English in %s', (language) => {
  const ids = ({ facts, groups, followUps, changes, events, neverTold }: Pack): unknown =>
    [facts, groups, followUps, changes, events, neverTold].map((entries) => entries.map(([id]) => id));
  expect(ids(packOf(language))).toEqual(ids(packOf('en')));
  const { facts, changes, events, neverTold } = packOf(language);
  for (const [, values, statements] of [...facts, ...changes, ...events, ...neverTold]) {
    expect(values?.length).toBeGreaterThan(3);
    expect(statements?.filter((text) => !/\{v\d?\}/.test(text))).toEqual([]);
  }
});

it('says which languages there are', () => {
  expect(() => worldOf(1, { language: 'tlh' })).toThrow('There is no language tlh; there are en, de, ru, zh, ja, ko, th.');
});
