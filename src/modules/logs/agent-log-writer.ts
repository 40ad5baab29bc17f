import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { idForAgent, isUuid } from '../../core/ids/index.js';
import { Journal, type JournalEntry } from '../../core/journal/index.js';
import { cutText } from '../../core/text/index.js';
import { TurnComponents } from '../turns/index.js';
import { AgentLogs } from './agent-logs.service.js';
import { LEVELS } from './log-levels.js';
import { ServerLogs } from './server-logs.service.js';

const MAX_TEXT_LENGTH = 2000;

/** Writes agent logs: turns, model calls, actions, evaluators, and the server's log lines about agents. */
@Injectable()
export class AgentLogWriter implements OnModuleInit, BeforeApplicationShutdown {
  private readonly unsubscribes: (() => void)[] = [];

  constructor(
    private readonly logs: AgentLogs,
    private readonly server: ServerLogs,
    private readonly components: TurnComponents,
    private readonly journal: Journal,
  ) {}

  onModuleInit(): void {
    this.unsubscribes.push(
      this.journal.subscribe((entry) => this.onTurnEntry(entry)),
      this.components.listen(({ type, agentId, payload }) => this.onTurnEvent(type, agentId, payload)),
      this.server.listen(({ agentId, agentName: _name, time: _time, level, msg, ...fields }) => {
        if (isUuid(agentId)) this.logs.add({ agentId, type: 'log', level, body: { message: msg, ...fields } });
      }),
    );
  }

  beforeApplicationShutdown(): void {
    for (const stop of this.unsubscribes) stop();
  }

  /** Every process receives the end of a turn and writes the same entry, which is stored once. */
  private onTurnEntry(entry: JournalEntry): void {
    if (entry.type !== 'turn.finished' && entry.type !== 'turn.failed' && entry.type !== 'turn.cancelled') return;
    const { agentId, channelId, messageId, replyId } = entry.payload;
    const outcome =
      entry.type === 'turn.finished'
        ? { status: 'completed', didRespond: entry.payload.didRespond }
        : { status: entry.type === 'turn.failed' ? 'error' : 'cancelled', error: entry.payload.error };
    this.logs.add({
      id: idForAgent(agentId, `run:${replyId}`),
      agentId,
      roomId: idForAgent(agentId, channelId),
      type: 'run_event',
      level: entry.type === 'turn.failed' ? LEVELS.error : LEVELS.info,
      body: { runId: replyId, messageId, channelId, ...outcome },
    });
  }

  private onTurnEvent(type: string, agentId: string, payload: Readonly<Record<string, unknown>>): void {
    const { channelId } = payload;
    const roomId = isUuid(channelId) ? idForAgent(agentId, channelId) : undefined;
    const level = payload['success'] === false ? LEVELS.error : LEVELS.info;
    switch (type) {
      case 'MODEL_USED':
        this.logs.add({ agentId, roomId, type: `useModel:${String(payload['modelType'])}`, level, body: payload });
        break;
      case 'ACTION_COMPLETED': {
        const { action, result, ...rest } = payload as { action?: unknown; result?: { text?: unknown; error?: unknown } };
        const said = Object.fromEntries(
          Object.entries({ text: result?.text, error: result?.error }).flatMap(([key, value]) =>
            typeof value === 'string' ? [[key, cutText(value, MAX_TEXT_LENGTH)]] : [],
          ),
        );
        this.logs.add({ agentId, roomId, type: 'action', level, body: { ...rest, action, actionName: action, result: said } });
        break;
      }
      case 'EVALUATOR_COMPLETED':
        this.logs.add({ agentId, roomId, type: 'evaluator', level, body: payload });
        break;
      default:
    }
  }
}
