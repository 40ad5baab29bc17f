/** How one environment variable is read: its text, or nothing when unset or empty. */
export interface Setting<T> {
  readonly name: string;
  readonly about: string;
  readonly fallback: string;
  readonly secret: boolean;
  /** Whether an administrator may change it over HTTP; nothing that loads code or says where data or credentials go, or who may call. */
  readonly editable: boolean;
  /** @throws Error whose message completes the sentence "NAME ..." */
  read(text: string | undefined): T;
}

interface SettingText {
  about: string;
  /** What stands in the documentation as the default, when it is not a plain value. */
  shown?: string;
  /** See `Setting.editable`; false when it is not said. */
  editable?: boolean;
}

function setting<T>(name: string, text: SettingText, fallback: T, parse: (raw: string) => T, secret = false): Setting<T> {
  const shown = text.shown ?? (fallback === undefined ? 'none' : String(fallback));
  const { about, editable = false } = text;
  return { name, about, fallback: shown, secret, editable, read: (raw) => (raw === undefined ? fallback : parse(raw)) };
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

/** @param about `shortest` is the least number of characters of each */
export function secretList(name: string, about: SettingText & { shortest?: number }): Setting<string[]> {
  const { shortest = 1 } = about;
  const read = (raw: string): string[] => {
    const secrets = parts(raw);
    if (secrets.some((each) => each.length < shortest)) throw new Error(`must hold texts of at least ${shortest} characters`);
    return secrets;
  };
  return setting<string[]>(name, { ...about, shown: 'none' }, [], read, true);
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
  return listOf(name, about, (part) => part);
}

/** The address of a service, or of this server as others reach it. */
export function address<T extends string | undefined>(name: string, fallback: T, about: SettingText): Setting<string | T> {
  return setting<string | T>(name, about, fallback, (raw) => {
    if (!/^https?:$/.test(parsed(raw)?.protocol ?? '')) {
      throw new Error(`must be an address that begins with http:// or https://, not "${raw}"`);
    }
    return raw;
  });
}

/** Origins of pages, as browsers send them; `*` stands for all. */
export function origins(name: string, about: SettingText): Setting<string[]> {
  return listOf(name, about, (part) => {
    if (part === '*') return part;
    const url = parsed(part);
    if (!url || url.host === '' || !['', '/'].includes(url.pathname) || url.search + url.hash + url.username !== '') {
      throw new Error(`must hold origins such as https://app.example.com, or *, not "${part}"`);
    }
    return `${url.protocol}//${url.host}`;
  });
}

/** Names of hosts as `URL` has them: in lower case, without a port. */
export function hosts(name: string, about: SettingText): Setting<string[]> {
  return listOf(name, about, (part) => {
    const host = /^[^\s/@?#*]+$/.test(part) && parsed(`http://${part}`)?.hostname;
    if (!host || /:\d+$/.test(part.replace(/^\[.*\]/, ''))) {
      throw new Error(`must hold names of hosts such as agents.example.com, without a port, not "${part}"`);
    }
    return host;
  });
}

/** Addresses and networks, or the names that Express has for some. */
export function networks(name: string, about: SettingText): Setting<string[]> {
  return listOf(name, about, (part) => {
    const [ip = '', mask = '0', ...more] = part.split('/');
    const known = bitsOf(ip) > 0 && more.length === 0 && (/^\d+$/.test(mask) ? Number(mask) <= bitsOf(ip) : bitsOf(mask) === 32);
    if (!known && !['loopback', 'linklocal', 'uniquelocal'].includes(part)) {
      throw new Error(`must hold addresses such as 10.0.0.1, networks such as 10.0.0.0/8, or loopback, not "${part}"`);
    }
    return part;
  });
}

function listOf(name: string, about: SettingText, parse: (part: string) => string): Setting<string[]> {
  return setting<string[]>(name, { ...about, shown: about.shown ?? 'none' }, [], (raw) => parts(raw).map(parse));
}

/** Of an address as it is usually written: 32 or 128; of anything else 0. */
function bitsOf(ip: string): number {
  if (ip.includes(':')) return parsed(`http://[${ip}]`) ? 128 : 0;
  return /^[\d.]+$/.test(ip) && parsed(`http://${ip}`)?.hostname === ip ? 32 : 0;
}

function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function parts(raw: string): string[] {
  return raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
