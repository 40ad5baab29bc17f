// Texts of the console in the reader's language. All texts are in console/text/<language>.json.
import { signal } from '@preact/signals';
import en from '../text/en.json';

type Texts = typeof en;
type Plural = { readonly one: string; readonly other: string };

/** Dotted names of all texts: `chat.send`. */
type Names<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string | Plural ? `${Prefix}${K}` : Names<T[K], `${Prefix}${K}.`>;
}[keyof T & string];
export type TextName = Names<Texts>;

export const LANGUAGES = { en: 'English', de: 'Deutsch', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ default: unknown }>> = {
  de: () => import('../text/de.json'),
  zh: () => import('../text/zh.json'),
};
const CHOICE = 'parley.language';

const texts = signal<Texts>(en);
export const language = signal<Language>('en');

/** Loads the language that the reader chose, or the first of the browser's that the console has. */
export async function loadLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(CHOICE) ?? '', ...navigator.languages.map((name) => name.slice(0, 2))];
  await useLanguage(wanted.find(isLanguage) ?? 'en');
}

export async function chooseLanguage(name: Language): Promise<void> {
  localStorage.setItem(CHOICE, name);
  await useLanguage(name);
}

async function useLanguage(name: Language): Promise<void> {
  texts.value = name === 'en' ? en : ((await LOADERS[name]()).default as Texts);
  language.value = name;
  document.documentElement.lang = name;
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

type Values = Readonly<Record<string, string | number>>;

/**
 * The text of a name. `{name}` in it becomes `values.name`, numbers as the language writes them; a text with forms of plural is chosen by
 * `values.count`.
 */
export function t(name: TextName, values: Values = {}): string {
  let node: unknown = texts.value;
  for (const part of name.split('.')) node = (node as Readonly<Record<string, unknown>> | undefined)?.[part];
  const text = typeof node === 'string' ? node : pluralForm(node as Plural | undefined, Number(values['count']));
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = values[key];
    return typeof value === 'number' ? formatNumber(value) : (value ?? whole);
  });
}

function pluralForm(forms: Plural | undefined, count: number): string {
  if (!forms) return '';
  const form = new Intl.PluralRules(language.value).select(count);
  return form === 'one' ? forms.one : forms.other;
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language.value, options).format(value);
}

/** A point in time, with the day when it is not today. */
export function formatTime(time: string | number | Date, options?: Intl.DateTimeFormatOptions): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const today = date.toDateString() === new Date().toDateString();
  const usual: Intl.DateTimeFormatOptions = today ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(language.value, options ?? usual).format(date);
}

/** A duration in ms with the unit that fits: `840 ms`, `1.2 s`, `3 min`. */
export function formatDuration(ms: number): string {
  const unit = (value: number, name: string, digits: number): string =>
    formatNumber(value, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
  if (ms < 1) return unit(ms, 'millisecond', 1);
  if (ms < 1000) return unit(ms, 'millisecond', 0);
  if (ms < 60_000) return unit(ms / 1000, 'second', ms < 10_000 ? 2 : 1);
  if (ms < 3_600_000) return unit(ms / 60_000, 'minute', 0);
  if (ms < 172_800_000) return unit(ms / 3_600_000, 'hour', 1);
  return unit(ms / 86_400_000, 'day', 0);
}

/** US dollars, to three digits however small. */
export function formatCost(usd: number): string {
  return formatNumber(usd, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });
}

/** A size in bytes with the unit that fits. */
export function formatBytes(bytes: number): string {
  const names = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = bytes < 1 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(bytes) / 3));
  return formatNumber(bytes / 1000 ** power, {
    style: 'unit',
    unit: names[power] ?? 'byte',
    // The short name of bytes has no plural in English.
    unitDisplay: power > 0 ? 'short' : 'long',
    maximumFractionDigits: power > 0 ? 1 : 0,
  });
}
