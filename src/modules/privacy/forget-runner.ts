import { basename } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { backupsOf } from '../../core/backup/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { Hooks } from '../../core/hooks/index.js';
import { append } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import type { Erasure, ErasureStep, PersonalData } from '../../core/personal-data/index.js';
import { JobEnvironment, JobRunner, toAppError, type JobFailure, type Lease } from '../../core/queue/index.js';
import type { ErasedKind } from './entities/index.js';
import { ForgetRequestsRepository, type ForgetRequest } from './forget-requests.repository.js';
import { idMentionSteps } from './id-mentions.js';

const LEASE_MS = 60_000;
// Nothing is given up: whatever the reason, a request is tried again.
const RETRY = { attempts: Infinity, backoffMs: 30_000, longestMs: 30_000, isExact: true };

/** Carries out requests to forget a user, one at a time. Each batch is stored with the progress, so a request continues after a crash. */
@Injectable()
export class ForgetRunner extends JobRunner<{ readonly id: string }, ForgetRequest> {
  private providers: readonly PersonalData[] = [];
  private steps: readonly ErasureStep[] = [];

  constructor(
    environment: JobEnvironment,
    private readonly requests: ForgetRequestsRepository,
    private readonly hooks: Hooks,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(environment, {
      table: requests.table,
      leaseMs: LEASE_MS,
      keyOf: ({ id }) => [id],
      fieldsOf: ({ id }) => ({ requestId: id }),
      log: new Log('privacy'),
      failure: 'a user could not be forgotten',
    });
  }

  override async onApplicationBootstrap(): Promise<void> {
    this.providers = this.hooks.of('personalData');
    this.steps = [...this.providers.flatMap(({ steps }) => steps), ...idMentionSteps(this.environment.store.readSource)].sort(
      (a, b) => a.order - b.order || (a.kind < b.kind ? -1 : 1),
    );
    await super.onApplicationBootstrap();
  }

  protected override find(now: number, _group: string, limit: number): ReturnType<ForgetRequestsRepository['due']> {
    return this.requests.due(now, limit);
  }

  protected override claim({ id }: { readonly id: string }, { claim }: Lease): Promise<ForgetRequest | undefined> {
    return this.requests.claim(id, claim());
  }

  protected override process(request: ForgetRequest, { owner, signal }: Lease): Promise<void> {
    return this.erase(request, owner, signal);
  }

  protected override failureOf(error: unknown): JobFailure {
    return { error: toAppError(error), retry: RETRY };
  }

  private async erase(request: ForgetRequest, owner: string, signal: AbortSignal): Promise<void> {
    const { id, userId, upTo, createdAt } = request;
    if (userId !== null) {
      const erasure = { requestId: id, userId, upTo, at: createdAt };
      await this.runSteps(request, erasure, owner, signal);
      for (const provider of this.providers) await provider.afterErasure?.(erasure);
    }
    const failure = await this.unitOfWork.commitAndErase(this.requests.forgetUser(id));
    if (failure) throw failure;
    const backups = await backupsOf(this.config.dataDir);
    const now = this.environment.clock.now();
    await this.unitOfWork.commit([
      this.requests.setBackups(
        id,
        backups.map((folder) => basename(folder)),
      ),
      this.requests.table.end([id], owner, 'done', now),
      append('user.forgotten', null, { requestId: id }, now),
    ]);
    this.log.info('a user was forgotten', { requestId: id, backups: backups.length });
  }

  private async runSteps(request: ForgetRequest, erasure: Erasure, owner: string, signal: AbortSignal): Promise<void> {
    let { step: index, position, erased } = request;
    for (let step = this.steps[index]; step; step = this.steps[index]) {
      signal.throwIfAborted();
      const current = step;
      const next = await this.unitOfWork.run(`forget ${current.kind}`, async (tx) => {
        await tx.apply([this.requests.table.assertHeld([erasure.requestId], owner)]);
        const batch = await current.batch(erasure, tx, position);
        const progress = {
          id: erasure.requestId,
          step: batch.next === null ? index + 1 : index,
          position: batch.next ?? '',
          erased: counted(erased, current, batch.changed),
        };
        await tx.apply([this.requests.setProgress(progress)]);
        return progress;
      });
      ({ step: index, position, erased } = next);
    }
  }
}

/** The report with the rows of a batch; every kind is in it, also with zeros. */
function counted(erased: readonly ErasedKind[], { kind, effect }: ErasureStep, changed: number): readonly ErasedKind[] {
  if (effect === 'collected') return erased;
  const known = erased.find((each) => each.kind === kind) ?? { kind, deleted: 0, redacted: 0 };
  const next = { ...known, [effect]: known[effect] + changed };
  return [...erased.filter((each) => each.kind !== kind), next];
}
