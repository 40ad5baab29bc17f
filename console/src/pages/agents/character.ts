// A character as the console edits it: what is shown, what is sent, and what the server finds wrong with it.
import { ParleyError, type AgentView } from 'parley-client';
import { errorText } from '../../api.js';
import { characterInWords } from '../../field-names.js';

export type Fields = Readonly<Record<string, unknown>>;

/** Names of stored secrets, by the place that has them. Values never leave the server. */
export interface SecretNames {
  readonly own: readonly string[];
  readonly settings: readonly string[];
}

export interface Fault {
  /** Path of the field, such as `settings.OPENAI_BASE_URL` or `bio[2]`; '' for the whole character. */
  readonly path: string;
  /** A sentence that names the field. */
  readonly text: string;
}

/** Fields of a character in the order of a file. */
const FIELDS = [
  ...['name', 'username', 'system', 'bio', 'lore', 'topics', 'adjectives', 'style', 'messageExamples', 'postExamples'],
  ...['knowledge', 'plugins', 'templates', 'settings'],
] as const;
const TEXT_LISTS = ['bio', 'lore', 'topics', 'adjectives', 'postExamples', 'plugins'];
const MASK = '********';

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that ought to be text; '' for anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The character of a stored agent, without secrets. */
export function characterOf(view: AgentView): Fields {
  const { secrets: _, ...settings } = view.settings;
  const all: Fields = { ...view, settings };
  return tidied(Object.fromEntries(FIELDS.map((field) => [field, all[field]])));
}

export function secretNamesOf(view: AgentView): SecretNames {
  const inSettings = view.settings['secrets'];
  return { own: Object.keys(view.secrets), settings: isFields(inSettings) ? Object.keys(inSettings) : [] };
}

/** Without empty texts, lists and objects, which a person left behind while typing. */
export function tidied(character: Fields): Fields {
  const tidy: Record<string, unknown> = { ...character };
  for (const field of TEXT_LISTS) tidy[field] = Array.isArray(tidy[field]) ? filled(tidy[field]) : tidy[field];
  if (Array.isArray(tidy['knowledge'])) tidy['knowledge'] = filled(tidy['knowledge']);
  if (isFields(tidy['style'])) {
    const lists = Object.entries(tidy['style']).map(([name, list]) => [name, Array.isArray(list) ? filled(list) : list] as const);
    tidy['style'] = Object.fromEntries(lists.filter(([, list]) => !isNothing(list)));
  }
  if (Array.isArray(tidy['messageExamples'])) tidy['messageExamples'] = tidy['messageExamples'].filter((one) => !isNothing(one));
  return Object.fromEntries(Object.entries(tidy).filter(([, value]) => !isNothing(value)));
}

function filled(list: readonly unknown[]): unknown[] {
  return list.filter((entry) => typeof entry !== 'string' || entry.trim() !== '');
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The body of a PATCH that makes one character of the other; empty when they are equal. */
export function changeOf(before: Fields, after: Fields, inside = false): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [before[name], after[name]];
    if (same(old, next)) continue;
    if (next === undefined) {
      // Settings are merged, so each one that is gone is named.
      change[name] = !inside && name === 'settings' && isFields(old) ? changeOf(old, {}, true) : null;
    } else if ((inside || name === 'settings') && isFields(next)) change[name] = changeOf(isFields(old) ? old : {}, next, true);
    else change[name] = next;
  }
  return change;
}

export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one as Fields, other as Fields];
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name]));
}

/** Separates the secrets of a character that a person wrote or imported. Masks stand for nothing. */
export function withoutSecrets(character: Fields): { readonly character: Fields; readonly secrets: Readonly<Record<string, string>> } {
  const { secrets: own, settings, ...rest } = character;
  const inSettings = isFields(settings) ? settings['secrets'] : undefined;
  const found = Object.entries({ ...(isFields(inSettings) ? inSettings : {}), ...(isFields(own) ? own : {}) });
  const secrets = Object.fromEntries(
    found.filter(([, value]) => value !== MASK && value !== null).map(([name, value]) => [name, String(value)]),
  );
  if (!isFields(settings)) return { character: settings === undefined ? rest : { ...rest, settings }, secrets };
  const { secrets: _, ...open } = settings;
  return { character: { ...rest, settings: open }, secrets };
}

/** A copy without the values that the server masks, for a file or another agent. */
export function withoutMasks(character: Fields): Fields {
  return Object.fromEntries(
    Object.entries(character)
      .filter(([, value]) => value !== MASK)
      .map(([name, value]) => [name, isFields(value) ? withoutMasks(value) : value]),
  );
}

/** What the server finds wrong, field by field. */
export function errorsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof ParleyError)) return [{ path: '', text: errorText(error) }];
  if (error.code === 'CONFLICT') return [{ path: 'name', text: errorText(error) }];
  if (error.code !== 'CHARACTER_INVALID') return [{ path: '', text: errorText(error) }];
  return error.details.split(/; (?=(?:agent|character): )/).map((sentence) => {
    const text = sentence.replace(/^(?:agent|character): /, '');
    const path = /^[^\s.[\]]+(?:\[\d+\]|\.[^\s.[\]]+)*(?= )/.exec(text)?.[0] ?? '';
    return { path: text.startsWith('the character ') ? '' : path, text };
  });
}

/** Faults of a field and of what is inside it, as one text. */
export function errorAt(faults: readonly Fault[], path: string): string | undefined {
  const found = faults.filter((fault) => isAt(fault.path, path));
  return found.length === 0 ? undefined : found.map(({ text }) => characterInWords(text)).join('; ');
}

/** Whether a path is a field or inside it. */
export function isAt(path: string, field: string): boolean {
  return path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));
}

/** @returns the character, or what is wrong with the text */
export function parseCharacter(text: string): Fields | SyntaxError {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : new SyntaxError('{ … }');
  } catch (error) {
    return error instanceof SyntaxError ? error : new SyntaxError(String(error));
  }
}
