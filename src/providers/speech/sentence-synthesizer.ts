import { AppError } from '../../core/errors/index.js';
import { understands } from './languages.js';
import type { Pcm } from './pcm.js';
import { SpeechSynthesizer, type SpeechRequest, type SpokenPiece, type Voice } from './speech-synthesizer.js';
import { utterancesOf } from './spoken-text.js';
import { voiceNamed } from './voice-names.js';

const SLOWEST = 0.25;
const FASTEST = 4;

/** One stretch of speech that an engine makes in one go. */
export interface Utterance {
  readonly text: string;
  /** Id of a voice that the engine has. */
  readonly voice: string;
  readonly language?: string;
  /** 0.25 to 4. */
  readonly speed: number;
  readonly signal: AbortSignal;
}

/** What all synthesizers have in common: the text is cleaned and cut here, an engine speaks one utterance at a time. */
export abstract class SentenceSynthesizer extends SpeechSynthesizer {
  override async *synthesize(request: SpeechRequest): AsyncGenerator<SpokenPiece, void, undefined> {
    const { signal, language } = request;
    signal.throwIfAborted();
    if (language !== undefined && !understands(this.languages, language)) throw this.foreign(language);
    const voice = this.voiceFor(request, await this.voices({ signal }));
    const speed = Math.min(FASTEST, Math.max(SLOWEST, request.speed ?? 1));
    const sayable = utterancesOf(request.text).filter((text) => this.canSay(text));
    const texts = joined(sayable, this.longestUtterance);
    // One utterance ahead of the reader, so that the next is ready when this one is sent off.
    const giveUp = new AbortController();
    const over = AbortSignal.any([signal, giveUp.signal]);
    const begin = (text: string): Promise<Pcm> => {
      const made = this.utter({ text, voice, language, speed, signal: over });
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
      giveUp.abort(new Error('The reader of the speech went away.'));
    }
  }

  protected abstract utter(utterance: Utterance): Promise<Pcm>;

  /** Whether anything of a text can be heard from the engine; what cannot is left out. */
  protected canSay(_text: string): boolean {
    return true;
  }

  /** What can be done for a language that the engine does not speak; the `details` of the refusal. */
  protected abstract wayOut(): string;

  /** Longest text that the engine gets in one go after the first sentence, characters; 0 for one sentence at a time. */
  protected readonly longestUtterance: number = 0;

  /** The voice when a request names none, where `voices` does not say. */
  protected readonly standardVoice: string | undefined = undefined;

  private voiceFor({ voice, preferredVoice }: SpeechRequest, voices: readonly Voice[]): string {
    const named = (name: string | undefined): string | undefined => voiceNamed(name, voices)?.id;
    const standard = (): string | undefined => this.standardVoice ?? voices.find(({ isDefault }) => isDefault)?.id ?? voices[0]?.id;
    // A service that does not tell its voices has to judge for itself.
    const chosen =
      voices.length === 0 ? (voice ?? preferredVoice)?.trim() : (named(voice) ?? (voice === undefined ? named(preferredVoice) : undefined));
    if (voice !== undefined && chosen === undefined) {
      const ids = voices.map(({ id }) => id).join(', ');
      throw new AppError('UNKNOWN_VOICE', `The speech engine ${this.engine} has no voice "${voice}".`, `Use one of ${ids}.`);
    }
    const speaker = chosen ?? standard();
    if (speaker === undefined) throw new AppError('MODEL_UNAVAILABLE', `The speech engine ${this.engine} has no voice.`, this.wayOut());
    return speaker;
  }

  private foreign(language: string): AppError {
    const message = `The speech engine ${this.engine} does not speak "${language}", only ${this.languages?.join(', ')}.`;
    return new AppError('LANGUAGE_NOT_SUPPORTED', message, this.wayOut());
  }
}

/** The first alone, so that it is soon heard; those after it together, which sounds better and asks less often. */
function joined([first, ...others]: readonly string[], longest: number): string[] {
  if (first === undefined) return [];
  const texts: string[] = [];
  for (const text of others) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + text.length < longest) texts[texts.length - 1] = `${last} ${text}`;
    else texts.push(text);
  }
  return [first, ...texts];
}
