// The bench `search` judges by what its texts name: each must stand where it is said to stand.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';

interface Texts {
  readonly messages: readonly { key: string; text: string }[];
  readonly queries: readonly { kind: string; query: string; expected: readonly string[] }[];
  readonly documents: readonly { name: string; text: string }[];
  readonly questions: readonly { question: string; evidence: string }[];
}

const BENCH = join(import.meta.dirname, '..', '..', 'bench');
const imported = async (file: string): Promise<unknown> => import(pathToFileURL(join(BENCH, file)).href);
const { textsOf } = (await imported('search/texts.mjs')) as { textsOf: (language: string) => Texts };
const { LANGUAGES } = (await imported('recall/languages/index.mjs')) as { LANGUAGES: string[] };
const { mentions } = (await imported('recall/mentions.mjs')) as { mentions: (text: string, value: string) => boolean };

it.each(LANGUAGES)('has messages, queries and ten questions about documents in %s', (language) => {
  const { messages, queries, documents, questions } = textsOf(language);
  const keys = messages.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(queries.length).toBeGreaterThanOrEqual(20);
  for (const { expected } of queries) expect(keys).toEqual(expect.arrayContaining([...expected]));
  expect(questions).toHaveLength(10);
  const lines = documents.flatMap(({ text }) => text.split('\n'));
  for (const { evidence } of questions) expect(lines.filter((line) => mentions(line, evidence))).toHaveLength(1);
});
