import { Injectable } from '@nestjs/common';
import type { AppError } from '../../core/errors/index.js';
import { secondsOf, type AudioFormat, type SpokenPiece } from '../../providers/speech/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import type { Said, SpokenReply } from './conversation.types.js';
import { each } from './each.js';
import { messageFor } from './said-message.js';
import { SpeechService, type SpeechFile } from './speech.service.js';
import type { SpeechOptions } from './speech.dto.js';
import { SpokenAnswers, type AnswerPart, type Answers } from './spoken-answers.js';
import type { Stages } from './stages.js';

/** One request, from words to speech, through the same turn as every message. */
@Injectable()
export class ConversationService {
  constructor(
    private readonly answers: SpokenAnswers,
    private readonly speech: SpeechService,
    private readonly agents: AgentsService,
  ) {}

  /**
   * Says something and gives the answer as an audio file that is made while the answer is written; no bytes when the agent
   * chooses to say nothing.
   *
   * @param signal ends the listening and the synthesis; the turn goes on
   * @throws AppError what `SpokenAnswers.to` throws; a turn that fails is thrown in the place of bytes
   */
  async stream(
    agent: Agent,
    said: Said,
    { format, ...options }: SpeechOptions & { readonly format: AudioFormat },
    stages: Stages,
    signal: AbortSignal,
  ): Promise<SpeechFile & { readonly messageId: string }> {
    const answers = await this.answers.to(messageFor(agent.id, said), signal);
    let voice: string | undefined;
    const pieces = each(this.spoken(answers, options, stages, signal), (piece) => (voice ??= piece.voice));
    const bytes = this.speech.stream(pieces, format, signal);
    return { format, whole: false, voice: () => voice, bytes, messageId: answers.posted.message.id };
  }

  /** As `stream`, with everything at once. */
  async reply(
    agent: Agent,
    said: Said,
    { format, ...options }: SpeechOptions & { readonly format: AudioFormat },
    stages: Stages,
    signal: AbortSignal,
  ): Promise<SpokenReply> {
    const answers = await this.answers.to(messageFor(agent.id, said), signal);
    let replyId: string | null = null;
    let voice: string | undefined;
    const texts: string[] = [];
    let duration = 0;
    const pieces = this.spoken(answers, options, stages, signal, (part) => {
      if (part.type !== 'end' || part.content === null) return;
      replyId ??= part.replyId;
      texts.push(part.content.text);
    });
    const audio = await this.speech.wholeFile(
      each(pieces, (piece) => {
        duration += secondsOf(piece);
        voice ??= piece.voice;
      }),
      format,
      signal,
    );
    return {
      messageId: answers.posted.message.id,
      replyId,
      text: texts.join('\n'),
      audio: duration === 0 ? new Uint8Array() : audio,
      voice,
      duration,
    };
  }

  private async *spoken(
    answers: Answers,
    options: SpeechOptions,
    stages: Stages,
    signal: AbortSignal,
    onPart: (part: AnswerPart) => void = () => undefined,
  ): AsyncGenerator<SpokenPiece, void, undefined> {
    let failure: AppError | undefined;
    let replied = false;
    try {
      for await (const part of stages.each('turn', answers.parts)) {
        onPart(part);
        if (part.type === 'failure') failure ??= part.error;
        else if (part.type === 'end') replied ||= part.content !== null;
        else yield* stages.each('synthesis', this.speech.speak(this.agents.require(part.agentId), part.text, options, signal));
      }
    } finally {
      answers.end();
    }
    if (failure && !replied) throw failure;
  }
}
