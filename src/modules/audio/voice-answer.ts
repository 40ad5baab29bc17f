import { AppError, errorBody } from '../../core/errors/index.js';
import { toAppError } from '../../core/http/index.js';
import { MEDIA_TYPES, secondsOf, type AudioFormat, type SpokenPiece } from '../../providers/speech/index.js';
import type { AgentsService } from '../agents/index.js';
import type { SpeechOptions } from './speech.dto.js';
import type { SpeechService } from './speech.service.js';
import type { Answers } from './spoken-answers.js';

/** Sends an event to the client; settles when the client can take more. */
export type TellClient = (name: string, payload: Record<string, unknown>) => Promise<void>;

/** How an answer is to be spoken. */
interface Manner {
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
 * The answers to one utterance, spoken to one client. Each reply begins with `speechStart` and ends with exactly one
 * `speechEnd`; an interruption is told at once and nothing follows it.
 */
export class VoiceAnswer {
  private readonly interrupted = new AbortController();
  private about: { readonly channelId: string; readonly messageId: string } | undefined;
  private reply: Reply | undefined;
  private answers: Answers | undefined;

  constructor(
    private readonly utteranceId: string,
    private readonly speech: SpeechService,
    private readonly agents: AgentsService,
    private readonly tell: TellClient,
  ) {}

  /** Stops at once. The reply itself is written to its end, unless the channel's turn policy says otherwise. */
  interrupt(): void {
    if (this.interrupted.signal.aborted) return;
    this.interrupted.abort();
    if (this.about) void this.end('interrupted');
    this.answers?.end();
  }

  async speak(answers: Answers, about: { readonly channelId: string; readonly messageId: string }, manner: Manner): Promise<void> {
    this.answers = answers;
    this.about = about;
    if (this.interrupted.signal.aborted) {
      answers.end();
      await this.end('interrupted');
      return;
    }
    try {
      await this.follow(answers, manner);
    } catch (error) {
      if (this.interrupted.signal.aborted) return;
      const failure = toAppError(error);
      await this.end('failed', failure);
      if (failure.status >= 500 && !(error instanceof AppError)) throw error;
    } finally {
      answers.end();
      this.about = undefined;
    }
  }

  private async follow({ parts }: Answers, manner: Manner): Promise<void> {
    for await (const part of parts) {
      if (part.type === 'sentence') await this.say(part.replyId, part.agentId, part.text, manner);
      else {
        if (this.reply?.messageId !== part.replyId) this.reply = undefined;
        await this.end(part.type === 'failure' ? 'failed' : 'completed', part.type === 'failure' ? part.error : undefined, part);
      }
      if (this.interrupted.signal.aborted) return;
    }
  }

  private async say(replyId: string, agentId: string, text: string, { format, options }: Manner): Promise<void> {
    const { signal } = this.interrupted;
    for await (const piece of this.speech.speak(this.agents.require(agentId), text, options, signal)) {
      const audio = await this.speech.wholeFile(only(piece), format, signal);
      if (signal.aborted) return;
      const reply =
        this.reply?.messageId === replyId
          ? this.reply
          : await this.begin({ messageId: replyId, agentId, voice: piece.voice, index: 0, spoken: [] }, format);
      if (signal.aborted) return;
      const index = reply.index++;
      reply.spoken.push(piece.text);
      await this.tell('speechChunk', {
        ...this.names(),
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
    await this.tell('speechStart', { ...this.names(), mediaType: MEDIA_TYPES[format] });
    return reply;
  }

  private end(
    status: 'completed' | 'interrupted' | 'failed',
    error?: AppError,
    of: { readonly replyId: string | null; readonly agentId: string | null } = { replyId: null, agentId: null },
  ): Promise<void> {
    const { reply } = this;
    const payload = {
      ...this.names(),
      messageId: reply?.messageId ?? of.replyId,
      replyId: reply?.messageId ?? of.replyId,
      agentId: reply?.agentId ?? of.agentId,
      status,
      spokenText: reply?.spoken.join(' ') ?? '',
      ...(error ? { error: errorBody(error) } : {}),
    };
    this.reply = undefined;
    return this.tell('speechEnd', payload);
  }

  private names(): Record<string, unknown> {
    const { channelId, messageId } = this.about ?? {};
    const { messageId: replyId = null, agentId = null, voice = null } = this.reply ?? {};
    return { utteranceId: this.utteranceId, channelId, inReplyTo: messageId, messageId: replyId, replyId, agentId, voice };
  }
}

async function* only(piece: SpokenPiece): AsyncGenerator<SpokenPiece> {
  yield await Promise.resolve(piece);
}
