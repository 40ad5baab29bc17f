import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { vouchesFor, type Users } from '../../../core/http/index.js';
import { newId } from '../../../core/ids/index.js';
import { AgentsService } from '../../agents/index.js';
import { ChannelsService, MessagePolicies, MessagesService, type Message } from '../../messaging/index.js';
import { JobsRepository } from './jobs.repository.js';
import type { Job, JobCounts, JobPosition, JobState, JobStatus } from './jobs.types.js';

export interface CreateJob {
  readonly userId: string;
  readonly content: string;
  /** Defaults to the first running agent. */
  readonly agentId?: string;
  readonly metadata: Record<string, unknown>;
  /** The users that the caller's credential authenticates. */
  readonly users: Users;
  /** Time limit of the reply, ms. */
  readonly timeoutMs: number;
}

/** A job with its reply, if any. */
export interface JobWithReply {
  readonly state: JobState;
  readonly reply: Message | undefined;
}

/**
 * One-off questions to agents. A job is a message in its own channel; its status is derived from the turn that replies to it, so jobs survive
 * a restart.
 */
@Injectable()
export class JobsService {
  constructor(
    private readonly repository: JobsRepository,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly policies: MessagePolicies,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Stores the channel, the question and the job in one transaction. @throws AppError AGENT_NOT_FOUND, VALIDATION_ERROR for a user that is an agent, or the error of a message policy */
  async create({ userId, content, agentId, metadata, users, timeoutMs }: CreateJob): Promise<JobState> {
    const agent =
      agentId === undefined ? this.agents.list().find(({ status }) => status === 'active') : this.agents.requireRunning(agentId);
    if (!agent) throw new AppError('AGENT_NOT_FOUND', 'No agent is running.', 'Start an agent and ask again.');
    this.agents.assertUser('userId', userId);
    const id = newId();
    const about = { jobId: id, agentId: agent.id, userId, isJobChannel: true };
    const { channel, statements, created } = this.channels.prepareCreation({
      name: `job-${id}`,
      type: 'DM',
      channelType: 'DM',
      metadata: { ...metadata, ...about },
      participants: [userId, agent.id],
      users,
    });
    const question = this.messages.draft(
      {
        channelId: channel.id,
        authorId: userId,
        authorKind: 'user',
        content,
        sourceType: 'job_request',
        metadata: { ...metadata, ...about, targetAgentId: agent.id },
        vouched: vouchesFor(users, userId),
      },
      channel,
    );
    const now = this.clock.now();
    const job: Job = {
      id,
      channelId: channel.id,
      messageId: question.id,
      agentId: agent.id,
      userId,
      prompt: content,
      metadata,
      createdAt: now,
      expiresAt: now + timeoutMs,
    };
    const rest = [...this.messages.insertionStatements(question), this.repository.insert(job)];
    await this.policies.apply(question, channel, (before) => this.unitOfWork.commit([...statements, ...before, ...rest]));
    created();
    return { ...job, status: 'pending', replyId: question.awaiting[0]?.replyId ?? null, endedAt: null, error: null };
  }

  /** @throws AppError JOB_NOT_FOUND */
  async require(id: string): Promise<JobWithReply> {
    const state = await this.repository.find(id, this.clock.now());
    if (!state) {
      throw new AppError('JOB_NOT_FOUND', `Job ${id} not found`, 'It may have been deleted: jobs are kept for JOB_RETENTION_HOURS.');
    }
    const [withReply] = await this.withReplies([state]);
    return withReply ?? { state, reply: undefined };
  }

  /** Newest first. `more` tells whether another page follows. */
  async list(page: {
    status?: JobStatus;
    after?: JobPosition;
    limit: number;
  }): Promise<{ jobs: JobWithReply[]; total: number; more: boolean }> {
    const [{ rows, more }, total] = await Promise.all([
      this.repository.list({ ...page, now: this.clock.now(), limit: page.limit }),
      this.repository.total(),
    ]);
    return { jobs: await this.withReplies(rows), total, more };
  }

  counts(): Promise<JobCounts> {
    return this.repository.counts(this.clock.now());
  }

  private async withReplies(states: readonly JobState[]): Promise<JobWithReply[]> {
    const ids = states.flatMap(({ status, replyId }) => (status === 'completed' && replyId !== null ? [replyId] : []));
    const replies = new Map((await this.messages.findAll(ids)).map((message) => [message.id, message]));
    return states.map((state) => ({ state, reply: state.replyId === null ? undefined : replies.get(state.replyId) }));
  }
}
