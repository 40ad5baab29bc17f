import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import type { Caller } from '../../core/http/index.js';
import { Log } from '../../core/logging/index.js';
import { AccessService } from './access.service.js';
import { KeysService } from './keys/keys.service.js';

// What another process revoked, or time ended, is noticed within this.
const LOOK_MS = 1000;

interface Held {
  readonly caller: Caller;
  readonly cut: () => void;
}

/** What was let in with a credential that can end, and is still open: streams and sockets. It is cut when the credential ends. */
@Injectable()
export class OpenConnections implements BeforeApplicationShutdown {
  private readonly held = new Set<Held>();
  private cancel: Cancel | undefined;
  private looking: Promise<void> = Promise.resolve();
  private readonly log = new Log('access');

  constructor(
    private readonly access: AccessService,
    private readonly clock: Clock,
    keys: KeysService,
  ) {
    keys.onRevocation(() => this.lookSoon(0));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.held.clear();
    this.cancel?.();
    await this.looking;
  }

  /**
   * @param cut called once, when the credential is no longer valid
   * @returns to be called when the connection has ended by itself
   */
  hold(caller: Caller, cut: () => void): () => void {
    if (!caller.id.startsWith('key:') && !caller.session && !caller.user) return () => undefined;
    const held = { caller, cut };
    this.held.add(held);
    if (this.cancel === undefined) this.lookSoon(LOOK_MS);
    return () => this.held.delete(held);
  }

  private lookSoon(ms: number): void {
    this.cancel?.();
    this.cancel = undefined;
    if (this.held.size === 0) return;
    this.cancel = this.clock.after(ms, () => {
      this.looking = this.look()
        .catch((error: unknown) => this.log.warn('open connections could not be looked at', { reason: (error as Error).message }))
        .finally(() => this.lookSoon(LOOK_MS));
    });
  }

  private async look(): Promise<void> {
    const byCaller = new Map<string, Held[]>();
    for (const held of this.held) {
      // Of one user there may be several tokens, which end at different times.
      const credential = `${held.caller.id} ${held.caller.user?.expiresAt ?? ''}`;
      const group = byCaller.get(credential);
      if (group) group.push(held);
      else byCaller.set(credential, [held]);
    }
    for (const group of byCaller.values()) {
      const [first] = group;
      if (!first || (await this.access.stillValid(first.caller))) continue;
      for (const held of group) if (this.held.delete(held)) held.cut();
    }
  }
}
