import { basename } from 'node:path';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { backupsOf } from '../../core/backup/index.js';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { STORE, UnitOfWork, type Store } from '../../core/database/index.js';
import { Hooks } from '../../core/hooks/index.js';
import { append } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import type { Erasure, ErasureStep, PersonalData } from '../../core/personal-data/index.js';
import { Queue, type Lease } from '../../core/queue/index.js';
import type { ErasedKind } from './entities/index.js';
import { ForgetRequestsRepository, type ForgetRequest } from './forget-requests.repository.js';
import { idMentionSteps } from './id-mentions.js';

const LEASE_MS = 60_000;
const HEARTBEAT_MS = 20_000;
const RETRY_MS = 30_000;
const GROUP = 'forget';

/** Carries out requests to forget a user, one at a time. Each batch is stored with the progress, so a request continues after a crash. */
@Injectable()
export class ForgetRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queue: Queue<{ id: string }>;
  private readonly log = new Log('privacy');
  private providers: readonly PersonalData[] = [];
  private steps: readonly ErasureStep[] = [];

  constructor(
    private readonly requests: ForgetRequestsRepository,
    private readonly hooks: Hooks,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(STORE) private readonly store: Store,
  ) {
    this.queue = new Queue<{ id: string }>(
      {
        table: requests.table,
        leaseMs: LEASE_MS,
        heartbeatMs: HEARTBEAT_MS,
        groupConcurrency: 1,
        groups: () => [GROUP],
        keyOf: ({ id }) => [id],
        groupOf: () => GROUP,
        compare: () => 0,
        find: (now, _group, limit) => requests.due(now, limit),
        run: ({ id }, lease) => this.run(id, lease),
        fieldsOf: ({ id }) => ({ requestId: id }),
        log: this.log,
      },
      clock,
      store,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    this.providers = this.hooks.of('personalData');
    this.steps = [...this.providers.flatMap(({ steps }) => steps), ...idMentionSteps(this.store.readSource)].sort(
      (a, b) => a.order - b.order || (a.kind < b.kind ? -1 : 1),
    );
    await this.queue.recover();
    this.queue.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drain(0);
  }

  /** Looks for due requests. Call it after the commit of one. */
  wake(): void {
    void this.queue.lookUp(GROUP);
  }

  private async run(id: string, { owner, signal, claim }: Lease): Promise<void> {
    const request = await this.requests.claim(id, claim());
    if (!request) return;
    try {
      await this.erase(request, owner, signal);
    } catch (error) {
      // Nothing is given up: whatever the reason, the request is tried again.
      if (!signal.aborted) await this.queue.release({ id }, this.clock.now() + RETRY_MS);
      throw error;
    }
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
    const now = this.clock.now();
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
