/** How one environment variable is read: its text, or nothing when unset or empty. */
export interface Setting<T> {
  readonly name: string;
  readonly about: string;
  readonly fallback: string;
  readonly secret: boolean;
  /** @throws Error whose message completes the sentence "NAME ..." */
  read(text: string | undefined): T;
}

interface SettingText {
  about: string;
  /** What stands in the documentation as the default, when it is not a plain value. */
  shown?: string;
}

function setting<T>(name: string, text: SettingText, fallback: T, parse: (raw: string) => T, secret = false): Setting<T> {
  const shown = text.shown ?? (fallback === undefined ? 'none' : String(fallback));
  return { name, about: text.about, fallback: shown, secret, read: (raw) => (raw === undefined ? fallback : parse(raw)) };
}

export function text<T extends string | undefined>(name: string, fallback: T, about: SettingText): Setting<string | T> {
  return setting<string | T>(name, about, fallback, (raw) => raw);
}

/** @param about `shortest` is the least number of characters */
export function secret(name: string, about: SettingText & { shortest?: number }): Setting<string | undefined> {
  const { shortest = 1 } = about;
  return setting<string | undefined>(
    name,
    about,
    undefined,
    (raw) => {
      if (raw.length < shortest) throw new Error(`must have at least ${shortest} characters`);
      return raw;
    },
    true,
  );
}

export function secretList(name: string, about: SettingText): Setting<string[]> {
  return setting<string[]>(name, { ...about, shown: 'none' }, [], parts, true);
}

export function integer(name: string, fallback: number, range: { min: number; max: number }, about: SettingText): Setting<number> {
  return setting(name, { ...about, about: `${about.about} (${range.min} to ${range.max})` }, fallback, (raw) => {
    const value = /^-?\d+$/.test(raw) ? Number(raw) : Number.NaN;
    if (!Number.isInteger(value) || value < range.min || value > range.max) {
      throw new Error(`must be a whole number from ${range.min} to ${range.max}, not "${raw}"`);
    }
    return value;
  });
}

export function flag(name: string, fallback: boolean, about: SettingText): Setting<boolean> {
  return setting(name, about, fallback, (raw) => {
    if (raw !== 'true' && raw !== 'false') throw new Error(`must be true or false, not "${raw}"`);
    return raw === 'true';
  });
}

export function choice<const T extends readonly string[]>(
  name: string,
  fallback: T[number],
  options: T,
  about: SettingText,
): Setting<T[number]> {
  return setting<T[number]>(name, { ...about, about: `${about.about} (${options.join(', ')})` }, fallback, (raw) => {
    if (!options.includes(raw)) throw new Error(`must be one of ${options.join(', ')}, not "${raw}"`);
    return raw;
  });
}

export function list(name: string, about: SettingText): Setting<string[]> {
  return setting<string[]>(name, { ...about, shown: about.shown ?? 'none' }, [], parts);
}

function parts(raw: string): string[] {
  return raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
