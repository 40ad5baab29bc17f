import { inspect } from 'node:util';
import type { Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Users } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import { hasAtMost } from '../../core/text/index.js';
import type { AgentRuntime, Logger, OutgoingMessage, PluginStore, SentMessage } from '../../plugin-sdk/index.js';
import type { Agent, AgentsService } from '../agents/index.js';
import type { MediaService } from '../media/index.js';
import type { ChannelMessagesService } from '../messaging/index.js';
import type { PluginProblems } from './plugin-problems.js';
import type { RuntimeFeatureFactory } from './runtime-features.js';
import { guardRuntime } from './unsupported-members.js';

const NO_USERS: Users = new Set();
const MAX_TEXT_LENGTH = 100_000;

/** Data and services that all runtimes of a plugin share. */
export interface RuntimeContext {
  readonly plugin: string;
  readonly values: ReadonlyMap<string, string | number | boolean | null>;
  /** Reads an environment variable of PLUGIN_ENV. */
  readonly variable: (name: string) => string | undefined;
  /** Names of the settings that the plugin declares as secret. */
  readonly secrets: readonly string[];
  /** Names of the settings that the package declares as required. */
  readonly required: readonly string[];
  readonly problems: PluginProblems;
  /** Unregister functions of components registered at run time, by agent and name. */
  readonly registered: Map<string, () => void>;
  readonly store: PluginStore;
  readonly agents: AgentsService;
  readonly channelMessages: ChannelMessagesService;
  readonly media: MediaService;
  readonly config: Config;
  readonly features: RuntimeFeatureFactory;
  /** Aborts when the plugin is unloaded. */
  readonly unloading: AbortSignal;
  /** URL of this server; empty before it listens. */
  readonly serverUrl: () => string;
}

/** Settings and services that were requested from a runtime and missing. */
const missing = new WeakMap<AgentRuntime, Set<string>>();
const MAX_MISSING = 10;

/** Describes the settings and services that a component requested and did not get; undefined when none was missing. */
export function describeMissing(runtime: AgentRuntime): string | undefined {
  const lacked = missing.get(runtime);
  return lacked && [...lacked].join('; ');
}

/**
 * Creates the runtime of an agent for one plugin, valid until `signal` is aborted.
 *
 * @param part the part of the plugin that receives it, such as `init` or `service weather`. A service that uses an unsupported member is
 *   stopped, because most such calls come from a timer that would repeat them forever.
 */
export function createRuntime(parts: RuntimeContext, agent: Agent, signal: AbortSignal, part?: string): AgentRuntime {
  const log = new Log(`plugin ${parts.plugin}`);
  let ended = false;
  const lack = (what: string): null => {
    const lacked = missing.get(runtime) ?? new Set<string>();
    if (lacked.size < MAX_MISSING) missing.set(runtime, lacked.add(what));
    return null;
  };
  const refused = (member: string, reason: string): boolean => {
    if (ended) return true;
    const component = part ?? `runtime.${member}`;
    if (parts.problems.record(component, reason)) log.error(`${component} failed: ${reason}`, undefined, { agentId: agent.id });
    if (part?.startsWith('service ') === true) {
      ended = true;
      void parts.features.end(runtime);
    }
    return false;
  };
  let character: AgentRuntime['character'] | undefined;
  const features = parts.features.create(parts, agent, signal, () => runtime);
  const own: AgentRuntime = {
    agentId: agent.id,
    // A copy, made on first access, so that plugins cannot change the character.
    get character() {
      return (character ??= structuredClone({ ...agent.character, name: agent.name }));
    },
    getSetting: (key) => {
      if (key === 'SERVER_URL') return parts.serverUrl();
      const value = parts.agents.setting(agent.id, key) ?? parts.values.get(key) ?? parts.variable(key);
      return value ?? lack(`setting ${key} has no value`);
    },
    logger: createLogger(log, agent, () => ended),
    sendMessage: (message) => sendMessage(parts, agent, message),
    store: parts.store,
    abortSignal: signal,
    ...features,
    getService: (type) => features.getService(type) ?? lack(`service ${type} is not running`),
  };
  const runtime: AgentRuntime = guardRuntime(own, () => parts.features.elizaMembers(parts, agent, signal, () => runtime), refused);
  return runtime;
}

async function sendMessage({ channelMessages, media }: RuntimeContext, agent: Agent, message: OutgoingMessage): Promise<SentMessage> {
  const { channelId, text, thought, actions = [], metadata = {} } = message;
  // Plugins may be JavaScript, so the types are not guaranteed.
  if (!isUuid(channelId)) throw new AppError('VALIDATION_ERROR', 'channelId must be a UUID');
  if (typeof text !== 'string' || text.trim() === '' || !hasAtMost(text, MAX_TEXT_LENGTH)) {
    throw new AppError('VALIDATION_ERROR', `text must be text of 1 to ${MAX_TEXT_LENGTH} characters`);
  }
  if (message.id !== undefined && !isUuid(message.id)) throw new AppError('VALIDATION_ERROR', 'id must be a UUID');
  const attachments = message.attachments && (await media.storeInline(agent.id, message.attachments));
  const extras = { ...(thought === undefined ? {} : { thought }), ...(attachments === undefined ? {} : { attachments }) };
  const { message: stored } = await channelMessages.submit({
    id: message.id,
    channelId,
    authorId: agent.id,
    // Plugins are trusted code: their messages count as authenticated unless they opt out.
    users: message.vouched === false ? NO_USERS : 'all',
    authorKind: 'agent',
    authorName: agent.name,
    content: text,
    rawMessage: { text, actions: [...actions], ...extras },
    sourceType: 'agent_response',
    metadata: {
      agent_id: agent.id,
      agentName: agent.name,
      ...(attachments === undefined ? {} : { attachments }),
      ...metadata,
    },
    inReplyTo: message.inReplyTo ?? null,
  });
  return { id: stored.id, channelId: stored.channelId, createdAt: stored.createdAt };
}

/** @param ended whether to drop all lines except `debug` */
function createLogger(log: Log, { id: agentId }: Agent, ended: () => boolean): Logger {
  const at =
    (level: keyof Logger) =>
    (...words: unknown[]): void => {
      if (ended() && level !== 'debug') return;
      const [message, fields] = parseLogArguments(words);
      log.write(level, message, { agentId, ...fields });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Accepts message, fields and errors in any order, because elizaOS plugins pass the fields first or append further arguments. */
function parseLogArguments(words: readonly unknown[]): [message: string, fields: Record<string, unknown>] {
  const texts: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const word of words) {
    if (word instanceof Error) fields['err'] = word;
    else if (typeof word === 'object' && word !== null) Object.assign(fields, word);
    else if (word !== undefined) texts.push(typeof word === 'string' ? word : inspect(word));
  }
  return [texts.join(' '), fields];
}
