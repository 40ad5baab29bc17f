import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { idForAgent } from '../../core/ids/index.js';
import { Journal, type JournalEntry, type JournalMessage, type TurnReference } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import type { Memory } from '../../plugin-sdk/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { TurnComponents } from '../turns/index.js';

type Payload = Readonly<Record<string, unknown>>;

interface Handler {
  readonly event: string;
  /** Absent: of every agent. */
  readonly agentId?: string;
  readonly call: (agent: Agent, payload: Payload) => unknown;
}

/**
 * Events of agents, as plugins hear them. What the journal reports, every process hears; what happens inside a turn, the
 * process that runs it. Nothing is heard again after a restart: whoever must not miss anything reads the store.
 */
@Injectable()
export class AgentEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly handlers = new Set<Handler>();
  private readonly stops: (() => void)[] = [];
  private readonly log = new Log('plugins');

  constructor(
    private readonly agents: AgentsService,
    private readonly journal: Journal,
    private readonly components: TurnComponents,
  ) {}

  onApplicationBootstrap(): void {
    this.stops.push(
      this.journal.listen((entry) => this.hear(entry)),
      this.components.listen(({ type, agentId, payload }) => this.tell(agentId, type, payload)),
    );
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  on(handler: Handler): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }

  /** Calls every handler of the event at the same time. @throws what the first of them throws, when all have ended */
  async emit(agent: Agent, event: string, payload: Payload): Promise<void> {
    const called = [...this.handlers].filter((each) => each.event === event && (each.agentId ?? agent.id) === agent.id);
    const ended = await Promise.allSettled(called.map(async ({ call }) => call(agent, payload)));
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private hear(entry: JournalEntry): void {
    if (this.handlers.size === 0) return;
    switch (entry.type) {
      case 'message.created': {
        const { authorKind, authorId, awaiting } = entry.payload;
        if (authorKind === 'agent') this.tell(authorId, 'MESSAGE_SENT', { message: memoryOf(entry.payload, authorId) });
        else for (const { agentId } of awaiting) this.tell(agentId, 'MESSAGE_RECEIVED', { message: memoryOf(entry.payload, agentId) });
        break;
      }
      case 'turn.started':
        this.tell(entry.payload.agentId, 'RUN_STARTED', { ...run(entry.payload), status: 'started' });
        break;
      case 'turn.finished':
        this.tell(entry.payload.agentId, 'RUN_ENDED', { ...run(entry.payload), status: 'completed' });
        break;
      case 'turn.failed':
      case 'turn.cancelled': {
        const { agentId, error } = entry.payload;
        this.tell(agentId, 'RUN_ENDED', { ...run(entry.payload), status: entry.type === 'turn.failed' ? 'failed' : 'cancelled', error });
        break;
      }
      default:
    }
  }

  private tell(agentId: string, event: string, payload: Payload): void {
    const agent = this.agents.find(agentId);
    if (!agent) return;
    this.emit(agent, event, payload).catch((error: unknown) => {
      this.log.warn(`a plugin's handler of ${event} failed`, { event, agentId, error: String(error) });
    });
  }
}

/** `runId` names the turn: it is the id of its reply. */
function run({ messageId, channelId, agentId, replyId }: TurnReference): Payload {
  return { runId: replyId, messageId, channelId, roomId: idForAgent(agentId, channelId), agentId };
}

function memoryOf(message: JournalMessage, agentId: string): Memory {
  const { id, channelId, authorId, content, sourceType, metadata, inReplyTo, createdAt } = message;
  const source = { text: content, source: sourceType, ...(inReplyTo === null ? {} : { inReplyTo }) };
  return { id, entityId: authorId, agentId, roomId: idForAgent(agentId, channelId), channelId, content: source, metadata, createdAt };
}
