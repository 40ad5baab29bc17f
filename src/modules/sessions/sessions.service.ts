import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isUniqueViolation, UnitOfWork } from '../../core/database/index.js';
import { vouchesFor } from '../../core/http/index.js';
import { isUuid, newId } from '../../core/ids/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { firstCharacters } from '../../core/text/index.js';
import { AgentsService } from '../agents/index.js';
import { ChannelsService, MessagesService, type PostResult } from '../messaging/index.js';
import { SessionExpiryMonitor } from './session-expiry-monitor.js';
import { SessionChanges, type SessionChange } from './session-changes.js';
import { agentTimeout, expiryAt, initialTimeout, isAtMaximum, isPurgeable, stateAt, viewAt } from './session-lifetime.js';
import { SessionPostPolicy, type SessionTouch } from './session-post-policy.js';
import { agentNotFound, renewalFailed, sessionExpired, sessionNotFound, StaleSessionError } from './sessions.errors.js';
import { SessionsRepository } from './sessions.repository.js';
import type {
  CreateSession,
  Session,
  SessionCounts,
  SessionFilter,
  SessionList,
  SessionMessage,
  SessionView,
  TimeoutConfig,
} from './sessions.types.js';

// Only configuration, warning, end and expiry conflict with each other, so a second attempt nearly always succeeds.
const MAX_ATTEMPTS = 10;

/** What became of a message to a session. */
export interface SessionPostResult extends PostResult {
  readonly session: SessionView;
  readonly wasRenewed: boolean;
}

/** Whether a session may have changed. */
export interface SessionFollower {
  /** Whether it may have changed after the entry with this offset. */
  changedAfter(offset: number): boolean;
  stop(): void;
}

/**
 * Sessions: an expiry over a channel, which holds the messages. The first operation that reads an expired session records the expiry
 * before it responds, so that setting the clock back does not revive the session.
 */
@Injectable()
export class SessionsService {
  private readonly log = new Log('sessions');
  private readonly warnedSettings = new Set<string>();

  constructor(
    private readonly repository: SessionsRepository,
    private readonly changes: SessionChanges,
    private readonly expiryMonitor: SessionExpiryMonitor,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly journal: Journal,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates a session with its channel in one transaction.
   *
   * @throws AppError AGENT_NOT_FOUND, also for an agent that is not running; VALIDATION_ERROR for a user that is an agent
   */
  async create(command: CreateSession): Promise<SessionView> {
    const agent = this.agents.find(command.agentId);
    if (agent?.status !== 'active') throw agentNotFound(command.agentId);
    this.agents.assertUser('userId', command.userId);
    const id = command.id ?? newId();
    const userId = command.userId.toLowerCase();
    const metadata = command.metadata ?? {};
    const { channel, statements, created } = this.channels.prepareCreation({
      name: `session-${id}`,
      type: 'DM',
      channelType: 'DM',
      metadata: { ...metadata, sessionId: id, agentId: agent.id, userId },
      turnPolicy: command.turnPolicy,
      participants: [agent.id, userId],
      users: command.users,
    });
    const session = this.draft(
      { id, agentId: agent.id, channelId: channel.id, userId, metadata },
      command.timeout ?? {},
      channel.createdAt,
    );
    try {
      await this.unitOfWork.commit([...statements, ...this.changes.creation(session).statements]);
    } catch (error) {
      if (command.id !== undefined && isUniqueViolation(error)) return this.require(command.id);
      throw error;
    }
    created();
    return viewAt(session, this.clock.now());
  }

  /** @returns undefined for an unknown or ended session; an expired session during its retention. The id may be any text */
  async find(id: string): Promise<SessionView | undefined> {
    if (!isUuid(id)) return undefined;
    for (let attempt = 1; ; attempt++) {
      const session = await this.repository.find(id.toLowerCase());
      const now = this.clock.now();
      if (!session || session.status === 'ended' || isPurgeable(session, now, this.config.sessionTombstoneHours)) return undefined;
      if (session.status === 'expired' || stateAt(session, now) !== 'expired') return viewAt(session, now);
      try {
        const { statements, after } = this.changes.expiry(session, now);
        await this.unitOfWork.commit(statements);
        return viewAt(after, now);
      } catch (error) {
        if (!(error instanceof StaleSessionError) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Notes changes of a session, which its channel tells of, until `stop` is called. */
  follow({ channelId }: SessionView): SessionFollower {
    let changedAt = 0;
    const stop = this.journal.subscribeToChannel(channelId, (entry) => {
      const isActivity = entry.type === 'message.created' && entry.payload.authorKind === 'user';
      if (isActivity || entry.type.startsWith('session.')) changedAt = entry.offset;
    });
    return { changedAfter: (offset) => changedAt > offset, stop };
  }

  /** The session as it is now, if nothing but time has changed it. */
  async later(session: SessionView): Promise<SessionView | undefined> {
    const now = this.clock.now();
    return stateAt(session, now) === 'expired' ? this.find(session.id) : viewAt(session, now);
  }

  /** As `find`, by the session's channel. */
  async findByChannel(channelId: string): Promise<SessionView | undefined> {
    const session = await this.repository.findByChannel(channelId);
    return session && this.find(session.id);
  }

  /** The live session. @throws AppError SESSION_NOT_FOUND, SESSION_EXPIRED */
  async require(id: string): Promise<SessionView> {
    const session = await this.find(id);
    if (!session) throw sessionNotFound(id);
    if (session.state === 'expired') throw sessionExpired(session);
    return session;
  }

  /** Live sessions, newest first and in parts. */
  async list(filter: SessionFilter): Promise<SessionList> {
    await this.expiryMonitor.processDueUnlessBacklog();
    const now = this.clock.now();
    const [{ parts, total }, counts] = await Promise.all([this.repository.live(filter, now), this.repository.counts(now, filter.agents)]);
    const views = async function* (): AsyncGenerator<readonly SessionView[], void> {
      for await (const part of parts()) yield part.map((session) => viewAt(session, now));
    };
    return { parts: views, total, counts };
  }

  async counts(): Promise<SessionCounts> {
    await this.expiryMonitor.processDueUnlessBacklog();
    return this.repository.counts(this.clock.now());
  }

  /** Ids of at most `limit` live sessions of an agent. */
  liveOf(agentId: string, limit: number): Promise<string[]> {
    return this.repository.liveOf(agentId, this.clock.now(), limit);
  }

  /** Renews a session, with or without auto-renewal. @throws AppError as `require`, SESSION_RENEWAL_FAILED at the maximum duration */
  renew(id: string): Promise<SessionView> {
    return this.change(id, (session, now) => {
      if (isAtMaximum(session)) throw renewalFailed(session, now);
      return this.changes.renewal(session, now);
    });
  }

  /** Reports activity, which renews a session with auto-renewal. @throws AppError as `require` */
  heartbeat(id: string): Promise<SessionView> {
    return this.change(id, (session, now) => this.touch(session, now));
  }

  /** Merges a change into the configuration. @throws AppError as `require` */
  configure(id: string, change: Partial<TimeoutConfig>): Promise<SessionView> {
    return this.change(id, (session, now) => this.changes.configuration(session, change, now));
  }

  /** Ends a session, also an expired one; its channel and messages stay. @throws AppError SESSION_NOT_FOUND */
  async end(id: string): Promise<void> {
    const session = await this.find(id);
    if (!session) throw sessionNotFound(id);
    try {
      await this.unitOfWork.commit(this.changes.end(session, this.clock.now()).statements);
    } catch (error) {
      throw error instanceof StaleSessionError ? sessionNotFound(id) : error;
    }
  }

  /**
   * Posts the user's message and renews the session in one transaction; a refused message does not renew it.
   *
   * @param read the session as returned by `require`
   * @throws AppError as `require` if the session has ended since, and as `MessagesService.post`
   */
  async post(read: SessionView, message: SessionMessage): Promise<SessionPostResult> {
    const own = new SessionPostPolicy(read, this.clock.now(), (before) => this.touchBy(read.id, before));
    const posted = await this.messages.post(commandOf(read, message), own);
    const { before, after, now } = own.touched;
    // The session changes of a replayed message were rolled back with its transaction.
    if (posted.replayed) return { ...posted, session: viewAt(before, now), wasRenewed: false };
    return { ...posted, session: viewAt(after, now), wasRenewed: isAutoRenewed(before) };
  }

  /** The change that a message causes: a renewal with auto-renewal below the maximum duration, otherwise activity. */
  touch(session: SessionView, now = this.clock.now()): SessionChange {
    return isAutoRenewed(session) ? this.changes.renewal(session, now) : this.changes.activity(session, now);
  }

  /** The change that a message causes. @param read the session if it was just read */
  private async touchBy(id: string, read: SessionView | undefined): Promise<SessionTouch & SessionChange> {
    // A policy before this one may have waited until the session expired.
    const before = read && stateAt(read, this.clock.now()) !== 'expired' ? read : await this.require(id);
    const now = this.clock.now();
    return { ...this.touch(before, now), before, now };
  }

  private draft(
    identity: Pick<Session, 'id' | 'agentId' | 'channelId' | 'userId' | 'metadata'>,
    request: Partial<TimeoutConfig>,
    now: number,
  ): Session {
    const timeout = initialTimeout(request, this.agentDefaults(identity.agentId), {
      timeoutMinutes: this.config.sessionTimeoutMinutes,
      autoRenew: this.config.sessionAutoRenew,
      maxDurationMinutes: this.config.sessionMaxDurationMinutes,
      warningThresholdMinutes: this.config.sessionWarningMinutes,
    });
    return {
      ...identity,
      timeout,
      createdAt: now,
      lastActivity: now,
      renewedAt: now,
      expiresAt: expiryAt({ createdAt: now, renewedAt: now, timeout }),
      renewalCount: 0,
      warnedFor: null,
      status: 'live',
      closedAt: null,
      revision: 1,
    };
  }

  private agentDefaults(agentId: string): Partial<TimeoutConfig> {
    const { timeout, wrong } = agentTimeout((key) => this.agents.setting(agentId, key));
    for (const key of wrong) {
      const complaint = `${agentId} ${key}`;
      if (this.warnedSettings.has(complaint)) continue;
      this.warnedSettings.add(complaint);
      this.log.warn('an invalid session setting of an agent is ignored', { agentId, key });
    }
    return timeout;
  }

  /** @returns the session after the change */
  private change(id: string, change: (session: SessionView, now: number) => SessionChange): Promise<SessionView> {
    return this.retryStale(id, async (session) => {
      const now = this.clock.now();
      const { statements, after } = change(session, now);
      await this.unitOfWork.commit(statements);
      return viewAt(after, now);
    });
  }

  private async retryStale<T>(id: string, run: (session: SessionView) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const session = await this.require(id);
      try {
        return await run(session);
      } catch (error) {
        if (!(error instanceof StaleSessionError) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/** Whether activity extends the session. */
function isAutoRenewed(session: Session): boolean {
  return session.timeout.autoRenew && !isAtMaximum(session);
}

function commandOf(
  session: Session,
  { id, content, attachments, metadata, clientMessageId, users }: SessionMessage,
): Parameters<MessagesService['post']>[0] {
  const username = nameIn(session.metadata);
  return {
    id,
    channelId: session.channelId,
    authorId: session.userId,
    authorKind: 'user',
    authorName: username === '' ? null : username,
    content,
    rawMessage: { content, ...(attachments ? { attachments } : {}) },
    sourceType: 'user',
    metadata: { ...metadata, sessionId: session.id },
    clientMessageId: clientMessageId ?? null,
    vouched: vouchesFor(users, session.userId),
  };
}

/** The user's name, truncated to its column. */
function nameIn({ username }: Record<string, unknown>): string {
  return typeof username === 'string' ? firstCharacters(username.replaceAll('\0', ''), 255) : '';
}
