import { cutText } from '../../core/text/index.js';
import { text } from './rows.js';

/** A message of another program. */
export interface ForeignMessage {
  /** The same at each export. */
  readonly id: string;
  readonly isAgent: boolean;
  readonly text: string;
  /** Epoch ms; null when the export does not tell. */
  readonly at: number | null;
}

/** A conversation of another program between one person and one agent, oldest message first. */
export interface ForeignConversation {
  /** Name of the program in identifiers, such as `chatgpt`. */
  readonly origin: string;
  /** The same at each export. */
  readonly id: string;
  readonly title: string;
  /** Epoch ms; null when the export does not tell. */
  readonly at: number | null;
  readonly messages: readonly ForeignMessage[];
}

/** An agent of another program. */
export interface ForeignAgent {
  /** In the fields of a character file. */
  readonly character: Readonly<Record<string, unknown>>;
  /** Its format, such as `character card v2`. */
  readonly format: string;
  readonly conversation?: ForeignConversation;
}

/** Told what a reader does not take over. */
export interface Reporter {
  leave(what: string, count?: number): void;
  switchOff(what: string): void;
  note(line: string): void;
}

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The text without white space at its ends; empty for anything else. */
export function trimmed(value: unknown): string {
  return text(value).trim();
}

/** A name from a file, for a line of the report. */
export function label(value: unknown, fallback = 'without a name'): string {
  const line = cutText(
    trimmed(value)
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
    80,
  );
  return line === '' ? fallback : line;
}

/** Epoch ms of a number of seconds or of an ISO 8601 text; null for neither. */
export function instantOf(value: unknown): number | null {
  if (typeof value === 'string') {
    // Without a time zone, as Python writes them, instants are in UTC.
    const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(value);
    const at = Date.parse(hasZone || !value.includes('T') ? value : `${value}Z`);
    return Number.isNaN(at) ? null : at;
  }
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null;
  const at = Math.round(value * 1000);
  return at <= 8.64e15 ? at : null;
}
