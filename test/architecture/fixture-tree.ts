import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
const CONFIGURATION = ['package.json', 'tsconfig.json', 'eslint.config.mjs', '.dependency-cruiser.mjs', 'scripts/lint'];

/** A throw-away tree under the repository's own tool configuration, in which faults are planted for the tools to find. */
export class FixtureTree {
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-planted-')));

  constructor(files: Record<string, string>) {
    for (const path of CONFIGURATION) cpSync(join(ROOT, path), join(this.root, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), `${text}\n`);
    }
  }

  /** What a tool of node_modules prints as JSON, whatever its exit code. */
  report(tool: string, ...args: string[]): unknown {
    const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules', tool), ...args], {
      cwd: this.root,
      encoding: 'utf8',
    });
    try {
      return JSON.parse(stdout);
    } catch {
      throw new Error(`${tool} did not print JSON:\n${stdout}${stderr}`);
    }
  }

  path(file: string): string {
    return join(this.root, file);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
