import { open, readFile, rename } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, SETTINGS, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { isMask, looksSecret, MASK } from '../../core/secrets/index.js';

const NAME = /^[A-Za-z_][\w.-]*$/;
// An assignment with its comment, as Node reads it: quoted values may go over several lines.
const ASSIGNMENT =
  /^[^\S\n]*(?:export\s+)?([\w.-]+)[^\S\n]*=[^\S\n]*('(?:[^'])*'|"(?:[^"])*"|`(?:[^`])*`|[^\n#]*)?(?:[^\S\n]*#[^\n]*)?(?:\n|$)/gm;

/** What is to change in the file: text sets a variable, null takes it out. */
export type EnvChange = Readonly<Record<string, string | null>>;

/** The file of environment variables that is read at start (ENV_FILE). What changes in it counts from the next start on. */
@Injectable()
export class EnvFile {
  private readonly log = new Log('system');
  private writing: Promise<unknown> = Promise.resolve();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The variables in the file; what may be a secret is masked. Empty when there is no file. */
  async shown(): Promise<Record<string, string>> {
    const values = parse(await this.read());
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isOpen(name, value) ? value : MASK]));
  }

  /**
   * Changes variables; comments, and what is not named, stay as they are. A mask leaves a variable as it is.
   *
   * @param replace takes out what is not named
   * @throws AppError VALIDATION_ERROR for a name or value that such a file cannot hold; nothing is changed then
   */
  async change(change: EnvChange, replace: boolean): Promise<void> {
    const next = this.writing.then(() => this.apply(change, replace));
    this.writing = next.catch(() => undefined);
    await next;
  }

  private async apply(change: EnvChange, replace: boolean): Promise<void> {
    const before = await this.read();
    const expected = replace ? {} : parse(before);
    for (const [name, value] of Object.entries(change)) {
      if (!NAME.test(name)) throw new AppError('VALIDATION_ERROR', `content.${name.slice(0, 100)} is no name of a variable`);
      if (isMask(value)) expected[name] = parse(before)[name] ?? '';
      else if (value === null) delete expected[name];
      else expected[name] = value;
    }
    const after = rewritten(before, expected);
    const wrong = Object.entries(expected).find(([name, value]) => parse(after)[name] !== value)?.[0];
    if (wrong !== undefined) throw new AppError('VALIDATION_ERROR', `content.${wrong} has a value that the file cannot hold`);
    if (after !== before) await this.write(after);
    this.log.info('the file of environment variables was changed', { names: Object.keys(change) });
  }

  private async read(): Promise<string> {
    try {
      return await readFile(this.config.envFile, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }

  /** Whole or not at all, and for nobody else to read. */
  private async write(text: string): Promise<void> {
    const draft = `${this.config.envFile}.new`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.config.envFile);
  }
}

/** The text with exactly these variables; each stands where it stood, new ones at the end. */
function rewritten(text: string, values: Readonly<Record<string, string>>): string {
  const present = parse(text);
  const left = new Map(Object.entries(values));
  const kept = text.replace(ASSIGNMENT, (whole, name: string) => {
    const value = left.get(name);
    left.delete(name);
    if (value === undefined) return '';
    return present[name] === value ? whole : `${assignment(name, value)}\n`;
  });
  const added = [...left].map(([name, value]) => `${assignment(name, value)}\n`).join('');
  return kept + (added !== '' && kept !== '' && !kept.endsWith('\n') ? '\n' : '') + added;
}

function assignment(name: string, value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return `${name}=${value}`;
  const quote = [`'`, '`', '"'].find((mark) => !value.includes(mark)) ?? `'`;
  return `${name}=${quote}${value}${quote}`;
}

function parse(text: string): Record<string, string> {
  return { ...(parseEnv(text) as Record<string, string>) };
}

/** Only what is known to be no secret is shown. */
function isOpen(name: string, value: string): boolean {
  const known = Object.values(SETTINGS).find((setting) => setting.name === name);
  return known !== undefined && !known.secret && !looksSecret(name, value);
}
