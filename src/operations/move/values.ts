import { isUtf8 } from 'node:buffer';
import type { ColumnShape, Engine } from '../../core/database/index.js';

/** A value as both engines have it. */
export type Value = string | number | boolean | null;

/** Why the target cannot store a value as it is. */
export interface Obstacle {
  readonly reason: string;
  /** The value that is stored instead with `--replace`; undefined when the row has to be changed by hand. */
  readonly replacement?: Value;
}

const NUL = /\0/g;
const UNKNOWN = '\uFFFD';
const MAX_INTEGER = 2 ** 31 - 1;

/** A value of a row as both engines have it. */
export function valueOf({ type }: ColumnShape, raw: unknown): unknown {
  if (type !== 'boolean' || raw === null) return raw;
  return raw === 1 ? true : raw === 0 ? false : raw;
}

/** @returns undefined when the target can store the value */
export function obstacleOf(column: ColumnShape, value: unknown, target: Engine): Obstacle | undefined {
  if (value === null) return undefined;
  const { type } = column;
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : { reason: 'it is not a boolean' };
  if (type === 'bigint' || type === 'integer') return obstacleOfNumber(type, value, target);
  if (typeof value !== 'string') return { reason: 'it is not text' };
  return target === 'postgres' ? obstacleOfText(column, value) : undefined;
}

function obstacleOfNumber(type: 'bigint' | 'integer', value: unknown, target: Engine): Obstacle | undefined {
  if (typeof value !== 'number') return { reason: 'it is not a number' };
  if (!Number.isInteger(value)) return { reason: 'it is not a whole number', replacement: Math.round(value) };
  if (!Number.isSafeInteger(value)) return { reason: 'the number has more than 53 bits' };
  if (type === 'integer' && target === 'postgres' && Math.abs(value) > MAX_INTEGER) return { reason: 'the number has more than 32 bits' };
  return undefined;
}

/** SQLite stores any bytes of any length as text. */
function obstacleOfText({ length }: ColumnShape, value: string): Obstacle | undefined {
  const replaced = value.replace(NUL, UNKNOWN);
  // Fewer UTF-16 units than the limit are never more characters.
  const characters = replaced.length > length ? [...replaced] : [];
  const replacement = characters.length > length ? characters.slice(0, length).join('') : replaced;
  if (replacement === value) return undefined;
  return { reason: replaced === value ? `it has more than ${length} characters` : 'it contains the character NUL', replacement };
}

/** Whether a text may have been read from bytes that are not UTF-8, which the driver replaces. */
export function mayBeMalformed(value: unknown): boolean {
  return typeof value === 'string' && value.includes(UNKNOWN);
}

/** @param bytes of a text */
export function isMalformed(bytes: Uint8Array): boolean {
  return !isUtf8(bytes);
}
