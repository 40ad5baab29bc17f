import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isUniqueViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { vouchesFor } from '../../core/http/index.js';
import { isUuid, newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import { AgentsService } from '../agents/index.js';
import { ChannelsService, MessagesService, type Posted } from '../messaging/index.js';
import { SessionAnnouncer } from './session-announcer.js';
import { SessionChanges, type Change } from './session-changes.js';
import { agentTimeout, expiryOf, initialTimeout, isAtMaximum, isForgotten, stateAt, viewAt } from './session-policy.js';
import { agentNotFound, renewalFailed, sessionExpired, sessionNotFound, StaleSession } from './sessions.errors.js';
import { SessionsRepository } from './sessions.repository.js';
import type { CreateSession, Session, SessionCounts, SessionFilter, SessionMessage, SessionView, TimeoutConfig } from './sessions.types.js';

// Only configuring, warning, ending and expiring get in each other's way, so a second look is nearly always enough.
const MOST_LOOKS = 10;

/** What became of a message to a session. */
export interface SessionPosted extends Posted {
  readonly session: SessionView;
  readonly wasRenewed: boolean;
}

/**
 * Owner of sessions: a clock over a channel, which holds the messages. A session is expired at its instant; whoever
 * meets that first records it, once, before anybody is answered, so that a clock set back does not revive it.
 */
@Injectable()
export class SessionsService {
  private readonly log = new Log('sessions');
  private readonly complaints = new Set<string>();

  constructor(
    private readonly repository: SessionsRepository,
    private readonly changes: SessionChanges,
    private readonly announcer: SessionAnnouncer,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A session with its channel and participants, in one unit. @throws AppError AGENT_NOT_FOUND, also for an agent that is not running */
  async create(command: CreateSession): Promise<SessionView> {
    const agent = this.agents.find(command.agentId);
    if (agent?.status !== 'active') throw agentNotFound(command.agentId);
    const id = command.id ?? newId();
    const userId = command.userId.toLowerCase();
    const metadata = command.metadata ?? {};
    const { channel, statements, created } = this.channels.creation({
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

  /** @returns undefined when there is none or it was ended; an expired one as long as it is remembered. An id is any text */
  async find(id: string): Promise<SessionView | undefined> {
    if (!isUuid(id)) return undefined;
    for (let look = 1; ; look++) {
      const session = await this.repository.find(id.toLowerCase());
      const now = this.clock.now();
      if (!session || session.status === 'ended' || isForgotten(session, now, this.config.sessionTombstoneHours)) return undefined;
      if (session.status === 'expired' || stateAt(session, now) !== 'expired') return viewAt(session, now);
      try {
        const { statements, after } = this.changes.expiry(session, now);
        await this.unitOfWork.commit(statements);
        return viewAt(after, now);
      } catch (error) {
        if (!(error instanceof StaleSession) || look === MOST_LOOKS) throw error;
      }
    }
  }

  /** As `find`, by the channel in which it is held. */
  async findByChannel(channelId: string): Promise<SessionView | undefined> {
    const session = await this.repository.findByChannel(channelId);
    return session && this.find(session.id);
  }

  /** The session, alive. @throws AppError SESSION_NOT_FOUND, SESSION_EXPIRED */
  async require(id: string): Promise<SessionView> {
    const session = await this.find(id);
    if (!session) throw sessionNotFound(id);
    if (session.state === 'expired') throw sessionExpired(session);
    return session;
  }

  /** Sessions that are alive, newest first. */
  async list(filter: SessionFilter): Promise<{ sessions: SessionView[]; total: number; counts: SessionCounts }> {
    await this.announcer.catchUpOnLittle();
    const now = this.clock.now();
    const [{ sessions, total }, counts] = await Promise.all([this.repository.live(filter, now), this.repository.counts(now)]);
    return { sessions: sessions.map((session) => viewAt(session, now)), total, counts };
  }

  async counts(): Promise<SessionCounts> {
    await this.announcer.catchUpOnLittle();
    return this.repository.counts(this.clock.now());
  }

  /** Ids of at most `limit` live sessions of an agent. */
  liveOf(agentId: string, limit: number): Promise<string[]> {
    return this.repository.liveOf(agentId, this.clock.now(), limit);
  }

  /** Renews whether or not the session does so by itself. @throws AppError as `require`, SESSION_RENEWAL_FAILED when nothing can be gained */
  renew(id: string): Promise<SessionView> {
    return this.change(id, (session, now) => {
      if (isAtMaximum(session)) throw renewalFailed(session, now);
      return this.changes.renewal(session, now);
    });
  }

  /** A sign of life: activity, and a renewal if the session renews itself and can. @throws AppError as `require` */
  heartbeat(id: string): Promise<SessionView> {
    return this.change(id, (session, now) =>
      renewsItself(session) ? this.changes.renewal(session, now) : this.changes.activity(session, now),
    );
  }

  /** Lays a change over the present configuration. @throws AppError as `require` */
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
      throw error instanceof StaleSession ? sessionNotFound(id) : error;
    }
  }

  /**
   * Posts the user's message and renews the session, in one unit: a message that is refused renews nothing.
   *
   * @param read the session as `require` gave it
   * @throws AppError as `require` when the session has ended meanwhile, and what `MessagesService.post` throws
   */
  async post(read: SessionView, message: SessionMessage): Promise<SessionPosted> {
    const command = commandOf(read, message);
    return this.posting(read.id, read, (before) => this.messages.post(command, before));
  }

  /**
   * As `post`, for a message that came through another door.
   *
   * @param post stores the message together with what it does to the session
   */
  postWith(id: string, post: (before: readonly Statement[]) => Promise<Posted>): Promise<SessionPosted> {
    return this.posting(id, undefined, post);
  }

  private posting(
    id: string,
    read: SessionView | undefined,
    post: (before: readonly Statement[]) => Promise<Posted>,
  ): Promise<SessionPosted> {
    return this.retrying(id, read, async (session) => {
      const now = this.clock.now();
      const wasRenewed = renewsItself(session);
      const { statements, after } = wasRenewed ? this.changes.renewal(session, now) : this.changes.activity(session, now);
      const posted = await post(statements);
      // What a replayed message did to the session was undone with the rest of its unit.
      return posted.replayed
        ? { ...posted, session: viewAt(session, now), wasRenewed: false }
        : { ...posted, session: viewAt(after, now), wasRenewed };
    });
  }

  private draft(
    who: Pick<Session, 'id' | 'agentId' | 'channelId' | 'userId' | 'metadata'>,
    request: Partial<TimeoutConfig>,
    now: number,
  ): Session {
    const timeout = initialTimeout(request, this.agentDefaults(who.agentId), {
      timeoutMinutes: this.config.sessionTimeoutMinutes,
      autoRenew: this.config.sessionAutoRenew,
      maxDurationMinutes: this.config.sessionMaxDurationMinutes,
      warningThresholdMinutes: this.config.sessionWarningMinutes,
    });
    return {
      ...who,
      timeout,
      createdAt: now,
      lastActivity: now,
      renewedAt: now,
      expiresAt: expiryOf({ createdAt: now, renewedAt: now, timeout }),
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
      if (this.complaints.has(complaint)) continue;
      this.complaints.add(complaint);
      this.log.warn('a setting of an agent is neither a whole number nor a switch and is ignored', { agentId, key });
    }
    return timeout;
  }

  /** @returns the session after the change */
  private change(id: string, change: (session: SessionView, now: number) => Change): Promise<SessionView> {
    return this.retrying(id, undefined, async (session) => {
      const now = this.clock.now();
      const { statements, after } = change(session, now);
      await this.unitOfWork.commit(statements);
      return viewAt(after, now);
    });
  }

  private async retrying<T>(id: string, read: SessionView | undefined, attempt: (session: SessionView) => Promise<T>): Promise<T> {
    let session = read ?? (await this.require(id));
    for (let look = 1; ; look++) {
      try {
        return await attempt(session);
      } catch (error) {
        if (!(error instanceof StaleSession) || look === MOST_LOOKS) throw error;
        session = await this.require(id);
      }
    }
  }
}

/** True when activity moves the expiry. At the maximum duration there is nothing left to move. */
function renewsItself(session: Session): boolean {
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

/** The user's name as messages can carry it. */
function nameIn({ username }: Record<string, unknown>): string {
  return typeof username === 'string' ? username.replaceAll('\0', '').slice(0, 255) : '';
}
