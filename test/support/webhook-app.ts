// An application with a plugin full of webhooks, whose handlers do what a test tells them.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { RouteRequest, WebhookOptions } from '../../src/plugin-sdk/index.js';
import { newId } from '../../src/core/ids/index.js';
import { ApiClient } from './api-client.js';
import { createTestApp, type TestApp } from './create-test-app.js';

/** What a handler does: answer with a status, throw, or return without an answer. */
type Reaction = number | 'throw' | 'nothing';

/** A reaction that a test holds back. */
export function held(reaction: Reaction): { reaction: Promise<Reaction>; open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<Reaction>((resolve) => {
    open = () => resolve(reaction);
  });
  return { reaction: promise, open };
}

export interface HandlerCall {
  readonly path: string;
  readonly request: RouteRequest;
  readonly agentId: string;
}

interface PublishedCall extends HandlerCall {
  reaction?: Reaction | Promise<Reaction>;
}

/** Source of the options of each webhook, by path; functions are JavaScript text. */
type Webhooks = Readonly<
  Record<string, Omit<WebhookOptions, 'verify' | 'dedupe'> & { verify: string; dedupe?: string; timeoutMs?: number }>
>;

/** Hears the handlers of one application's webhooks and tells them what to do. */
export class Handlers {
  readonly calls: HandlerCall[] = [];
  /** What the next calls do, in order; afterwards handlers answer 200. */
  readonly reactions: (Reaction | Promise<Reaction>)[] = [];
  /** Decides what a call does that has no reaction of its own. */
  otherwise: (call: HandlerCall) => Reaction | Promise<Reaction> = () => 200;
  private readonly name = `webhooks ${newId()}`;
  private waiting: { count: number; resolve: () => void }[] = [];

  constructor() {
    subscribe(this.name, this.hear);
  }

  /** Settles when there have been so many calls. */
  called(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ count, resolve });
      this.tell();
    });
  }

  close(): void {
    unsubscribe(this.name, this.hear);
  }

  /** A plugin is evaluated outside of the test's realm; Node's own modules are the same on both sides. */
  source(webhooks: Webhooks, settings: readonly string[]): string {
    const routes = Object.entries(webhooks).map(([path, { verify, dedupe, timeoutMs, ...rest }]) => {
      const functions = `verify: ${verify.includes('=>') ? verify : JSON.stringify(verify)}, ${
        dedupe === undefined ? '' : `dedupe: ${dedupe.includes('=>') ? dedupe : JSON.stringify(dedupe)},`
      }`;
      const limit = timeoutMs === undefined ? '' : `timeoutMs: ${timeoutMs},`;
      const webhook = `{ ${functions} ...${JSON.stringify(rest)} }`;
      return `{ type: 'POST', path: ${JSON.stringify(path)}, ${limit} handler: handler(${JSON.stringify(path)}), webhook: ${webhook} }`;
    });
    return `
      import { channel } from 'node:diagnostics_channel';
      const calls = channel(${JSON.stringify(this.name)});
      const handler = (path) => async (request, response, { agentId }) => {
        const call = { path, request, agentId };
        calls.publish(call);
        const reaction = await call.reaction;
        if (reaction === 'throw') throw new Error('told to throw');
        if (typeof reaction === 'number') response.status(reaction).json({ success: reaction < 400, call: path });
      };
      export default {
        name: 'hooks',
        config: { ${settings.map((name) => `${JSON.stringify(name)}: { secret: true }`).join(', ')} },
        routes: [
          ${routes.join(',\n          ')},
          { type: 'POST', path: '/empty', handler: (request, response) => response.json({ success: true }) },
        ],
      };`;
  }

  private readonly hear = (message: unknown): void => {
    const call = message as PublishedCall;
    this.calls.push(call);
    call.reaction = this.reactions.shift() ?? this.otherwise(call);
    this.tell();
  };

  private tell(): void {
    for (const { resolve } of this.waiting.filter(({ count }) => count <= this.calls.length)) resolve();
    this.waiting = this.waiting.filter(({ count }) => count > this.calls.length);
  }
}

/** The secret of `HOOKS`, as the setting SECRET_OF_TESTS. */
export const SECRET = 'a secret of the tests';
/** Webhooks of several kinds. */
export const HOOKS = {
  '/inline': { verify: 'github', secret: 'SECRET_OF_TESTS' },
  '/ack': { verify: 'github', secret: 'SECRET_OF_TESTS', mode: 'ack', backoffMs: 1000, timeoutMs: 4000 },
  '/ack/:tenant': { verify: 'github', secret: 'SECRET_OF_TESTS', mode: 'ack', attempts: 2, dedupe: 'X-Own-Id' },
  '/own': {
    verify: `({ headers }, { secrets, now }) => secrets.includes(headers['x-key']) && now > 0`,
    secret: 'SECRET_OF_TESTS',
    dedupe: `({ body }) => body.id`,
  },
} as const;

export interface WebhookApp {
  readonly test: TestApp;
  readonly api: ApiClient;
  readonly handlers: Handlers;
  close(): Promise<void>;
}

/** @param settings names and values of the settings that the webhooks' secrets stand in */
export async function createWebhookApp(
  webhooks: Webhooks,
  settings: Readonly<Record<string, string>>,
  options: {
    engine?: 'sqlite' | 'postgres';
    clock?: import('./fake-clock.js').FakeClock;
    env?: Record<string, string>;
    names?: string[];
  } = {},
): Promise<WebhookApp> {
  const handlers = new Handlers();
  const { names = Object.keys(settings), env, ...rest } = options;
  const test = await createTestApp({ ...rest, env: { ...env, ...settings }, plugins: { 'hooks.mjs': handlers.source(webhooks, names) } });
  return {
    test,
    api: new ApiClient(() => test.url),
    handlers,
    close: async () => {
      await test.close();
      handlers.close();
    },
  };
}
