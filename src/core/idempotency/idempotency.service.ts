import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, Repetition, type Cancel } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { apartFromRequest, sendAlong } from '../context/request-context.js';
import { engineOf } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { newId } from '../ids/index.js';
import { Log } from '../logging/index.js';
import { Vault } from '../vault/index.js';
import { IdempotencyRepository, type Attempt, type KeptRequest } from './idempotency.repository.js';

const LEASE_MS = 30_000;
const EXTEND_MS = 10_000;
const SWEEP_MS = 60_000;
const SWEEP_PAGE = 1000;
const PURPOSE = 'answer';

/** The answer of an earlier attempt, as it was sent. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType?: string;
  /** Base64. */
  readonly body: string;
}

/** An attempt that has begun. */
export interface Begun {
  /** Its operation gives what it creates an id that is the same for each attempt, so that it can be repeated. */
  repeatable(): void;
  /** Keeps the answer when something was done, else forgets the attempt. Never fails. */
  end(answer: KeptAnswer | undefined): Promise<void>;
}

/** Requests that were sent with an Idempotency-Key: each is carried out once, and its answer kept for who asks again. */
@Injectable()
export class IdempotencyService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Log('idempotency');
  private readonly sweeps: Repetition;

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly vault: Vault,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sweeps = new Repetition(
      clock,
      SWEEP_MS,
      (over) => this.sweep(over),
      (error) => this.log.error('old idempotency keys could not be removed; trying again in a minute', error),
    );
  }

  async onModuleInit(): Promise<void> {
    if (engineOf(this.config.databaseUrl) === 'sqlite') await this.repository.releaseLeases();
    this.sweeps.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }

  /**
   * @param id who asks for what under which key, hashed
   * @param fingerprint what was sent, hashed
   * @returns the answer that an earlier attempt was given, or the attempt that begins now
   * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_OUTCOME_UNKNOWN
   */
  async begin(id: string, fingerprint: string): Promise<KeptAnswer | Begun> {
    const attempt = { id, attempt: newId() };
    const now = this.clock.now();
    const kept = await this.repository.claim(attempt, fingerprint, now + LEASE_MS, now);
    return kept.attempt === attempt.attempt ? this.begun(attempt) : this.judge(kept, fingerprint, now);
  }

  /**
   * As `begin`, for a key that anybody may have chosen: nothing that came with it is answered again or taken up again.
   *
   * @throws AppError IDEMPOTENCY_KEY_NOT_RANDOM when a request came with the key before
   */
  async beginOnce(id: string): Promise<Begun> {
    const attempt = { id, attempt: newId() };
    const now = this.clock.now();
    // No other attempt has this fingerprint, so none takes over the place.
    const kept = await this.repository.claim(attempt, attempt.attempt, now + LEASE_MS, now);
    if (kept.attempt === attempt.attempt) return this.begun(attempt);
    throw new AppError(
      'IDEMPOTENCY_KEY_NOT_RANDOM',
      'A request without a credential came with this Idempotency-Key before.',
      'Send it with a random UUID (version 4) as the key, and repeat it with the same one; only such a key is answered again without a credential.',
    );
  }

  private judge(kept: KeptRequest, fingerprint: string, now: number): KeptAnswer {
    if (kept.fingerprint !== fingerprint) {
      throw new AppError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key came with another request before.',
        'Send the same body, or a new key for a new request.',
      );
    }
    if (kept.answer !== null) return JSON.parse(this.vault.open(PURPOSE, kept.answer)) as KeptAnswer;
    if (kept.leaseUntil > now) {
      throw new AppError(
        'IDEMPOTENCY_IN_PROGRESS',
        'The request with this Idempotency-Key is still being worked on.',
        'Send it again a little later: it is carried out once.',
      ).retryAfter(1);
    }
    throw new AppError(
      'IDEMPOTENCY_OUTCOME_UNKNOWN',
      'The request with this Idempotency-Key was cut off after it had changed something.',
      'Look at what is there before you send it with a new key.',
    );
  }

  private begun(attempt: Attempt): Begun {
    const along = sendAlong(this.repository.wrote(attempt));
    const stopExtending = this.extend(attempt);
    return {
      repeatable: () => {
        along.state = 'cancelled';
      },
      end: async (answer) => {
        stopExtending();
        const wrote = along.state === 'committed';
        if (!wrote) along.state = 'cancelled';
        // What can be repeated is carried out again and comes to the same; what has done nothing may be tried again.
        const worthKeeping = answer !== undefined && (wrote || (answer.status >= 200 && answer.status < 300));
        try {
          if (worthKeeping) await this.repository.keep(attempt, answer.status, this.vault.seal(PURPOSE, JSON.stringify(answer)));
          else if (!wrote) await this.repository.release(attempt);
        } catch (error) {
          this.log.warn('an answer could not be kept', { reason: (error as Error).message });
        }
      },
    };
  }

  private extend(attempt: Attempt): Cancel {
    let over = false;
    const again = (): Cancel =>
      apartFromRequest(() =>
        this.clock.after(EXTEND_MS, () => {
          this.repository
            .extend(attempt, this.clock.now() + LEASE_MS)
            .catch((error: unknown) => this.log.warn('a request could not be marked as running', { reason: (error as Error).message }))
            .finally(() => {
              if (!over) cancel = again();
            });
        }),
      );
    let cancel = again();
    return () => {
      over = true;
      cancel();
    };
  }

  private async sweep(over: () => boolean): Promise<void> {
    const before = this.clock.now() - this.config.idempotencyHours * 3_600_000;
    while (!over() && (await this.repository.forget(before, SWEEP_PAGE)));
  }
}
