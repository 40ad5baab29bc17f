import { Injectable } from '@nestjs/common';
import { AppError, type ErrorCode } from '../../core/errors/index.js';
import type { ReplyContent } from '../../core/journal/index.js';
import { SentenceSplitter } from '../../providers/speech/index.js';
import { ChannelMessagesService, failureIn, Replies, type ChannelMessage, type Posted, type ReplyEntry } from '../messaging/index.js';

/** What becomes of a message, as somebody who reads it aloud needs it. */
export type AnswerPart =
  | { readonly type: 'sentence'; readonly replyId: string; readonly agentId: string; readonly text: string }
  /** A reply has ended; `content` is null when the agent chose to say nothing. */
  | { readonly type: 'end'; readonly replyId: string; readonly agentId: string; readonly content: ReplyContent | null }
  | { readonly type: 'failure'; readonly replyId: string | null; readonly agentId: string | null; readonly error: AppError };

/** A message that was said, and its answers while they are written. */
export interface Answers {
  readonly posted: Posted;
  readonly parts: AsyncIterable<AnswerPart>;
  /** Must be called. */
  end(): void;
}

/** Says something in a channel, and gives the answers sentence by sentence as soon as each is complete. */
@Injectable()
export class SpokenAnswers {
  constructor(
    private readonly doors: ChannelMessagesService,
    private readonly replies: Replies,
  ) {}

  /**
   * @param signal ends the reading; the turn goes on without it, as for every reader
   * @throws AppError what `ChannelMessagesService` throws
   */
  async to(message: ChannelMessage, signal: AbortSignal): Promise<Answers> {
    await this.doors.requireResponder(message);
    const { posted, entries, end } = await this.replies.ask(message.channelId, () => this.doors.post(message), signal);
    return { posted, parts: partsOf(entries), end };
  }
}

async function* partsOf(entries: AsyncIterable<ReplyEntry>): AsyncGenerator<AnswerPart, void, undefined> {
  const texts = new Map<string, SentenceSplitter>();
  for await (const { entry } of entries) {
    if (entry.type === 'gap') continue;
    const failure = failureIn(entry);
    if (failure) {
      const { replyId = null, agentId = null } = 'replyId' in entry.payload ? entry.payload : {};
      yield { type: 'failure', replyId, agentId, error: new AppError(failure.code as ErrorCode, failure.message, failure.details) };
    } else if (entry.type === 'message.chunk') {
      const { replyId, agentId, text, reset } = entry.payload;
      const begun = texts.get(replyId);
      // What was said of a text that is withdrawn cannot be taken back; the rest of it is not said.
      const splitter = begun === undefined || reset ? new SentenceSplitter() : begun;
      texts.set(replyId, splitter);
      for (const sentence of splitter.push(text)) yield { type: 'sentence', replyId, agentId, text: sentence };
    } else if (entry.type === 'turn.finished') {
      const { replyId, agentId, reply } = entry.payload;
      const rest = texts.get(replyId)?.end() ?? (reply ? wholeText(reply.text) : []);
      for (const sentence of rest) yield { type: 'sentence', replyId, agentId, text: sentence };
      yield { type: 'end', replyId, agentId, content: reply };
    }
  }
}

/** Of a reply that was not streamed. */
function wholeText(text: string): string[] {
  const splitter = new SentenceSplitter();
  return [...splitter.push(text), ...splitter.end()];
}
