import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/index.js';
import { idForAgent } from '../../core/ids/index.js';
import { cursorBehind } from '../../core/journal/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { MessagesService, Replies, type Message } from '../messaging/index.js';
import { TurnRecords, type TurnRecord } from '../turns/index.js';
import { ProtocolConversations } from './conversations.js';
import type { Exchange } from './exchange.js';

/** A request of a caller that is stored, with the reply as far as it has come. */
export interface StoredExchange {
  readonly message: Message;
  readonly agent: Agent;
  readonly replyId: string;
  readonly record: TurnRecord;
  /** The reply, also what was said of one that failed; undefined until it ends. */
  readonly reply: Message | undefined;
}

/** Stored requests and replies, for callers that ask for it again. */
@Injectable()
export class StoredExchanges {
  constructor(
    private readonly conversations: ProtocolConversations,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly records: TurnRecords,
    private readonly agents: AgentsService,
  ) {}

  /**
   * The exchange of a message that the caller sent.
   *
   * @param userOf the user that the message's request named, as the protocol stored it
   * @returns undefined for all others
   */
  async find(caller: Caller, messageId: string, userOf: (message: Message) => string | undefined): Promise<StoredExchange | undefined> {
    const message = await this.messages.find(messageId);
    const agent = message && this.agents.find(String(message.metadata['targetAgentId']));
    if (!agent || !(await this.conversations.isOfCaller({ caller, agent, user: userOf(message) }, messageId))) return undefined;
    return this.read(message, agent);
  }

  /** As `find`, of an exchange that is known to be the caller's. */
  async read(message: Message, agent: Agent): Promise<StoredExchange | undefined> {
    const replyId = idForAgent(agent.id, `reply:${message.id}`);
    const record = await this.records.find({ messageId: message.id, agentId: agent.id });
    return record && { message, agent, replyId, record, reply: await this.messages.find(replyId) };
  }

  /** What happens and has happened to the reply. @param part as `Exchange.from.step` @param client ends it */
  follow({ message, agent, replyId }: StoredExchange, part: number | undefined, client: AbortSignal): Exchange {
    return {
      ...{ message, agentId: agent.id, replyId },
      forgets: false,
      from: part === undefined ? {} : { step: part },
      events: this.replies.follow(message, cursorBehind(message.offset - 1), client),
      end: () => undefined,
    };
  }

  /** Stops the reply if it is pending. */
  async cancel({ message }: StoredExchange): Promise<void> {
    await this.replies.cancel(message.channelId, message.id);
  }

  /** Deletes the message and the reply. */
  async delete({ message, reply }: StoredExchange): Promise<void> {
    if (reply) await this.messages.delete(message.channelId, reply.id);
    await this.messages.delete(message.channelId, message.id);
  }

  /** The messages that came with a message in its request, and the message itself, oldest first. */
  async sentWith(message: Message): Promise<Message[]> {
    const before = await this.messages.history(message.channelId, { limit: SENT_WITH, before: { seq: message.seq } });
    const last = before.messages.findIndex(({ metadata, createdAt }) => metadata['resent'] !== true || createdAt < message.createdAt);
    return [...before.messages.filter((_, index) => last === -1 || index < last).reverse(), message];
  }
}

/** Messages of a request that are shown again. */
const SENT_WITH = 100;
