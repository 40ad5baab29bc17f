import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { ChatMessage, ChatModel, ChatRequest, Grounding } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { ConversationMemory, Recall, type RecallResult, type RememberedMessage } from '../memory/index.js';
import { MessagesService, type Message } from '../messaging/index.js';
import { AttachmentsStep, describeExternalAttachments } from './attachments.step.js';
import { toGrounding, systemText } from './character-text.js';
import { RecallScope } from './recall-scope.js';
import type { Turn } from './turns.types.js';

const MAX_RECALLED = 8;

export interface TurnContext {
  readonly request: ChatRequest;
  /** Messages that are not in the agent's memory yet; they are recorded with the reply. */
  readonly unrecorded: readonly Message[];
  /** The recalled memories, and what was skipped. */
  readonly recall: RecallResult;
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
    private readonly recall: Recall,
    private readonly scope: RecallScope,
    private readonly messages: MessagesService,
    private readonly attachments: AttachmentsStep,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param signal stops the search for memories; the memories found so far are used */
  async prepare(turn: Turn, model: ChatModel, signal: AbortSignal): Promise<TurnContext> {
    const { agent, channel, message } = turn;
    const limit = this.config.conversationLength;
    const offline = model.provider === 'offline';
    const remembered = await this.memory.conversation(agent.id, channel.id, limit);
    const recent = await this.messages.transcript(channel.id, remembered.rememberedSeq, message.seq, limit);
    const known = new Set(remembered.messages.map(({ messageId }) => messageId));
    // Answers get the position of the message they answer: the room's position must not pass users' messages that are still pending.
    const unrecorded = recent.filter(({ id }) => !known.has(id)).map((each) => ({ ...each, seq: Math.min(each.seq, message.seq) }));
    const speakers = [...remembered.participants, ...recent.map(({ authorId }) => authorId)];
    const recalling = this.recall.search(agent.id, message.content, {
      limit: MAX_RECALLED,
      budgetMs: this.config.recallTimeoutMs,
      // The agent would only repeat its own messages.
      excludeAuthorId: agent.id,
      signal,
      caller: message.authorId,
      audiences: () => this.scope.audiences(turn, speakers),
      excludeIds: new Set(remembered.messages.map(({ memoryId }) => memoryId)),
    });
    const conversation = [...remembered.messages.map(fromMemory), ...unrecorded.map((each) => fromMessage(each, agent.id))]
      .filter(({ messageId }) => messageId !== message.id)
      .sort((a, b) => a.seq - b.seq || Number(a.role === 'agent') - Number(b.role === 'agent'))
      .slice(-limit + 1);
    const newestFirst = [message.id, ...conversation.map(({ messageId }) => messageId).reverse()].filter((id) => id !== '');
    const [recall, attached] = await Promise.all([recalling, this.attachments.read(agent.id, model, newestFirst)]);
    const memories = recall.memories.map(({ text }) => text);
    const knowledge = this.agents.knowledge(agent.id);
    const documents = [...attached.values()].flatMap((files) => files.documents).map((text) => ({ text }));
    const others = new Set([...conversation.map(({ speaker }) => speaker), message.authorId]);
    others.delete(agent.id);
    const present = (line: ConversationLine, elsewhere = ''): ChatMessage => {
      const { role, name, text, messageId } = line;
      const said = others.size > 1 && role === 'user' && name !== null ? `${name}: ${text}` : text;
      const files = offline ? undefined : attached.get(messageId);
      const content = [said, files?.text ?? '', elsewhere].filter((part) => part !== '').join('\n');
      if (role === 'agent') return { role: 'assistant', content };
      return { role: 'user', content, ...(files && files.files.length > 0 ? { files: files.files } : {}) };
    };
    const setting = (key: string): number | undefined => {
      const value = this.agents.setting(agent.id, key);
      return typeof value === 'number' ? value : undefined;
    };
    const grounding = (): Grounding =>
      toGrounding(
        agent,
        [...knowledge, ...documents],
        [...memories, ...conversation.filter(({ role }) => role === 'user').map(({ text }) => text)],
      );
    return {
      unrecorded,
      recall,
      request: {
        messages: [
          { role: 'system', content: systemText(agent, knowledge, memories) },
          ...conversation.map((line) => present(line)),
          present(fromMessage(message, agent.id), describeExternalAttachments(message, attached.get(message.id))),
        ],
        grounding: offline ? grounding() : { agentName: agent.name, facts: [], examples: [], memories: [] },
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
  readonly seq: number;
}

function fromMemory({ messageId, role, authorId, authorName, text, seq }: RememberedMessage): ConversationLine {
  return { messageId, role, speaker: authorId, name: authorName, text, seq };
}

function fromMessage(message: Message, agentId: string): ConversationLine {
  return {
    messageId: message.id,
    role: message.authorId === agentId ? 'agent' : 'user',
    speaker: message.authorId,
    name: message.authorName,
    text: message.content,
    seq: message.seq,
  };
}
