import { join, sep } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { Plugin } from '../../plugin-sdk/index.js';
import { importPlugin } from './plugin-loader.js';
import type { PluginSource } from './plugin-source.js';

const LIMIT_MS = 30_000;

/** Imports plugins and attributes errors to them. */
@Injectable()
export class PluginImporter {
  /** All imported sources, including failed ones: their code may still be running. */
  private readonly sources: PluginSource[] = [];

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Reads and evaluates a plugin's files. @throws errors of the evaluation; Error after 30 s */
  import(source: PluginSource): Promise<Plugin> {
    if (!this.sources.some(({ entry }) => entry === source.entry)) this.sources.push(source);
    const cache = join(this.config.dataDir, 'cache', 'plugins');
    return withTimeout(this.clock, LIMIT_MS, () => importPlugin(source, this.config.version, cache), {
      message: 'its file was not evaluated',
    });
  }

  /** Label of the plugin that an error's stack points to. */
  sourceOf(error: unknown): string | undefined {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    return this.sources.find(
      ({ entry, folder }) => stack.includes(entry) || (folder !== this.config.pluginsDir && stack.includes(folder + sep)),
    )?.label;
  }
}
