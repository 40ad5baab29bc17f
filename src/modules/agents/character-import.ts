import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { Statement } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import { cutText } from '../../core/text/index.js';
import { AgentLifecycleHooks } from './agent-lifecycle-hooks.js';
import { AgentsRepository } from './agents.repository.js';
import { fileState, readCharacterFiles, type CharacterFile, type FaultyFile } from './character-files.js';

const RETRY_MS = 5000;
const MAX_LOGGED = 20;
const MAX_LINE = 500;

type Watched = FaultyFile & { readonly at: number };

/**
 * Imports the character files at start. Files with a fault leave the other agents running; each is read again when it has changed, and its agent
 * starts without a restart of the server.
 */
@Injectable()
export class CharacterImport implements BeforeApplicationShutdown {
  private readonly log = new Log('agents');
  private watched: readonly Watched[] = [];
  private task: PeriodicTask | undefined;

  constructor(
    private readonly repository: AgentsRepository,
    private readonly hooks: AgentLifecycleHooks,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Files that define no agent, with the time at which each was read, epoch ms. */
  get faulty(): readonly Watched[] {
    return this.watched;
  }

  /** @throws AppError CONFIG_INVALID for a folder that cannot be read */
  async importAll(): Promise<void> {
    const { charactersDir, setVariables } = this.config;
    const { files, faulty } = await readCharacterFiles(charactersDir, setVariables.has('CHARACTERS_DIR'));
    for (const file of files) this.warn(file);
    this.watch(faulty);
    const imported = await this.repository.import(files, this.clock.now());
    for (const file of imported) this.report(file);
    if (faulty.length === 0) return;
    this.task = new PeriodicTask(
      this.clock,
      RETRY_MS,
      () => this.retry(),
      (error) => this.log.error('the character files could not be read again; retrying', error),
    );
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task?.stop();
  }

  /** Imports files that had a fault and have none any more. */
  private async retry(): Promise<void> {
    const states = await Promise.all(this.watched.map(({ file }) => fileState(this.config.charactersDir, file)));
    if (this.watched.every(({ state }, index) => state === states[index])) return;
    const before = new Set(this.watched.map(({ file }) => file));
    const { files, faulty } = await readCharacterFiles(this.config.charactersDir, false);
    const mended = files.filter(({ file }) => before.has(file));
    const joining = new Map<string, readonly Statement[]>();
    for (const { agentId, character } of mended) {
      joining.set(agentId, await this.hooks.onAgentCreated({ id: agentId, name: character.name }));
    }
    const imported = await this.repository.import(mended, this.clock.now(), (agentId) => joining.get(agentId) ?? []);
    for (const file of mended) this.warn(file);
    for (const file of imported) this.report(file);
    this.watch(faulty.filter(({ file }) => before.has(file)));
  }

  private watch(faulty: readonly FaultyFile[]): void {
    const at = this.clock.now();
    this.watched = faulty.map((each) => ({ ...each, at }));
    for (const { file, faults } of faulty) {
      this.log.warn('the character file has a fault; the other agents run without it', { file, faults: faults.slice(0, MAX_LOGGED) });
    }
  }

  private warn({ file, unused, warnings }: CharacterFile): void {
    if (unused.length > 0) this.log.warn('the character file has fields that are not used', { file, fields: unused });
    for (const warning of warnings.slice(0, MAX_LOGGED)) this.log.warn(`the character file ${file}: ${cutText(warning, MAX_LINE)}`);
    const more = warnings.length - MAX_LOGGED;
    if (more > 0) this.log.warn(`the character file ${file}: ${more} more warnings`);
  }

  private report({ file, agentId, character }: CharacterFile): void {
    this.log.info('character imported', { file, agentId, name: character.name });
  }
}
