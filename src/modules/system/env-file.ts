import { open, readFile, rename, rm } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, faultOf, isEditable, isGuarded, SETTINGS, type Config } from '../../core/config/index.js';
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

  /** @throws AppError CONFIG_INVALID when ENV_EDITABLE opens what must stay closed */
  constructor(@Inject(CONFIG) private readonly config: Config) {
    const guarded = config.envEditable.filter(isGuarded);
    if (guarded.length === 0) return;
    throw new AppError(
      'CONFIG_INVALID',
      `ENV_EDITABLE must not name ${guarded.join(', ')}.`,
      'With these the next start would load code, send data elsewhere or let in others; change them in the file itself.',
    );
  }

  /** The variables in the file; what may be a secret is masked. Empty when there is no file. */
  async shown(): Promise<Record<string, string>> {
    const values = parse(await this.read());
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isOpen(name, value) ? value : MASK]));
  }

  /**
   * Changes variables; comments, and what is not named, stay as they are. A mask leaves a variable as it is.
   *
   * @param replace takes out what is not named
   * @throws AppError VALIDATION_ERROR for a name or value that such a file, or that setting, cannot have; FORBIDDEN for a change of a
   *   variable that only the operator may change, in the file itself. Nothing is changed then
   */
  async change(change: EnvChange, replace: boolean): Promise<void> {
    const next = this.writing.then(() => this.apply(change, replace));
    this.writing = next.catch(() => undefined);
    await next;
  }

  private async apply(change: EnvChange, replace: boolean): Promise<void> {
    const text = await this.read();
    const before = parse(text);
    const expected = Object.assign(noVariables(), replace ? {} : before);
    for (const [name, value] of Object.entries(change)) {
      if (!NAME.test(name)) throw new AppError('VALIDATION_ERROR', `content.${name.slice(0, 100)} is no name of a variable`);
      if (value === null) delete expected[name];
      else if (!isMask(value)) expected[name] = value;
      else if (before[name] !== undefined) expected[name] = before[name];
    }
    const names = differences(before, expected);
    if (names.length === 0) return;
    for (const name of names) this.allow(name, expected[name]);
    const after = rewritten(text, expected);
    // What the next start reads decides, not what was meant: a value must not end early, nor bring others along.
    const [wrong] = differences(parse(after), expected);
    if (wrong !== undefined) throw new AppError('VALIDATION_ERROR', `content.${wrong} has a value that the file cannot hold`);
    await this.write(after);
    this.log.info('the file of environment variables was changed', { names });
  }

  private allow(name: string, value: string | undefined): void {
    if (!isEditable(name, this.config.envEditable)) {
      throw new AppError(
        'FORBIDDEN',
        `content.${name} must not be changed over HTTP.`,
        isGuarded(name)
          ? `Change ${name} in the server's environment or its ENV_FILE; send it as it is, masked, or not at all.`
          : `Name ${name} in ENV_EDITABLE to allow it, or change it in the server's environment or its ENV_FILE.`,
      );
    }
    if (value === undefined) return;
    if (!isWritable(value)) {
      throw new AppError(
        'VALIDATION_ERROR',
        `content.${name} has a value that the file cannot hold`,
        'Leave out line breaks and other control characters, and use \' without ", $, ` and \\.',
      );
    }
    const fault = faultOf(name, value);
    if (fault !== undefined) throw new AppError('VALIDATION_ERROR', `content.${name} ${fault}`);
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
    // A file or a link that another user has put there is not written to.
    await rm(draft, { force: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.config.envFile);
  }
}

/** The text with exactly these variables; each stands where it stood last, new ones at the end. */
function rewritten(text: string, values: Readonly<Record<string, string>>): string {
  const present = parse(text);
  const left = new Map(Object.entries(values));
  const times = new Map<string, number>();
  for (const [, name = ''] of text.matchAll(ASSIGNMENT)) times.set(name, (times.get(name) ?? 0) + 1);
  const kept = text.replace(ASSIGNMENT, (whole, name: string) => {
    const later = (times.get(name) ?? 1) - 1;
    times.set(name, later);
    const value = left.get(name);
    // Of several assignments the last one counts.
    if (value === undefined || later > 0) return '';
    left.delete(name);
    return present[name] === value ? whole : `${assignment(name, value)}\n`;
  });
  const added = [...left].map(([name, value]) => `${assignment(name, value)}\n`).join('');
  return kept + (added !== '' && kept !== '' && !kept.endsWith('\n') ? '\n' : '') + added;
}

/** Names that only one of the two has, or with another value. */
function differences(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]);
}

/** Reads the same here and in a shell or a service manager that is given the file: nothing in it runs, or begins another line. */
function assignment(name: string, value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return `${name}=${value}`;
  const quote = value.includes(`'`) ? '"' : `'`;
  return `${name}=${quote}${value}${quote}`;
}

/** Whether `assignment` can write a value. */
function isWritable(value: string): boolean {
  return !/\p{Cc}/u.test(value) && !(value.includes(`'`) && /["$`\\]/.test(value));
}

/** As the next start reads it; without a prototype, whose names are names of variables too. */
function parse(text: string): Record<string, string> {
  return Object.assign(noVariables(), parseEnv(text));
}

function noVariables(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

/** Only what is known to be no secret is shown. */
function isOpen(name: string, value: string): boolean {
  const known = Object.values(SETTINGS).find((setting) => setting.name === name);
  return known !== undefined && !known.secret && !looksSecret(name, value);
}
