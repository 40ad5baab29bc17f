// An answer of a large character takes a bounded number of steps.
import { cutText } from '../../../core/text/index.js';
import { describe, expect, it } from '@jest/globals';
import { FakeEmbedding } from '../../../../test/support/fake-embedding.js';
import { charactersRead } from '../../../../test/support/work-units.js';
import { excerpt } from './excerpts.js';
import { GroundingSearch } from './grounding-search.js';
import { findSmallTalk } from './small-talk.js';
import { VectorCache } from './vector-cache.js';

const QUESTION = 'Where are the brass screws?';
const signal = new AbortController().signal;

describe('of 1,900 facts of 950 characters', () => {
  const facts = Array.from({ length: 1900 }, (_, index) => cutText(`Drawer ${index} holds brass hooks. `.repeat(40), 950));
  const answering = `The brass screws are in drawer 12. ${'It is labelled. '.repeat(50)}`;

  it('30,000 characters are compared by meaning, including the fact with the words of the question', async () => {
    const embeddings = new FakeEmbedding();
    const grounding = { agentName: 'Iris', facts: [...facts, answering], examples: [], memories: [] };
    const found = await new GroundingSearch(new VectorCache(embeddings)).find(QUESTION, grounding, { signal });
    expect(embeddings.calls.flat().join('').length).toBeLessThan(31_000);
    expect(found.facts.map(({ text }) => text)).toContain(answering);
  });
});

describe('of a fact of 20,000 characters', () => {
  it.each(['a. ', 'Brass screws. ', 'word '])('an excerpt reads each sentence once: %s', async (sentence) => {
    const read = await charactersRead('toLowerCase', () => excerpt(QUESTION, sentence.repeat(20_000 / sentence.length)));
    expect(read).toBeLessThan(100_000);
  });

  it('an introduction quotes 1,000', () => {
    const grounding = { agentName: 'Iris', facts: ['word '.repeat(4000)], examples: [], memories: [] };
    const answer = findSmallTalk('who are you')?.answer(grounding);
    expect(answer).toMatch(/word …$/);
    expect(answer?.length).toBeLessThan(1100);
  });
});
