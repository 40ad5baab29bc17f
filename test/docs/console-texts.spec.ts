import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const FOLDER = join(import.meta.dirname, '../../console/text');

/** Texts by dotted name. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (node: object, prefix: string): void => {
    for (const [name, value] of Object.entries(node) as [string, object | string][]) {
      if (typeof value === 'string') texts.set(prefix + name, value);
      else walk(value, `${prefix}${name}.`);
    }
  };
  walk(JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as object, '');
  return texts;
}

const placeholders = (text: string | undefined): string[] => [...(text ?? '').matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
const english = textsOf('en');
const others = readdirSync(FOLDER)
  .map((file) => file.replace('.json', ''))
  .filter((language) => language !== 'en');

describe.each(others)('the console texts in %s', (language) => {
  const texts = textsOf(language);

  it('have the keys of the English ones', () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('have the same placeholders and are not empty', () => {
    const wrong = [...texts].filter(([name, text]) => text === '' || placeholders(text).join() !== placeholders(english.get(name)).join());
    expect(wrong).toEqual([]);
  });
});
