import { inspect } from 'node:util';
import type { Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Users } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import type { AgentRuntime, Logger, OutgoingMessage, PluginStore, SentMessage } from '../../plugin-sdk/index.js';
import type { Agent, AgentsService } from '../agents/index.js';
import type { MediaService } from '../media/index.js';
import type { ChannelMessagesService } from '../messaging/index.js';
import type { PluginFaults } from './plugin-faults.js';
import type { RuntimeExtras } from './runtime-extras.js';
import { guarded } from './runtime-members.js';

const NO_USERS: Users = new Set();
const LONGEST_TEXT = 100_000;

/** What every runtime of a plugin has in common. */
export interface RuntimeParts {
  readonly plugin: string;
  readonly values: ReadonlyMap<string, string | number | boolean | null>;
  /** An environment variable that the operator lets every plugin read. */
  readonly variable: (name: string) => string | undefined;
  /** Names of the settings that it declares to be secret. */
  readonly secrets: readonly string[];
  /** Settings that its package says it cannot do without. */
  readonly required: readonly string[];
  readonly faults: PluginFaults;
  /** What it registered while it ran, by agent and name. */
  readonly registered: Map<string, () => void>;
  readonly store: PluginStore;
  readonly agents: AgentsService;
  readonly doors: ChannelMessagesService;
  readonly media: MediaService;
  readonly config: Config;
  readonly extras: RuntimeExtras;
  /** Aborts when the plugin is unloaded. */
  readonly unloading: AbortSignal;
  /** Address of this server; known once it listens. */
  readonly serverUrl: () => string;
}

/** What was asked for with a runtime and was not there. */
const lacks = new WeakMap<AgentRuntime, Set<string>>();
const MOST_LACKS = 10;

/** What a part of a plugin asked its runtime for and did not get, in words; undefined when there is nothing of the kind. */
export function lackedBy(runtime: AgentRuntime): string | undefined {
  const lacked = lacks.get(runtime);
  return lacked && [...lacked].join('; ');
}

/**
 * The runtime of an agent as one plugin sees it, for as long as `signal` is not aborted.
 *
 * @param part of the plugin that gets it, such as `init` or `service weather`. A service that uses a member that is not there is ended:
 *   it is mostly a timer that would do so for ever.
 */
export function runtimeFor(parts: RuntimeParts, agent: Agent, signal: AbortSignal, part?: string): AgentRuntime {
  const log = new Log(`plugin ${parts.plugin}`);
  let ended = false;
  const lack = (what: string): null => {
    const lacked = lacks.get(runtime) ?? new Set<string>();
    if (lacked.size < MOST_LACKS) lacks.set(runtime, lacked.add(what));
    return null;
  };
  const refused = (member: string, reason: string): boolean => {
    if (ended) return true;
    const component = part ?? `runtime.${member}`;
    if (parts.faults.note(component, reason)) log.error(`${component} cannot work: ${reason}`, undefined, { agentId: agent.id });
    if (part?.startsWith('service ') === true) {
      ended = true;
      void parts.extras.end(runtime);
    }
    return false;
  };
  let character: AgentRuntime['character'] | undefined;
  const extras = parts.extras.of(parts, agent, signal, () => runtime);
  const own: AgentRuntime = {
    agentId: agent.id,
    // A copy, for who asks: what a plugin does to it stays with the plugin.
    get character() {
      return (character ??= structuredClone({ ...agent.character, name: agent.name }));
    },
    getSetting: (key) => {
      if (key === 'SERVER_URL') return parts.serverUrl();
      const value = parts.agents.setting(agent.id, key) ?? parts.values.get(key) ?? parts.variable(key);
      return value ?? lack(`setting ${key} has no value`);
    },
    logger: loggerOf(log, agent, () => ended),
    sendMessage: (message) => sendMessage(parts, agent, message),
    store: parts.store,
    abortSignal: signal,
    ...extras,
    getService: (type) => extras.getService(type) ?? lack(`service ${type} does not run`),
  };
  const runtime: AgentRuntime = guarded(own, () => parts.extras.eliza(parts, agent, signal, () => runtime), refused);
  return runtime;
}

async function sendMessage({ doors, media }: RuntimeParts, agent: Agent, message: OutgoingMessage): Promise<SentMessage> {
  const { channelId, text, thought, actions = [], metadata = {} } = message;
  // A plugin may be JavaScript: nothing has looked at what it hands over.
  if (!isUuid(channelId)) throw new AppError('VALIDATION_ERROR', 'channelId must be a UUID');
  if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_TEXT) {
    throw new AppError('VALIDATION_ERROR', `text must be text of 1 to ${LONGEST_TEXT} characters`);
  }
  if (message.id !== undefined && !isUuid(message.id)) throw new AppError('VALIDATION_ERROR', 'id must be a UUID');
  const attachments = message.attachments && (await media.keepInline(agent.id, message.attachments));
  const extras = { ...(thought === undefined ? {} : { thought }), ...(attachments === undefined ? {} : { attachments }) };
  const { message: stored } = await doors.submit({
    id: message.id,
    channelId,
    authorId: agent.id,
    // A plugin is trusted code: it vouches for what it says, unless it says otherwise.
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

/** @param ended whether only `debug` is wanted of it any more */
function loggerOf(log: Log, { id: agentId }: Agent, ended: () => boolean): Logger {
  const at =
    (level: keyof Logger) =>
    (...words: unknown[]): void => {
      if (ended() && level !== 'debug') return;
      const [message, fields] = lineOf(words);
      log.write(level, message, { agentId, ...fields });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The words in any order: plugins of other servers put the fields first, or an error or more words behind. */
function lineOf(words: readonly unknown[]): [message: string, fields: Record<string, unknown>] {
  const texts: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const word of words) {
    if (word instanceof Error) fields['err'] = word;
    else if (typeof word === 'object' && word !== null) Object.assign(fields, word);
    else if (word !== undefined) texts.push(typeof word === 'string' ? word : inspect(word));
  }
  return [texts.join(' '), fields];
}
