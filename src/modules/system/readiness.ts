import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { probeWrite, STORE, type Store } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import type { ReadinessChecks } from './probes.dto.js';

/** Age up to which the result of a write is used again, ms. */
const FRESH_MS = 1000;
/** Time after which a write counts as failed, ms; shorter than the time limit of usual probes. */
const PATIENCE_MS = 2000;

/** Whether this process should get requests. */
@Injectable()
export class Readiness {
  private readonly log = new Log('readiness');
  private isDraining = false;
  private wasReady = true;
  private latest: { readonly startedAt: number; readonly failure: Promise<AppError | undefined> } | undefined;

  constructor(
    @Inject(STORE) private readonly store: Store,
    private readonly models: ModelRegistry,
    private readonly clock: Clock,
  ) {}

  /** Whether the server is about to stop. It still serves requests, but new ones should go elsewhere. */
  get draining(): boolean {
    return this.isDraining;
  }

  startDraining(): void {
    this.isDraining = true;
  }

  /**
   * Checks that a write is committed (at most once a second), that other processes are heard, and that the server is not about to stop.
   *
   * @throws AppError SERVER_STOPPING or STORAGE_UNAVAILABLE when requests should go elsewhere
   */
  async check(): Promise<ReadinessChecks> {
    if (this.isDraining) throw new AppError('SERVER_STOPPING', 'The server is about to stop.', 'Send new requests to another process.');
    const failure = (await this.writeFailure()) ?? this.notifierFailure();
    if ((failure === undefined) !== this.wasReady) {
      this.wasReady = failure === undefined;
      if (failure) this.log.warn('not ready', { reason: failure.message, details: failure.details });
      else this.log.info('ready again');
    }
    if (failure) throw failure;
    const { notifier, pendingUpgrade } = this.store;
    const advice = [notifier?.advice, pendingUpgrade?.advice].filter((each) => each !== undefined);
    return {
      database: 'writable',
      notifications: notifier ? (notifier.state === 'connected' ? 'connected' : 'polled') : 'not_needed',
      models: this.models.failing ? 'failing' : 'healthy',
      ...(advice.length === 0 ? {} : { advice: advice.join('; ') }),
    };
  }

  private writeFailure(): Promise<AppError | undefined> {
    const now = this.clock.now();
    if (!this.latest || Math.abs(now - this.latest.startedAt) >= FRESH_MS) this.latest = { startedAt: now, failure: this.tryWrite() };
    return this.latest.failure;
  }

  private async tryWrite(): Promise<AppError | undefined> {
    let cancel = (): void => undefined;
    const tooLong = new Promise<never>((_, reject) => {
      cancel = this.clock.after(PATIENCE_MS, () => reject(new Error(`no commit within ${PATIENCE_MS} ms`)));
    });
    try {
      await Promise.race([probeWrite(this.store.unitOfWork), tooLong]);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error;
      return new AppError('STORAGE_UNAVAILABLE', 'The database does not accept writes.', 'The cause is in the log of the server.', error);
    } finally {
      cancel();
    }
  }

  private notifierFailure(): AppError | undefined {
    if (this.store.notifier?.state !== 'broken') return undefined;
    const details = 'It is reopened every second; check that the database accepts connections.';
    return new AppError('STORAGE_UNAVAILABLE', 'The connection that tells of the writes of other processes is broken.', details);
  }
}
