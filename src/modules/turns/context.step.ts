import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { cutText } from '../../core/text/index.js';
import { TokenMeter, type ChatMessage, type ChatModel, type ChatRequest, type Grounding } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { ConversationMemory, oneLine, refersBack, type RecallResult, type RememberedMessage } from '../memory/index.js';
import { attachmentsOf, MessagesService, type Message } from '../messaging/index.js';
import { ProfilesService } from '../profiles/index.js';
import { AttachmentsStep, describeExternalAttachments } from './attachments.step.js';
import { characterTokens, toGrounding, systemText } from './character-text.js';
import { localTime } from './local-time.js';
import { MAX_UNSUMMARISED_MESSAGES, selectWindow } from './conversation-window.js';
import type { PromptPassage } from './document-passages.js';
import type { PromptRecord, PromptTokens } from './prompt-record.js';
import { RecallScope } from './recall-scope.js';
import { RecallStep } from './recall.step.js';
import type { TurnTrace } from './turn-trace.js';
import type { Turn } from './turns.types.js';

/** Length of the excerpt of each earlier message that the last one refers to, characters. */
const CONTEXT_LENGTH = 200;
/** The offline responder picks from all that was found by its own rules, tokens. */
const OFFLINE_TOKENS = 20_000;

export interface TurnContext {
  readonly request: ChatRequest;
  /** Messages that are not in the agent's memory yet; they are recorded with the reply. */
  readonly unrecorded: readonly Message[];
  /** The user, vouched for, of a conversation without other users; undefined in any other conversation. */
  readonly onlyUser?: string;
  /** The recalled memories, and what was skipped. */
  readonly recall: RecallResult;
  /** The pieces of documents in the prompt. */
  readonly passages: readonly PromptPassage[];
  /** What the prompt was made of. */
  readonly prompt: Omit<PromptRecord, 'tokens'> & { readonly tokens: Omit<PromptTokens, 'providers'> };
  /** Position in the channel up to which the conversation should be summarised; undefined while it need not be. */
  readonly summariseThrough: number | undefined;
}

/**
 * Builds the model's context: the character, the recent conversation as the agent remembers it, and relevant older memories. The agent's
 * memory takes precedence over the channel, so that editing a memory changes the context.
 */
@Injectable()
export class ContextStep {
  constructor(
    private readonly agents: AgentsService,
    private readonly memory: ConversationMemory,
    private readonly recall: RecallStep,
    private readonly scope: RecallScope,
    private readonly messages: MessagesService,
    private readonly attachments: AttachmentsStep,
    private readonly meter: TokenMeter,
    private readonly profiles: ProfilesService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param signal stops the search for memories; the memories found so far are used
   * @param trace receives a stage for recall
   * @param share of the budgets, 0 to 1: less than 1 when the model cannot read a whole one
   */
  async prepare(turn: Turn, model: ChatModel, signal: AbortSignal, trace: TurnTrace, share = 1): Promise<TurnContext> {
    const { agent, channel, message } = turn;
    const { conversationLength, conversationTokens, recallTokens, documentTokens } = this.config;
    const tokens = (budget: number): number => Math.floor(this.meter.toEstimated(model, budget * share));
    const offline = model.provider === 'offline';
    const after = this.memory.lastRememberedSeq(agent.id, channel.id);
    const transcript = (seq: number): Promise<Message[]> => this.messages.transcript(channel.id, seq, message.seq, conversationLength);
    const expected = this.scope.expected(turn);
    const [remembered, sent, candidates, facts] = await Promise.all([
      this.memory.conversation(agent.id, channel.id, conversationLength + MAX_UNSUMMARISED_MESSAGES),
      transcript(after),
      this.recall.candidates(agent.id, channel.id),
      offline || !message.vouched ? undefined : this.profiles.forPrompt(agent.id, message.authorId, message.content),
      expected.audience,
    ]);
    const { rememberedSeq } = remembered;
    // The agent may have forgotten meanwhile.
    const recent = rememberedSeq < after ? await transcript(rememberedSeq) : sent.filter(({ seq }) => seq > rememberedSeq);
    const summarises = !offline && this.config.conversationSummary === 'auto';
    const summary = summarises ? remembered.summary : undefined;
    const known = new Set(remembered.messages.map(({ messageId }) => messageId));
    // Answers get the position of the message they answer: the room's position must not pass users' messages that are still pending.
    const unrecorded = recent.filter(({ id }) => !known.has(id)).map((each) => ({ ...each, seq: Math.min(each.seq, message.seq) }));
    const speakers = [...remembered.participants, ...recent.map(({ authorId }) => authorId)];
    const lines = [...remembered.messages.map(fromMemory), ...unrecorded.map((each) => fromMessage(each, agent.id))]
      .filter(({ messageId }) => messageId !== message.id)
      .sort((a, b) => a.seq - b.seq || Number(a.role === 'agent') - Number(b.role === 'agent'));
    const {
      lines: conversation,
      dueThrough,
      ...window
    } = selectWindow(
      lines,
      { messages: conversationLength - 1, tokens: tokens(conversationTokens), after: summary?.throughSeq ?? 0 },
      (text) => this.meter.count(text),
    );
    const shown = new Set([message.id, ...conversation.map(({ messageId }) => messageId)]);
    const audience = await this.scope.audience(turn, speakers, expected);
    const { onlyUser } = audience;
    const profile = onlyUser === message.authorId ? facts : undefined;
    const recalling = trace.time(trace.begin('recall'), () =>
      this.recall.run(
        agent.id,
        message.content,
        {
          // The agent would only repeat its own messages.
          excludeAuthorId: agent.id,
          signal,
          caller: message.authorId,
          candidates,
          audience: () => Promise.resolve(audience),
          // Recall does not bring back what was left out because the model cannot read it.
          excludeIds: new Set([
            ...remembered.messages.filter(({ messageId }) => share < 1 || shown.has(messageId)).map(({ memoryId }) => memoryId),
            ...(profile?.memoryIds ?? []),
          ]),
          ...(refersBack(message.content) ? { context: contextOf(conversation) } : {}),
        },
        { memories: offline ? OFFLINE_TOKENS : tokens(recallTokens), documents: tokens(documentTokens) },
      ),
    );
    const withFiles = conversation.filter(({ messageId, hasFiles }) => hasFiles && messageId !== '').map(({ messageId }) => messageId);
    const newestFirst = [...(attachmentsOf(message).length > 0 ? [message.id] : []), ...withFiles.reverse()];
    const [recalled, attached] = await Promise.all([recalling, this.attachments.read(agent.id, model, newestFirst)]);
    const { recall, passages } = recalled;
    const knowledge = this.agents.knowledge(agent.id);
    const documents = [...attached.values()].flatMap((files) => files.documents).map((text) => ({ text }));
    const others = new Set([...conversation.map(({ speaker }) => speaker), message.authorId]);
    others.delete(agent.id);
    const present = (line: ConversationLine, elsewhere = ''): ChatMessage => {
      const { role, name, text, messageId } = line;
      const said = others.size > 1 && !offline && role === 'user' && name !== null ? `${oneLine(name)}: ${text}` : text;
      const files = offline ? undefined : attached.get(messageId);
      const content = [said, files?.text ?? '', elsewhere].filter((part) => part !== '').join('\n');
      if (role === 'agent') return { role: 'assistant', content };
      return { role: 'user', content, ...(files && files.files.length > 0 ? { files: files.files } : {}) };
    };
    const setting = (key: string): number | undefined => {
      const value = this.agents.setting(agent.id, key);
      return typeof value === 'number' ? value : undefined;
    };
    const grounding = (): Promise<Grounding> =>
      toGrounding(
        agent,
        knowledge,
        [...passages, ...documents],
        [
          ...recall.memories.filter(({ authorId }) => authorId === message.authorId),
          ...conversation.filter(({ speaker }) => speaker === message.authorId),
        ],
      );
    // The parts are measured in estimated tokens, and people compare them with budgets in tokens of the model.
    const inModel = (estimated: number): number => Math.round(estimated / this.meter.toEstimated(model, 1));
    const prompt: TurnContext['prompt'] = {
      share,
      tokens: {
        character: inModel(characterTokens(agent, knowledge, this.meter)),
        profile: inModel(profile?.tokens ?? 0),
        documents: inModel(recalled.tokens.documents),
        recall: inModel(recalled.tokens.memories),
        summary: inModel(summary === undefined ? 0 : this.meter.count(summary.text)),
        conversation: inModel(window.tokens),
        message: inModel(this.meter.count(message.content)),
      },
      budgets: {
        recall: offline ? OFFLINE_TOKENS : Math.floor(recallTokens * share),
        documents: Math.floor(documentTokens * share),
        conversation: Math.floor(conversationTokens * share),
      },
      conversation: { messages: conversation.length, leftOut: window.leftOut },
      summary: summary ? { messages: summary.messages, throughSeq: summary.throughSeq } : null,
      profile: profile?.shown ?? [],
    };
    return {
      unrecorded,
      recall,
      passages,
      prompt,
      summariseThrough: summarises ? dueThrough : undefined,
      onlyUser,
      request: {
        messages: [
          {
            role: 'system',
            content: systemText(agent, knowledge, {
              ...{ passages, lines: recalled.lines, summary },
              time: localTime(this.clock.now(), [message.metadata, channel.metadata]),
              user: { name: message.authorName, facts: profile?.lines ?? [], isAlone: others.size <= 1 },
            }),
          },
          ...conversation.map((line) => present(line)),
          present(fromMessage(message, agent.id), describeExternalAttachments(message, attached.get(message.id))),
        ],
        grounding: offline ? await grounding() : { agentName: agent.name, facts: [], examples: [], memories: [] },
        caller: message.authorId,
        temperature: setting('temperature'),
        maxOutputTokens: setting('maxTokens'),
      },
    };
  }
}

interface ConversationLine {
  readonly messageId: string;
  readonly role: 'user' | 'agent';
  readonly speaker: string;
  readonly name: string | null;
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  readonly seq: number;
  readonly hasFiles: boolean;
}

/** The last message of a user and of the agent, undefined when there are none. */
function contextOf(conversation: readonly ConversationLine[]): string | undefined {
  const last = (['user', 'agent'] as const).flatMap((role) => conversation.findLast((line) => line.role === role) ?? []);
  const texts = last.map(({ text }) => cutText(oneLine(cutText(text, 2 * CONTEXT_LENGTH)), CONTEXT_LENGTH));
  return texts.length === 0 ? undefined : texts.join(' ');
}

function fromMemory({ authorId, authorName, ...line }: RememberedMessage): ConversationLine {
  return { ...line, speaker: authorId, name: authorName };
}

function fromMessage(message: Message, agentId: string): ConversationLine {
  return {
    messageId: message.id,
    role: message.authorId === agentId ? 'agent' : 'user',
    speaker: message.authorId,
    name: message.authorName,
    text: message.content,
    at: message.createdAt,
    seq: message.seq,
    hasFiles: attachmentsOf(message).length > 0,
  };
}
