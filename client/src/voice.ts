// Conversations by voice over a socket (docs/reference/events.md, Speech).
import type { Socket } from 'socket.io-client';

export interface UtteranceOptions {
  readonly channelId: string;
  /** With it a channel that doesn't exist is created. */
  readonly agentId?: string;
  /** `file`: an audio file as a browser records it. `pcm16`: samples of 16 bits and one channel. Default: `file`. */
  readonly encoding?: 'file' | 'pcm16';
  /** Of `pcm16`, Hz. */
  readonly sampleRate?: number;
  readonly language?: string;
  /** Voice of the reply. */
  readonly voice?: string;
  readonly speed?: number;
  readonly format?: 'wav' | 'mp3' | 'ogg';
  readonly senderId?: string;
  readonly senderName?: string;
  /** Your own id of the message. */
  readonly messageId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The words of an utterance, as the message that was stored of it. */
export interface Transcription {
  readonly utteranceId: string;
  readonly channelId: string;
  /** Empty when the recording is silent. */
  readonly text: string;
  readonly messageId: string | null;
  readonly replyId: string | null;
  readonly language: string | null;
  readonly durationSeconds: number;
}

interface Spoken {
  readonly utteranceId: string;
  readonly channelId: string;
  readonly agentId: string;
  readonly replyId: string;
  readonly inReplyTo: string;
  readonly mediaType: string;
  readonly voice: string;
}

export type SpeechEvent =
  | ({ readonly type: 'speech.started' } & Spoken)
  /** `audio` is a complete audio file of these words. */
  | ({
      readonly type: 'speech.chunk';
      readonly index: number;
      readonly text: string;
      readonly durationSeconds: number;
      readonly audio: ArrayBuffer | Uint8Array;
    } & Spoken)
  | ({
      readonly type: 'speech.ended';
      readonly status: 'completed' | 'interrupted' | 'failed';
      readonly spokenText: string;
    } & Spoken);

type Request = (name: string, payload: object, limitMs?: number) => Promise<Readonly<Record<string, unknown>>>;

/** On a busy machine, a local recogniser may need as long as the recording. */
const RECOGNITION_MS = 300_000;

/** Something that is being said. */
export class Utterance {
  /** @internal */
  constructor(
    readonly utteranceId: string,
    private readonly request: Request,
  ) {}

  /** Sends the next part of the sound; resolves when the server has it. @throws ParleyError */
  async write(audio: ArrayBuffer | Uint8Array): Promise<void> {
    await this.request('audioChunk', audio);
  }

  /** Ends it and stores what was said as a message. @throws ParleyError */
  async end(): Promise<Transcription> {
    return (await this.request('audioEnd', {}, RECOGNITION_MS)) as unknown as Transcription;
  }

  /** Drops it, and interrupts a reply that is being spoken. */
  async cancel(): Promise<void> {
    await this.request('audioCancel', {});
  }
}

const TYPES = { speechStart: 'speech.started', speechChunk: 'speech.chunk', speechEnd: 'speech.ended' } as const;

/** @internal */
export function listenToSpeech(socket: Socket, listener: (event: SpeechEvent) => void): () => void {
  const listeners = Object.entries(TYPES).map(([name, type]) => {
    const hear = (fields: object): void => listener({ ...fields, type } as SpeechEvent);
    socket.on(name, hear);
    return () => socket.off(name, hear);
  });
  return () => listeners.forEach((stop) => stop());
}
