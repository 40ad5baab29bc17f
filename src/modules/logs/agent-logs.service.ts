import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock, Repetition, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { newId } from '../../core/ids/index.js';
import { Log, redact } from '../../core/logging/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentLogsRepository, type AgentLog, type AgentLogQuery } from './agent-logs.repository.js';

const FLUSH_MS = 500;
const BATCH = 200;
// What cannot be written for so long is not worth the memory.
const MOST_WAITING = 10_000;
const LONGEST_BODY = 10_000;
const SWEEP_MS = 10 * 60_000;
const SWEEP_PAGE = 5000;

export interface NewAgentLog extends Pick<AgentLog, 'agentId' | 'type' | 'level' | 'body'> {
  /** The same id is the same entry. */
  readonly id?: string;
  readonly roomId?: string;
}

/** Owner of what is logged about agents. Written in batches, behind the work that it is about; bounded by age and number. */
@Injectable()
export class AgentLogs implements BeforeApplicationShutdown {
  private waiting: AgentLog[] = [];
  private dropped = 0;
  private writing: Promise<void> = Promise.resolve();
  private cancelFlush: Cancel | undefined;
  private readonly log = new Log('logs');
  private readonly sweeps: Repetition;

  constructor(
    private readonly repository: AgentLogsRepository,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sweeps = new Repetition(
      clock,
      SWEEP_MS,
      (over) => this.sweep(over),
      (error) => this.log.error('old entries of the logs of agents could not be removed; trying again', error),
    );
    this.sweeps.start();
  }

  /** Notes an entry, to be written soon. Neither waits nor throws. */
  add({ id = newId(), agentId, roomId, type, level, body }: NewAgentLog): void {
    if (this.waiting.length >= MOST_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting.push({
      id,
      agentId,
      roomId: roomId ?? null,
      type: type.slice(0, 64),
      level,
      body: bounded(body),
      createdAt: this.clock.now(),
    });
    if (this.waiting.length >= BATCH) void this.flush();
    else this.cancelFlush ??= this.clock.after(FLUSH_MS, () => void this.flush());
  }

  /** @throws AppError AGENT_NOT_FOUND */
  async list(agentId: string, query: AgentLogQuery): Promise<AgentLog[]> {
    this.agents.require(agentId);
    await this.flush();
    return this.repository.list(agentId, query);
  }

  /** @throws AppError AGENT_NOT_FOUND, LOG_NOT_FOUND */
  async delete(agentId: string, id: string): Promise<void> {
    this.agents.require(agentId);
    await this.flush();
    const missing = new AppError('LOG_NOT_FOUND', `Agent ${agentId} has no log entry ${id}.`, 'It may have been removed by its age.');
    await this.unitOfWork.commit([this.repository.delete(agentId, id, ({ changed }) => (changed === 0 ? missing : undefined))]);
  }

  /** Removes what is older than AGENT_LOG_RETENTION_HOURS or beyond AGENT_LOG_LIMIT, in pages. */
  async sweep(over = (): boolean => false): Promise<void> {
    const tooOld = this.clock.now() - this.config.agentLogRetentionHours * 3_600_000;
    for (const { id } of this.agents.list()) {
      const edge = Math.max((await this.repository.edge(id, this.config.agentLogLimit)) ?? 0, tooOld);
      let removed: number;
      do {
        const [outcome] = await this.unitOfWork.commit([this.repository.trim(id, edge, SWEEP_PAGE)]);
        removed = outcome?.changed ?? 0;
      } while (removed === SWEEP_PAGE && !over());
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeps.stop();
    await this.flush();
  }

  /** Writes what waits; resolves when all that was noted before is written, or could not be. */
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
      await this.unitOfWork.commit(batch.map((entry) => this.repository.insert(entry)));
      if (dropped > 0) this.log.warn('entries of the logs of agents were dropped, because too many came at once', { dropped });
    } catch (error) {
      this.log.warn('entries of the logs of agents could not be written', { entries: batch.length, error: String(error) });
    }
  }
}

/** Without secrets, and not endless. */
function bounded(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const clean = redact(body) as Record<string, unknown>;
  const text = JSON.stringify(clean).replaceAll('\\u0000', '');
  return text.length <= LONGEST_BODY ? (JSON.parse(text) as Record<string, unknown>) : { leftOut: `${text.length} characters` };
}
