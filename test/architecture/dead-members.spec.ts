// Plants members that nothing refers to and expects the check to find them, and nothing else.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { FixtureTree } from './fixture-tree.js';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/lint/dead-members.mjs');

const FILES = {
  'src/core/ids/dead.ts': `
export interface Options { readonly used?: boolean; readonly unreadOption?: boolean }
export abstract class Port { abstract asked(): number; abstract unaskedOfAny(): number; }
export class Adapter extends Port {
  override asked(): number { return this.helper(); }
  override unaskedOfAny(): number { return 1; }
  toJSON(): string { return ''; }
  uncalled(): void { return; }
  get testedOnly(): number { return 1; }
  private helper(): number { return 1; }
}
`,
  'src/core/ids/use.ts': `
import { Adapter, type Options, type Port } from './dead.js';
const port: Port = new Adapter();
export const use = ({ used }: Options): number => (used ? port.asked() : 0);
`,
  'src/core/ids/dead.spec.ts': `
import { Adapter } from './dead.js';
export const seen = new Adapter().testedOnly;
`,
};

let tree: FixtureTree;
beforeAll(() => {
  tree = new FixtureTree(FILES);
});
afterAll(() => tree.remove());

it('finds members that only tests refer to', () => {
  const { stderr, status } = spawnSync(process.execPath, [SCRIPT, tree.path('.')], { encoding: 'utf8' });
  const found = [...stderr.matchAll(/^ {2}src\/core\/ids\/dead\.ts:\d+ (\S+)$/gm)].map(([, member]) => member);
  expect(status).toBe(1);
  expect(new Set(found)).toEqual(
    new Set(['Options.unreadOption', 'Port.unaskedOfAny', 'Adapter.unaskedOfAny', 'Adapter.uncalled', 'Adapter.testedOnly']),
  );
});
