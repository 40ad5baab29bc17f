import type { Clock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import type { HeldAccess, Users } from '../../core/http/index.js';
import { newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import { anySignal } from '../../core/signals/index.js';
import { wavFile, type AudioFormat } from '../../providers/speech/index.js';
import type { AgentsService } from '../agents/index.js';
import { pendingReplies } from '../messaging/index.js';
import type { SpeakerContext } from './conversation.types.js';
import type { MemoryReservation, RecordingMemory } from './recording-memory.js';
import { toChannelMessage } from './utterance-message.js';
import type { SpeechOptions } from './speech.dto.js';
import type { SpeechService } from './speech.service.js';
import type { SpokenReplies } from './spoken-replies.js';
import type { TranscriptionsService } from './transcriptions.service.js';
import { VoicePlayback, type SendEvent } from './voice-playback.js';

/** Parameters of an utterance, known before its audio. */
export interface VoiceRequest extends SpeakerContext {
  /** The users that the caller's credential authenticates. */
  readonly users: Users;
  /** The caller's right to hear of the channel, released with the utterance or after its reply. */
  readonly access: HeldAccess;
  /** The agent that replies; when omitted, the agents that the channel selects. */
  readonly agentId?: string;
  /** Sample rate of raw 16-bit samples, Hz; undefined when the chunks are parts of an audio file. */
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
  readonly held: MemoryReservation;
  readonly cancelDeadline: () => void;
  bytes: number;
}

interface Parts {
  readonly transcriptions: TranscriptionsService;
  readonly replies: SpokenReplies;
  readonly speech: SpeechService;
  readonly agents: AgentsService;
  readonly memory: RecordingMemory;
  readonly clock: Clock;
  readonly config: Config;
  readonly send: SendEvent;
}

// Utterances that wait for transcription; a person cannot speak faster than this.
const MAX_WAITING = 4;
// Added to the maximum duration of a recording, for clients that pause.
const PAUSE_ALLOWANCE_MS = 60_000;
const RETRY_SECONDS = 5;

/**
 * A voice conversation with one client. It records one utterance at a time, transcribes it, posts it as an ordinary message, and speaks the
 * reply while it is generated. A new utterance interrupts the speech.
 */
export class VoiceCall {
  private recording: Recording | undefined;
  private readonly speaking = new Set<VoicePlayback>();
  private readonly closed = new AbortController();
  /** Serializes transcription and posting, in the order of the utterances. */
  private queue: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private readonly log = new Log('audio');

  constructor(private readonly parts: Parts) {}

  /**
   * Begins an utterance, discards an unfinished one, and interrupts the speech. Synchronous, so that the chunks that follow are not lost.
   *
   * @param request resolves once the speaker and the channel are authorized; the utterance is discarded when it rejects
   */
  begin(request: Promise<VoiceRequest>): string {
    this.interrupt();
    this.discard();
    const { clock, config, memory } = this.parts;
    const utteranceId = newId();
    const expire = (): void => {
      if (this.recording?.utteranceId !== utteranceId) return;
      this.discard();
      const error = new AppError(
        'AUDIO_TOO_LONG',
        'The utterance was not ended in time and was discarded.',
        'Send audioEnd after the last chunk.',
      );
      void this.parts.send('messageError', { ...errorBody(error), error: error.message, utteranceId });
    };
    this.recording = {
      utteranceId,
      request,
      chunks: [],
      held: memory.reserve(),
      cancelDeadline: clock.after(config.audioMaxSeconds * 1000 + PAUSE_ALLOWANCE_MS, expire),
      bytes: 0,
    };
    request.catch(() => {
      if (this.recording?.utteranceId === utteranceId) this.discard();
    });
    return utteranceId;
  }

  /**
   * @returns the size of the utterance so far, bytes.
   *
   * @throws AppError VALIDATION_ERROR, FILE_TOO_LARGE, AUDIO_BUSY; the utterance is discarded
   */
  append(chunk: Uint8Array): number {
    const recording = this.requireRecording();
    try {
      recording.held.add(chunk.length);
    } catch (error) {
      this.discard();
      throw error;
    }
    recording.chunks.push(chunk);
    return (recording.bytes += chunk.length);
  }

  /**
   * Ends the utterance. Resolves when it is transcribed and stored; the reply is spoken afterwards.
   *
   * @throws AppError as transcription and posting
   */
  async end(): Promise<Record<string, unknown>> {
    const recording = this.requireRecording();
    this.recording = undefined;
    recording.cancelDeadline();
    if (this.waiting >= MAX_WAITING) {
      release(recording);
      throw new AppError('AUDIO_BUSY', 'Too many utterances wait for transcription.', 'Wait for their transcriptions.').retryAfter(
        RETRY_SECONDS,
      );
    }
    this.waiting += 1;
    // An utterance that is interrupted before its transcription is still posted, but its reply is not spoken.
    const playback = new VoicePlayback(recording.utteranceId, this.parts.speech, this.parts.agents, this.parts.send);
    this.speaking.add(playback);
    const heard = this.queue.then(() => this.process(recording, playback));
    this.queue = heard.catch(() => undefined);
    try {
      return await heard;
    } catch (error) {
      this.speaking.delete(playback);
      release(recording);
      throw error;
    } finally {
      recording.held.release();
      this.waiting -= 1;
    }
  }

  /** Discards the recording and interrupts the speech. */
  cancel(): void {
    this.interrupt();
    this.discard();
  }

  /** Stops all work for a client that disconnected. Agents still reply to messages that were posted. */
  close(): void {
    this.closed.abort();
    this.cancel();
  }

  private async process(recording: Recording, playback: VoicePlayback): Promise<Record<string, unknown>> {
    const { transcriptions, replies, send } = this.parts;
    const { utteranceId } = recording;
    const request = await recording.request;
    const { channelId, authorId, authorName, users, access, agentId, options, clientMessageId, metadata } = request;
    access.signal.addEventListener('abort', () => playback.interrupt(), { once: true });
    const signal = anySignal(access.signal, this.closed.signal);
    const who = { agentId, userId: authorId };
    const audio = audioOf(recording, request.sampleRate);
    const transcript = await transcriptions.transcribe({ audio, language: options.language, signal }, who);
    recording.held.release();
    const { text, language = null, durationSeconds = null, engine } = transcript;
    const heard = { utteranceId, channelId, text, language, durationSeconds, engine };
    if (text === '') {
      this.speaking.delete(playback);
      access.release();
      const unsaid = { ...heard, messageId: null, replyId: null, inReplyTo: null, replies: [] };
      await send('audioTranscription', unsaid);
      return unsaid;
    }
    const said = { channelId, authorId, authorName, users, text, transcript, clientMessageId, metadata };
    const posted = await replies.post(toChannelMessage(agentId, said), signal);
    const { message } = posted.posted;
    const messageId = message.id;
    const stored = { ...heard, messageId, ...pendingReplies(message) };
    // Sent before the first audio of the reply. Not awaited, so that a slow client does not delay the reply.
    void send('audioTranscription', stored);
    void playback
      .speak(posted, { channelId, messageId }, request)
      .catch((error: unknown) => this.log.error('speaking a reply failed', error, { channelId, messageId }))
      .finally(() => {
        this.speaking.delete(playback);
        access.release();
      });
    return stored;
  }

  private interrupt(): void {
    for (const playback of this.speaking) playback.interrupt();
    this.speaking.clear();
  }

  private discard(): void {
    this.recording?.cancelDeadline();
    if (this.recording) release(this.recording);
    this.recording = undefined;
  }

  private requireRecording(): Recording {
    if (this.recording) return this.recording;
    throw new AppError(
      'VALIDATION_ERROR',
      'No utterance was started: audioStart must precede audioChunk and audioEnd.',
      'Send audioStart first.',
    );
  }
}

function release({ held, request }: Recording): void {
  held.release();
  // Without access there is no request, and its caller is told.
  void request.then(
    ({ access }) => access.release(),
    () => undefined,
  );
}

function audioOf({ chunks }: Recording, sampleRate: number | undefined): Uint8Array {
  const bytes = Buffer.concat(chunks);
  if (sampleRate === undefined || bytes.length === 0) return bytes;
  const samples = Int16Array.from({ length: Math.floor(bytes.length / 2) }, (_, i) => bytes.readInt16LE(2 * i));
  return wavFile([{ samples, sampleRate }]);
}
