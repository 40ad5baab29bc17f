// The dashboard and the alerts ask for metrics that exist, and every alert has a page that says what to do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import '../../src/app.module.js';
import { meter, type MetricInfo } from '../../src/core/telemetry/index.js';
import { prometheusName } from '../../src/interfaces/metrics/index.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const GUIDE = 'docs/guides/alerts.md';
/** Labels that Prometheus adds. */
const TARGET = ['job', 'instance'];
const HISTOGRAM_PARTS = ['_bucket', '_sum', '_count'];

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string | { readonly query: string } }[] };
}

const rules = (parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/grafana/parley.json')) as Dashboard;
const QUERIES: [where: string, query: string, shown: string][] = [
  ...rules.map(({ alert, expr, annotations }): [string, string, string] => [
    alert,
    expr,
    annotations.summary.replaceAll(/\$labels\.(\w+)/g, '{{$1}}'),
  ]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }): [string, string, string] => [title, expr, legendFormat]),
  ),
  ...dashboard.annotations.list.map(({ name, expr }): [string, string, string] => [name, expr, '']),
  ...dashboard.templating.list.flatMap(({ name, query }): [string, string, string][] =>
    typeof query === 'string' ? [] : [[name, query.query, '']],
  ),
];

describe('the dashboard and the alerts', () => {
  const known = new Map<string, MetricInfo>();

  beforeAll(() => {
    for (const info of meter.defined().values()) {
      const name = prometheusName(info);
      for (const part of info.kind === 'histogram' ? HISTOGRAM_PARTS : ['']) known.set(name + part, info);
    }
  });

  /** The errors of a query; empty when it is valid. */
  function faultsOf(query: string, shown: string): string[] {
    const faults: string[] = [];
    const uses = [...query.matchAll(/\b((?:parley|process)_\w+|up)(?:\{([^}]*)\})?/g)];
    if (uses.length === 0) faults.push('it asks for no metric');
    const labelsOf = (name: string): string[] => [
      ...TARGET,
      ...Object.keys(known.get(name)?.labels ?? {}),
      ...(name.endsWith('_bucket') ? ['le'] : []),
    ];
    for (const [, name = '', selector = ''] of uses) {
      const info = known.get(name);
      if (name !== 'up' && !info) faults.push(`${name} does not exist`);
      for (const [, label = '', values = ''] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)) {
        if (!labelsOf(name).includes(label)) faults.push(`${name} has no label ${label}`);
        const allowed = info?.labels[label];
        for (const value of allowed ? values.split('|') : []) {
          if (!allowed?.includes(value)) faults.push(`${label} of ${name} is never ${value}`);
        }
      }
      if (/\brate\(|\bincrease\(/.test(query) && info?.kind === 'gauge' && new RegExp(`(rate|increase)\\(${name}\\b`).test(query)) {
        faults.push(`${name} is a gauge, which has no rate`);
      }
    }
    const all = uses.flatMap(([, name = '']) => labelsOf(name));
    const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
    const told = [...shown.matchAll(/\{\{\s*(\w+)\s*(?:\||\}\})/g)].map(([, name = '']) => name);
    for (const label of [...grouped, ...told]) if (!all.includes(label)) faults.push(`no metric of it has the label ${label}`);
    if (/\b(?:sum|max|min)\b/.test(query)) {
      for (const label of told) if (!grouped.includes(label)) faults.push(`${label} is lost in the sum`);
    }
    return faults;
  }

  it.each(QUERIES)('%s: %s', (_where, query, shown) => {
    expect(faultsOf(query, shown)).toEqual([]);
  });

  it.each([
    ['rate(parley_turns_begun_total[5m])', '', 'parley_turns_begun_total does not exist'],
    ['parley_queue_jobs{line="turns"}', '', 'parley_queue_jobs has no label line'],
    ['parley_queue_jobs{state="late"}', '', 'state of parley_queue_jobs is never late'],
    ['sum by (queue) (parley_queue_jobs)', '{{state}}', 'state is lost in the sum'],
    ['rate(parley_sockets_open[5m])', '', 'parley_sockets_open is a gauge, which has no rate'],
    ['parley_turn_duration_seconds', '', 'parley_turn_duration_seconds does not exist'],
  ])('fails when %s is wrong', (query, shown, fault) => {
    expect(faultsOf(query, shown)).toEqual([fault]);
  });

  it('show every metric', () => {
    const asked = QUERIES.map(([, query]) => query).join('\n');
    const names = [...meter.defined().values()].map((info) => prometheusName(info));
    expect(names.filter((name) => !asked.includes(name))).toEqual([]);
  });
});

describe('the guide to alerts', () => {
  const sections = [...read(GUIDE).matchAll(/^## (Parley\w+)$/gm)].map(([, name = '']) => name);

  it('has exactly one section per alert', () => {
    expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    expect(new Set(sections).size).toBe(sections.length);
  });

  it.each(rules)('contains the section that $alert links to', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toBe(`${GUIDE}#${alert.toLowerCase()}`);
  });

  it.each(rules)('says what $alert means, how to diagnose it and what to do', ({ alert }) => {
    const [, text = ''] = new RegExp(`^## ${alert}$([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(read(GUIDE)) ?? [];
    expect(text).toMatch(/\*\*Meaning\.\*\* [\s\S]+\*\*Look\.\*\* [\s\S]+\*\*Do\.\*\* /);
  });
});
