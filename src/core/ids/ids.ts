import { hash, randomUUID } from 'node:crypto';

/** The message server that always exists (specification, "Agent-authored message"). */
export const DEFAULT_SERVER_ID = '00000000-0000-0000-0000-000000000000';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for 8-4-4-4-12 hexadecimal digits of any version, including the all-zero id and name-derived ids (contract 0.4). */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

export function newId(): string {
  return randomUUID();
}

/**
 * The id derived from a name, the same on every machine: SHA-1 of the URI-encoded text with version digit 0 and the RFC variant
 * (contract 5.9). A UUID is returned unchanged.
 */
export function idFromText(text: string): string {
  if (isUuid(text)) return text;
  return uuidOf(hash('sha1', escaped(text)), 0);
}

/**
 * The id of a user whom an app names by any text, such as an e-mail address; `userId` of `parley-client` derives the same. The prefix
 * tells it apart from the id of an agent of that name. A UUID is returned in lower case.
 */
export function userIdOf(user: string): string {
  const derived = idFromText(`user:${user}`);
  return isUuid(user) ? user.toLowerCase() : derived;
}

/** The first 16 bytes of a hash as a UUID of the RFC variant. @param hex the hash, hexadecimal @param version the version digit */
export function uuidOf(hex: string, version: number): string {
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whether an id may be derived from a name (`idFromText`, `idForAgent`). Such ids are predictable. */
export function mayBeNameDerived(id: string): boolean {
  return id.charAt(14) === '0';
}

/** URI-encodes text. Lone surrogates, which cannot be encoded, become U+FFFD. */
function escaped(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** An agent's own id for a shared resource, such as the room of a channel or the memory of a message (contract 5.9). */
export function idForAgent(agentId: string, base: string): string {
  return base === agentId ? agentId : idFromText(`${base}:${agentId}`);
}
