import {
  SpeechSynthesizer,
  Transcriber,
  type SpeechRequest,
  type SpeechChunk,
  type Transcript,
  type TranscriptionRequest,
  type Voice,
} from '../../src/providers/speech/index.js';
import { AppError } from '../../src/core/errors/index.js';
import { Gate } from './scripted-model.js';

const SAMPLE_RATE = 16_000;
const SAMPLES_PER_CHARACTER = 160;

export const SCRIPTED_VOICES: readonly Voice[] = [
  { id: 'anna', name: 'Anna', language: 'en-US', gender: 'female', isDefault: true },
  { id: 'ben', name: 'Ben', language: 'en-US', gender: 'male', isDefault: false },
];

type Speech = (request: SpeechRequest) => AsyncIterable<SpeechChunk>;
type Hearing = (request: TranscriptionRequest) => Promise<Transcript>;

/** Steps for calls that are expected, in their order; a call without a step fails, and so does a step without a call. */
class Script<Step, Request> {
  readonly requests: Request[] = [];
  otherwise: Step | undefined;
  private readonly steps: Step[] = [];
  private readonly waiting: { calls: number; resolve: () => void }[] = [];
  private unexpected = 0;

  constructor(private readonly who: string) {}

  add(step: Step): void {
    this.steps.push(step);
  }

  next(request: Request): Step {
    this.requests.push(request);
    for (const { calls, resolve } of this.waiting) if (calls <= this.requests.length) resolve();
    const step = this.steps.shift() ?? this.otherwise;
    if (step !== undefined) return step;
    this.unexpected += 1;
    throw new Error(`The scripted ${this.who} has no step for call ${this.requests.length}.`);
  }

  called(calls: number): Promise<void> {
    if (this.requests.length >= calls) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ calls, resolve }));
  }

  assertDone(): void {
    const faults = [
      ...(this.steps.length > 0 ? [`${this.steps.length} of its steps were not used`] : []),
      ...(this.unexpected > 0 ? [`${this.unexpected} calls came for which there was no step`] : []),
    ];
    if (faults.length > 0) throw new Error(`The scripted ${this.who} is not done: ${faults.join(', ')}.`);
  }
}

/**
 * A voice that hums: each sentence is a tone of 10 ms for each of its characters. It refuses voices and languages that
 * it does not have, as the real ones do.
 */
export class ScriptedSynthesizer extends SpeechSynthesizer {
  override readonly provider = 'scripted';
  override readonly engine = 'hum';
  override readonly languages = ['en'];
  private readonly script = new Script<Speech, SpeechRequest>('synthesizer');

  /** Every request so far, oldest first. */
  get requests(): readonly SpeechRequest[] {
    return this.script.requests;
  }

  /** Speaks the text of the request, sentence by sentence. With a gate each sentence, and then the end, waits for a release. */
  speak({ gate }: { gate?: Gate } = {}): this {
    this.script.add((request) => hum(request, sentences(request.text), gate));
    return this;
  }

  /** Speaks so many sentences of the request, then fails with this error; with a gate when that is released. */
  fail(error: Error, { after = 0, gate }: { after?: number; gate?: Gate } = {}): this {
    this.script.add(async function* failing(request) {
      yield* hum(request, sentences(request.text).slice(0, after));
      await gate?.pass(request.signal);
      throw error;
    });
    return this;
  }

  /** Never speaks; ends when it is aborted. */
  stall(): this {
    return this.speak({ gate: new Gate() });
  }

  /** Speaks whatever comes without a step. */
  always(): this {
    this.script.otherwise = (request) => hum(request, sentences(request.text));
    return this;
  }

  /** Settles when it has been called so many times altogether. */
  called(calls = 1): Promise<void> {
    return this.script.called(calls);
  }

  /** @throws Error when steps are left, or calls came for which there was none */
  assertDone(): void {
    this.script.assertDone();
  }

  override voices(): Promise<readonly Voice[]> {
    return Promise.resolve(SCRIPTED_VOICES);
  }

  override async *synthesize(request: SpeechRequest): AsyncGenerator<SpeechChunk, void, undefined> {
    const speech = this.script.next(request);
    request.signal.throwIfAborted();
    if (request.voice !== undefined && !SCRIPTED_VOICES.some(({ id }) => id === request.voice)) {
      throw new AppError('UNKNOWN_VOICE', `There is no voice "${request.voice}".`, 'Use one of anna, ben.');
    }
    refuseLanguage(request.language);
    yield* speech(request);
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** An ear that receives what a test wrote down. */
export class ScriptedTranscriber extends Transcriber {
  override readonly provider = 'scripted';
  override readonly engine = 'ear';
  override readonly languages = ['en'];
  private readonly script = new Script<Hearing, TranscriptionRequest>('transcriber');

  /** Every request so far, oldest first. */
  get requests(): readonly TranscriptionRequest[] {
    return this.script.requests;
  }

  /** Hears this text, a second for each word. With a gate it waits for a release. */
  hear(text: string, { gate }: { gate?: Gate } = {}): this {
    this.script.add(async ({ signal }) => {
      await gate?.pass(signal);
      return transcript(text);
    });
    return this;
  }

  fail(error: Error): this {
    this.script.add(() => Promise.reject(error));
    return this;
  }

  /** Never answers; ends when it is aborted. */
  stall(): this {
    return this.hear('', { gate: new Gate() });
  }

  /** What every call receives for which there is no step. */
  always(text: string): this {
    this.script.otherwise = () => Promise.resolve(transcript(text));
    return this;
  }

  /** Settles when it has been called so many times altogether. */
  called(calls = 1): Promise<void> {
    return this.script.called(calls);
  }

  /** @throws Error when steps are left, or calls came for which there was none */
  assertDone(): void {
    this.script.assertDone();
  }

  override async transcribe(request: TranscriptionRequest): Promise<Transcript> {
    const hearing = this.script.next(request);
    request.signal.throwIfAborted();
    if (request.audio.length === 0) throw new AppError('VALIDATION_ERROR', 'The audio file is empty.', 'Send a recording.');
    refuseLanguage(request.language);
    return hearing(request);
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

function refuseLanguage(language: string | undefined): void {
  if (language === undefined || /^en\b/i.test(language)) return;
  throw new AppError('LANGUAGE_NOT_SUPPORTED', `The scripted engine does not know "${language}".`, 'Use "en".');
}

function sentences(text: string): string[] {
  // As the real ones: what has no letter or digit is not said.
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

async function* hum(
  { voice = 'anna', signal }: SpeechRequest,
  texts: readonly string[],
  gate?: Gate,
): AsyncGenerator<SpeechChunk, void, undefined> {
  for (const text of texts) {
    await gate?.pass(signal);
    signal.throwIfAborted();
    const samples = Int16Array.from({ length: text.length * SAMPLES_PER_CHARACTER }, (_, i) => Math.sin(i / 6) * 8000);
    yield { text, samples, sampleRate: SAMPLE_RATE, voice };
  }
  await gate?.pass(signal);
}

function transcript(text: string): Transcript {
  const words = text.split(' ').filter((word) => word !== '');
  const segments = words.map((word, i) => ({ text: word, startSeconds: i, endSeconds: i + 1, confidence: 0.9 }));
  return {
    text,
    segments,
    provider: 'scripted',
    engine: 'ear',
    language: 'en',
    durationSeconds: words.length,
    mediaType: 'audio/wav',
  };
}
