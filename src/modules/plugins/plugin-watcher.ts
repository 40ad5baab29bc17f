import { mkdir } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { watch, type FSWatcher } from 'chokidar';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Log } from '../../core/logging/index.js';
import { PluginHost } from './plugin-host.js';
import { findSources } from './plugin-source.js';

/** Editors save a file in several steps. */
const DEBOUNCE_MS = 150;
const NOT_WATCHED = new Set(['node_modules', '.git']);

/** With PLUGINS_WATCH, reloads a plugin in PLUGINS_DIR when its files change, loads new ones and unloads deleted ones. */
@Injectable()
export class PluginWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log('plugins');
  private readonly changed = new Set<string>();
  private watcher: FSWatcher | undefined;
  private cancel: Cancel = () => undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly host: PluginHost,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.pluginsWatch) return;
    const { pluginsDir } = this.config;
    await mkdir(pluginsDir, { recursive: true });
    // Not `fs.watch` with `recursive`: on Linux it loses a file that is replaced by renaming another one.
    const watcher = watch(pluginsDir, { ignoreInitial: true, ignored: (path) => !isWatched(this.partsOf(path)) });
    this.watcher = watcher;
    watcher.on('all', (_event, path) => this.onChange(path));
    watcher.on('error', (error) => this.log.error('watching plugins failed', error));
    await new Promise<void>((resolve) => watcher.once('ready', resolve));
    this.log.info('watching plugins', { folder: pluginsDir });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watcher?.close();
    this.cancel();
    await this.working;
  }

  private onChange(path: string): void {
    const [label = ''] = this.partsOf(path);
    if (label === '') return;
    this.changed.add(label);
    this.cancel();
    this.cancel = this.clock.after(DEBOUNCE_MS, () => {
      this.working = this.working.then(() => this.load());
    });
  }

  private partsOf(path: string): string[] {
    return relative(this.config.pluginsDir, path).split(sep);
  }

  private async load(): Promise<void> {
    const labels = [...this.changed];
    this.changed.clear();
    try {
      const sources = await findSources(this.config.pluginsDir);
      const changed = sources.filter((source) => labels.includes(source.label));
      // Unload deleted plugins first, because a renamed file has the same routes.
      for (const label of labels) if (!changed.some((source) => source.label === label)) await this.host.unloadSource(label);
      // The host logs why a plugin is not loaded.
      for (const source of changed) await this.host.reload(source).catch(() => undefined);
    } catch (error) {
      this.log.error('reloading plugins failed', error);
    }
  }
}

function isWatched(parts: readonly string[]): boolean {
  return !parts.some((part) => NOT_WATCHED.has(part));
}
