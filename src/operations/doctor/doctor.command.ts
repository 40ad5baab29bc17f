import type { Config } from '../../core/config/index.js';
import { AppError, errorMessage } from '../../core/errors/index.js';
import { readArguments, UsageError } from '../../cli/arguments.js';
import { configurationErrors, credentials, models, operation, transport } from './configuration.js';
import { backups, database, fleet } from './data.js';
import type { Check, Finding, Subject } from './finding.js';
import { disk, fileSystem, limits, node, permissions } from './machine.js';
import { plugins, server } from './server.js';
import { now, type Command, type Program } from '../../cli/program.js';

const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['node', node],
  ['limits', limits],
  ['disk', disk],
  ['permissions', permissions],
  ['file system', fileSystem],
  ['database', database],
  ['fleet', fleet],
  ['backups', backups],
  ['credentials', credentials],
  ['transport', transport],
  ['models', models],
  ['plugins', plugins],
  ['operation', operation],
  ['server', server],
];

/** Checks that need no configuration. */
const BARE = new Set(['node', 'limits']);

export const doctorCommand: Command = {
  usage: `  doctor              say what the configuration and the machine lack for production, and change nothing; exits with 1 on errors,
                      with --strict also on warnings. --json prints the findings as JSON
`,
  async run(args, program, terminal) {
    const { values, positionals } = readArguments(args, { json: { type: 'boolean' }, strict: { type: 'boolean' } });
    const { json = false, strict = false } = values;
    if (positionals.length > 0) throw new UsageError('"doctor" takes options only.');
    const findings = await examine(program);
    terminal.out(json ? `${JSON.stringify(reportOf(findings, program.version), undefined, 2)}\n` : textOf(findings));
    const worst = strict ? ['error', 'warning'] : ['error'];
    return findings.some(({ level }) => worst.includes(level)) ? 1 : 0;
  },
};

async function examine(program: Program): Promise<Finding[]> {
  const findings: Finding[] = [];
  let config: Config | undefined;
  try {
    config = await program.config();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    findings.push(...configurationErrors(error.details));
  }
  const { SCHEMA: schema } = await import('../../app.module.js');
  const subject = { config, schema, now: now().getTime() } as Subject;
  for (const [name, check] of CHECKS) if (config !== undefined || BARE.has(name)) findings.push(...(await run(name, check, subject)));
  return findings;
}

async function run(name: string, check: Check, subject: Subject): Promise<Finding[]> {
  try {
    return await check(subject);
  } catch (error) {
    return [
      {
        check: name,
        level: 'error',
        message: `It could not be checked: ${errorMessage(error)}`,
        remedy: 'Run npx parley-server doctor as the user of the server.',
      },
    ];
  }
}

const LEVELS = ['error', 'warning', 'ok'] as const;

/** Errors first. */
function textOf(findings: readonly Finding[]): string {
  const lines = LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level)).flatMap(
    ({ check, level, message, remedy }) => [
      `${level.padEnd(8)} ${check.padEnd(12)} ${message}`,
      ...(remedy === undefined ? [] : [`${''.padEnd(21)} → ${remedy}`]),
    ],
  );
  const counts = LEVELS.map((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return `${count} ${level}${level === 'ok' || count === 1 ? '' : 's'}`;
  });
  return `${lines.join('\n')}\n\n${counts.join(', ')}\n`;
}

/** What `--json` prints. */
function reportOf(findings: readonly Finding[], version: string): object {
  const counts = Object.fromEntries(LEVELS.map((level) => [level, findings.filter((finding) => finding.level === level).length]));
  return { version, counts, findings };
}
