import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { characterCount } from '../text/index.js';

/** The folder in which Parley is installed. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));

/** Definition of one environment variable. */
export interface Setting<T> {
  readonly name: string;
  /** A conventional name that is read when this one is unset. */
  readonly alias?: string;
  readonly about: string;
  readonly fallback: string;
  readonly secret: boolean;
  /** Whether an administrator may change it over HTTP. Never for settings that load code, locate data or credentials, or decide access. */
  readonly editable: boolean;
  /**
   * @param text    the variable's value; undefined when it is unset or empty
   * @param dataDir the absolute DATA_DIR, for defaults below it
   * @throws Error whose message completes the sentence "NAME ..."
   */
  read(text: string | undefined, dataDir: string): T;
}

/** Settings by the property names of their values in `Config`. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The part of `Config` that holds the values of these settings. */
export type SettingValues<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]['read']> };

interface SettingOptions {
  about: string;
  /** Default as shown in the documentation, when it is not a plain value. */
  shownDefault?: string;
  /** See `Setting.editable`; false by default. */
  editable?: boolean;
  /** See `Setting.alias`. */
  alias?: string;
}

function setting<T>(name: string, text: SettingOptions, fallback: T, parse: (raw: string) => T, secret = false): Setting<T> {
  const shown = text.shownDefault ?? (fallback === undefined ? 'none' : String(fallback));
  const { about, editable = false, alias } = text;
  return { name, alias, about, fallback: shown, secret, editable, read: (raw) => (raw === undefined ? fallback : parse(raw)) };
}

export function text<T extends string | undefined>(name: string, fallback: T, about: SettingOptions): Setting<string | T> {
  return setting<string | T>(name, about, fallback, (raw) => raw);
}

/** A folder or file. @returns its absolute path */
export function path(name: string, fallback: string, about: SettingOptions): Setting<string> {
  const own = setting(name, about, fallback, (raw) => raw);
  return { ...own, read: (raw, dataDir) => resolve(own.read(raw, dataDir)) };
}

/**
 * A folder that the package brings, too: by default `folder` in the working folder, or that of the package while the working folder has none.
 *
 * @returns its absolute path
 */
export function shippedFolder(name: string, folder: string, about: SettingOptions): Setting<string> {
  const own = setting(name, { shownDefault: `./${folder}, or that of the package`, ...about }, '', (raw) => raw);
  const fallback = (): string => [resolve(folder), resolve(PACKAGE, folder)].find((path) => existsSync(path)) ?? resolve(folder);
  return { ...own, read: (raw, dataDir) => (raw === undefined ? fallback() : resolve(own.read(raw, dataDir))) };
}

/** A folder, by default `folder` in DATA_DIR. @returns its absolute path */
export function dataFolder(name: string, folder: string, about: SettingOptions): Setting<string> {
  const own = setting(name, { shownDefault: `DATA_DIR/${folder}`, ...about }, folder, (raw) => resolve(raw));
  return { ...own, read: (raw, dataDir) => resolve(dataDir, own.read(raw, dataDir)) };
}

/** The address of a database. */
export function database(name: string, file: string, about: SettingOptions): Setting<string> {
  const own = setting(name, { shownDefault: `sqlite:DATA_DIR/${file}`, ...about }, '', (raw) => {
    if (!/^(sqlite:.|postgres(ql)?:\/\/)/.test(raw)) throw new Error('must begin with sqlite: or postgres://');
    return raw;
  });
  return { ...own, read: (raw, dataDir) => own.read(raw, dataDir) || `sqlite:${resolve(dataDir, file)}` };
}

/** @param about `shortest` is the minimum length in characters */
export function secret(name: string, about: SettingOptions & { shortest?: number }): Setting<string | undefined> {
  const { shortest = 1 } = about;
  return setting<string | undefined>(
    name,
    about,
    undefined,
    (raw) => {
      if (characterCount(raw) < shortest) throw new Error(`must have at least ${shortest} characters`);
      return raw;
    },
    true,
  );
}

/** @param about `shortest` is the minimum length of each secret in characters */
export function secretList(name: string, about: SettingOptions & { shortest?: number }): Setting<string[]> {
  const { shortest = 1 } = about;
  const read = (raw: string): string[] => {
    const secrets = parts(raw);
    if (secrets.some((each) => characterCount(each) < shortest)) throw new Error(`must hold texts of at least ${shortest} characters`);
    return secrets;
  };
  return setting<string[]>(name, { ...about, shownDefault: 'none' }, [], read, true);
}

export function integer<T extends number | undefined>(
  name: string,
  fallback: T,
  range: { min: number; max: number },
  about: SettingOptions,
): Setting<number | T> {
  return setting<number | T>(name, { ...about, about: `${about.about} (${range.min} to ${range.max})` }, fallback, (raw) => {
    const value = /^-?\d+$/.test(raw) ? Number(raw) : Number.NaN;
    if (!Number.isInteger(value) || value < range.min || value > range.max) {
      throw new Error(`must be a whole number from ${range.min} to ${range.max}, not "${raw}"`);
    }
    return value;
  });
}

/** A number from 0 to 1. */
export function fraction(name: string, fallback: number, about: SettingOptions): Setting<number> {
  return setting(name, { ...about, about: `${about.about} (0 to 1)` }, fallback, (raw) => {
    const value = /^\d*\.?\d+$/.test(raw) ? Number(raw) : Number.NaN;
    if (!(value >= 0 && value <= 1)) throw new Error(`must be a number from 0 to 1, not "${raw}"`);
    return value;
  });
}

export function flag(name: string, fallback: boolean, about: SettingOptions): Setting<boolean> {
  return setting(name, about, fallback, (raw) => {
    if (raw !== 'true' && raw !== 'false') throw new Error(`must be true or false, not "${raw}"`);
    return raw === 'true';
  });
}

/** JSON text. @param parse checks the value; throws an Error that says what it must be */
export function json<T>(name: string, fallback: T, parse: (value: unknown) => T, about: SettingOptions): Setting<T> {
  return setting<T>(name, about, fallback, (raw) => {
    let value: unknown;
    try {
      value = JSON.parse(raw);
    } catch {
      throw new Error('must be JSON');
    }
    return parse(value);
  });
}

export function choice<const T extends readonly string[]>(
  name: string,
  fallback: T[number],
  options: T,
  about: SettingOptions,
): Setting<T[number]> {
  return setting<T[number]>(name, { ...about, about: `${about.about} (${options.join(', ')})` }, fallback, (raw) => {
    if (!options.includes(raw)) throw new Error(`must be one of ${options.join(', ')}, not "${raw}"`);
    return raw;
  });
}

/** Some of these words, comma-separated, or `none`; all of them by default. */
export function choices<const T extends readonly string[]>(name: string, options: T, about: SettingOptions): Setting<readonly T[number][]> {
  const text = { ...about, about: `${about.about} (${options.join(', ')}, or none)`, shownDefault: options.join(',') };
  return setting<readonly T[number][]>(name, text, options, (raw) => {
    if (raw === 'none') return [];
    const chosen = parts(raw);
    const unknown = chosen.find((part) => !options.includes(part));
    if (unknown !== undefined || chosen.length === 0) {
      throw new Error(`must be none, or hold some of ${options.join(', ')}, comma-separated, not "${unknown ?? raw}"`);
    }
    return options.filter((option) => chosen.includes(option));
  });
}

export function list(name: string, about: SettingOptions): Setting<string[]> {
  return listOf(name, about, (part) => part);
}

/** Pairs `name=value`, comma-separated. Values may be percent-encoded. */
export function pairs(name: string, about: SettingOptions): Setting<Readonly<Record<string, string>>> {
  return setting(name, { ...about, shownDefault: about.shownDefault ?? 'none' }, {}, readPairs);
}

/** As `pairs`, with values that must not appear in logs. */
export function secretPairs(name: string, about: SettingOptions): Setting<Readonly<Record<string, string>>> {
  return setting(name, { ...about, shownDefault: about.shownDefault ?? 'none' }, {}, readPairs, true);
}

function readPairs(raw: string): Record<string, string> {
  return Object.fromEntries(
    parts(raw).map((part) => {
      const at = part.indexOf('=');
      const key = part.slice(0, Math.max(at, 0)).trim();
      if (key === '') throw new Error('must hold pairs such as name=value, comma-separated');
      try {
        return [key, decodeURIComponent(part.slice(at + 1).trim())];
      } catch {
        throw new Error(`must hold percent-encoded values, and that of ${key} is not`);
      }
    }),
  );
}

/** An http or https URL. */
export function address<T extends string | undefined>(name: string, fallback: T, about: SettingOptions): Setting<string | T> {
  return setting<string | T>(name, about, fallback, (raw) => {
    if (!/^https?:$/.test(parsed(raw)?.protocol ?? '')) {
      throw new Error(`must be an address that begins with http:// or https://, not "${raw}"`);
    }
    return raw;
  });
}

/** A place in an S3-compatible store. */
export interface S3Location {
  readonly bucket: string;
  /** Beginning of all keys: empty, or ended by a slash. */
  readonly prefix: string;
}

/** An address such as s3://bucket/folder. */
export function s3Location(name: string, about: SettingOptions): Setting<S3Location | undefined> {
  return setting<S3Location | undefined>(name, about, undefined, parseS3Location);
}

/** @throws Error that says what the address must be */
export function parseS3Location(address: string): S3Location {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s.exec(address) ?? [];
  const parts = path.split('/').filter((part) => part !== '');
  if (bucket === undefined || parts.some((part) => !/^[\w.()*'!-]+$/.test(part) || /^\.+$/.test(part))) {
    throw new Error(`must be an address such as s3://bucket or s3://bucket/folder, not "${address}"`);
  }
  return { bucket, prefix: parts.map((part) => `${part}/`).join('') };
}

/** Web origins as browsers send them; `*` means all. */
export function origins(name: string, about: SettingOptions): Setting<string[]> {
  return listOf(name, about, (part) => {
    if (part === '*') return part;
    const url = parsed(part);
    if (!url || url.host === '' || !['', '/'].includes(url.pathname) || url.search + url.hash + url.username !== '') {
      throw new Error(`must hold origins such as https://app.example.com, or *, not "${part}"`);
    }
    return `${url.protocol}//${url.host}`;
  });
}

/** Host names as `URL` normalises them: lower case, without a port. */
export function hosts(name: string, about: SettingOptions): Setting<string[]> {
  return listOf(name, about, (part) => {
    const host = /^[^\s/@?#*]+$/.test(part) && parsed(`http://${part}`)?.hostname;
    if (!host || /:\d+$/.test(part.replace(/^\[.*\]/, ''))) {
      throw new Error(`must hold names of hosts such as agents.example.com, without a port, not "${part}"`);
    }
    return host;
  });
}

/** IP addresses, networks, or the names that Express defines: loopback, linklocal, uniquelocal. */
export function networks(name: string, about: SettingOptions): Setting<string[]> {
  return listOf(name, about, (part) => {
    const [ip = '', mask = '0', ...more] = part.split('/');
    const known = bitsOf(ip) > 0 && more.length === 0 && (/^\d+$/.test(mask) ? Number(mask) <= bitsOf(ip) : bitsOf(mask) === 32);
    if (!known && !['loopback', 'linklocal', 'uniquelocal'].includes(part)) {
      throw new Error(`must hold addresses such as 10.0.0.1, networks such as 10.0.0.0/8, or loopback, not "${part}"`);
    }
    return part;
  });
}

/** Addresses of NATS servers. */
export function natsServers(name: string, about: SettingOptions): Setting<string[]> {
  return listOf(name, about, (part) => {
    const { protocol = '', hostname = '' } = parsed(part) ?? {};
    if (/^(nats|tls):$/.test(protocol) && hostname !== '') return part;
    throw new Error(`must hold addresses such as nats://nats.example.com:4222, not "${part.replace(/\/\/.*@/, '//***@')}"`);
  });
}

function listOf(name: string, about: SettingOptions, parse: (part: string) => string): Setting<string[]> {
  return setting<string[]>(name, { ...about, shownDefault: about.shownDefault ?? 'none' }, [], (raw) => parts(raw).map(parse));
}

/** Number of bits of an IP address in canonical notation: 32 or 128; 0 for anything else. */
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
