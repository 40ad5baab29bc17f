import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../src/core/clock/index.js';
import { AudioDecoder } from '../../src/providers/speech/audio-decoder.js';
import { Ffmpeg } from '../../src/providers/speech/ffmpeg.js';
import { FliteSynthesizer } from '../../src/providers/speech/flite-synthesizer.js';
import type { Pcm } from '../../src/providers/speech/pcm.js';
import { PocketSphinxTranscriber } from '../../src/providers/speech/pocketsphinx-transcriber.js';
import { wavFile } from '../../src/providers/speech/wav.js';
import { heard } from '../support/describe-transcriber.js';

const cacheDir = join(tmpdir(), 'parley-test-cache');
const clock = new SystemClock();
const ffmpeg = new Ffmpeg({ clock, command: 'there-is-no-such-program' });
const decoder = new AudioDecoder({ clock, maxBytes: 200_000, maxSeconds: 10, queue: 10, ffmpeg });
const never = new AbortController().signal;

afterAll(() => decoder.close());

// Spoken by the built-in voice and recognised by the built-in recogniser. Its words are those of general English of the
// 2000s; names and terms of today are not among them.
const SENTENCES = [
  'The quick brown fox jumps over the lazy dog.',
  'The weather is going to be nice this weekend.',
  'He opened the window because it was very warm.',
  'There is a small house at the end of the road.',
  'The price of oil has fallen again this week.',
  'Please send me the letter before the end of the month.',
];
const COMMANDS = [
  'One two three four five.',
  'Six seven eight nine ten.',
  'Turn on the light.',
  'Stop the music.',
  'Open the door.',
  'What time is it?',
];

// Ordinary questions, as one asks an agent.
const QUESTIONS = [
  'When are you open?',
  'What time is it?',
  'Where do you live?',
  'How much does it cost?',
  'Can you help me?',
  'What is your name?',
  'Who are you?',
  'What can you do?',
  'How are you today?',
  'Where is the station?',
  'Do you have a room for tonight?',
  'What is the weather like today?',
  'How do I get to the airport?',
  'Can I pay by card?',
  'Is breakfast included?',
  'When does the next train leave?',
  'How long does it take?',
  'Do you speak English?',
  'What did you say?',
  'Could you say that again?',
  'Where can I park my car?',
  'Is there a doctor near here?',
  'How old are you?',
  'What do you know about me?',
  'Do you remember my name?',
  'What is the price of a ticket?',
  'Can I change my order?',
  'Where is my order?',
  'How do I cancel my order?',
  'When will it arrive?',
  'Are you open on Sunday?',
  'Who is the owner of the company?',
  'What are your opening hours?',
  'Do you sell bread?',
  'Can I bring my dog?',
  'Why is it so cold?',
  'How many people work here?',
  'Is it far from here?',
  'What should I eat tonight?',
  'Can you tell me a story?',
  'Which way is north?',
  'How do I make a backup?',
  'Where is my data stored?',
  'How do I delete a message?',
  'What is the capital of France?',
  'Do I need a password?',
  'Is it free?',
  'How big is the house?',
  'What happened yesterday?',
  'Can we talk tomorrow?',
];

describe('the built-in recogniser, listening to the built-in voice,', () => {
  it('has at most 10 % wrong words in questions, fewer than 15 % in sentences, and fewer than 5 % in digits and short commands', async () => {
    const voice = new FliteSynthesizer({ clock, threads: 1, queue: 2 });
    const subject = new PocketSphinxTranscriber({ clock, decoder, cacheDir, threads: 1, queue: 2, timeoutMs: 60_000 });
    const wrongIn = async (texts: readonly string[]): Promise<number> => {
      let wrong = 0;
      let all = 0;
      for (const text of texts) {
        const pieces: Pcm[] = [];
        for await (const piece of voice.synthesize({ text, signal: never })) pieces.push(piece);
        const expected = wordsOf(text);
        wrong += distance(expected, wordsOf((await heard(subject, wavFile(pieces))).text));
        all += expected.length;
      }
      return wrong / all;
    };
    const rates = { questions: await wrongIn(QUESTIONS), sentences: await wrongIn(SENTENCES), commands: await wrongIn(COMMANDS) };
    process.stdout.write(
      `word error rate: questions ${percent(rates.questions)}, sentences ${percent(rates.sentences)}, digits and commands ${percent(rates.commands)}\n`,
    );
    expect(rates.questions).toBeLessThanOrEqual(0.1);
    expect(rates.sentences).toBeLessThan(0.15);
    expect(rates.commands).toBeLessThan(0.05);
    await Promise.all([voice.close(), subject.close()]);
  }, 400_000);
});

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}

/** Words to replace, add or leave out. */
function distance(expected: readonly string[], found: readonly string[]): number {
  let row = found.map((_, j) => j + 1);
  for (const [i, word] of expected.entries()) {
    let left = i + 1;
    let corner = i;
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, corner + (found[j] === word ? 0 : 1));
      corner = above;
      return left;
    });
  }
  return row.at(-1) ?? expected.length;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
