/** Called when a plugin uses an unsupported member. @returns whether that part of the plugin was stopped before */
type OnUnsupported = (member: string, reason: string) => boolean;

// Members of `IAgentRuntime` of @elizaos/core 1.7 that Parley does not support, with hints.
const DATABASE = 'Parley has its own database; store data in runtime.store';
const TASKS = 'Parley does not run tasks for plugins; use a timer in a service, or call a route of the plugin from outside';
const PLACES = 'rooms, worlds, entities and their relations come from channels and the HTTP API';
const TURNS = 'Parley runs turns itself; contribute with actions, providers, evaluators and events';
const PARTS = 'declare services and routes in the plugin object';
const MESSAGES = 'send messages with runtime.sendMessage({ channelId, text })';
const AGENTS = 'change agents and their settings with the HTTP API';
const LOGS = 'read agent logs with the HTTP API';

/** Members that return a promise. */
const ASYNCHRONOUS: Readonly<Record<string, readonly string[]>> = {
  [DATABASE]: [
    ...['getConnection', 'initialize', 'init', 'close', 'runMigrations', 'runPluginMigrations', 'ensureEmbeddingDimension'],
    ...['withEntityContext', 'getCachedEmbeddings'],
  ],
  [TASKS]: ['createTask', 'getTasks', 'getTask', 'getTasksByName', 'updateTask', 'deleteTask'],
  [PLACES]: [
    ...['ensureConnection', 'ensureConnections', 'ensureParticipantInRoom', 'ensureWorldExists', 'ensureRoomExists'],
    ...['createEntity', 'createEntities', 'updateEntity', 'createRoom', 'createRooms', 'updateRoom', 'deleteRoom', 'deleteRoomsByWorldId'],
    ...['createWorld', 'getWorld', 'getAllWorlds', 'updateWorld', 'removeWorld', 'addParticipant', 'addParticipantsRoom'],
    ...['removeParticipant', 'getParticipantsForEntity', 'getRoomsForParticipant', 'getRoomsForParticipants'],
    ...['getParticipantUserState', 'setParticipantUserState', 'getComponent', 'getComponents', 'createComponent', 'updateComponent'],
    ...['deleteComponent', 'createRelationship', 'updateRelationship', 'getRelationship', 'getRelationships'],
  ],
  [TURNS]: ['processActions', 'evaluate', 'stop', 'getAgentRunSummaries', 'getAllMemories', 'clearAllAgentMemories'],
  [PARTS]: ['registerPlugin', 'registerService'],
  [MESSAGES]: ['sendMessageToTarget'],
  [AGENTS]: ['getAgents', 'createAgent', 'updateAgent', 'deleteAgent'],
  [LOGS]: ['getLogs', 'deleteLog'],
  'delete memories one by one with runtime.deleteMemory': ['deleteManyMemories', 'deleteAllMemories'],
  'read memories with runtime.getMemories': ['countMemories', 'getMemoriesByWorldId'],
};
const SYNCHRONOUS: Readonly<Record<string, readonly string[]>> = {
  [DATABASE]: ['registerDatabaseAdapter'],
  [TASKS]: ['registerTaskWorker', 'getTaskWorker'],
  [TURNS]: ['getActionResults', 'startRun', 'endRun', 'getCurrentRunId', 'getEvent'],
  [MESSAGES]: ['registerSendHandler'],
  [AGENTS]: ['setSetting'],
};
/** Properties; reading one counts as use. */
const VALUES: Readonly<Record<string, readonly string[]>> = { [DATABASE]: ['db'] };

type Kind = 'async' | 'sync' | 'value';
const UNSUPPORTED = new Map<string, { readonly kind: Kind; readonly hint: string }>(
  (
    [
      ['async', ASYNCHRONOUS],
      ['sync', SYNCHRONOUS],
      ['value', VALUES],
    ] as const
  ).flatMap(([kind, groups]) => Object.entries(groups).flatMap(([hint, names]) => names.map((name) => [name, { kind, hint }] as const))),
);

/** Why a member is unsupported; undefined for supported and unknown members. */
export function unsupportedReason(member: string): string | undefined {
  const found = UNSUPPORTED.get(member);
  return found && `it uses runtime.${member}, which Parley does not support: ${found.hint}`;
}

/**
 * Wraps a runtime so that using an unsupported elizaOS member throws an error. Names that elizaOS does not define are undefined, as on any
 * object.
 *
 * @param more creates further members on first use
 */
export function guardRuntime<T extends object>(runtime: T, more: () => object, onRefused: OnUnsupported): T {
  let made: object | undefined;
  const others = (): object => (made ??= more());
  return new Proxy(runtime, {
    has: (target, name) => name in target || (typeof name === 'string' && name in others()),
    get: (target, name, receiver) => {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name, receiver) as unknown;
      const found = UNSUPPORTED.get(name);
      if (!found && name in others()) return Reflect.get(others(), name) as unknown;
      if (!found) return undefined;
      const reason = unsupportedReason(name) ?? '';
      const refuse = (): never => {
        onRefused(name, reason);
        throw new Error(reason);
      };
      if (found.kind === 'value') return refuse();
      if (found.kind === 'sync') return refuse;
      // A stopped part that calls again, such as a timer that was not cleared, gets a pending promise: each rejection would add a log line.
      return () => (onRefused(name, reason) ? new Promise<never>(() => undefined) : Promise.reject(new Error(reason)));
    },
  });
}

/** Unsupported members in a plugin's source, found by pattern matching; a hint for its author. */
export function findUnsupportedMembers(source: string): string[] {
  const used = [...source.matchAll(/\bruntime\d*\s*\??\.\s*([a-zA-Z]+)/g)].flatMap(([, name]) =>
    name !== undefined && UNSUPPORTED.has(name) ? [name] : [],
  );
  return [...new Set(used)].sort();
}
