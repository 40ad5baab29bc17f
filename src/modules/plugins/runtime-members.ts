/** What happens when a plugin uses a member that Parley does not have. @returns whether the part of the plugin was ended because of it */
type OnRefused = (member: string, reason: string) => boolean;

// Members of `IAgentRuntime` of @elizaos/core 1.7 that Parley does not have, with the way out.
const DATABASE = "Parley has its own database; what is the plugin's own belongs in runtime.store";
const TASKS = 'Parley runs no tasks for plugins; a service may have a timer, or something outside calls a route of the plugin';
const PLACES = 'rooms, worlds, entities and their relations come from the channels of Parley and its HTTP API';
const TURNS = 'Parley runs the turns itself; a plugin takes part in them with actions, providers, evaluators and events';
const PARTS = 'a plugin brings its services and routes as parts of its plugin object';
const MESSAGES = 'messages go out with runtime.sendMessage({ channelId, text })';
const AGENTS = 'agents and their settings are changed by the HTTP API';
const LOGS = 'the logs of agents are read by the HTTP API';

/** By whether they answer with a promise. */
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
  'memories are forgotten one by one with runtime.deleteMemory': ['deleteManyMemories', 'deleteAllMemories'],
  'memories are read with runtime.getMemories': ['countMemories', 'getMemoriesByWorldId'],
};
const SYNCHRONOUS: Readonly<Record<string, readonly string[]>> = {
  [DATABASE]: ['registerDatabaseAdapter'],
  [TASKS]: ['registerTaskWorker', 'getTaskWorker'],
  [TURNS]: ['getActionResults', 'startRun', 'endRun', 'getCurrentRunId', 'getEvent'],
  [MESSAGES]: ['registerSendHandler'],
  [AGENTS]: ['setSetting'],
};
/** No functions: reading them is using them. */
const VALUES: Readonly<Record<string, readonly string[]>> = { [DATABASE]: ['db'] };

type Kind = 'async' | 'sync' | 'value';
const REFUSED = new Map<string, { readonly kind: Kind; readonly hint: string }>(
  (
    [
      ['async', ASYNCHRONOUS],
      ['sync', SYNCHRONOUS],
      ['value', VALUES],
    ] as const
  ).flatMap(([kind, groups]) => Object.entries(groups).flatMap(([hint, names]) => names.map((name) => [name, { kind, hint }] as const))),
);

/** Why a member is not there; undefined when it is, or when it was never promised. */
export function refusal(member: string): string | undefined {
  const found = REFUSED.get(member);
  return found && `it needs runtime.${member}, which Parley does not have: ${found.hint}`;
}

/**
 * A runtime that says so when a plugin uses a member of elizaOS that is not there. Names that elizaOS does not know are undefined, as
 * on any object.
 *
 * @param more members besides those of `runtime`, made when one is asked for
 */
export function guarded<T extends object>(runtime: T, more: () => object, onRefused: OnRefused): T {
  let made: object | undefined;
  const others = (): object => (made ??= more());
  return new Proxy(runtime, {
    has: (target, name) => name in target || (typeof name === 'string' && name in others()),
    get: (target, name, receiver) => {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name, receiver) as unknown;
      const found = REFUSED.get(name);
      if (!found && name in others()) return Reflect.get(others(), name) as unknown;
      if (!found) return undefined;
      const reason = refusal(name) ?? '';
      const refuse = (): never => {
        onRefused(name, reason);
        throw new Error(reason);
      };
      if (found.kind === 'value') return refuse();
      if (found.kind === 'sync') return refuse;
      // What was ended and calls again, as a timer does that was not cleared, is not answered: each answer would be another line in the log.
      return () => (onRefused(name, reason) ? new Promise<never>(() => undefined) : Promise.reject(new Error(reason)));
    },
  });
}

/** Members that a plugin's source names and that are not there; a guess, for its author. */
export function refusedIn(source: string): string[] {
  const used = [...source.matchAll(/\bruntime\d*\s*\??\.\s*([a-zA-Z]+)/g)].flatMap(([, name]) =>
    name !== undefined && REFUSED.has(name) ? [name] : [],
  );
  return [...new Set(used)].sort();
}
