// What the bench `memory` takes for evidence.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';

type Judge<T> = (question: object, world: object, shown: T) => Record<string, unknown>;
const FILE = pathToFileURL(join(import.meta.dirname, '..', '..', 'bench', 'recall', 'judge.mjs')).href;
const { judgePrompt, judgeAnswer } = (await import(FILE)) as { judgePrompt: Judge<object>; judgeAnswer: Judge<string> };

const MENTIONS = pathToFileURL(join(import.meta.dirname, '..', '..', 'bench', 'recall', 'mentions.mjs')).href;
const { mentions } = (await import(MENTIONS)) as { mentions: (text: string, value: string) => boolean };

const AT = Date.parse('2026-03-04T09:00:00Z');
const OLD = { value: 'Porto', text: 'I live in Porto.', at: AT - 86_400_000 * 40 };
const NEW = { value: 'Braga', text: 'I live in Braga now.', at: AT };
const WORLD = { foreign: ['Otto'], statements: [OLD, NEW] };

function prompt(...lines: string[]): object {
  const system = ['You are an agent.', '', '# What you remember', ...lines.map((line) => `- ${line}`), '', 'Reply.'].join('\n');
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: 'Where do I live?' }] },
    ],
  };
}

const judged = (kind: string, ...lines: string[]): Record<string, unknown> =>
  judgePrompt({ kind, evidence: [NEW], ...(kind === 'changed' ? { outdated: OLD } : {}) }, WORLD, prompt(...lines));

describe('the judge', () => {
  it.each([
    ['single', [NEW.text], true],
    ['single', ['I live in Bragança.'], false],
    ['changed', [NEW.text], true],
    ['changed', [OLD.text, NEW.text], true],
    ['changed', [NEW.text, OLD.text], false],
    ['changed', [`${NEW.text} (2026-03-04)`, `${OLD.text} (2026-01-23)`], true],
    ['changed', [OLD.text], false],
    ['time', [NEW.text], false],
    ['time', [`2026-03-04: ${NEW.text}`], true],
    ['time', [`2026-03-05: ${NEW.text}`], false],
    ['time', [`4 March 2026, 9:00: ${NEW.text}`], true],
    ['time', [`Mar 4: ${NEW.text}`], true],
    ['time', [`8 months ago: ${NEW.text}`], true],
  ])('%s, %j: %s', (kind, lines, answerable) => {
    expect(judged(kind, ...lines)['answerable']).toBe(answerable);
  });

  it('finds the rank among the memories, and values of other users', () => {
    expect(judged('single', 'Hello.', NEW.text, 'My cat is called Otto.')).toMatchObject({ rank: 2, recall: 1, leaks: ['Otto'] });
    expect(judged('single', 'Hello.')).toMatchObject({ rank: Number.NaN, recall: 0, missing: ['Braga'], leaks: [] });
  });

  it('judges a reply to a question without an answer by its claims', () => {
    const question = { kind: 'never', evidence: [] };
    expect(judgeAnswer(question, WORLD, 'You have not told me.')['answerable']).toBe(true);
    expect(judgeAnswer(question, WORLD, 'You live in Braga.')['answerable']).toBe(false);
  });
});

describe('a value in a text', () => {
  it.each([
    ['I live in Porto.', 'Porto', true],
    ['Das Portemonnaie ist weg.', 'Porto', false],
    ['Ich wohne im ÖRTCHEN.', 'Örtchen', true],
    ['Моя сестра живёт в Туле.', 'Туле', true],
    ['Это тулейский самовар.', 'Туле', false],
    ['我丈夫叫建国。', '建国', true],
    ['我开的汽车是Ｖｏｌｖｏ。', 'Volvo', true],
    ['猫の名前はチョビです。', 'チョビ', true],
    ['猫の名前はﾁｮﾋﾞです。', 'チョビ', true],
    ['언니 이름은 지수예요.', '지수', true],
    ['언니 이름은 은지수예요.', '지수', false],
    ['สามีฉันชื่อสมชาย', 'สมชาย', true],
  ])('%s, %s: %s', (text, value, found) => {
    expect(mentions(text, value)).toBe(found);
  });
});

it('counts a character of Chinese, Japanese or Korean as a token', () => {
  const tokens = (content: string): unknown => judgePrompt({ kind: 'never', evidence: [] }, WORLD, { messages: [{ content }] })['tokens'];
  expect(['four', '你好吗', 'ひとつ', '하나'].map(tokens)).toEqual([1, 3, 3, 2]);
});
