import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { idForAgent } from '../../core/ids/index.js';
import { Journal, type JournalEntry } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import type { Memory } from '../../plugin-sdk/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import type { JournalMessage } from '../messaging/index.js';
import { TurnComponents, type TurnReference } from '../turns/index.js';

type Payload = Readonly<Record<string, unknown>>;

interface Handler {
  readonly event: string;
  /** Absent: events of every agent. */
  readonly agentId?: string;
  readonly call: (agent: Agent, payload: Payload) => unknown;
}

/**
 * Dispatches events of agents to plugins, once each: those of the journal in the process that stored them, those inside a turn in the process
 * that runs it.
 * Events are not repeated after a restart: a plugin that must not miss any reads the stored data.
 */
@Injectable()
export class AgentEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly handlers = new Set<Handler>();
  private readonly unsubscribes: (() => void)[] = [];
  private readonly log = new Log('plugins');

  constructor(
    private readonly agents: AgentsService,
    private readonly journal: Journal,
    private readonly components: TurnComponents,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribes.push(
      this.journal.subscribe((entry) => this.onEntry(entry)),
      this.components.listen(({ type, agentId, payload }) => this.dispatch(agentId, type, payload)),
    );
  }

  onApplicationShutdown(): void {
    for (const stop of this.unsubscribes) stop();
  }

  on(handler: Handler): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }

  /** Calls all handlers of the event concurrently. @throws the first error, after all handlers have ended */
  async emit(agent: Agent, event: string, payload: Payload): Promise<void> {
    const called = [...this.handlers].filter((each) => each.event === event && (each.agentId ?? agent.id) === agent.id);
    const ended = await Promise.allSettled(called.map(async ({ call }) => call(agent, payload)));
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private onEntry(entry: JournalEntry): void {
    if (this.handlers.size === 0) return;
    switch (entry.type) {
      case 'message.created': {
        const { authorKind, authorId, awaiting } = entry.payload;
        if (authorKind === 'agent') this.dispatch(authorId, 'MESSAGE_SENT', { message: memoryOf(entry.payload, authorId) });
        else for (const { agentId } of awaiting) this.dispatch(agentId, 'MESSAGE_RECEIVED', { message: memoryOf(entry.payload, agentId) });
        break;
      }
      case 'turn.started':
        this.dispatch(entry.payload.agentId, 'RUN_STARTED', { ...run(entry.payload), status: 'started' });
        break;
      case 'turn.finished':
        this.dispatch(entry.payload.agentId, 'RUN_ENDED', { ...run(entry.payload), status: 'completed' });
        break;
      case 'turn.failed':
      case 'turn.cancelled': {
        const { agentId, error } = entry.payload;
        this.dispatch(agentId, 'RUN_ENDED', {
          ...run(entry.payload),
          status: entry.type === 'turn.failed' ? 'failed' : 'cancelled',
          error,
        });
        break;
      }
      default:
    }
  }

  private dispatch(agentId: string, event: string, payload: Payload): void {
    const agent = this.agents.find(agentId);
    if (!agent) return;
    this.emit(agent, event, payload).catch((error: unknown) => {
      this.log.warn(`a plugin's handler of ${event} failed`, { event, agentId, error: String(error) });
    });
  }
}

/** `runId` is the id of the turn's reply. */
function run({ messageId, channelId, agentId, replyId }: TurnReference): Payload {
  return { runId: replyId, messageId, channelId, roomId: idForAgent(agentId, channelId), agentId };
}

function memoryOf(message: JournalMessage, agentId: string): Memory {
  const { id, channelId, authorId, content, sourceType, metadata, inReplyTo, createdAt } = message;
  const source = { text: content, source: sourceType, ...(inReplyTo === null ? {} : { inReplyTo }) };
  return { id, entityId: authorId, agentId, roomId: idForAgent(agentId, channelId), channelId, content: source, metadata, createdAt };
}
