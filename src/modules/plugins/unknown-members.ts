import { similarName } from '../../core/spelling/index.js';
import type { AgentRuntime, Logger } from '../../plugin-sdk/index.js';
import { unsupportedReason } from './unsupported-members.js';

const RUNTIME: Readonly<Record<keyof AgentRuntime, true>> = {
  ...{ agentId: true, character: true, getSetting: true, logger: true, sendMessage: true, store: true, abortSignal: true },
  ...{ memories: true, rooms: true, entities: true, useModel: true, emit: true, on: true, getService: true, composeState: true },
  ...{ createMemory: true, searchMemories: true, updateMemory: true, getMemories: true, getRoom: true, getEntityById: true },
  ...{ emitEvent: true, registerEvent: true },
};
const LOGGER: Readonly<Record<keyof Logger, true>> = { debug: true, info: true, warn: true, error: true };

/** Members of `elizaMembers`. */
export const ELIZA_MEMBERS: readonly string[] = [
  ...['initPromise', 'isReady', 'messageService', 'hasElizaOS', 'routes', 'events', 'stateCache', 'plugins', 'actions', 'providers'],
  ...['evaluators', 'services', 'getConversationLength', 'createRunId', 'getAgent', 'getServicesByType', 'getAllServices'],
  ...['getRegisteredServiceTypes', 'hasService', 'getServiceLoadPromise', 'getModel', 'generateText', 'registerModel', 'registerAction'],
  ...['registerProvider', 'registerEvaluator', 'getCache', 'setCache', 'deleteCache', 'log', 'getMemoryById', 'getMemoriesByIds'],
  ...['getMemoriesByRoomIds', 'deleteMemory', 'addEmbeddingToMemory', 'queueEmbeddingGeneration', 'getRooms', 'getRoomsByWorld'],
  ...['getRoomsByIds', 'getEntitiesForRoom', 'getEntitiesByIds', 'getParticipantsForRoom', 'isRoomParticipant'],
];

/** Objects of the runtime with the members that they have. The SDK's names come first, so that they are suggested before those of elizaOS. */
const KNOWN: readonly (readonly [path: string, members: readonly string[]])[] = [
  ['runtime', [...Object.keys(RUNTIME), ...ELIZA_MEMBERS]],
  ['runtime.logger', Object.keys(LOGGER)],
];

const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
/** The variable, and not a `runtime` of another object, such as that of Chrome's extensions. */
const VARIABLE = String.raw`(?:\bthis\.|(?<![.\w$]))runtime\d*`;

/** Members of the runtime in a plugin's source that it does not have, found by pattern matching; a sentence for each. */
export function findUnknownMembers(source: string): string[] {
  const code = source.replace(COMMENT, '');
  return KNOWN.flatMap(([path, members]) =>
    usedMembers(code, path).flatMap((name) => {
      if (members.includes(name) || name in Object.prototype || unsupportedReason(name) !== undefined) return [];
      const meant = similarName(name, members);
      return [`it uses ${path}.${name}, which does not exist${meant === undefined ? '' : `; did you mean ${meant}?`}`];
    }),
  );
}

/** Names that are read with a dot, or taken by a pattern such as `const { store } = runtime`. */
function usedMembers(code: string, path: string): string[] {
  const object = path.replace('runtime', VARIABLE).replace('.logger', String.raw`\s*\??\.\s*logger`);
  const read = [...code.matchAll(new RegExp(String.raw`${object}\s*\??\.\s*([a-zA-Z]\w*)`, 'g'))].map(([, name = '']) => name);
  const taken = [...code.matchAll(new RegExp(String.raw`\{([^{}]*)\}\s*=\s*${object}\s*(?:[;,)]|$)`, 'gm'))].flatMap(([, names = '']) =>
    names.split(',').flatMap((part) => /^\s*([a-zA-Z]\w*)/.exec(part)?.[1] ?? []),
  );
  return [...new Set([...read, ...taken])].sort();
}
