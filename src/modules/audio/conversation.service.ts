import { Injectable } from '@nestjs/common';
import type { AppError } from '../../core/errors/index.js';
import { secondsOf, type AudioFormat, type SpeechChunk } from '../../providers/speech/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import type { SpokenUtterance, SpokenReply } from './conversation.types.js';
import { tap } from './tap.js';
import { toChannelMessage } from './utterance-message.js';
import { SpeechService, type SpeechFile } from './speech.service.js';
import type { SpeechOptions } from './speech.dto.js';
import { SpokenReplies, type ReplyPart, type ReplyStream } from './spoken-replies.js';
import type { StageTimer } from './stage-timer.js';

/** Replies to a message with speech. The message runs through the same turn as every other message. */
@Injectable()
export class ConversationService {
  constructor(
    private readonly replies: SpokenReplies,
    private readonly speech: SpeechService,
    private readonly agents: AgentsService,
  ) {}

  /**
   * Posts a message and streams the reply as an audio file while the reply is generated. The stream has no bytes when the agent does not
   * reply.
   *
   * @param signal stops reading and synthesis; the turn continues
   * @throws AppError as `SpokenReplies.post`; the stream throws the error of a failed turn
   */
  async stream(
    agent: Agent,
    said: SpokenUtterance,
    { format, ...options }: SpeechOptions & { readonly format: AudioFormat },
    stages: StageTimer,
    signal: AbortSignal,
  ): Promise<SpeechFile & { readonly messageId: string }> {
    const replies = await this.replies.post(toChannelMessage(agent.id, said), signal);
    let voice: string | undefined;
    const pieces = tap(this.spoken(replies, options, stages, signal), (piece) => (voice ??= piece.voice));
    const bytes = this.speech.stream(pieces, format, signal);
    return { format, whole: false, voice: () => voice, bytes, messageId: replies.posted.message.id };
  }

  /** Same as `stream`, but resolves with the complete reply. */
  async reply(
    agent: Agent,
    said: SpokenUtterance,
    { format, ...options }: SpeechOptions & { readonly format: AudioFormat },
    stages: StageTimer,
    signal: AbortSignal,
  ): Promise<SpokenReply> {
    const replies = await this.replies.post(toChannelMessage(agent.id, said), signal);
    let replyId: string | null = null;
    let voice: string | undefined;
    const texts: string[] = [];
    let duration = 0;
    const pieces = this.spoken(replies, options, stages, signal, (part) => {
      if (part.type !== 'end' || part.content === null) return;
      replyId ??= part.replyId;
      texts.push(part.content.text);
    });
    const audio = await this.speech.wholeFile(
      tap(pieces, (piece) => {
        duration += secondsOf(piece);
        voice ??= piece.voice;
      }),
      format,
      signal,
    );
    return {
      messageId: replies.posted.message.id,
      replyId,
      text: texts.join('\n'),
      audio: duration === 0 ? new Uint8Array() : audio,
      voice,
      duration,
    };
  }

  private async *spoken(
    replies: ReplyStream,
    options: SpeechOptions,
    stages: StageTimer,
    signal: AbortSignal,
    onPart: (part: ReplyPart) => void = () => undefined,
  ): AsyncGenerator<SpeechChunk, void, undefined> {
    let failure: AppError | undefined;
    let replied = false;
    try {
      for await (const part of stages.timeEach('turn', replies.parts)) {
        onPart(part);
        if (part.type === 'failure') failure ??= part.error;
        else if (part.type === 'end') replied ||= part.content !== null;
        else yield* stages.timeEach('synthesis', this.speech.speak(this.agents.require(part.agentId), part.text, options, signal));
      }
    } finally {
      replies.close();
    }
    if (failure && !replied) throw failure;
  }
}
