import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { PluginHost } from '../../../src/modules/plugins/index.js';
import { ApiClient, type ApiResponse } from '../../support/api-client.js';
import { createTestApp, type TestApp } from '../../support/create-test-app.js';
import { FakeClock } from '../../support/fake-clock.js';

// A name of this file's own, and held on to: when a channel is collected, Node forgets a newer one of the same name as well.
const CHANNEL = `parley plugin tests ${randomUUID()}`;
const told = channel(CHANNEL);

/** Head of a plugin that has to tell the test something: `tell(event, data)`. Plugins run outside of the test's realm. */
export const TELL = `import { channel } from 'node:diagnostics_channel';
const tell = (event, data) => channel(${JSON.stringify(CHANNEL)}).publish({ event, data });
`;

/** Head of a plugin that waits for the test: `await held(name)` settles when the test calls `release(name)`. */
export const HELD = `${TELL}
const held = (name) => new Promise((resolve) => tell('held ' + name, resolve));
`;

interface Told {
  readonly event: string;
  readonly data: unknown;
}

interface Options {
  readonly engine?: Engine;
  readonly env?: Record<string, string>;
  readonly characters?: readonly object[];
  /** Time goes by of itself. */
  readonly realTime?: boolean;
}

/** A plugin with these routes: JavaScript text of a list. */
export function withRoutes(name: string, routes: string, more = ''): string {
  return `${HELD}\nexport default { name: ${JSON.stringify(name)}, routes: ${routes}, ${more} };\n`;
}

/** An application with plugins, for a whole file or for one test. */
export class PluginApp {
  readonly clock = new FakeClock();
  readonly api = new ApiClient(() => this.test.url);
  readonly told: Told[] = [];
  test!: TestApp;
  private waiting: { event: string; resolve: (data: unknown) => void }[] = [];

  async start(plugins: Readonly<Record<string, string>>, { realTime, ...options }: Options = {}): Promise<this> {
    told.subscribe(this.hear);
    this.test = await createTestApp({ ...(realTime ? {} : { clock: this.clock }), plugins, ...options });
    return this;
  }

  get host(): PluginHost {
    return this.test.app.get(PluginHost);
  }

  /** Settles with what a plugin told under this name, first come, first served. */
  heard<T>(event: string): Promise<T> {
    return new Promise((resolve) => {
      const index = this.told.findIndex((one) => one.event === event);
      if (index >= 0) resolve(this.told.splice(index, 1)[0]?.data as T);
      else this.waiting.push({ event, resolve: resolve as (data: unknown) => void });
    });
  }

  async release(name: string): Promise<void> {
    (await this.heard<() => void>(`held ${name}`))();
  }

  /** `GET /api/plugins`, by name. */
  async listed(): Promise<Record<string, ApiResponse['body']>> {
    const { body } = await this.api.get('/api/plugins');
    return Object.fromEntries(body.data.plugins.map((one: { name: string }) => [one.name, one]));
  }

  async write(file: string, source: string): Promise<void> {
    await writeFile(join(this.test.config.pluginsDir, file), source);
  }

  async close(): Promise<void> {
    await this.test.close();
    told.unsubscribe(this.hear);
  }

  private readonly hear = (message: unknown): void => {
    const one = message as Told;
    const index = this.waiting.findIndex(({ event }) => event === one.event);
    if (index >= 0) this.waiting.splice(index, 1)[0]?.resolve(one.data);
    else this.told.push(one);
  };
}

/** Starts an application before the tests of the file and stops it behind them. */
export function pluginApp(plugins: Readonly<Record<string, string>>, options: Options = {}): PluginApp {
  const app = new PluginApp();
  beforeAll(() => app.start(plugins, options));
  afterAll(() => app.close());
  return app;
}
