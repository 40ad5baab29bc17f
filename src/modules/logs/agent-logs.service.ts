import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { newId } from '../../core/ids/index.js';
import { Log, redact } from '../../core/logging/index.js';
import { characterCount, firstCharacters, hasAtMost } from '../../core/text/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentLogsRepository, type AgentLog, type AgentLogQuery, type StoredLog } from './agent-logs.repository.js';

const FLUSH_MS = 500;
const BATCH = 200;
// Limits the memory while the database is not available.
const MAX_WAITING = 10_000;
const MAX_BODY_LENGTH = 10_000;

export interface NewAgentLog extends Pick<AgentLog, 'agentId' | 'type' | 'level' | 'body'> {
  /** Entries with the same id are stored once. */
  readonly id?: string;
  readonly roomId?: string;
}

/** The logs of agents. Entries are written asynchronously, in batches. */
@Injectable()
export class AgentLogs implements BeforeApplicationShutdown {
  private waiting: StoredLog[] = [];
  private dropped = 0;
  private writing: Promise<void> = Promise.resolve();
  private cancelFlush: Cancel | undefined;
  private readonly log = new Log('logs');

  constructor(
    private readonly repository: AgentLogsRepository,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Queues an entry. Returns immediately and never throws. */
  add({ id = newId(), agentId, roomId, type, level, body }: NewAgentLog): void {
    if (this.waiting.length >= MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting.push({
      id,
      agentId,
      roomId: roomId ?? null,
      type: firstCharacters(type, 64),
      level,
      body: bounded(body),
      createdAt: this.clock.now(),
    });
    if (this.waiting.length >= BATCH) void this.flush();
    else this.cancelFlush ??= this.clock.after(FLUSH_MS, () => void this.flush());
  }

  /** The entries of a page, newest first and in parts. @throws AppError AGENT_NOT_FOUND */
  async list(agentId: string, query: AgentLogQuery): Promise<() => AsyncIterable<readonly AgentLog[]>> {
    this.agents.require(agentId);
    await this.flush();
    return () => this.repository.parts(agentId, query);
  }

  /** @throws AppError AGENT_NOT_FOUND, LOG_NOT_FOUND */
  async delete(agentId: string, id: string): Promise<void> {
    this.agents.require(agentId);
    await this.flush();
    const missing = new AppError(
      'LOG_NOT_FOUND',
      `Agent ${agentId} has no log entry ${id}.`,
      'It may have been deleted because of its age.',
    );
    await this.unitOfWork.commit([
      this.repository.delete(agentId, id, ({ changed }) => (changed === 0 ? missing : undefined)),
      auditEntry('log.deleted', { target: ['log', id], agentId, summary: "Deleted an entry of the agent's log." }, this.clock.now()),
    ]);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Writes the queued entries; resolves when they are written or dropped. */
  private flush(): Promise<void> {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const [batch, dropped] = [this.waiting, this.dropped];
    this.waiting = [];
    this.dropped = 0;
    if (batch.length === 0) return;
    try {
      await this.unitOfWork.commit([this.repository.insert(batch)]);
      if (dropped > 0) this.log.warn('agent log entries were dropped because the queue was full', { dropped });
    } catch (error) {
      this.log.warn('writing agent log entries failed', { entries: batch.length, error: String(error) });
    }
  }
}

/** The body as JSON, redacted and limited in size. */
function bounded(body: Readonly<Record<string, unknown>>): string {
  const text = withoutNul(JSON.stringify(redact(body)));
  return hasAtMost(text, MAX_BODY_LENGTH) ? text : JSON.stringify({ leftOut: `${characterCount(text)} characters` });
}

/** PostgreSQL cannot store NUL. An escaped backslash may stand before plain `u0000`. */
function withoutNul(json: string): string {
  return json.includes('\\u0000') ? json.replaceAll(/(?<!\\)((?:\\\\)*)(?:\\u0000)+/g, '$1') : json;
}
