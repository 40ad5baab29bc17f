import { textOption } from './options.js';
import { sha1 } from './sha1.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A random UUID, version 4. `crypto.randomUUID` is missing in browsers on pages over plain HTTP. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return toUuid(bytes, 4);
}

/**
 * The id of a user in Parley for any text that an app knows its user by: an e-mail address, a number, a name. A UUID stays as it is, in lower
 * case. Other texts are hashed with the prefix `user:`, since the hash of a bare name can be the id of an agent. The server derives the same
 * id for the `sub` of a user token.
 *
 * @throws InvalidError for all that is no text, and for texts such as `undefined`: all people without a name would share one memory
 */
export function userId(user: string): string {
  const text = textOption('user', user, USER_REMEDY);
  return isUuid(text) ? text.toLowerCase() : idFromText(`user:${text}`);
}

const USER_REMEDY =
  'Pass text that identifies one person, such as an e-mail address, or String(id) of a number. Wait until the person is signed in; ' +
  'with the token of a user, leave user out.';

/** A text's id: SHA-1 of the URI-encoded text, with version digit 0 and the RFC variant. */
export function idFromText(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  return toUuid(sha1(encoded).slice(0, 16), 0);
}

function toUuid(bytes: Uint8Array, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
