import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../core/clock/index.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { describeTranscriber, heard, recording } from '../../../test/support/describe-transcriber.js';
import { AudioDecoder } from './audio-decoder.js';
import { Ffmpeg } from './ffmpeg.js';
import { PocketSphinxTranscriber } from './pocketsphinx-transcriber.js';

const FOX = 'the quick brown fox jumps over the lazy dog';
// Kept between runs: making the program costs two seconds.
const cacheDir = join(tmpdir(), 'parley-test-cache');
const clock = new SystemClock();
const ffmpeg = new Ffmpeg({ clock, command: 'there-is-no-such-program' });
const decoder = new AudioDecoder({ clock, maxBytes: 200_000, maxSeconds: 10, queue: 10, ffmpeg });

function make(options: Partial<ConstructorParameters<typeof PocketSphinxTranscriber>[0]> = {}): PocketSphinxTranscriber {
  return new PocketSphinxTranscriber({ clock, decoder, cacheDir, threads: 1, queue: 2, timeoutMs: 60_000, ...options });
}

afterAll(() => decoder.close());

describeTranscriber('PocketSphinx', FOX, make);

describe('PocketSphinxTranscriber', () => {
  it('recognises the same words in other containers', async () => {
    const subject = make();
    // The decoder's own tests have all containers; these are resampled, mixed down, and taken out of a film.
    for (const file of ['speech-stereo-44k.mp3', 'speech-opus.ogg', 'speech-with-picture.webm']) {
      const { text, durationSeconds } = await heard(subject, recording(file));
      expect([file, text]).toEqual([file, FOX]);
      expect(durationSeconds).toBeCloseTo(3.5, 1);
    }
    await subject.close();
  });

  it('ends its thread after five idle minutes', async () => {
    const movable = new FakeClock();
    const subject = make({ clock: movable, script: new URL('../../../test/fixtures/workers/deaf.worker.js', import.meta.url) });
    expect((await heard(subject, recording('speech.wav'))).text).toBe('1');
    movable.advance(4 * 60_000);
    expect((await heard(subject, recording('speech.wav'))).text).toBe('2');
    movable.advance(5 * 60_000);
    expect((await heard(subject, recording('speech.wav'))).text).toBe('1');
    await subject.close();
  });
});
