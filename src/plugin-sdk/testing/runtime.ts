import type { Plugin } from '../plugin.js';
import type { AgentRuntime, OutgoingMessage, ServiceInstance } from '../runtime.js';

const AGENT_ID = '00000000-0000-4000-8000-0000000000aa';

interface Given {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly agent?: { readonly agentId?: string; readonly name?: string } & Readonly<Record<string, unknown>>;
  readonly store?: Map<string, unknown>;
  readonly services?: Readonly<Record<string, ServiceInstance>>;
  readonly runtime?: Partial<AgentRuntime>;
}

interface Recorded {
  readonly runtime: AgentRuntime;
  readonly sent: OutgoingMessage[];
  readonly logs: { level: string; message: string }[];
}

/** A runtime that records messages and log lines. Members that the kit does not implement throw when they are used. */
export function testRuntime(
  plugin: Plugin,
  { settings = {}, agent = {}, store = new Map(), services = {}, runtime }: Given,
  signal: AbortSignal,
): Recorded {
  const sent: OutgoingMessage[] = [];
  const logs: Recorded['logs'] = [];
  const { agentId = AGENT_ID, name = 'Test agent', ...character } = agent;
  const log =
    (level: string) =>
    (message: string): void => {
      logs.push({ level, message });
    };
  const own: Partial<AgentRuntime> = {
    agentId,
    character: { ...character, name },
    getSetting: (key) => (settings[key] ?? defaultOf(plugin, key)) as ReturnType<AgentRuntime['getSetting']>,
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    sendMessage: async (message) => {
      if (typeof message.channelId !== 'string' || message.channelId === '') throw new Error('channelId must be a UUID');
      if (typeof message.text !== 'string' || message.text.trim() === '') throw new Error('text must not be empty');
      sent.push(message);
      return { id: message.id ?? idOf(sent.length), channelId: message.channelId, createdAt: 0 };
    },
    store: {
      get: async (key) => structuredClone(store.get(key)),
      set: async (key, value) => void store.set(key, structuredClone(value)),
      delete: async (key) => void store.delete(key),
      keys: async (prefix = '') => [...store.keys()].filter((key) => key.startsWith(prefix)).sort(),
    },
    abortSignal: signal,
    getService: (type) => (Object.hasOwn(services, type) ? (services[type] ?? null) : null),
    ...runtime,
  };
  return { runtime: complete(own), sent, logs };
}

/** Sequential message ids. */
function idOf(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
}

function defaultOf({ config = {} }: Plugin, key: string): unknown {
  const field = Object.hasOwn(config, key) ? config[key] : undefined;
  return (typeof field === 'object' && field !== null ? field.default : field) ?? null;
}

function complete(own: Partial<AgentRuntime>): AgentRuntime {
  return new Proxy(own, {
    get: (target, name) => {
      if (name in target || typeof name === 'symbol') return Reflect.get(target, name) as unknown;
      throw new Error(`the testing kit has no ${name}: pass one as options.runtime.${name}`);
    },
  }) as AgentRuntime;
}
