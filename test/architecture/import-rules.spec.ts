// Plants one fault for each rule of .dependency-cruiser.mjs and expects the rule to find it, and nothing in the clean files.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FixtureTree } from './fixture-tree.js';

const nothing = 'export const nothing = 0;';
const needs = (path: string): string => `export { nothing } from '${path}';`;

const CLEAN = {
  'src/core/ids/index.ts': nothing,
  'src/plugin-sdk/index.ts': nothing,
  'src/providers/models/index.ts': needs('../../core/ids/index.js'),
  'src/providers/speech/index.ts': nothing,
  'src/modules/agents/index.ts': needs('../../core/ids/index.js'),
  'src/modules/agents/agents.service.ts': nothing,
  'src/modules/memory/entities/world.entity.ts': nothing,
  'src/modules/memory/entities/index.ts': needs('./world.entity.js'),
  'src/modules/messaging/index.ts': needs('../agents/index.js'),
  'src/modules/turns/index.ts': `${needs('../messaging/index.js')} ${needs('../../providers/models/index.js').replace('nothing', 'nothing as model')}`,
  'src/modules/plugins/index.ts': needs('../../plugin-sdk/index.js'),
  'src/interfaces/gateway/index.ts': needs('../../modules/messaging/index.js'),
  'src/core/database/index.ts': nothing,
  'src/operations/move/index.ts': needs('../../core/ids/index.js'),
  'src/cli/commands.ts': needs('../operations/move/index.js'),
  'src/app.module.ts': needs('./modules/turns/index.js'),
  'plugins/echo/index.ts': needs('../../src/plugin-sdk/index.js'),
  'plugins/other/index.ts': nothing,
  'client/src/socket.ts': nothing,
  'src/core/ids/cycle-b.ts': "import type { A } from './cycle-a.js'; export type B = A | 2;",
  'test/support/clock.ts': needs('../../src/modules/agents/agents.service.js'),
  'src/modules/agents/agents.service.spec.ts': needs('../../../test/support/clock.js'),
};

// rule → file with the fault → its text
const FAULTS: Record<string, Record<string, string>> = {
  'no-cycles': { 'src/core/ids/cycle-a.ts': "import type { B } from './cycle-b.js'; export type A = B | 1;" },
  'dependencies-of-agents': {
    'src/modules/agents/upwards.ts': needs('../messaging/index.js'),
    'src/modules/agents/protocol.ts': needs('../../interfaces/gateway/index.js'),
  },
  'dependencies-of-access': { 'src/modules/access/upwards.ts': needs('../agents/index.js') },
  'dependencies-of-messaging': { 'src/modules/messaging/type-only.ts': "export type { nothing } from '../turns/index.js';" },
  'dependencies-of-memory': { 'src/modules/memory/speech.ts': needs('../../providers/speech/index.js') },
  'dependencies-of-media': { 'src/modules/media/upwards.ts': needs('../turns/index.js') },
  'dependencies-of-sessions': { 'src/modules/sessions/upwards.ts': needs('../turns/index.js') },
  'dependencies-of-turns': { 'src/modules/turns/dynamic.ts': "export const late = import('../plugins/index.js');" },
  'dependencies-of-audio': { 'src/modules/audio/models.ts': needs('../../providers/models/index.js') },
  'dependencies-of-plugins': { 'src/modules/plugins/top.ts': needs('../../app.module.js') },
  'dependencies-of-logs': { 'src/modules/logs/upwards.ts': needs('../plugins/index.js') },
  'dependencies-of-tee': { 'src/modules/tee/upwards.ts': needs('../turns/index.js') },
  'dependencies-of-system': { 'src/modules/system/sideways.ts': needs('../turns/index.js') },
  'dependencies-of-external': { 'src/interfaces/external/models.ts': needs('../../providers/models/index.js') },
  'dependencies-of-gateway': { 'src/interfaces/gateway/sideways.ts': needs('../../modules/plugins/index.js') },
  'dependencies-of-streams': { 'src/interfaces/streams/answers.ts': needs('../../modules/turns/index.js') },
  'dependencies-of-submit': { 'src/interfaces/submit/protocol.ts': needs('../gateway/index.js') },
  'interface-without-row': { 'src/interfaces/novelty/index.ts': needs('../../core/ids/index.js') },
  'interfaces-store-nothing': { 'src/interfaces/gateway/store.ts': needs('../../core/database/index.js') },
  'module-without-row': { 'src/modules/novelty/index.ts': needs('../../core/ids/index.js') },
  'modules-meet-at-index': {
    'src/modules/messaging/deep.ts': needs('../agents/agents.service.js'),
    'src/interfaces/gateway/deep.ts': needs('../../modules/agents/agents.service.js'),
  },
  'client-stands-alone': {
    'client/src/ids.ts': needs('../../src/core/ids/index.js'),
    'client/src/files.ts': "export { readFile } from 'node:fs/promises';",
  },
  'client-without-sockets': { 'client/src/chat.ts': needs('./socket.js') },
  'console-uses-the-client': { 'console/src/ids.ts': needs('../../src/core/ids/index.js') },
  'src-does-not-know-clients': { 'src/core/ids/client.ts': needs('../../../client/src/socket.js') },
  'top-uses-index': { 'src/bootstrap/deep.ts': needs('../modules/agents/agents.service.js') },
  'entities-stay-home': { 'src/modules/memory/index.ts': needs('./entities/world.entity.js') },
  'core-knows-only-core': { 'src/core/http/upwards.ts': needs('../../plugin-sdk/index.js') },
  'providers-know-no-module': {
    'src/providers/models/upwards.ts': needs('../../modules/agents/index.js'),
    'src/providers/models/protocol.ts': needs('../../interfaces/gateway/index.js'),
  },
  'operations-run-alone': { 'src/bootstrap/moving.ts': needs('../operations/move/index.js') },
  'operations-know-no-other': { 'src/operations/doctor/moving.ts': needs('../move/index.js') },
  'plugin-sdk-stands-alone': { 'src/plugin-sdk/ids.ts': needs('../core/ids/index.js') },
  'plugins-know-only-the-sdk': {
    'plugins/nosy/core.ts': needs('../../src/core/ids/index.js'),
    'plugins/nosy/sideways.ts': needs('../other/index.js'),
  },
  'src-does-not-know-plugins': { 'src/bootstrap/example.ts': needs('../../plugins/echo/index.js') },
  'src-does-not-know-tests': { 'src/bootstrap/tested.ts': needs('../../test/support/clock.js') },
  'src-runs-on-dependencies': { 'src/bootstrap/dev.ts': "import * as checks from 'fast-check'; export const nothing = checks;" },
  resolvable: { 'src/bootstrap/lost.ts': needs('./nowhere.js') },
};

// Each row of allowed dependencies needs a fault. Those without one of their own import from above.
const CONFIGURATION = pathToFileURL(resolve(import.meta.dirname, '../../.dependency-cruiser.mjs')).href;
const { default: configuration } = (await import(CONFIGURATION)) as {
  default: { forbidden: { name: string; from: { path?: string } }[] };
};
for (const { name, from } of configuration.forbidden) {
  if (!name.startsWith('dependencies-of-') || name in FAULTS) continue;
  FAULTS[name] = { [`${String(from.path).slice(1)}planted.ts`]: needs('../../app.module.js') };
}

interface Violation {
  from: string;
  rule: { name: string };
}

describe('the import rules', () => {
  let violations: Violation[];
  let rules: string[];

  beforeAll(() => {
    const tree = new FixtureTree(Object.assign({}, CLEAN, ...Object.values(FAULTS)) as Record<string, string>);
    const report = tree.report(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      'src',
      'plugins',
      'client',
      'console',
      'test',
      '-T',
      'json',
      '--config',
    ) as {
      summary: { violations: Violation[]; ruleSetUsed: { forbidden: { name: string }[] } };
    };
    tree.remove();
    violations = report.summary.violations;
    rules = report.summary.ruleSetUsed.forbidden.map(({ name }) => name);
  });

  it.each(Object.keys(FAULTS))('%s finds its planted fault', (rule) => {
    const found = violations.filter((violation) => violation.rule.name === rule).map(({ from }) => from);
    expect(found).toEqual(expect.arrayContaining(Object.keys(FAULTS[rule] ?? {})));
  });

  it('has a planted fault for every rule', () => {
    expect(rules.sort()).toEqual(Object.keys(FAULTS).sort());
  });

  it('finds nothing else', () => {
    const expected = Object.entries(FAULTS).flatMap(([rule, files]) => Object.keys(files).map((file) => `${rule}: ${file}`));
    expect(violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort()).toEqual(expected.sort());
  });
});
