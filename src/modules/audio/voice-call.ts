import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import type { Users } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import { wavFile, type AudioFormat } from '../../providers/speech/index.js';
import type { AgentsService } from '../agents/index.js';
import { owedReplies } from '../messaging/index.js';
import type { SpeakingPlace } from './conversation.types.js';
import type { Held, RecordingMemory } from './recording-memory.js';
import { messageFor } from './said-message.js';
import type { SpeechOptions } from './speech.dto.js';
import type { SpeechService } from './speech.service.js';
import type { SpokenAnswers } from './spoken-answers.js';
import type { TranscriptionsService } from './transcriptions.service.js';
import { VoiceAnswer, type TellClient } from './voice-answer.js';

/** What a client says about an utterance before it speaks. */
export interface VoiceRequest extends SpeakingPlace {
  /** Whom the credential of who speaks vouches for. */
  readonly users: Users;
  /** Who is to answer; whoever is asked to when it is left out. */
  readonly agentId?: string;
  /** Samples per second of raw 16 bit samples; undefined when the chunks are parts of an audio file. */
  readonly sampleRate?: number;
  readonly format: AudioFormat;
  readonly options: SpeechOptions;
  readonly clientMessageId?: string;
  readonly metadata?: Record<string, unknown>;
}

interface Recording {
  readonly utteranceId: string;
  readonly request: Promise<VoiceRequest>;
  readonly chunks: Uint8Array[];
  readonly held: Held;
  readonly cancelDeadline: () => void;
  bytes: number;
}

interface Parts {
  readonly transcriptions: TranscriptionsService;
  readonly answers: SpokenAnswers;
  readonly speech: SpeechService;
  readonly agents: AgentsService;
  readonly memory: RecordingMemory;
  readonly clock: Clock;
  readonly config: Config;
  readonly tell: TellClient;
}

// Utterances that have ended and wait to be recognised; a person cannot speak faster than that.
const MOST_WAITING = 4;
// On top of the longest recording, for a client that pauses.
const PATIENCE_MS = 60_000;
const RETRY_SECONDS = 5;

/**
 * One client's conversation by voice: it records one utterance at a time, has it recognised and posted as a message like
 * every other, and speaks the answer while it is written. Whoever begins to speak interrupts what is being spoken.
 */
export class VoiceCall {
  private recording: Recording | undefined;
  private readonly speaking = new Set<VoiceAnswer>();
  private readonly over = new AbortController();
  /** Utterances are recognised and posted in the order in which they were spoken. */
  private line: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private readonly log = new Log('audio');

  constructor(private readonly parts: Parts) {}

  /**
   * Begins an utterance, drops one that was begun before and not ended, and interrupts what is being spoken: at once, so
   * that chunks which follow are not lost.
   *
   * @param request settles when it is known who may speak where; when it is refused, the utterance is dropped
   */
  begin(request: Promise<VoiceRequest>): string {
    this.interrupt();
    this.drop();
    const { clock, config, memory } = this.parts;
    const utteranceId = newId();
    const expire = (): void => {
      if (this.recording?.utteranceId !== utteranceId) return;
      this.drop();
      const error = new AppError(
        'AUDIO_TOO_LONG',
        'The utterance was not ended in time and is dropped.',
        'Send audioEnd after the last chunk.',
      );
      void this.parts.tell('messageError', { ...errorBody(error), error: error.message, utteranceId });
    };
    this.recording = {
      utteranceId,
      request,
      chunks: [],
      held: memory.open(),
      cancelDeadline: clock.after(config.audioMaxSeconds * 1000 + PATIENCE_MS, expire),
      bytes: 0,
    };
    request.catch(() => {
      if (this.recording?.utteranceId === utteranceId) this.drop();
    });
    return utteranceId;
  }

  /** @returns the bytes of the utterance so far. @throws AppError VALIDATION_ERROR, FILE_TOO_LARGE, AUDIO_BUSY; the utterance is dropped then */
  append(chunk: Uint8Array): number {
    const recording = this.begun();
    try {
      recording.held.keep(chunk.length);
    } catch (error) {
      this.drop();
      throw error;
    }
    recording.chunks.push(chunk);
    return (recording.bytes += chunk.length);
  }

  /**
   * Ends the utterance. Settles when it is recognised and stored; its answer is spoken after that.
   *
   * @throws AppError what recognising and posting are refused with
   */
  async end(): Promise<Record<string, unknown>> {
    const recording = this.begun();
    this.recording = undefined;
    recording.cancelDeadline();
    if (this.waiting >= MOST_WAITING) {
      recording.held.release();
      throw new AppError('AUDIO_BUSY', 'Too many utterances wait to be recognised.', 'Wait for their transcriptions.').retryAfter(
        RETRY_SECONDS,
      );
    }
    this.waiting += 1;
    // It may be interrupted before it is even recognised: then it is posted, and its answer is not spoken.
    const answer = new VoiceAnswer(recording.utteranceId, this.parts.speech, this.parts.agents, this.parts.tell);
    this.speaking.add(answer);
    const heard = this.line.then(() => this.hear(recording, answer));
    this.line = heard.catch(() => undefined);
    try {
      return await heard;
    } catch (error) {
      this.speaking.delete(answer);
      throw error;
    } finally {
      recording.held.release();
      this.waiting -= 1;
    }
  }

  /** Drops what was recorded and interrupts what is being spoken. */
  cancel(): void {
    this.interrupt();
    this.drop();
  }

  /** The client has gone: all work for it stops. What was posted is answered all the same. */
  close(): void {
    this.over.abort();
    this.cancel();
  }

  private async hear(recording: Recording, answer: VoiceAnswer): Promise<Record<string, unknown>> {
    const { transcriptions, answers, tell } = this.parts;
    const { utteranceId } = recording;
    const request = await recording.request;
    const { channelId, authorId, authorName, users, agentId, options, clientMessageId, metadata } = request;
    const who = { agentId, userId: authorId };
    const audio = audioOf(recording, request.sampleRate);
    const transcript = await transcriptions.transcribe({ audio, language: options.language, signal: this.over.signal }, who);
    recording.held.release();
    const { text, language = null, durationSeconds = null, engine } = transcript;
    const heard = { utteranceId, channelId, text, language, durationSeconds, engine };
    if (text === '') {
      this.speaking.delete(answer);
      const unsaid = { ...heard, messageId: null, replyId: null, inReplyTo: null, replies: [] };
      await tell('audioTranscription', unsaid);
      return unsaid;
    }
    const said = { channelId, authorId, authorName, users, text, transcript, clientMessageId, metadata };
    const posted = await answers.to(messageFor(agentId, said), this.over.signal);
    const { message } = posted.posted;
    const messageId = message.id;
    const stored = { ...heard, messageId, ...owedReplies(message) };
    // Before the first sound of the answer; and the answer must not wait for a client that reads slowly.
    void tell('audioTranscription', stored);
    void answer
      .speak(posted, { channelId, messageId }, request)
      .catch((error: unknown) => this.log.error('an answer could not be spoken', error, { channelId, messageId }))
      .finally(() => this.speaking.delete(answer));
    return stored;
  }

  private interrupt(): void {
    for (const answer of this.speaking) answer.interrupt();
    this.speaking.clear();
  }

  private drop(): void {
    this.recording?.cancelDeadline();
    this.recording?.held.release();
    this.recording = undefined;
  }

  private begun(): Recording {
    if (this.recording) return this.recording;
    throw new AppError(
      'VALIDATION_ERROR',
      'There is no utterance: audioStart comes before audioChunk and audioEnd.',
      'Send audioStart first.',
    );
  }
}

function audioOf({ chunks }: Recording, sampleRate: number | undefined): Uint8Array {
  const bytes = Buffer.concat(chunks);
  if (sampleRate === undefined || bytes.length === 0) return bytes;
  const samples = Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, i) => bytes.readInt16LE(2 * i));
  return wavFile([{ samples, sampleRate }]);
}
