import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import type { Memory, State } from '../../../plugin-sdk/index.js';
import { TokenMeter, type ChatModel } from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import { ConversationMemory, refersBack, type RecallAudience } from '../../memory/index.js';
import { attachmentsOf, MessagesService, type Message } from '../../messaging/index.js';
import { ProfilesService } from '../../profiles/index.js';
import type { TurnTrace } from '../turn-trace.js';
import type { SentMessage, TurnRequest } from '../requests/turn-request.js';
import type { Turn } from '../turns.types.js';
import type { AttachedFiles } from './attached-files.js';
import { AttachmentsStep } from './attachments.step.js';
import { MAX_UNSUMMARISED_MESSAGES, selectWindow } from './conversation-window.js';
import { contextOf, fromMemory, fromMessage, type PromptConversation } from './prompt-conversation.js';
import { profileHeading } from './profile-heading.js';
import type { PromptTurn } from './prompt-part.js';
import { toLines } from './sent-conversation.js';
import { RecallScope } from './recall-scope.js';
import { RecallStep, type Recalled, type UserProfile } from './recall.step.js';

/** What a prompt is built for. */
export interface PromptTask {
  readonly turn: Turn;
  readonly model: ChatModel;
  /** The message to reply to, for plugins. */
  readonly message: Memory;
  /** What the context providers returned, if they have been asked for this turn. */
  readonly state?: State;
  /** Stops the search for memories; the memories found so far are used. */
  readonly signal: AbortSignal;
  /** Receives the stages. */
  readonly trace: TurnTrace;
  /** What the caller of a protocol asks; undefined for other turns. */
  readonly request: TurnRequest | undefined;
  /** Of the budgets, 0 to 1: less than 1 when the model cannot read a whole prompt. */
  readonly share: number;
}

/** A task with the limits of its parts. */
interface Reading extends PromptTask {
  readonly isOffline: boolean;
  readonly tokensFor: (part: string) => number;
}

/**
 * Reads what several parts of a prompt need: the recent conversation as the agent remembers it, what is known about the user, relevant older
 * memories, and files. The agent's memory takes precedence over the channel, so that editing a memory changes the prompt.
 */
@Injectable()
export class PromptReadings {
  constructor(
    private readonly agents: AgentsService,
    private readonly memory: ConversationMemory,
    private readonly recall: RecallStep,
    private readonly scope: RecallScope,
    private readonly messages: MessagesService,
    private readonly attachments: AttachmentsStep,
    private readonly meter: TokenMeter,
    private readonly profiles: ProfilesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Begins to read, so that each part waits only for what it needs. */
  begin(task: PromptTask, state: Promise<State>, tokensFor: (part: string) => number): PromptTurn {
    const { turn, model, request, share } = task;
    const reading: Reading = { ...task, isOffline: model.provider === 'offline', tokensFor };
    const conversation = this.conversation(reading);
    const expected = this.scope.expected(turn);
    const audience = Promise.all([conversation, expected.audience]).then(([{ speakers }]) => this.scope.audience(turn, speakers, expected));
    const profile = this.profile(reading, audience);
    const recalled = this.recalled(reading, conversation, audience, profile);
    return {
      ...{ turn, model, request, share, state, isOffline: reading.isOffline, conversation, audience, tokensFor },
      knowledge: this.agents.knowledge(turn.agentId),
      ...{ recalled, attached: conversation.then((read) => this.attached(reading, read, recalled)) },
      count: (text) => this.meter.count(text),
    };
  }

  private async conversation({ turn, request, isOffline, tokensFor }: Reading): Promise<PromptConversation> {
    const { agent, channel, message } = turn;
    const { conversationLength } = this.config;
    const after = this.memory.lastRememberedSeq(agent.id, channel.id);
    const transcript = (seq: number): Promise<Message[]> => this.messages.transcript(channel.id, seq, message.seq, conversationLength);
    const [remembered, sent] = await Promise.all([
      this.memory.conversation(agent.id, channel.id, conversationLength + MAX_UNSUMMARISED_MESSAGES),
      transcript(after),
    ]);
    const { rememberedSeq } = remembered;
    // The agent may have forgotten meanwhile.
    const recent = rememberedSeq < after ? await transcript(rememberedSeq) : sent.filter(({ seq }) => seq > rememberedSeq);
    const known = new Set(remembered.messages.map(({ messageId }) => messageId));
    // Replies get the position of the message they reply to: the room's position must not pass users' messages that are still pending.
    const unrecorded = recent.filter(({ id }) => !known.has(id)).map((each) => ({ ...each, seq: Math.min(each.seq, message.seq) }));
    const all = [...remembered.messages.map(fromMemory), ...unrecorded.map((each) => fromMessage(each, agent.id))]
      .filter(({ messageId }) => messageId !== message.id)
      .sort((a, b) => a.seq - b.seq || Number(a.role === 'agent') - Number(b.role === 'agent'));
    const summarises = !isOffline && this.config.conversationSummary === 'auto';
    const summary = summarises ? remembered.summary : undefined;
    const limits = { messages: conversationLength - 1, tokens: tokensFor('conversation'), after: summary?.throughSeq ?? 0 };
    const { lines, tokens, leftOut, dueThrough } = selectWindow(all, limits, (text) => this.meter.count(text));
    const others = new Set([...lines.map(({ speaker }) => speaker), message.authorId]);
    others.delete(agent.id);
    return {
      ...{ lines, tokens, leftOut, summary, unrecorded },
      summariseThrough: summarises ? dueThrough : undefined,
      remembered: remembered.messages,
      speakers: [...remembered.participants, ...recent.map(({ authorId }) => authorId)],
      isShared: others.size > 1,
      ...(request?.messages && sentParts(request.messages, turn)),
      ...(request?.forgets && { unrecorded: [] }),
    };
  }

  private async profile({ turn, isOffline }: Reading, audience: Promise<RecallAudience>): Promise<UserProfile | undefined> {
    const { agent, message } = turn;
    const [facts, { onlyUser }] = await Promise.all([
      isOffline || !message.vouched ? undefined : this.profiles.list(agent.id, message.authorId),
      audience,
    ]);
    return facts && onlyUser === message.authorId ? { facts, heading: profileHeading(message.authorName) } : undefined;
  }

  private async recalled(
    { turn, request, signal, trace, share, tokensFor }: Reading,
    conversation: Promise<PromptConversation>,
    audience: Promise<RecallAudience>,
    profile: Promise<UserProfile | undefined>,
  ): Promise<Recalled> {
    const { agent, channel, message } = turn;
    const [{ lines, remembered }, within, known, candidates] = await Promise.all([
      conversation,
      audience,
      profile,
      this.recall.candidates(agent.id, channel.id),
    ]);
    const shown = new Set([message.id, ...lines.map(({ messageId }) => messageId)]);
    // Recall does not bring back what was left out because the model cannot read it.
    const isSent = request?.messages !== undefined;
    const excluded = remembered.filter(({ messageId }) => share < 1 || isSent || shown.has(messageId)).map(({ memoryId }) => memoryId);
    const options = {
      // The agent would only repeat its own messages.
      excludeAuthorId: agent.id,
      ...{ signal, caller: message.authorId, candidates, audience: () => Promise.resolve(within) },
      excludeIds: new Set(excluded),
      ...(refersBack(message.content) ? contextOf(lines) : {}),
    };
    const budgets = { memories: tokensFor('recall'), documents: tokensFor('documents') };
    return trace.time(trace.begin('recall'), () => this.recall.run(agent.id, message.content, options, budgets, known));
  }

  private attached(
    { turn, model, signal, tokensFor }: Reading,
    { lines }: PromptConversation,
    recalled: Promise<Recalled>,
  ): Promise<AttachedFiles> {
    const { agent, message } = turn;
    const withFiles = lines.filter(({ messageId, hasFiles }) => hasFiles && messageId !== '').map(({ messageId }) => messageId);
    const { previous = '' } = refersBack(message.content) ? contextOf(lines) : {};
    const firstNumber = recalled.then(({ passages }) => passages.length + 1);
    // The recall may fail first.
    firstNumber.catch(() => undefined);
    return this.attachments.read({
      ...{ agentId: agent.id, model, message, signal, firstNumber, tokens: tokensFor('attachments') },
      messageIds: [...(attachmentsOf(message).length > 0 ? [message.id] : []), ...withFiles.reverse()],
      question: [message.content, previous].filter((text) => text !== '').join('\n'),
    });
  }
}

/** A conversation as its caller sent it, in place of what the agent remembers of the channel. */
function sentParts(sent: readonly SentMessage[], { message, agent }: Turn): Partial<PromptConversation> {
  return { lines: toLines(sent, message.authorId, agent.id), leftOut: 0, summary: undefined, summariseThrough: undefined };
}
