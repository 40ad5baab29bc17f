import { AppError } from '../../core/errors/index.js';
import { supportsLanguage } from './languages.js';
import type { Pcm } from './pcm.js';
import { SpeechSynthesizer, type SpeechRequest, type SpeechChunk, type Voice } from './speech-synthesizer.js';
import { utterancesOf } from './spoken-text.js';
import { findVoice } from './voice-names.js';

const MIN_SPEED = 0.25;
const MAX_SPEED = 4;

/** A request for one utterance, which an engine synthesizes in one call. */
export interface UtteranceRequest {
  readonly text: string;
  /** Id of a voice of the engine. */
  readonly voice: string;
  readonly language?: string;
  /** 0.25 to 4. */
  readonly speed: number;
  readonly signal: AbortSignal;
}

/** Base of all synthesizers: cleans the text and splits it into utterances; an engine synthesizes one utterance at a time. */
export abstract class SentenceSynthesizer extends SpeechSynthesizer {
  override async *synthesize(request: SpeechRequest): AsyncGenerator<SpeechChunk, void, undefined> {
    const { signal, language } = request;
    signal.throwIfAborted();
    if (language !== undefined && !supportsLanguage(this.languages, language)) throw this.unsupportedLanguage(language);
    const voice = this.voiceFor(request, await this.voices({ signal }));
    const speed = Math.min(MAX_SPEED, Math.max(MIN_SPEED, request.speed ?? 1));
    const sayable = utterancesOf(request.text).filter((text) => this.canSpeak(text));
    const texts = joinSentences(sayable, this.maxUtteranceLength);
    // Synthesize one utterance ahead of the reader, so that the next is ready when this one has been sent.
    const giveUp = new AbortController();
    const over = AbortSignal.any([signal, giveUp.signal]);
    const begin = (text: string): Promise<Pcm> => {
      const made = this.synthesizeUtterance({ text, voice, language, speed, signal: over });
      made.catch(() => undefined);
      return made;
    };
    try {
      let next = texts[0] === undefined ? undefined : begin(texts[0]);
      for (const [index, text] of texts.entries()) {
        const pcm = await next;
        const following = texts[index + 1];
        next = following === undefined ? undefined : begin(following);
        signal.throwIfAborted();
        if (pcm !== undefined && pcm.samples.length > 0) yield { ...pcm, text, voice };
      }
    } finally {
      giveUp.abort(new Error('The reader stopped reading the speech.'));
    }
  }

  protected abstract synthesizeUtterance(utterance: UtteranceRequest): Promise<Pcm>;

  /** Whether the engine can speak any part of a text; other texts are skipped. */
  protected canSpeak(_text: string): boolean {
    return true;
  }

  /** The `details` of errors about unsupported languages and missing voices. */
  protected abstract hint(): string;

  /** Maximum length of an utterance after the first sentence, characters; 0 for one sentence at a time. */
  protected readonly maxUtteranceLength: number = 0;

  /** Default voice; when undefined, the default of `voices`. */
  protected readonly defaultVoice: string | undefined = undefined;

  private voiceFor({ voice, preferredVoice }: SpeechRequest, voices: readonly Voice[]): string {
    const named = (name: string | undefined): string | undefined => findVoice(name, voices)?.id;
    const standard = (): string | undefined => this.defaultVoice ?? voices.find(({ isDefault }) => isDefault)?.id ?? voices[0]?.id;
    // Without a list of voices, the service validates the name.
    const chosen =
      voices.length === 0 ? (voice ?? preferredVoice)?.trim() : (named(voice) ?? (voice === undefined ? named(preferredVoice) : undefined));
    if (voice !== undefined && chosen === undefined) {
      const ids = voices.map(({ id }) => id).join(', ');
      throw new AppError('UNKNOWN_VOICE', `The speech engine ${this.engine} has no voice "${voice}".`, `Use one of ${ids}.`);
    }
    const speaker = chosen ?? standard();
    if (speaker === undefined) throw new AppError('MODEL_UNAVAILABLE', `The speech engine ${this.engine} has no voice.`, this.hint());
    return speaker;
  }

  private unsupportedLanguage(language: string): AppError {
    const message = `The speech engine ${this.engine} does not support "${language}", only ${this.languages?.join(', ')}.`;
    return new AppError('LANGUAGE_NOT_SUPPORTED', message, this.hint());
  }
}

/** Keeps the first sentence alone, so that speech starts early, and joins the others, which sounds better and needs fewer calls. */
function joinSentences([first, ...others]: readonly string[], longest: number): string[] {
  if (first === undefined) return [];
  const texts: string[] = [];
  for (const text of others) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + text.length < longest) texts[texts.length - 1] = `${last} ${text}`;
    else texts.push(text);
  }
  return [first, ...texts];
}
