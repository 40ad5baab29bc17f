import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '../../../src/core/database/index.js';
import { SCHEMA } from '../../../src/app.module.js';
import { ServerProcess } from '../../crash/support/server-process.js';
import { startModelServer, type ModelServer } from '../../support/model-server.mjs';

/** The built server with a scripted language model, on a port that stays the same over restarts. */
export class ConsoleServer {
  private process: ServerProcess | undefined;
  private port = '0';

  private constructor(
    readonly model: ModelServer,
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /**
   * @param characters agents that run; Ada when it is not said
   * @param plugins    files of PLUGINS_DIR by name, such as `shop.mjs`
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    characters: readonly object[] = [{ name: 'Ada', bio: 'Counts.', topics: ['numbers'] }],
    plugins: Readonly<Record<string, string>> = {},
  ): Promise<ConsoleServer> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-console-'));
    const model = await startModelServer();
    await mkdir(join(folder, 'characters'));
    for (const [index, character] of characters.entries()) {
      await writeFile(join(folder, 'characters', `${index}.json`), JSON.stringify(character));
    }
    await mkdir(join(folder, 'plugins'));
    for (const [name, source] of Object.entries(plugins)) await writeFile(join(folder, 'plugins', name), source);
    const server = new ConsoleServer(model, folder, env);
    await server.run();
    return server;
  }

  get url(): string {
    if (!this.process) throw new Error('the server is not running');
    return this.process.url;
  }

  /** Starts it again, at the same address. */
  async run(): Promise<void> {
    const { folder, model, env, port } = this;
    this.process = await ServerProcess.start({
      DATA_DIR: join(folder, 'data'),
      CHARACTERS_DIR: join(folder, 'characters'),
      PLUGINS_DIR: join(folder, 'plugins'),
      OPENAI_BASE_URL: model.baseUrl,
      MODEL_RETRIES: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT: 'off',
      SERVER_PORT: port,
      ...env,
    });
    this.port = new URL(this.process.url).port;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.process?.kill();
  }

  async close(): Promise<void> {
    await this.process?.kill();
    await this.model.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Changes the database of a server that does not run. */
  async edit(sql: string): Promise<void> {
    const database = await Connection.open(`sqlite:${join(this.folder, 'data', 'parley.sqlite')}`, SCHEMA, 'write');
    await database.rows(sql);
    await database.close();
  }

  /** Calls the API beside the page. @returns `data` of the answer @throws Error with the answer when it is a refusal */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? {} : ((JSON.parse(text) as { data: Record<string, unknown> }).data ?? {});
  }
}
