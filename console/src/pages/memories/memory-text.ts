import type { MemoryView } from 'parley-client';
import { personName } from '../../chat/channel-name.js';
import { t } from '../../i18n.js';
import { agentName } from '../../store/agents.js';

export const MEMORY_TYPES = ['messages', 'facts', 'knowledge', 'documents'] as const;

/** What a person calls a kind of memories; plugins may have kinds of their own. */
export function typeName(type: string): string {
  const known = MEMORY_TYPES.find((name) => name === type);
  return known === undefined ? type : t(`memories.types.${known}`);
}

/** What a person reads of a memory: its text, or all of its content where it has none. */
export function memoryText(content: Readonly<Record<string, unknown>> | null): string {
  const text = content?.['text'];
  return typeof text === 'string' && text !== '' ? text : JSON.stringify(content);
}

/** The author of a message; undefined for other memories. */
export function authorOf({ type, agentId, entityId, metadata }: MemoryView): string | undefined {
  const { authorName } = metadata;
  if (typeof authorName === 'string' && authorName !== '') return authorName;
  if (type !== 'messages') return undefined;
  return entityId === agentId ? agentName(agentId) : personName(undefined);
}
