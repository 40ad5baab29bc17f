import { IsIn, IsNumber, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { MAX_DEPTH, IfPresent, IsFilledText, IsJsonObject, IsListOf, isTooDeep, IsUuidText } from '../../core/http/index.js';
import { MEDIA_TYPES, type AudioFormat, type Transcript } from '../../providers/speech/index.js';
import type { SpeakerContext, SpokenReply } from './conversation.types.js';
import { FASTEST, FORMAT_NAMES, LONGEST_NAME, LONGEST_TEXT, SLOWEST, VoiceChoiceBody } from './speech.dto.js';
import type { StageTimer } from './stage-timer.js';

const MAX_MESSAGES = 1000;

/** The speaker, the channel and the voice of the reply: fields that the JSON and the multipart form of a conversation share. */
export class SpeakingFields extends VoiceChoiceBody {
  /** Channel of the message; created when it does not exist. Without this and `roomId`, a new channel. */
  @IfPresent()
  @IsUuidText()
  channelId?: string;

  /** Same as `channelId`, but any text. The same text always selects the same channel of the agent. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  roomId?: string;

  /** Id of the speaker. Without this and `entityId`, a new user. */
  @IfPresent()
  @IsUuidText()
  userId?: string;

  /** Same as `userId`, but any text. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  entityId?: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  userName?: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  name?: string;

  /** The client's own id for the message. A message with an id that was already used is not stored again. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  clientMessageId?: string;
}

/** One message of a conversation. */
export class SaidBody {
  @IsFilledText(LONGEST_TEXT)
  text!: string;
}

/** JSON body of `POST /api/audio/{agentId}/speech/conversation`. */
export class ConversationBody extends SpeakingFields {
  /** The user's message. */
  @ValidateIf(({ messages, text }: ConversationBody) => messages === undefined || text !== undefined)
  @IsFilledText(LONGEST_TEXT)
  text?: string;

  /** Alternative to `text`: the last element is the user's message; the others are ignored. */
  @IfPresent()
  @IsListOf(SaidBody, MAX_MESSAGES)
  messages?: SaidBody[];

  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`. */
  @IfPresent()
  @IsIn(FORMAT_NAMES)
  format?: string;

  /** Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
  @IfPresent()
  @IsNumber()
  @Min(SLOWEST)
  @Max(FASTEST)
  speed?: number;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;
}

/** Multipart form of a spoken conversation. Numbers and objects are sent as text. */
export class ConversationFields extends SpeakingFields {
  /** The recording. */
  file!: Uint8Array;

  /** Audio format of the reply: `wav` (the default), `mp3` or `ogg`. The format of the recording is detected from its content. */
  @IfPresent()
  @IsIn(FORMAT_NAMES)
  responseFormat?: string;

  /** A JSON object as text. */
  @IfPresent()
  @IsFilledText(LONGEST_TEXT)
  metadata?: string;
}

/** Duration of each stage, ms. */
export class StageTimesView {
  transcription!: number;
  /** From the message to the reply. */
  turn!: number;
  synthesis!: number;
  total!: number;
}

/** The reply to a recording, with its audio in JSON. */
export class SpokenReplyView {
  /** Whether the agent replied. Also false for a silent recording. */
  didRespond!: boolean;
  /** Media type of the audio. */
  mediaType!: string;
  /** Duration of the audio, seconds. */
  duration!: number;
  /** Channel of the message and the reply. */
  channelId!: string;
  /** Id of the user's message; null for a silent recording. */
  messageId!: string | null;
  /** Same as `messageId`. */
  inReplyTo!: string | null;
  /** Id of the agent's message; null when the agent did not reply. */
  replyId!: string | null;
  userId!: string;
  timings!: StageTimesView;
}

/** Response of `speech/conversation` (multipart) and `speech`. */
export class ConversationView extends SpokenReplyView {
  /** Text of the agent's reply. */
  text!: string;
  /** Audio of the reply, base64; empty when the agent did not reply. */
  audio!: string;
  /** Transcript of the recording. */
  transcription!: string;
}

/** Response of `audio-messages`. */
export class AudioMessageView extends SpokenReplyView {
  /** Transcript of the recording. */
  transcription!: string;
  /** Text of the agent's reply. */
  message!: string;
  /** Audio of the reply, base64; empty when the agent did not reply. */
  audio!: string;
}

/** Response of `process-audio`. */
export class ProcessedAudioView extends SpokenReplyView {
  /** Transcript of the recording. */
  text!: string;
  /** Text of the agent's reply. */
  response!: string;
  /** Audio of the reply, base64; empty when the agent did not reply. */
  audioResponse!: string;
}

/** The user's message of the JSON form. @throws AppError VALIDATION_ERROR unless exactly one of `text` and `messages` is given */
export function textOf({ text, messages }: ConversationBody): string {
  if (text !== undefined && messages !== undefined) {
    throw new AppError('VALIDATION_ERROR', 'text and messages must not be given together', "Send only the user's message.");
  }
  const last = text ?? messages?.at(-1)?.text;
  if (last === undefined) throw new AppError('VALIDATION_ERROR', 'messages must not be empty', "Its last element is the user's message.");
  return last;
}

/** Parses the form field `metadata`. @throws AppError VALIDATION_ERROR unless it is a JSON object */
export function metadataOf(text: string | undefined): Record<string, unknown> {
  const value = text === undefined ? {} : parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isTooDeep(value)) return value as Record<string, unknown>;
  throw new AppError(
    'VALIDATION_ERROR',
    'metadata must be a JSON object as text',
    `It may be nested ${MAX_DEPTH} levels deep. Omit it, or send for example {"source":"phone"}.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A transcribed recording and the reply to it. */
export interface VoiceExchange {
  readonly transcript: Transcript;
  readonly speaker: SpeakerContext;
  readonly format: AudioFormat;
  /** Undefined for a silent recording. */
  readonly reply: SpokenReply | undefined;
  readonly stages: StageTimer;
}

export function presentConversation(exchange: VoiceExchange): ConversationView {
  return { text: exchange.reply?.text ?? '', audio: base64(exchange), transcription: exchange.transcript.text, ...presentReply(exchange) };
}

export function presentAudioMessage(exchange: VoiceExchange): AudioMessageView {
  return {
    transcription: exchange.transcript.text,
    message: exchange.reply?.text ?? '',
    audio: base64(exchange),
    ...presentReply(exchange),
  };
}

export function presentProcessedAudio(exchange: VoiceExchange): ProcessedAudioView {
  return {
    text: exchange.transcript.text,
    response: exchange.reply?.text ?? '',
    audioResponse: base64(exchange),
    ...presentReply(exchange),
  };
}

function presentReply({ reply, speaker, format, stages }: VoiceExchange): SpokenReplyView {
  return {
    didRespond: (reply?.replyId ?? null) !== null,
    mediaType: MEDIA_TYPES[format],
    duration: reply?.duration ?? 0,
    channelId: speaker.channelId,
    messageId: reply?.messageId ?? null,
    inReplyTo: reply?.messageId ?? null,
    replyId: reply?.replyId ?? null,
    userId: speaker.authorId,
    timings: {
      transcription: stages.elapsed('transcription'),
      turn: stages.elapsed('turn'),
      synthesis: stages.elapsed('synthesis'),
      total: stages.total,
    },
  };
}

function base64({ reply }: VoiceExchange): string {
  return Buffer.from(reply?.audio ?? []).toString('base64');
}
