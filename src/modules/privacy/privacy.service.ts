import { Inject, Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { Reader, STORE, UnitOfWork, type Store } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Hooks } from '../../core/hooks/index.js';
import { usersOf, vouchesFor, type Caller } from '../../core/http/index.js';
import { InstallationIds, newId } from '../../core/ids/index.js';
import { FORGOTTEN_USER_ID, type PersonalRecord } from '../../core/personal-data/index.js';
import { AgentsService } from '../agents/index.js';
import { ForgetRequestsRepository, type ForgetRequest } from './forget-requests.repository.js';
import { ForgetRunner } from './forget-runner.js';
import { otherIdsQuery } from './other-ids.js';

const PURPOSE = 'forgotten user';
const NO_USER = 'userId must be the id of a user.';
const HEAD = 'SELECT coalesce(max(pos), 0) AS head FROM journal';

/** Exports and forgets users, for callers who vouch for them. */
@Injectable()
export class PrivacyService {
  constructor(
    private readonly requests: ForgetRequestsRepository,
    private readonly runner: ForgetRunner,
    private readonly hooks: Hooks,
    private readonly agents: AgentsService,
    private readonly ids: InstallationIds,
    private readonly unitOfWork: UnitOfWork,
    private readonly reader: Reader,
    private readonly clock: Clock,
    @Inject(STORE) private readonly store: Pick<Store, 'readSource'>,
  ) {}

  /** Everything that is known of a user, page by page. @throws AppError FORBIDDEN, VALIDATION_ERROR */
  export(caller: Caller, userId: string): () => AsyncIterable<readonly PersonalRecord[]> {
    this.assertMayAskAbout(caller, userId);
    const providers = this.hooks.of('personalData');
    return async function* pages() {
      for (const provider of providers) if (provider.export) yield* provider.export(userId);
    };
  }

  /**
   * Starts to forget a user. While a request is not complete, asking again returns it.
   *
   * @throws AppError FORBIDDEN, VALIDATION_ERROR
   */
  async forget(caller: Caller, userId: string): Promise<ForgetRequest> {
    this.assertMayAskAbout(caller, userId);
    await this.assertIsNothingElse(userId);
    const userHash = this.hashOf(userId);
    const request = await this.unitOfWork.run('forget a user', async (tx) => {
      const [row] = await tx.rows<{ head: number | string }>(HEAD, []);
      const now = this.clock.now();
      const started: ForgetRequest = {
        ...{ id: newId(), userHash, userId, upTo: Number(row?.head ?? 0), status: 'queued', attempts: 0, dueAt: now, leaseOwner: null },
        ...{ error: null, step: 0, position: '', erased: [], backups: null, createdAt: now, updatedAt: now },
      };
      const [outcome] = await tx.apply([this.requests.insert(started)]);
      if (outcome?.changed === 1) {
        const target = ['forget-request', started.id] as const;
        await tx.apply([auditEntry('user.forgotten', { target, summary: 'Requested to forget a user.' }, now)]);
      }
      return (await this.requests.findOpen(tx, userHash)) ?? started;
    });
    this.runner.wake();
    return request;
  }

  /** @throws AppError FORBIDDEN, FORGET_REQUEST_NOT_FOUND */
  async request(caller: Caller, userId: string, requestId: string): Promise<ForgetRequest> {
    this.assertMayAskAbout(caller, userId);
    const found = await this.requests.find(requestId, this.hashOf(userId));
    if (found) return found;
    throw new AppError(
      'FORGET_REQUEST_NOT_FOUND',
      `There is no request ${requestId} to forget this user.`,
      'The id is in the response of POST /api/users/{userId}/forget.',
    );
  }

  /** Forgetting replaces the id wherever it stands, so the id of a channel, say, would be lost to others. */
  private async assertIsNothingElse(userId: string): Promise<void> {
    const { sql, params } = otherIdsQuery(this.store.readSource);
    const [other] = await this.reader.rows(sql, Array<string>(params).fill(userId));
    if (other && !(await this.isKnown(userId))) {
      throw new AppError('VALIDATION_ERROR', NO_USER, 'Something else has this id, such as a channel, a session or a message.');
    }
  }

  private async isKnown(userId: string): Promise<boolean> {
    for (const provider of this.hooks.of('personalData')) {
      if (!provider.export) continue;
      for await (const page of provider.export(userId)) if (page.length > 0) return true;
    }
    return false;
  }

  private hashOf(userId: string): string {
    return this.ids.of(PURPOSE, [userId]);
  }

  private assertMayAskAbout(caller: Caller, userId: string): void {
    if (!vouchesFor(usersOf(caller), userId)) {
      throw new AppError(
        'FORBIDDEN',
        'The credential does not vouch for this user.',
        'Use the administrator key, or an API key whose grant "users" includes the user.',
      );
    }
    if (userId === FORGOTTEN_USER_ID || this.agents.find(userId)) {
      throw new AppError('VALIDATION_ERROR', NO_USER, 'Agents are deleted with DELETE /api/agents/{agentId}.');
    }
  }
}
