import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/bootstrap/create-app.js';
import type { Clock } from '../../src/core/clock/index.js';
import type { Config } from '../../src/core/config/index.js';
import type { Engine } from '../../src/core/database/index.js';
import { Hooks } from '../../src/core/hooks/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { StopRequests } from '../../src/modules/system/index.js';
import { ModelRegistry, type EmbeddingModel } from '../../src/providers/models/index.js';
import { ScriptedModel } from './scripted-model.js';
import { placeDatabase, testConfig } from './test-store.js';

/** The agents of every test application: two, so that nothing works only for a lone one. */
export const ADA = { id: idFromText('Ada'), name: 'Ada' };
export const BOB = { id: idFromText('Bob'), name: 'Bob' };

const CHARACTERS = [
  { name: ADA.name, bio: ['Ada is an agent of the tests.'], system: 'Answer shortly.' },
  { name: BOB.name, bio: 'Bob is the other agent.' },
];

export interface TestApp {
  readonly config: Config;
  app: NestExpressApplication;
  /** Where the application listens, without a slash at the end. */
  url: string;
  model: ScriptedModel;
  /** Stops the application as SIGTERM does and starts it again on the same data. @param script of the new model, which turns may call at once */
  restart(script?: (model: ScriptedModel) => void): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly engine?: Engine;
  readonly env?: Record<string, string>;
  readonly clock?: Clock;
  /** What embeds texts, asked for at each use; nothing does when it is left out. */
  readonly embeddings?: () => EmbeddingModel;
  readonly characters?: readonly object[];
  /** Files in the folder of plugins, which may lie in folders of their own, and what is in them. */
  readonly plugins?: Readonly<Record<string, string>>;
}

/** The whole application on a free port and a database of its own, with a scripted model in place of a real one. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { config, remove } = await testConfig(options.engine ?? 'sqlite', {
    // The registry's own encoder starts nothing before it is asked, and then another one is in its place.
    EMBEDDING_PROVIDER: options.embeddings ? 'embedded' : 'none',
    // The model calls of a test are its own.
    MEMORY_EXTRACTION: 'none',
    CONVERSATION_SUMMARY: 'none',
    ...options.env,
  });
  await placeDatabase(config);
  await mkdir(config.charactersDir, { recursive: true });
  for (const [index, character] of (options.characters ?? CHARACTERS).entries()) {
    await writeFile(join(config.charactersDir, `character-${index}.json`), JSON.stringify(character));
  }
  await mkdir(config.pluginsDir, { recursive: true });
  for (const [file, source] of Object.entries(options.plugins ?? {})) {
    await mkdir(dirname(join(config.pluginsDir, file)), { recursive: true });
    await writeFile(join(config.pluginsDir, file), source);
  }
  const start = async (script?: (model: ScriptedModel) => void): Promise<Pick<TestApp, 'app' | 'url' | 'model'>> => {
    const model = new ScriptedModel();
    script?.(model);
    const app = await createApp(config, {
      clock: options.clock,
      beforeStart: (app) => {
        const models = app.get(ModelRegistry);
        models.chat = () => model;
        if (options.embeddings) models.embeddings = options.embeddings;
      },
    });
    app.get(StopRequests).setHandler(() => undefined);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return { app, model, url: `http://127.0.0.1:${port}` };
  };
  const stop = (): Promise<void> => test.app.close();
  const test: TestApp = {
    config,
    ...(await start()),
    restart: async (script) => {
      await stop();
      Object.assign(test, await start(script));
    },
    close: async () => {
      // Some tests close the application themselves.
      const violated = test.app.getHttpServer().listening ? await violations(test.app) : [];
      await stop();
      await remove();
      // What a suite did not break on purpose holds in the end.
      if (violated.length > 0) throw new Error(`the stored data violates ${violated.join('; ')}`);
    },
  };
  return test;
}

/** What the stored data has against the invariants of all modules. */
async function violations(app: NestExpressApplication): Promise<string[]> {
  const found: string[] = [];
  for (const invariant of app.get(Hooks).of('invariants')) {
    const violation = await invariant.violation();
    if (violation !== undefined) found.push(`${invariant.name}: ${violation}`);
  }
  return found;
}
