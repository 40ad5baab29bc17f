// Checks of what callers pass: JavaScript knows no types, and a value that is missing must not become the text "undefined".
import { InvalidError } from './errors.js';

/** What JavaScript writes for a value that is missing or no text. */
const NO_TEXT = /^\s*(undefined|null|NaN|\[object \w+\])?\s*$/;

/**
 * An option whose value is text.
 *
 * @param remedy what the caller should pass instead
 * @throws InvalidError naming the option, also for the texts that string conversion makes of missing values
 */
export function textOption(option: string, value: unknown, remedy: string): string {
  if (typeof value === 'string' && !NO_TEXT.test(value)) return value;
  throw invalidOption(option, `must be text, but is ${shown(value)}`, remedy);
}

/** As `textOption`, for options that may be left out. */
export function optionalText(option: string, value: unknown, remedy: string): string | undefined {
  return value === undefined ? undefined : textOption(option, value, remedy);
}

/** A value in a path or a query, as text. @throws InvalidError naming it */
export function addressPart(name: string, value: unknown, remedy: string): string {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  return textOption(name, value, remedy);
}

/** A cursor: that of an event, or an offset as a number or its digits. @throws InvalidError */
export function cursorOption(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^\d+(\.\d+\.\d+)?$/.test(text)) return text;
  throw invalidOption('after', `must be the cursor or the offset of an event, but is ${shown(value)}`, 'Leave it out to begin now.');
}

export function invalidOption(option: string, fault: string, remedy: string): InvalidError {
  return new InvalidError({ code: 'INVALID_OPTION', message: `${option} ${fault}.`, details: remedy, status: 0 });
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'empty' : `"${value}"`;
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  return `of the type ${Array.isArray(value) ? 'array' : typeof value}`;
}
