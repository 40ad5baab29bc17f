import { createHash, randomUUID } from 'node:crypto';

/** The message server that always exists (specification, "Agent-authored message"). */
export const DEFAULT_SERVER_ID = '00000000-0000-0000-0000-000000000000';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for 8-4-4-4-12 hexadecimal digits of any version: the all-zero id and name-derived ids count (contract 0.4). */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

export function newId(): string {
  return randomUUID();
}

/**
 * The id that belongs to a name, the same on every machine: SHA-1 of the URI-encoded text with the version
 * digit 0 and the RFC variant (contract 5.9). A text that is a UUID already is its own id.
 */
export function idFromText(text: string): string {
  if (isUuid(text)) return text;
  return uuidOf(createHash('sha1').update(escaped(text)).digest(), 0);
}

/** The first 16 bytes of a hash as a UUID of the RFC variant. @param version in the upper half of a byte */
export function uuidOf(hash: Buffer, version: number): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | version;
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Whether an id may follow from a name (`idFromText`, `idForAgent`), so that anyone can know it before there is anything with it. */
export function mayFollowFromName(id: string): boolean {
  return id.charAt(14) === '0';
}

/** Half a character cannot be escaped: it counts as the mark for one that is unknown. */
function escaped(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** An agent's own id for something that others share: a channel's room, a message's memory (contract 5.9). */
export function idForAgent(agentId: string, base: string): string {
  return base === agentId ? agentId : idFromText(`${base}:${agentId}`);
}
