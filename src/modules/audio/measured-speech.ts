import type { Clock } from '../../core/clock/index.js';
import type { SpeechChunk } from '../../providers/speech/index.js';
import { AUDIO_METRICS } from './audio.metrics.js';

/** Passes speech through, and measures how long its engine takes for it. */
export async function* measuredSpeech(
  chunks: AsyncIterable<SpeechChunk>,
  provider: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<SpeechChunk, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  // It stays so when the reader does not ask for the rest.
  let outcome: 'completed' | 'failed' | 'aborted' = 'aborted';
  let spentMs = 0;
  let isFirst = true;
  try {
    for (;;) {
      const askedAt = clock.now();
      const next = await iterator.next();
      spentMs += clock.now() - askedAt;
      if (next.done) {
        outcome = 'completed';
        return;
      }
      if (isFirst) AUDIO_METRICS.firstAudio.with({ provider }).observe(spentMs);
      isFirst = false;
      yield next.value;
    }
  } catch (error) {
    if (!signal.aborted) outcome = 'failed';
    throw error;
  } finally {
    AUDIO_METRICS.synthesis.with({ provider, outcome }).observe(spentMs);
    await iterator.return?.();
  }
}
