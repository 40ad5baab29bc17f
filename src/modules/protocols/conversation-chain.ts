import { createHash } from 'node:crypto';
import type { InstallationIds } from '../../core/ids/index.js';
import type { ProtocolMessage, ProtocolRequest, SentFile } from './protocol-request.js';

type Identity = Pick<ProtocolRequest, 'caller' | 'user' | 'agent'>;

/** The caller of requests: its credential and the user that it names. Two of them never share a conversation. */
export function callerKey(ids: InstallationIds, { caller, user }: Pick<Identity, 'caller' | 'user'>): string {
  return ids.of('caller of a protocol', [caller.id, user ?? '']);
}

/** The credential of a caller, as channels that it opened have it. */
export function ownerKey(ids: InstallationIds, { id }: Pick<ProtocolRequest['caller'], 'id'>): string {
  return ids.of('owner of a conversation of a protocol', [id]);
}

/**
 * Keyed hashes of a conversation up to and with each message. They depend on the caller, the agent, and roles, texts, calls and files: texts in
 * normal form C without surrounding spaces, files by their content; not on instructions and reasoning.
 */
export function chainOf(ids: InstallationIds, who: Identity, messages: readonly ProtocolMessage[]): string[] {
  let hash = ids.of('conversation of a protocol', [callerKey(ids, who), who.agent.id]);
  return messages.map((message) => (hash = ids.of('message of a protocol', [hash, JSON.stringify(canonical(message))])));
}

/** Whether two texts are the same for a conversation. */
export function isSameText(one: string, other: string): boolean {
  return normal(one) === normal(other);
}

function canonical(message: ProtocolMessage): unknown[] {
  switch (message.role) {
    case 'user':
      return ['user', normal(message.text), ...(message.files ?? []).map(hashOf)];
    case 'assistant':
      return ['assistant', normal(message.text), ...(message.calls ?? []).map(({ id, name }) => [id, name])];
    default:
      return ['tool', message.callId, normal(message.text)];
  }
}

function normal(text: string): string {
  return text.normalize('NFC').trim();
}

/** SHA-256 of a file's content, however it is encoded. */
export function hashOf({ url }: SentFile): string {
  const [, content] = /^data:[^,]*;base64,([^]*)$/i.exec(url) ?? [];
  const bytes = content === undefined ? Buffer.from(url) : Buffer.from(content, 'base64');
  return createHash('sha256').update(bytes).digest('hex');
}
