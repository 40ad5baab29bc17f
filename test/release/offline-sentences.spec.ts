import { afterAll, describe, expect, it } from '@jest/globals';
import { listen, textOf } from '../support/describe-chat-model.js';
import { FakeClock } from '../support/fake-clock.js';
import { groundingOf, MARTA, said } from '../support/offline-characters.js';
import { SAID, SENTENCES } from '../support/offline-sentences.js';
import { SystemClock } from '../../src/core/clock/index.js';
import { EmbeddedEncoder } from '../../src/providers/models/embedded-encoder.js';
import { LanguageDetector } from '../../src/providers/models/language-detector.js';
import { OfflineResponder } from '../../src/providers/models/offline/offline-responder.js';

/** How many answers may be neither good nor wrong. */
const MISSED = 6;

const encoder = new EmbeddedEncoder(new SystemClock());
const languages = new LanguageDetector(new FakeClock());
const responder = new OfflineResponder(encoder, languages);
const characters = { iris: groundingOf('iris'), maren: groundingOf('maren'), marta: MARTA };

afterAll(async () => {
  await Promise.all([encoder.close(), languages.close()]);
});

describe('the offline responder', () => {
  it(`replies well to all but ${MISSED} of ${SENTENCES.length} sentences, and wrongly to none`, async () => {
    const missed: string[] = [];
    const wrong: string[] = [];
    for (const [agent, before, sentence, good, forbidden] of SENTENCES) {
      const grounding = { ...characters[agent], memories: said(...SAID[before]) };
      const answer = textOf(await listen(responder, { messages: [{ role: 'user', content: sentence }], grounding }));
      if (forbidden?.test(answer)) wrong.push(`${agent} ${before}: ${sentence} -> ${answer}`);
      else if (!good.test(answer)) missed.push(`${agent} ${before}: ${sentence} -> ${answer}`);
    }
    expect(wrong).toEqual([]);
    expect(missed.slice(MISSED)).toEqual([]);
  }, 400_000);
});
