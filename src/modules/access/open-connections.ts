import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { OwnershipResolver, type Caller, type HeldAccess } from '../../core/http/index.js';
import { Journal } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import type { AccessRequest } from './access-request.js';
import { AccessService } from './access.service.js';

// Maximum delay until an expired credential is noticed.
const CHECK_INTERVAL_MS = 1000;
// Streams and sockets get the event that ends a conversation before they lose it.
const LAST_EVENT_MS = 500;

/** What a caller has to be allowed to read. */
export type HeldRequest = Omit<AccessRequest, 'inputs' | 'sessionStart'>;

interface TrackedConnection {
  readonly caller: Caller;
  readonly close: () => void;
}

interface Held {
  readonly caller: Caller;
  readonly request: HeldRequest;
  readonly lost: AbortController;
  released: boolean;
}

/**
 * What callers have opened: streams, sockets, waiting requests. Each is closed when a new request like it would be refused. The journal tells
 * when that may be; the clock, when a credential expires.
 */
@Injectable()
export class OpenConnections implements OnModuleInit, BeforeApplicationShutdown {
  private readonly tracked = new Set<TrackedConnection>();
  /** By channel. */
  private readonly held = new Map<string, Set<Held>>();
  private cancel: Cancel | undefined;
  private checking: Promise<void> = Promise.resolve();
  private readonly log = new Log('access');

  constructor(
    private readonly access: AccessService,
    private readonly owners: OwnershipResolver,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.journal.subscribe(({ type }) => {
      if (type === 'key.revoked') this.scheduleCheck(0);
    });
    this.owners.onChange((channelId, isOver) => {
      if (!this.held.has(channelId)) return;
      if (isOver) this.clock.after(LAST_EVENT_MS, () => void this.checkHeld(channelId));
      else void this.checkHeld(channelId);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.tracked.clear();
    this.held.clear();
    this.cancel?.();
    await this.checking;
  }

  /**
   * @param close called once, when the credential becomes invalid
   * @returns a function to call when the connection has closed
   */
  track(caller: Caller, close: () => void): () => void {
    if (!caller.id.startsWith('key:') && !caller.session && !caller.user) return () => undefined;
    const connection = { caller, close };
    this.tracked.add(connection);
    if (this.cancel === undefined) this.scheduleCheck(CHECK_INTERVAL_MS);
    return () => this.tracked.delete(connection);
  }

  /** Holds the access to a channel of a caller that has just been admitted. */
  hold(caller: Caller, request: HeldRequest, channel: string): HeldAccess {
    const channelId = channel.toLowerCase();
    const held: Held = { caller, request, lost: new AbortController(), released: false };
    const others = this.held.get(channelId) ?? new Set();
    this.held.set(channelId, others.add(held));
    // It may have lost its access since it was admitted.
    if (caller.agents || caller.session || caller.user) void this.check(held, false);
    const release = (): void => {
      held.released = true;
      others.delete(held);
      if (others.size === 0 && this.held.get(channelId) === others) this.held.delete(channelId);
    };
    return { signal: held.lost.signal, release };
  }

  private async checkHeld(channelId: string): Promise<void> {
    await Promise.all([...(this.held.get(channelId) ?? [])].map((held) => this.check(held)));
  }

  private async check(held: Held, mustExist = true): Promise<void> {
    try {
      const loss = await this.access.lossOf(held.caller, { ...held.request, inputs: [] }, mustExist);
      if (!loss) return;
      if (mustExist) held.lost.abort(loss);
      // It was admitted a moment ago, so its conversation is ending now, and the event that says so is on its way.
      else this.clock.after(LAST_EVENT_MS, () => held.lost.abort(loss));
    } catch (error) {
      this.log.warn('the access of an open connection could not be checked; retrying', { reason: (error as Error).message });
      this.clock.after(CHECK_INTERVAL_MS, () => {
        if (!held.released) void this.check(held, mustExist);
      });
    }
  }

  private scheduleCheck(ms: number): void {
    this.cancel?.();
    this.cancel = undefined;
    if (this.tracked.size === 0) return;
    this.cancel = this.clock.after(ms, () => {
      this.checking = this.checkAll()
        .catch((error: unknown) =>
          this.log.warn('credentials of open connections could not be checked', { reason: (error as Error).message }),
        )
        .finally(() => this.scheduleCheck(CHECK_INTERVAL_MS));
    });
  }

  private async checkAll(): Promise<void> {
    const byCaller = new Map<string, TrackedConnection[]>();
    for (const connection of this.tracked) {
      // Tokens of one user, or of one session, may expire at different times.
      const { id, user, tokenEndsAt } = connection.caller;
      const credential = `${id} ${user?.expiresAt ?? tokenEndsAt ?? ''}`;
      const group = byCaller.get(credential);
      if (group) group.push(connection);
      else byCaller.set(credential, [connection]);
    }
    for (const group of byCaller.values()) {
      const [first] = group;
      if (!first || (await this.access.isStillValid(first.caller))) continue;
      for (const connection of group) if (this.tracked.delete(connection)) connection.close();
    }
  }
}
