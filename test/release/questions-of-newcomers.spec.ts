import { afterAll, describe, expect, it } from '@jest/globals';
import { listen, textOf } from '../support/describe-chat-model.js';
import { groundingOf, MARTA } from '../support/offline-characters.js';
import { HELD_BACK, LATER, OUT_OF_SCOPE, TUNED, type NewcomerQuestion } from '../support/newcomer-questions.js';
import { SystemClock } from '../../src/core/clock/index.js';
import type { Grounding } from '../../src/providers/models/chat-model.js';
import { EmbeddedEncoder } from '../../src/providers/models/embedded-encoder.js';
import { OfflineResponder } from '../../src/providers/models/offline/offline-responder.js';

// As a server has it, with the encoder, and without one.
const encoder = new EmbeddedEncoder(new SystemClock());
const responder = new OfflineResponder(encoder);
const byWords = new OfflineResponder(undefined);
afterAll(() => encoder.close());

const iris = groundingOf('iris');
const HELPLESS = /I cannot answer that|I do not know that/;
const OPERATOR = /[A-Z]+_[A-Z_]+|\bnpm\b|\/docs\b|parley /g;

function ask(question: string, grounding: Grounding = iris, ...before: string[]): Promise<string> {
  return askOf(responder, question, grounding, ...before);
}

async function askOf(model: OfflineResponder, question: string, grounding: Grounding = iris, ...before: string[]): Promise<string> {
  const messages = [...before, question].map((content) => ({ role: 'user' as const, content }));
  return textOf(await listen(model, { messages, grounding }));
}

describe('Iris and the questions of newcomers', () => {
  it.each<readonly [string, readonly NewcomerQuestion[], OfflineResponder]>([
    ['that the search was tuned by, without the encoder', TUNED, byWords],
    ['that were held back', HELD_BACK, responder],
    ['that were asked later', LATER, responder],
  ])(
    'replies well to at least 9 in 10, and wrongly to at most 1 in 20, of those %s',
    async (_list, questions, model) => {
      const helpless: string[] = [];
      const wrong: string[] = [];
      for (const [question, good] of questions) {
        const answer = await askOf(model, question);
        if (!good.test(answer)) (HELPLESS.test(answer) ? helpless : wrong).push(`${question} -> ${answer}`);
      }
      expect(wrong.slice(Math.floor(questions.length / 20))).toEqual([]);
      expect([...wrong, ...helpless].slice(Math.floor(questions.length / 10))).toEqual([]);
    },
    400_000,
  );

  it('takes no other question for one about Parley', async () => {
    const taken: string[] = [];
    for (const said of OUT_OF_SCOPE) {
      const answer = await ask(said);
      if (/\*\*|\/docs\b/.test(answer) && !HELPLESS.test(answer)) taken.push(said);
    }
    expect(taken).toEqual([]);
  });

  it('understands a question that continues the previous one', async () => {
    expect(await ask('And on Windows?', iris, 'How do I install Parley?')).toContain('Windows');
  });

  it('replies with links that work on the server', async () => {
    expect(await ask('How do I restore a backup?')).toContain('[Restore](/docs/guides/backups.md#restore)');
    expect(await ask('How do I install Parley?')).toContain('(/docs/guides/install.md#install)');
  });

  it.each([['maren', groundingOf('maren')] as const, ['a shop', MARTA] as const])(
    "hides operators' advice from users of %s",
    async (_name, grounding) => {
      const told: string[] = [];
      for (const [question] of [...TUNED, ...HELD_BACK, ...LATER]) {
        const answer = await ask(question, grounding);
        if (answer.match(OPERATOR)?.some((found) => !question.includes(found))) told.push(`${question} -> ${answer}`);
      }
      expect(told).toEqual([]);
    },
    400_000,
  );
});
