import { Injectable } from '@nestjs/common';
import { AppError, type ErrorCode } from '../../core/errors/index.js';
import { SentenceSplitter } from '../../providers/speech/index.js';
import {
  ChannelMessagesService,
  failureIn,
  Replies,
  type ChannelMessage,
  type PostResult,
  type ReplyContent,
  type ReplyEvent,
  type ReplyGap,
} from '../messaging/index.js';

/** A part of the replies to a message, for speech synthesis. */
export type ReplyPart =
  | { readonly type: 'sentence'; readonly replyId: string; readonly agentId: string; readonly text: string }
  /** The reply has ended; `content` is null when the agent did not reply. */
  | { readonly type: 'end'; readonly replyId: string; readonly agentId: string; readonly content: ReplyContent | null }
  | { readonly type: 'failure'; readonly replyId: string | null; readonly agentId: string | null; readonly error: AppError };

/** A posted message and its replies while they are generated. */
export interface ReplyStream {
  readonly posted: PostResult;
  readonly parts: AsyncIterable<ReplyPart>;
  /** Must be called to release the subscription. */
  close(): void;
}

/** Posts a message in a channel and yields the replies sentence by sentence, as soon as each sentence is complete. */
@Injectable()
export class SpokenReplies {
  constructor(
    private readonly channelMessages: ChannelMessagesService,
    private readonly replies: Replies,
  ) {}

  /**
   * @param signal stops reading; the turn continues
   * @throws AppError as `ChannelMessagesService.post`
   */
  async post(message: ChannelMessage, signal: AbortSignal): Promise<ReplyStream> {
    await this.channelMessages.requireResponder(message);
    const post = (): Promise<PostResult> => this.channelMessages.post(message);
    const { posted, events, end: close } = await this.replies.begin(message.channelId, post, { client: signal });
    return { posted, parts: partsOf(events), close };
  }
}

async function* partsOf(events: AsyncIterable<ReplyEvent | ReplyGap>): AsyncGenerator<ReplyPart, void, undefined> {
  const texts = new Map<string, SentenceSplitter>();
  for await (const { change } of events) {
    if (!change) continue;
    const failure = failureIn(change);
    if (failure) {
      const { replyId, agentId } = change.kind === 'failed' ? change : { replyId: null, agentId: null };
      yield { type: 'failure', replyId, agentId, error: new AppError(failure.code as ErrorCode, failure.message, failure.details) };
    } else if (change.kind === 'text') {
      const { replyId, agentId, text, reset } = change;
      const begun = texts.get(replyId);
      // Sentences of a discarded text may have been spoken already; the rest of it is skipped.
      const splitter = begun === undefined || reset ? new SentenceSplitter() : begun;
      texts.set(replyId, splitter);
      for (const sentence of splitter.push(text)) yield { type: 'sentence', replyId, agentId, text: sentence };
    } else if (change.kind === 'completed') {
      const { replyId, agentId, content } = change;
      const rest = texts.get(replyId)?.end() ?? (content ? wholeText(content.text) : []);
      for (const sentence of rest) yield { type: 'sentence', replyId, agentId, text: sentence };
      yield { type: 'end', replyId, agentId, content };
    }
  }
}

/** The sentences of a reply that was not streamed. */
function wholeText(text: string): string[] {
  const splitter = new SentenceSplitter();
  return [...splitter.push(text), ...splitter.end()];
}
