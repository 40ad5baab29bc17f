import { IsIn, IsNumber, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { DEEPEST, IfPresent, IsFilledText, IsJsonObject, IsListOf, isTooDeep, IsUuidText } from '../../core/http/index.js';
import { MEDIA_TYPES, type AudioFormat, type Transcript } from '../../providers/speech/index.js';
import type { SpeakingPlace, SpokenReply } from './conversation.types.js';
import { FASTEST, FORMAT_WORDS, LONGEST_NAME, LONGEST_TEXT, SLOWEST, VoiceChoiceBody } from './speech.dto.js';
import type { Stages } from './stages.js';

const MOST_MESSAGES = 1000;

/** Who speaks, where, and with which voice it is answered: what the JSON form and the multipart form of a conversation have in common. */
export class SpeakingFields extends VoiceChoiceBody {
  /** Channel in which it is said; created when it does not exist. A new one when neither this nor `roomId` is given. */
  @IfPresent()
  @IsUuidText()
  channelId?: string;

  /** As `channelId`, but any text: the same text always means the same channel of the agent. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  roomId?: string;

  /** Who speaks; a new user when neither this nor `entityId` is given. */
  @IfPresent()
  @IsUuidText()
  userId?: string;

  /** As `userId`, but any text. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  entityId?: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  userName?: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  name?: string;

  /** The speaker's own id for the message; sending it again does not store it again. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  clientMessageId?: string;
}

/** One of several messages. */
export class SaidBody {
  @IsFilledText(LONGEST_TEXT)
  text!: string;
}

/** JSON body of `POST /api/audio/{agentId}/speech/conversation`. */
export class ConversationBody extends SpeakingFields {
  /** What the user says. */
  @ValidateIf(({ messages, text }: ConversationBody) => messages === undefined || text !== undefined)
  @IsFilledText(LONGEST_TEXT)
  text?: string;

  /** In the place of `text`: the last one is what the user says, the others are not looked at. */
  @IfPresent()
  @IsListOf(SaidBody, MOST_MESSAGES)
  messages?: SaidBody[];

  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; goes before `Accept`. */
  @IfPresent()
  @IsIn(FORMAT_WORDS)
  format?: string;

  /** Pace, 0.25 to 4; 1 is the voice's own. */
  @IfPresent()
  @IsNumber()
  @Min(SLOWEST)
  @Max(FASTEST)
  speed?: number;

  @IsOptional()
  @IsJsonObject()
  metadata?: Record<string, unknown> | null;
}

/** Form of a spoken conversation. Numbers and objects come as text there. */
export class ConversationFields extends SpeakingFields {
  /** The recording. */
  file!: Uint8Array;

  /** Format of the answer's audio: `wav` (the default), `mp3` or `ogg`. `format` would be that of the recording, which is found out from its content. */
  @IfPresent()
  @IsIn(FORMAT_WORDS)
  responseFormat?: string;

  /** JSON text of an object. */
  @IfPresent()
  @IsFilledText(LONGEST_TEXT)
  metadata?: string;
}

/** How long each stage took, ms. */
export class StageTimesView {
  transcription!: number;
  /** From the message to its answer. */
  turn!: number;
  synthesis!: number;
  total!: number;
}

/** A recording's answer, as audio in JSON. */
export class SpokenReplyView {
  /** Whether the agent had something to say. False, too, when the recording was silent. */
  didRespond!: boolean;
  /** Media type of the audio. */
  mediaType!: string;
  /** Length of the audio, seconds. */
  duration!: number;
  /** Channel in which both were said. */
  channelId!: string;
  /** The user's message; null when the recording was silent. */
  messageId!: string | null;
  /** The same as `messageId`: what the reply answers. */
  inReplyTo!: string | null;
  /** The agent's message; null when it said nothing. */
  replyId!: string | null;
  userId!: string;
  timings!: StageTimesView;
}

/** Answer of `speech/conversation` (multipart) and of `speech`. */
export class ConversationView extends SpokenReplyView {
  /** What the agent said. */
  text!: string;
  /** The same as a file, base64; empty when it said nothing. */
  audio!: string;
  /** What the user said. */
  transcription!: string;
}

/** Answer of `audio-messages`. */
export class AudioMessageView extends SpokenReplyView {
  /** What the user said. */
  transcription!: string;
  /** What the agent said. */
  message!: string;
  /** The same as a file, base64; empty when it said nothing. */
  audio!: string;
}

/** Answer of `process-audio`. */
export class ProcessedAudioView extends SpokenReplyView {
  /** What the user said. */
  text!: string;
  /** What the agent said. */
  response!: string;
  /** The same as a file, base64; empty when it said nothing. */
  audioResponse!: string;
}

/** What the JSON form says. @throws AppError VALIDATION_ERROR when text is in two places */
export function textOf({ text, messages }: ConversationBody): string {
  if (text !== undefined && messages !== undefined) {
    throw new AppError('VALIDATION_ERROR', 'text and messages must not be given together', 'Send the one that the user says.');
  }
  const last = text ?? messages?.at(-1)?.text;
  if (last === undefined) throw new AppError('VALIDATION_ERROR', 'messages must not be empty', 'Its last element is what the user says.');
  return last;
}

/** The JSON text in the field `metadata` of a form. @throws AppError VALIDATION_ERROR */
export function metadataOf(text: string | undefined): Record<string, unknown> {
  const value = text === undefined ? {} : parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isTooDeep(value)) return value as Record<string, unknown>;
  throw new AppError(
    'VALIDATION_ERROR',
    'metadata must be the JSON text of an object',
    `It may have ${DEEPEST} levels. Leave it out, or send for example {"source":"phone"}.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A recording and what came of it. */
export interface Heard {
  readonly transcript: Transcript;
  readonly place: SpeakingPlace;
  readonly format: AudioFormat;
  /** Undefined when the recording was silent. */
  readonly reply: SpokenReply | undefined;
  readonly stages: Stages;
}

export function presentConversation(heard: Heard): ConversationView {
  return { text: heard.reply?.text ?? '', audio: base64(heard), transcription: heard.transcript.text, ...presentReply(heard) };
}

export function presentAudioMessage(heard: Heard): AudioMessageView {
  return { transcription: heard.transcript.text, message: heard.reply?.text ?? '', audio: base64(heard), ...presentReply(heard) };
}

export function presentProcessedAudio(heard: Heard): ProcessedAudioView {
  return { text: heard.transcript.text, response: heard.reply?.text ?? '', audioResponse: base64(heard), ...presentReply(heard) };
}

function presentReply({ reply, place, format, stages }: Heard): SpokenReplyView {
  return {
    didRespond: (reply?.replyId ?? null) !== null,
    mediaType: MEDIA_TYPES[format],
    duration: reply?.duration ?? 0,
    channelId: place.channelId,
    messageId: reply?.messageId ?? null,
    inReplyTo: reply?.messageId ?? null,
    replyId: reply?.replyId ?? null,
    userId: place.authorId,
    timings: { transcription: stages.of('transcription'), turn: stages.of('turn'), synthesis: stages.of('synthesis'), total: stages.total },
  };
}

function base64({ reply }: Heard): string {
  return Buffer.from(reply?.audio ?? []).toString('base64');
}
