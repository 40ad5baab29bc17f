import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import type { Caller } from '../../core/http/index.js';
import { Log } from '../../core/logging/index.js';
import { AccessService } from './access.service.js';
import { KeysService } from './keys/keys.service.js';

// Maximum delay until a credential that expired, or that another process revoked, is noticed.
const CHECK_INTERVAL_MS = 1000;

interface TrackedConnection {
  readonly caller: Caller;
  readonly close: () => void;
}

/** Open streams and sockets whose credential can expire or be revoked; closes them when it does. */
@Injectable()
export class OpenConnections implements BeforeApplicationShutdown {
  private readonly tracked = new Set<TrackedConnection>();
  private cancel: Cancel | undefined;
  private checking: Promise<void> = Promise.resolve();
  private readonly log = new Log('access');

  constructor(
    private readonly access: AccessService,
    private readonly clock: Clock,
    keys: KeysService,
  ) {
    keys.onRevocation(() => this.scheduleCheck(0));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.tracked.clear();
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
      // A user may have several tokens that expire at different times.
      const credential = `${connection.caller.id} ${connection.caller.user?.expiresAt ?? ''}`;
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
