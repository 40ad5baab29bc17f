import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, PeriodicTask } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { outsideRequest, piggyback } from '../context/request-context.js';
import { engineOf } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { newId } from '../ids/index.js';
import { Log } from '../logging/index.js';
import { Vault } from '../vault/index.js';
import { IdempotencyRepository, type Attempt, type StoredAttempt } from './idempotency.repository.js';

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
export const PURPOSE = 'response';

/** The response of an earlier attempt. */
export interface StoredResponse {
  readonly status: number;
  readonly contentType?: string;
  /** Its `X-Parley-Position`. */
  readonly position?: string;
  /** Base64. */
  readonly body: string;
}

/** A running attempt. */
export interface IdempotentAttempt {
  /** Declares the operation repeatable: it uses the same id for the created resource at each attempt. */
  markRepeatable(): void;
  /** Stores the response when the attempt made changes or succeeded, else releases the key. Never rejects. */
  end(response: StoredResponse | undefined): Promise<void>;
}

/** Executes requests with an Idempotency-Key once, and stores their responses for retries. */
@Injectable()
export class IdempotencyService implements OnModuleInit {
  private readonly log = new Log('idempotency');

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly vault: Vault,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onModuleInit(): Promise<void> {
    if (engineOf(this.config.databaseUrl) === 'sqlite') await this.repository.releaseLeases();
  }

  /**
   * @param id          hash of caller, operation and key
   * @param fingerprint hash of the body
   * @returns the response of an earlier attempt, or the attempt that starts now
   * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_OUTCOME_UNKNOWN
   */
  async begin(id: string, fingerprint: string): Promise<StoredResponse | IdempotentAttempt> {
    const attempt = { id, attempt: newId() };
    const now = this.clock.now();
    const stored = await this.repository.claim(attempt, fingerprint, now + LEASE_MS, now);
    return stored.attempt === attempt.attempt ? this.startAttempt(attempt) : this.resolveExisting(stored, fingerprint, now);
  }

  /**
   * As `begin`, for a guessable key: an earlier response is not repeated, and an earlier attempt not resumed.
   *
   * @throws AppError IDEMPOTENCY_KEY_NOT_RANDOM when the key was used before
   */
  async beginOnce(id: string): Promise<IdempotentAttempt> {
    const attempt = { id, attempt: newId() };
    const now = this.clock.now();
    // A unique fingerprint: no later attempt can match it and take over.
    const stored = await this.repository.claim(attempt, attempt.attempt, now + LEASE_MS, now);
    if (stored.attempt === attempt.attempt) return this.startAttempt(attempt);
    throw new AppError(
      'IDEMPOTENCY_KEY_NOT_RANDOM',
      'This Idempotency-Key was used before, without a credential.',
      'Use a random UUID (version 4) as the key, also for retries. Without a credential, other keys cannot be repeated.',
    );
  }

  private resolveExisting(stored: StoredAttempt, fingerprint: string, now: number): StoredResponse {
    if (stored.fingerprint !== fingerprint) {
      throw new AppError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used for a different request.',
        'Send the same body, or a new key for a new request.',
      );
    }
    if (stored.response !== null) return JSON.parse(this.vault.open(PURPOSE, stored.response)) as StoredResponse;
    if (stored.leaseUntil > now) {
      throw new AppError(
        'IDEMPOTENCY_IN_PROGRESS',
        'The request with this Idempotency-Key is still in progress.',
        'Retry later; the request is executed once.',
      ).retryAfter(1);
    }
    throw new AppError(
      'IDEMPOTENCY_OUTCOME_UNKNOWN',
      'The request with this Idempotency-Key was interrupted after it made changes.',
      'Check the current state before you send the request with a new key.',
    );
  }

  private startAttempt(attempt: Attempt): IdempotentAttempt {
    const piggybacked = piggyback(this.repository.markWritten(attempt));
    const heartbeat = this.heartbeat(attempt);
    outsideRequest(() => heartbeat.start());
    return {
      markRepeatable: () => {
        piggybacked.state = 'cancelled';
      },
      end: async (response) => {
        void heartbeat.stop();
        const wrote = piggybacked.state === 'committed';
        if (!wrote) piggybacked.state = 'cancelled';
        // A repeatable attempt, and one without changes, can simply be executed again.
        const worthKeeping = response !== undefined && (wrote || (response.status >= 200 && response.status < 300));
        try {
          if (worthKeeping) await this.repository.complete(attempt, response.status, this.vault.seal(PURPOSE, JSON.stringify(response)));
          else if (!wrote) await this.repository.release(attempt);
        } catch (error) {
          this.log.warn('a response could not be stored', { reason: (error as Error).message });
        }
      },
    };
  }

  private heartbeat(attempt: Attempt): PeriodicTask {
    return new PeriodicTask(
      this.clock,
      HEARTBEAT_MS,
      () => this.repository.extend(attempt, this.clock.now() + LEASE_MS),
      (error) => this.log.warn('the lease of a request could not be extended', { reason: (error as Error).message }),
    );
  }
}
