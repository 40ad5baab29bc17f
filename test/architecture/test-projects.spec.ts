// A spec file that no project runs, or a project that no command runs, would pass for ever.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '..', '..');

interface Project {
  displayName: string;
  testMatch: string[];
}

describe('the test projects', () => {
  let projects: Project[];

  beforeAll(async () => {
    const config = (await import(pathToFileURL(join(ROOT, 'jest.config.mjs')).href)) as { default: { projects: Project[] } };
    projects = config.default.projects;
  });

  it('run every spec file exactly once', () => {
    const folders = projects.flatMap(({ testMatch }) =>
      testMatch.map((glob) => glob.replace('<rootDir>/', '').replace('**/*.spec.ts', '')),
    );
    expect(specFiles().filter((file) => folders.filter((folder) => file.startsWith(folder)).length !== 1)).toEqual([]);
  });

  it('are each run by one script of package.json, beside test:unit', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    const named = Object.entries(scripts)
      .filter(([name]) => name.startsWith('test') && name !== 'test:unit')
      .flatMap(([, script]) => /--selectProjects ([\w ]+?) --/.exec(script)?.[1]?.split(' ') ?? []);
    expect(named.sort()).toEqual(projects.map(({ displayName }) => displayName).sort());
  });
});

function specFiles(): string[] {
  const everywhere = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', '.git', 'dist', 'data'].includes(entry.name))
    .flatMap(({ name }) => readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)));
  return everywhere.filter((file) => /\.(spec|test)\.[cm]?[jt]s$/.test(file)).map((file) => file.replaceAll('\\', '/'));
}
