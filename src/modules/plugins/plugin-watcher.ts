import { watch, type FSWatcher } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { sep } from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Log } from '../../core/logging/index.js';
import { PluginHost } from './plugin-host.js';
import { findSources } from './plugin-source.js';

/** Editors save a file in several steps. */
const DEBOUNCE_MS = 150;

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
    await mkdir(this.config.pluginsDir, { recursive: true });
    this.watcher = watch(this.config.pluginsDir, { recursive: true }, (_event, file) => this.onChange(file));
    this.watcher.on('error', (error) => this.log.error('watching plugins failed', error));
    this.log.info('watching plugins', { folder: this.config.pluginsDir });
  }

  async onApplicationShutdown(): Promise<void> {
    this.watcher?.close();
    this.cancel();
    await this.working;
  }

  private onChange(file: string | null): void {
    const [label, ...inside] = file?.split(sep) ?? [];
    if (label === undefined || inside.includes('node_modules')) return;
    this.changed.add(label);
    this.cancel();
    this.cancel = this.clock.after(DEBOUNCE_MS, () => {
      this.working = this.working.then(() => this.load());
    });
  }

  private async load(): Promise<void> {
    const labels = [...this.changed];
    this.changed.clear();
    try {
      const sources = await findSources(this.config.pluginsDir);
      const changed = sources.filter((source) => labels.includes(source.label)).filter((source) => 'entry' in source);
      // Unload deleted plugins first, because a renamed file has the same routes.
      for (const label of labels) if (!changed.some((source) => source.label === label)) await this.host.unloadSource(label);
      // The host logs why a plugin is not loaded.
      for (const source of changed) await this.host.reload(source).catch(() => undefined);
    } catch (error) {
      this.log.error('reloading plugins failed', error);
    }
  }
}
