import type { SpeechRequest, SpeechSynthesizer, SpeechChunk } from '../../src/providers/speech/index.js';

const TEXT = 'This is the **first** sentence. 🎉 This is the second sentence, which is longer.\n\nAnd a third one ends it.';
const never = new AbortController().signal;

export async function allPieces(synthesizer: SpeechSynthesizer, request: Partial<SpeechRequest> = {}): Promise<SpeechChunk[]> {
  const pieces: SpeechChunk[] = [];
  for await (const piece of synthesizer.synthesize({ text: TEXT, signal: never, ...request })) pieces.push(piece);
  return pieces;
}

const secondsOf = (pieces: readonly SpeechChunk[]): number =>
  pieces.reduce((sum, { samples, sampleRate }) => sum + samples.length / sampleRate, 0);

/** What every synthesizer keeps to. `make` gives a new one; the test closes it. */
export function describeSynthesizer(name: string, make: () => SpeechSynthesizer): void {
  describe(`${name} as a SpeechSynthesizer`, () => {
    let subject: SpeechSynthesizer;

    beforeAll(() => {
      subject = make();
    });

    afterAll(() => subject.close());

    it('speaks every sentence, in audible pieces of one rate', async () => {
      const pieces = await allPieces(subject);
      expect(pieces.map(({ text }) => text).join(' ')).toBe(
        'This is the first sentence. This is the second sentence, which is longer. And a third one ends it.',
      );
      expect(pieces.length).toBeGreaterThan(1);
      expect(new Set(pieces.map(({ sampleRate }) => sampleRate)).size).toBe(1);
      for (const { samples } of pieces) expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true);
    });

    it('yields nothing for a text without words', async () => {
      for (const text of ['', '  \n', '🙂 --- 🎉', '```\ncode\n```']) expect(await allPieces(subject, { text })).toEqual([]);
    });

    it('has voices with a default, and uses the named one', async () => {
      const voices = await subject.voices();
      expect(voices.length).toBeGreaterThan(0);
      expect(voices.filter(({ isDefault }) => isDefault).length).toBeLessThanOrEqual(1);
      for (const voice of voices.slice(0, 2)) {
        expect((await allPieces(subject, { text: 'Hello there.', voice: voice.id.toUpperCase() })).length).toBe(1);
      }
    });

    it('refuses an unknown voice, and lists the available ones', async () => {
      const [voice] = await subject.voices();
      const refusal = {
        code: 'UNKNOWN_VOICE',
        message: expect.stringContaining('"nobody"'),
        details: expect.stringContaining(voice?.id ?? '-'),
      };
      await expect(allPieces(subject, { voice: 'nobody' })).rejects.toMatchObject(refusal);
    });

    it.each(['alloy', ' Onyx ', 'SHIMMER', 'marin'])('accepts %j, a name of another service, and reports the voice used', async (voice) => {
      const ids = (await subject.voices()).map(({ id }) => id);
      const [piece] = await allPieces(subject, { text: 'Hello there.', voice });
      expect(ids).toContain(piece?.voice);
      const [own] = await allPieces(subject, { text: 'Hello there.', preferredVoice: voice });
      expect(own?.voice).toBe(piece?.voice);
    });

    it("ignores an agent's own voice when it does not have it", async () => {
      expect((await allPieces(subject, { text: 'Hello there.', preferredVoice: 'en_US-male-medium' })).length).toBe(1);
    });

    it('speaks faster on request', async () => {
      const [usual, fast] = [await allPieces(subject), await allPieces(subject, { speed: 2 })];
      expect(secondsOf(fast)).toBeLessThan(0.75 * secondsOf(usual));
    });

    it('refuses a language that it does not speak', async () => {
      if (subject.languages === undefined) return expect((await allPieces(subject, { language: 'de' })).length).toBeGreaterThan(0);
      await expect(allPieces(subject, { language: 'xx-Latn' })).rejects.toMatchObject({ code: 'LANGUAGE_NOT_SUPPORTED' });
      for (const language of ['en', 'en-US', 'English']) {
        expect((await allPieces(subject, { text: 'Hello there.', language })).length).toBe(1);
      }
    });

    it('stops where its reader stops, and continues for others', async () => {
      const text = 'This is one sentence of a very long text. '.repeat(2000);
      for await (const piece of subject.synthesize({ text, signal: never })) {
        expect(piece.text).toBe('This is one sentence of a very long text.');
        break;
      }
      expect((await allPieces(subject)).length).toBeGreaterThan(1);
    });

    it('stops when it is aborted, with the reason', async () => {
      const reason = new Error('no longer needed');
      await expect(allPieces(subject, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const caller = new AbortController();
      const pieces = subject.synthesize({ text: TEXT, signal: caller.signal })[Symbol.asyncIterator]();
      await pieces.next();
      caller.abort(reason);
      await expect(pieces.next()).rejects.toBe(reason);
      expect((await allPieces(subject)).length).toBeGreaterThan(1);
    });

    it('refuses calls once it is closed', async () => {
      const closed = make();
      await closed.close();
      await expect(allPieces(closed)).rejects.toMatchObject({ code: 'SERVER_STOPPING' });
    });
  });
}
