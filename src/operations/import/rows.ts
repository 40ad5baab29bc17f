import { idFromText } from '../../core/ids/index.js';
import { cutText } from '../../core/text/index.js';
import type { SourceRow } from './source.js';

const MAX_NAME = 255;
const NUL = '\u0000';

/** The id of a row; a text that is no UUID becomes one, the same each time. */
export function id(value: unknown): string {
  return idFromText(String(value)).toLowerCase();
}

export function optionalId(value: unknown): string | null {
  return value === null || value === undefined || value === '' ? null : id(value);
}

/** Without what a database may refuse. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(NUL, '').replaceAll(/\p{Surrogate}/gu, '\ufffd') : '';
}

/** Text for a column of names; the fallback in place of none. */
export function name<T extends string | null>(value: unknown, fallback: T): string | T {
  const given = cutText(text(value), MAX_NAME);
  return given === '' ? fallback : given;
}

export function json(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Epoch ms of a column that was selected with `epoch`. */
export function instant(value: unknown): number {
  const at = Number(value);
  return Number.isFinite(at) ? Math.round(at) : 0;
}

/** Selects a timestamp as epoch ms. elizaOS stores those without a time zone in UTC. */
export const epoch = (column: string): string => `CAST(extract(epoch FROM ${column}) * 1000 AS double precision) AS ${column}`;

const CHARACTER_FIELDS = {
  bio: 'bio',
  messageExamples: 'message_examples',
  postExamples: 'post_examples',
  topics: 'topics',
  adjectives: 'adjectives',
  knowledge: 'knowledge',
  plugins: 'plugins',
  style: 'style',
} as const;

/** The character of an agent, and the names of its secrets, which elizaOS has encrypted with a salt of its own. */
export function characterOf(row: SourceRow): { character: Record<string, unknown>; secrets: string[] } {
  const { secrets, ...settings } = json(row['settings']);
  const character: Record<string, unknown> = { id: id(row['id']), name: text(row['name']) };
  for (const field of ['username', 'system'] as const) if (text(row[field]) !== '') character[field] = text(row[field]);
  for (const [field, column] of Object.entries(CHARACTER_FIELDS)) {
    const value = row[column];
    if (value !== null && value !== undefined) character[field] = value;
  }
  if (Object.keys(settings).length > 0) character['settings'] = settings;
  return { character, secrets: Object.keys(json(secrets)) };
}
