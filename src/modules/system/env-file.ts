import { open, readFile, rename, rm } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, settingError, isEditable, isProtected, registeredSettings, type Config } from '../../core/config/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { isMask, looksSecret, MASK } from '../../core/secrets/index.js';
import { cutText } from '../../core/text/index.js';

const NAME = /^[A-Za-z_][\w.-]*$/;
// An assignment with its comment, as Node.js parses it: quoted values may span several lines.
const ASSIGNMENT =
  /^[^\S\n]*(?:export\s+)?([\w.-]+)[^\S\n]*=[^\S\n]*('(?:[^'])*'|"(?:[^"])*"|`(?:[^`])*`|[^\n#]*)?(?:[^\S\n]*#[^\n]*)?(?:\n|$)/gm;

/** Changes to the file: text sets a variable, null removes it. */
export type EnvChange = Readonly<Record<string, string | null>>;

/** The file of environment variables (ENV_FILE). Changes apply at the next start. */
@Injectable()
export class EnvFile {
  private readonly log = new Log('system');
  private writing: Promise<unknown> = Promise.resolve();

  /** @throws AppError CONFIG_INVALID when ENV_EDITABLE names a protected variable */
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    const guarded = config.envEditable.filter(isProtected);
    if (guarded.length === 0) return;
    throw new AppError(
      'CONFIG_INVALID',
      `ENV_EDITABLE must not name ${guarded.join(', ')}.`,
      'These variables load code, redirect data or control access; change them in the file itself.',
    );
  }

  /** The variables in the file, with possible secrets masked. Empty when the file does not exist. */
  async readMasked(): Promise<Record<string, string>> {
    const values = parse(await this.read());
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isPublic(name, value) ? value : MASK]));
  }

  /**
   * Changes variables; comments and other variables stay unchanged. A masked value leaves its variable unchanged.
   *
   * @param replace removes variables that are not named
   * @throws AppError VALIDATION_ERROR for a name or value that the file or the setting does not allow; FORBIDDEN for a variable that only
   *   the operator may change, in the file itself. An error changes nothing
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
      if (!NAME.test(name)) throw new AppError('VALIDATION_ERROR', `content.${cutText(name, 100)} is not a valid variable name`);
      if (value === null) delete expected[name];
      else if (!isMask(value)) expected[name] = value;
      else if (before[name] !== undefined) expected[name] = before[name];
    }
    const names = differences(before, expected);
    if (names.length === 0) return;
    for (const name of names) this.assertEditable(name, expected[name]);
    const after = rewritten(text, expected);
    // Parse the result as the next start will: a value must not end early or set other variables.
    const [wrong] = differences(parse(after), expected);
    if (wrong !== undefined) throw new AppError('VALIDATION_ERROR', `content.${wrong} has a value that the file cannot hold`);
    await this.write(after, () => this.unitOfWork.commit([environmentEntry(names, this.clock.now())]));
    this.log.info('environment file changed', { names });
  }

  private assertEditable(name: string, value: string | undefined): void {
    if (!isEditable(name, this.config.envEditable)) {
      throw new AppError(
        'FORBIDDEN',
        `content.${name} must not be changed over HTTP.`,
        isProtected(name)
          ? `Change ${name} in the server's environment or its ENV_FILE; send it unchanged, masked, or not at all.`
          : `Add ${name} to ENV_EDITABLE to allow it, or change it in the server's environment or its ENV_FILE.`,
      );
    }
    if (value === undefined) return;
    if (!isWritable(value)) {
      throw new AppError(
        'VALIDATION_ERROR',
        `content.${name} has a value that the file cannot hold`,
        'Remove line breaks and other control characters, and do not combine \' with ", $, ` or \\.',
      );
    }
    const fault = settingError(name, value);
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

  /** Writes atomically, readable only by the server's user. @param record stores the audit log's entry; its failure leaves the file as it was */
  private async write(text: string, record: () => Promise<unknown>): Promise<void> {
    const draft = `${this.config.envFile}.new`;
    // Never write through a file or link that another user created.
    await rm(draft, { force: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await record();
      await rename(draft, this.config.envFile);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}

function environmentEntry(fields: string[], at: number): Statement {
  const summary = `Changed ${fields.length} ${fields.length === 1 ? 'variable' : 'variables'} of the environment file.`;
  return auditEntry('environment.updated', { target: ['environment', 'ENV_FILE'], summary, fields }, at);
}

/** The text with exactly these variables, each at its last position; new ones at the end. */
function rewritten(text: string, values: Readonly<Record<string, string>>): string {
  const present = parse(text);
  const left = new Map(Object.entries(values));
  const times = new Map<string, number>();
  for (const [, name = ''] of text.matchAll(ASSIGNMENT)) times.set(name, (times.get(name) ?? 0) + 1);
  const kept = text.replace(ASSIGNMENT, (whole, name: string) => {
    const later = (times.get(name) ?? 1) - 1;
    times.set(name, later);
    const value = left.get(name);
    // The last of several assignments applies.
    if (value === undefined || later > 0) return '';
    left.delete(name);
    return present[name] === value ? whole : `${assignment(name, value)}\n`;
  });
  const added = [...left].map(([name, value]) => `${assignment(name, value)}\n`).join('');
  return kept + (added !== '' && kept !== '' && !kept.endsWith('\n') ? '\n' : '') + added;
}

/** Names whose values differ or that only one of the two has. */
function differences(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]);
}

/** Writes an assignment that shells and service managers parse the same way, without expansion or line breaks. */
function assignment(name: string, value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return `${name}=${value}`;
  const quote = value.includes(`'`) ? '"' : `'`;
  return `${name}=${quote}${value}${quote}`;
}

/** Whether `assignment` can write a value. */
function isWritable(value: string): boolean {
  return !/\p{Cc}/u.test(value) && !(value.includes(`'`) && /["$`\\]/.test(value));
}

/** Parses as the next start does. The object has no prototype, because its property names could be variables. */
function parse(text: string): Record<string, string> {
  return Object.assign(noVariables(), parseEnv(text));
}

function noVariables(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

/** Whether a value is known not to be a secret. */
function isPublic(name: string, value: string): boolean {
  const known = registeredSettings().find((setting) => setting.name === name);
  return known !== undefined && !known.secret && !looksSecret(name, value);
}
