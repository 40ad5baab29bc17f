import { cutText } from '../cut-text.js';

// What attachments and metadata hold: any JSON, because apps, plugins and other platforms write it.

/** More of one message are not shown. */
const MAX_ENTRIES = 100;
const MAX_LABEL = 200;

/** The objects in a list, as many as can be shown; none when it is no list. */
export function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).slice(0, MAX_ENTRIES).filter(isRecord);
}

/** The first of these fields that is a text and not empty. */
export function textIn(record: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  return names.map((name) => record[name]).find((value): value is string => typeof value === 'string' && value !== '');
}

/** A text as a label: its beginning when it is very long. */
export function shortened(text: string): string {
  return text.length <= MAX_LABEL ? text : `${cutText(text, MAX_LABEL)}…`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
