import { AppError, errorBody } from '../../core/errors/index.js';
import { toAppError } from '../../core/http/index.js';
import { MEDIA_TYPES, secondsOf, type AudioFormat, type SpeechChunk } from '../../providers/speech/index.js';
import type { AgentsService } from '../agents/index.js';
import type { SpeechOptions } from './speech.dto.js';
import type { SpeechService } from './speech.service.js';
import type { ReplyStream } from './spoken-replies.js';

/** Sends an event to the client; settles when the client can take more. */
export type SendEvent = (name: string, payload: Record<string, unknown>) => Promise<void>;

/** How replies are spoken. */
interface PlaybackOptions {
  readonly format: AudioFormat;
  readonly options: SpeechOptions;
}

/** A reply that is being spoken. */
interface Reply {
  readonly messageId: string;
  readonly agentId: string;
  readonly voice: string;
  index: number;
  readonly spoken: string[];
}

/**
 * Speaks the replies to one utterance to one client. Each reply begins with `speechStart` and ends with exactly one `speechEnd`. An
 * interruption sends `speechEnd` immediately, and no event follows it.
 */
export class VoicePlayback {
  private readonly interrupted = new AbortController();
  private about: { readonly channelId: string; readonly messageId: string } | undefined;
  private reply: Reply | undefined;
  private replies: ReplyStream | undefined;

  constructor(
    private readonly utteranceId: string,
    private readonly speech: SpeechService,
    private readonly agents: AgentsService,
    private readonly send: SendEvent,
  ) {}

  /** Stops immediately. The turn itself continues, unless the channel's turn policy cancels it. */
  interrupt(): void {
    if (this.interrupted.signal.aborted) return;
    this.interrupted.abort();
    if (this.about) void this.end('interrupted');
    this.replies?.close();
  }

  async speak(
    replies: ReplyStream,
    about: { readonly channelId: string; readonly messageId: string },
    manner: PlaybackOptions,
  ): Promise<void> {
    this.replies = replies;
    this.about = about;
    if (this.interrupted.signal.aborted) {
      replies.close();
      await this.end('interrupted');
      return;
    }
    try {
      await this.play(replies, manner);
    } catch (error) {
      if (this.interrupted.signal.aborted) return;
      const failure = toAppError(error);
      await this.end('failed', failure);
      if (failure.status >= 500 && !(error instanceof AppError)) throw error;
    } finally {
      replies.close();
      this.about = undefined;
    }
  }

  private async play({ parts }: ReplyStream, manner: PlaybackOptions): Promise<void> {
    for await (const part of parts) {
      if (part.type === 'sentence') await this.speakSentence(part.replyId, part.agentId, part.text, manner);
      else {
        if (this.reply?.messageId !== part.replyId) this.reply = undefined;
        await this.end(part.type === 'failure' ? 'failed' : 'completed', part.type === 'failure' ? part.error : undefined, part);
      }
      if (this.interrupted.signal.aborted) return;
    }
  }

  private async speakSentence(replyId: string, agentId: string, text: string, { format, options }: PlaybackOptions): Promise<void> {
    const { signal } = this.interrupted;
    for await (const piece of this.speech.speak(this.agents.require(agentId), text, options, signal)) {
      const audio = await this.speech.wholeFile(single(piece), format, signal);
      if (signal.aborted) return;
      const reply =
        this.reply?.messageId === replyId
          ? this.reply
          : await this.begin({ messageId: replyId, agentId, voice: piece.voice, index: 0, spoken: [] }, format);
      if (signal.aborted) return;
      const index = reply.index++;
      reply.spoken.push(piece.text);
      await this.send('speechChunk', {
        ...this.identifiers(),
        index,
        text: piece.text,
        durationSeconds: secondsOf(piece),
        audio: Buffer.from(audio),
      });
      if (signal.aborted) return;
    }
  }

  private async begin(reply: Reply, format: AudioFormat): Promise<Reply> {
    this.reply = reply;
    await this.send('speechStart', { ...this.identifiers(), mediaType: MEDIA_TYPES[format] });
    return reply;
  }

  private end(
    status: 'completed' | 'interrupted' | 'failed',
    error?: AppError,
    of: { readonly replyId: string | null; readonly agentId: string | null } = { replyId: null, agentId: null },
  ): Promise<void> {
    const { reply } = this;
    const payload = {
      ...this.identifiers(),
      messageId: reply?.messageId ?? of.replyId,
      replyId: reply?.messageId ?? of.replyId,
      agentId: reply?.agentId ?? of.agentId,
      status,
      spokenText: reply?.spoken.join(' ') ?? '',
      ...(error ? { error: errorBody(error) } : {}),
    };
    this.reply = undefined;
    return this.send('speechEnd', payload);
  }

  private identifiers(): Record<string, unknown> {
    const { channelId, messageId } = this.about ?? {};
    const { messageId: replyId = null, agentId = null, voice = null } = this.reply ?? {};
    return { utteranceId: this.utteranceId, channelId, inReplyTo: messageId, messageId: replyId, replyId, agentId, voice };
  }
}

async function* single(piece: SpeechChunk): AsyncGenerator<SpeechChunk> {
  yield await Promise.resolve(piece);
}
