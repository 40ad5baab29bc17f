import { Injectable, type OnModuleInit } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import { append, Journal } from '../../core/journal/index.js';
import { Log, redactSecrets } from '../../core/logging/index.js';
import { Tracer } from '../../core/telemetry/index.js';
import { Vault } from '../../core/vault/index.js';
import { complete, ModelRegistry, type ChatRequest, type ServerModel } from '../../providers/models/index.js';
import { ServerModelRepository, type StoredServerModel } from './server-model.repository.js';

const PURPOSE = 'server model';
const TARGET = ['server', 'model'] as const;
const QUESTION = 'Say hello in one short sentence.';

/** A choice. Without `key`, the stored one stays if it is for the same service. */
export interface ServerModelRequest {
  readonly provider: ServerModel['provider'];
  readonly model: string;
  readonly address: string | null;
  readonly key?: string | null;
}

export interface ServerModelState {
  readonly source: 'environment' | 'administrator' | 'none';
  readonly provider: string;
  readonly model: string;
  readonly address: string | null;
  readonly hasKey: boolean;
  readonly variables: readonly string[];
  readonly localAddresses: boolean;
}

export interface ModelTrial {
  readonly text: string;
  readonly durationMs: number;
  readonly error?: { readonly code: string; readonly message: string; readonly details: string };
}

/** The model that an administrator chooses for the server. Variables of the environment have precedence. */
@Injectable()
export class ServerModelService implements OnModuleInit {
  private readonly log = new Log('server-model');
  private loading: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: ServerModelRepository,
    private readonly models: ModelRegistry,
    private readonly vault: Vault,
    private readonly unitOfWork: UnitOfWork,
    private readonly journal: Journal,
    private readonly tracer: Tracer,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.sealAgain();
    await this.load();
    // Another process may have changed it.
    this.journal.subscribe(({ type }) => {
      if (type !== 'server-model.changed') return;
      this.loading = this.loading.then(() => this.load()).catch((error: unknown) => this.log.error('the model cannot be read', error));
    });
  }

  async state(): Promise<ServerModelState> {
    const stored = await this.repository.find();
    const variables = this.models.environmentChoice;
    const { provider, model } = this.models.describe().chat;
    return {
      source: variables.length > 0 ? 'environment' : stored ? 'administrator' : 'none',
      provider,
      model,
      address: stored?.address ?? null,
      hasKey: stored !== undefined && stored.sealedKey !== null,
      variables,
      localAddresses: this.models.allowsLocalAddresses,
    };
  }

  /** @throws AppError CONFLICT while the environment chooses, VALIDATION_ERROR for an address that is not allowed */
  async choose(request: ServerModelRequest): Promise<ServerModelState> {
    this.assertOpen();
    const model = await this.checked(request);
    const { provider, model: name, address, key } = model;
    const now = this.clock.now();
    const row: StoredServerModel = {
      ...{ provider, model: name, address: address ?? null, updatedAt: now },
      sealedKey: key === undefined ? null : this.vault.seal(PURPOSE, key),
    };
    const summary = `Chose ${name} of ${provider}${address === undefined ? '' : ` at ${new URL(address).origin}`} as the model of the server.`;
    const fields = ['provider', 'model', 'address', ...(request.key === undefined ? [] : ['key'])];
    await this.change(this.repository.save(row), auditEntry('server-model.updated', { target: TARGET, summary, fields }, now), now);
    return this.state();
  }

  async remove(): Promise<ServerModelState> {
    const now = this.clock.now();
    const summary = 'Took back the choice of a model for the server.';
    await this.change(this.repository.remove(), auditEntry('server-model.removed', { target: TARGET, summary }, now), now);
    return this.state();
  }

  /** @throws AppError VALIDATION_ERROR for an address that is not allowed */
  async try(request: ServerModelRequest): Promise<ModelTrial> {
    const model = this.models.trial(await this.checked(request));
    const began = this.clock.now();
    const took = (): number => Math.max(0, this.clock.now() - began);
    try {
      const question: ChatRequest = {
        messages: [{ role: 'user', content: QUESTION }],
        grounding: { agentName: '', facts: [], examples: [], memories: [] },
      };
      const { text } = await complete(model, question, { signal: new AbortController().signal, tracer: this.tracer });
      return { text, durationMs: took() };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, message, details } = errorBody(error);
      return { text: '', durationMs: took(), error: { code, message, details } };
    }
  }

  private assertOpen(): void {
    const variables = this.models.environmentChoice;
    if (variables.length === 0) return;
    throw new AppError(
      'CONFLICT',
      `The environment chooses the model: ${variables.join(', ')}.`,
      'Remove these variables and restart the server, or change them instead.',
    );
  }

  /** The model of a request, with the stored key where it may be used. */
  private async checked({ provider, model, address, key }: ServerModelRequest): Promise<ServerModel> {
    redactSecrets([key]);
    if (address !== null) await this.models.assertAddressAllowed(address);
    const wanted = { provider, model, ...(address !== null && { address }) };
    if (key !== undefined) return { ...wanted, ...(key !== null && { key }) };
    const stored = await this.repository.find();
    // A key is never sent to another service than the one it was given for.
    if (stored === undefined || stored.sealedKey === null || stored.provider !== provider || stored.address !== address) return wanted;
    return { ...wanted, key: this.vault.open(PURPOSE, stored.sealedKey) };
  }

  private async change(statement: Statement, audit: Statement, now: number): Promise<void> {
    await this.unitOfWork.commit([statement, audit, append('server-model.changed', null, { updatedAt: now }, now)]);
    await this.load();
  }

  private async load(): Promise<void> {
    const stored = await this.repository.find();
    if (stored === undefined) {
      this.models.use(undefined);
      return;
    }
    const { provider, model, address, sealedKey } = stored;
    const open = sealedKey === null ? undefined : this.vault.open(PURPOSE, sealedKey);
    redactSecrets([open]);
    this.models.use({ provider, model, ...(address !== null && { address }), ...(open !== undefined && { key: open }) });
  }

  /** Encrypts the key with the current key of the installation. */
  private async sealAgain(): Promise<void> {
    const stored = await this.repository.find();
    if (stored === undefined || stored.sealedKey === null || this.vault.usesCurrentKey(stored.sealedKey)) return;
    const sealedKey = this.vault.seal(PURPOSE, this.vault.open(PURPOSE, stored.sealedKey));
    await this.unitOfWork.commit([this.repository.save({ ...stored, sealedKey })]);
  }
}
