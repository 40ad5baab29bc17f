import { MODULES } from '../app.module.js';
import { coreSettings, type Settings } from '../core/config/index.js';
import { prometheusName } from '../interfaces/metrics/index.js';
import { meter } from '../core/telemetry/index.js';
import { coreErrors, statusOfCode, type ErrorCode, type ErrorDefinitions } from '../core/errors/index.js';

/** The tables of `docs/reference` that are generated from the module descriptors; a test compares them with the files. */
export const TABLES: readonly { readonly file: string; readonly render: () => string }[] = [
  { file: 'config.md', render: configTables },
  { file: 'errors.md', render: errorTables },
  { file: 'events.md', render: eventTables },
  { file: 'audit.md', render: auditTables },
  { file: 'metrics.md', render: metricTables },
];

interface Section {
  readonly name: string;
  readonly about: string;
}

const CORE: Section = { name: 'core', about: 'The server itself.' };

function configTables(): string {
  const rows = (settings: Settings): string[][] =>
    Object.values(settings).map(({ name, fallback, secret, about }) => [
      `\`${name}\``,
      `\`${fallback}\``,
      `${about}${secret ? ' Secret: never shown or logged.' : ''}`,
    ]);
  const parts = MODULES.map((each) => ({ ...each, rows: rows(each.settings ?? {}) }));
  return sections(['Variable', 'Default', 'Meaning'], [{ ...CORE, rows: rows(coreSettings()) }, ...parts]);
}

function errorTables(): string {
  const rows = (errors: ErrorDefinitions): string[][] =>
    Object.entries(errors).map(([code, { meaning }]) => [`\`${code}\``, String(statusOfCode(code as ErrorCode)), meaning]);
  const parts = MODULES.map((each) => ({ ...each, rows: rows(each.errors ?? {}) }));
  return sections(['Code', 'Status', 'Meaning'], [{ ...CORE, rows: rows(coreErrors()) }, ...parts]);
}

function eventTables(): string {
  const parts = MODULES.map((each) => ({
    ...each,
    rows: Object.entries(each.events ?? {}).map(([type, { about, sockets = {} }]) => [
      `\`${type}\``,
      about,
      Object.keys(sockets)
        .map((name) => `\`${name}\``)
        .join(', '),
    ]),
  }));
  return sections(['Entry', 'Meaning', 'socket.io events'], parts);
}

function auditTables(): string {
  const parts = MODULES.map((each) => ({
    ...each,
    rows: Object.entries(each.audit ?? {}).map(([action, about]) => [`\`${action}\``, about]),
  }));
  return sections(['Action', 'Meaning'], parts);
}

function metricTables(): string {
  const defined = meter.defined();
  const rows = (metrics: readonly object[]): string[][] =>
    metrics.flatMap((metric) => {
      const info = defined.get(metric);
      if (info === undefined) return [];
      const labels = Object.entries(info.labels).map(([name, values]) => `\`${name}\`${values ? ` (${values.join(', ')})` : ''}`);
      return [[`\`${info.name}\``, `\`${prometheusName(info)}\``, info.kind, info.unit, labels.join(', '), info.about]];
    });
  const parts = MODULES.map((each) => ({ ...each, rows: rows(Object.values(each.metrics ?? {})) }));
  const own = new Set<object>(MODULES.flatMap(({ metrics }) => Object.values(metrics ?? {})));
  const rest = [...defined.keys()].filter((metric) => !own.has(metric));
  return sections(['Metric', 'In Prometheus', 'Kind', 'Unit', 'Labels', 'Meaning'], [{ ...CORE, rows: rows(rest) }, ...parts]);
}

/** One table per module that has rows, under the module's name. */
function sections(head: string[], parts: readonly (Section & { readonly rows: string[][] })[]): string {
  return parts
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, about, rows }) => `### ${name}\n\n${about}\n\n${table(head, rows)}`)
    .join('\n\n');
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
