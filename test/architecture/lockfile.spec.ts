// What npm installs: for the oldest Node.js that is supported, without a warning, and without a package that reports installations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { minVersion, satisfies, validRange } from 'semver';

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly dev?: boolean;
  readonly deprecated?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
const OLDEST = minVersion(packages['']?.engines?.node ?? '')?.version ?? '';

/** Collect data about installations for the authors of packages. */
const ANALYTICS = /(^|\/)(@scarf\/|opencollective)/;

function refusing(node: string, among: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(among).flatMap(([path, { engines }]) =>
    engines?.node === undefined || satisfies(node, engines.node) ? [] : [`${path} requires Node.js ${engines.node}`],
  );
}

/** Packages whose authors ask users to leave them; npm prints a warning for each. */
function deprecated(among: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(among).flatMap(([path, { deprecated: reason }]) => (reason === undefined ? [] : [`${path}: ${reason}`]));
}

function reporting(among: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(among).flatMap(([path, { name = '', dependencies = {} }]) =>
    [path, name, ...Object.keys(dependencies)].some((each) => ANALYTICS.test(each)) ? [path] : [],
  );
}

/** The package that `name` means to the one in `from`. */
function resolved(name: string, from: string): Locked | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const found = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (found || at === '') return found;
  }
}

/** Packages of a production installation that `overrides` give another version than users of the published package get. */
function overridden(): string[] {
  return Object.entries(packages).flatMap(([path, { dev, dependencies = {} }]) =>
    path === '' || dev
      ? []
      : Object.entries(dependencies).flatMap(([name, range]) => {
          const { version = '' } = resolved(name, path) ?? {};
          return validRange(range) === null || satisfies(version, range) ? [] : [`${path} asks for ${name} ${range}`];
        }),
  );
}

describe('an installation', () => {
  it('contains only packages that run on every supported Node.js that is tested', () => {
    expect(OLDEST).toBe('20.19.0');
    for (const node of [OLDEST, '22.22.0', '24.11.0']) expect([node, refusing(node, packages)]).toEqual([node, []]);
    expect(refusing(OLDEST, { 'node_modules/commander': { engines: { node: '>=22.12.0' } } })).toHaveLength(1);
  });

  it('contains no deprecated package', () => {
    expect(deprecated(packages)).toEqual([]);
    expect(deprecated({ 'node_modules/request': { deprecated: 'request has been deprecated' } })).toHaveLength(1);
  });

  it('resolves the same versions from the published package, which ignores overrides', () => {
    expect(overridden()).toEqual([]);
  });

  it('sends no reports', () => {
    expect(reporting(packages)).toEqual([]);
    expect(reporting({ 'node_modules/swagger-ui-dist': { dependencies: { '@scarf/scarf': '=1.4.0' } } })).toHaveLength(1);
  });
});
