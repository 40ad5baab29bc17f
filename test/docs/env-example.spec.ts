import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { envExample } from '../../src/cli/env-example.js';
import { loadConfig, registeredSettings, type Config } from '../../src/core/config/index.js';

const written = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');

it('.env.example contains every setting of the code (npm run docs)', () => {
  expect(written).toBe(envExample());
  const names = [...written.matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(registeredSettings().map(({ name }) => name)));
});

it('means the same with all settings uncommented as without', () => {
  const all = parseEnv(written.replaceAll(/^# (?=[A-Z][A-Z0-9_]*=)/gm, ''));
  const values = ({ setVariables: _, mistyped: __, variable: ___, ...settings }: Config): object => settings;
  expect(values(loadConfig(all, '1.0.0'))).toEqual(values(loadConfig({}, '1.0.0')));
});
