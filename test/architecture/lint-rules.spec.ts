// Plants one fault for each rule of our own in a file outside its zone and expects eslint to find it, and nothing inside.
import { relative } from 'node:path';
import { FixtureTree } from './fixture-tree.js';

const SERVICE = 'src/modules/agents/planted';

const OUTSIDE: [rule: string, what: string, text: string][] = [
  ['parley/module-zone', 'typeorm', "import { In } from 'typeorm'; export const x = In;"],
  ['parley/module-zone', 'a part of typeorm', "export * from 'typeorm/find-options/FindOptionsUtils.js';"],
  ['parley/module-zone', '@nestjs/typeorm', "import { InjectRepository } from '@nestjs/typeorm'; export const x = InjectRepository;"],
  ['parley/module-zone', 'express types', "import type { Request } from 'express'; export type X = Request;"],
  ['parley/module-zone', 'an import type expression', "export type X = import('express').Request;"],
  ['parley/module-zone', 'socket.io', "export const x = import('socket.io');"],
  ['parley/module-zone', 'timers by import', "import { setTimeout as sleep } from 'node:timers/promises'; export const x = sleep;"],
  ['parley/module-zone', 'a client of HTTP', "import { request } from 'node:https'; export const x = request;"],
  ['parley/module-zone', 'a client of HTTP out of a package', "export const x = import('undici');"],
  ['parley/module-zone', 'a raw connection', "import * as net from 'net'; export const x = net.connect(1);"],
  ['parley/module-zone', 'a look-up of names', "import { lookup } from 'node:dns/promises'; export const x = lookup;"],
  ['parley/global-zone', 'fetch', "export const x = fetch('http://127.0.0.1');"],
  ['parley/global-zone', 'fetch handed on', 'export const x = { fetch };'],
  ['parley/global-zone', 'fetch of globalThis', "export const x = globalThis.fetch('http://127.0.0.1');"],
  ['parley/global-zone', 'WebSocket', "export const x = new WebSocket('ws://127.0.0.1');"],
  ['parley/global-zone', 'setTimeout', 'export const x = setTimeout(() => undefined, 1);'],
  ['parley/global-zone', 'setInterval of globalThis', 'export const x = globalThis.setInterval(() => undefined, 1);'],
  ['parley/global-zone', 'setImmediate', 'export const x = setImmediate(() => undefined);'],
  ['parley/wall-clock', 'Date.now', 'export const x = Date.now();'],
  ['parley/wall-clock', 'Date.now handed on', 'export const x = { now: Date.now };'],
  ['parley/wall-clock', 'new Date()', 'export const x = new Date();'],
  ['parley/wall-clock', 'Date()', 'export const x = Date();'],
  ['parley/environment', 'process.env', 'export const x = process.env;'],
  ['parley/environment', 'env taken apart', 'const { env } = process; export const x = env;'],
  ['parley/environment', 'env by import', "import { env } from 'node:process'; export const x = env;"],
  ['parley/http-exception', 'HttpException', "import { HttpException } from '@nestjs/common'; export const x = HttpException;"],
  ['parley/http-exception', 'a kind of it', "import { NotFoundException } from '@nestjs/common'; export const x = NotFoundException;"],
  ['parley/no-default-export', 'a default export', 'export default 1;'],
  ['parley/no-default-export', 'a default export by name', 'const x = 1; export { x as default };'],
  [
    'parley/no-type-only-metadata',
    'an injected class imported as a type',
    "import { Injectable } from '@nestjs/common'; import type { Clock } from '../../core/clock.js';\n" +
      '@Injectable() export class X { constructor(readonly clock: Clock) {} }',
  ],
  [
    'parley/no-type-only-metadata',
    'a validated body imported as a type',
    "import { Body, Controller, Post } from '@nestjs/common'; import { type Clock } from '../../core/clock.js';\n" +
      '@Controller() export class X { @Post() make(@Body() body: Clock): Clock { return body; } }',
  ],
  ['parley/whole-characters', 'the beginning of a text', 'export const f = (text: string): string => text.slice(0, 80);'],
  ['parley/whole-characters', 'the end of a text', 'const MAX = 80; export const f = (text: string): string => text.slice(-MAX);'],
  ['parley/whole-characters', 'a text that may be absent', 'export const f = (text?: string): string => text?.substring(0, 80) ?? "";'],
  ['no-console', 'the console', "console.log('x');"],
  ['max-lines', 'a file of 401 lines', Array.from({ length: 401 }, (_, line) => `export const x${line} = 1;`).join('\n')],
  ['@typescript-eslint/no-explicit-any', 'any', 'export const x: any = 1;'],
  ['@typescript-eslint/no-unsafe-assignment', 'any from outside', "export const x = { y: JSON.parse('1') };"],
  ['@typescript-eslint/no-floating-promises', 'a promise that nobody awaits', 'Promise.resolve(1);'],
  [
    '@typescript-eslint/switch-exhaustiveness-check',
    'a forgotten case',
    "export function f(x: 'a' | 'b'): number { switch (x) { case 'a': return 1; } return 2; }",
  ],
];

const INSIDE: Record<string, string> = {
  'src/core/clock.ts': 'export abstract class Clock { abstract now(): number; }',
  'src/core/clock/system.ts': 'export const x = [Date.now(), new Date(), setTimeout(() => undefined, 1)];',
  'src/core/database/engine.ts': "import { In } from 'typeorm'; export const x = [In, setImmediate(() => undefined)];",
  'src/core/config/env.ts': 'export const x = process.env;',
  'src/core/http/filter.ts':
    "import { HttpException } from '@nestjs/common'; import type { Request } from 'express'; export type X = Request | HttpException;",
  'src/modules/agents/agents.module.ts': "import { TypeOrmModule } from '@nestjs/typeorm'; export const x = TypeOrmModule;",
  'src/modules/agents/agents.repository.ts': "import { In } from 'typeorm'; export const x = In;",
  'src/interfaces/gateway/server.ts': "import type { Server } from 'socket.io'; export type X = Server;",
  'src/modules/plugins/router.ts': "import { Router } from 'express'; export const x = Router();",
  'src/modules/plugins/address.ts': "import type { Server } from 'node:http'; export type X = Server;",
  'src/providers/outbound/outbound.ts':
    "import { lookup } from 'node:dns'; export const x = [lookup, fetch('http://127.0.0.1'), import('undici')];",
  'src/modules/agents/cut.ts':
    'export const x = (list: string[], text: string, hash: string): unknown[] => [list.slice(0, 80), text.slice(0, text.indexOf(" ")), hash.slice(0, 8)];',
  'src/cli/say.ts': "console.log('x');",
  'src/bootstrap/program.ts': 'console.log(process.env);',
  'src/modules/agents/fine.ts':
    "import { Controller, Inject, Param } from '@nestjs/common'; import type { Clock } from '../../core/clock.js';\n" +
    'export let timer: ReturnType<typeof setTimeout>; export const x = [new Date(0), Date.parse("2026-01-01"), performance.now()];\n' +
    '@Controller() export class X { constructor(@Inject("x") readonly clock: Clock) {} get(@Param("id") id: string): string { return id; } }',
};

/** Zones that may do much, and not this. */
const ELSEWHERE: [file: string, rule: string, text: string][] = [
  ['src/providers/models/remote.ts', 'parley/global-zone', "export const x = fetch('http://127.0.0.1');"],
  ['src/providers/speech/remote.ts', 'parley/module-zone', "import { get } from 'node:http'; export const x = get;"],
  ['src/cli/ask.ts', 'parley/global-zone', "export const x = fetch('http://127.0.0.1');"],
];

interface LintResult {
  filePath: string;
  messages: { ruleId: string | null; message: string }[];
}

describe('the eslint rules', () => {
  const planted = OUTSIDE.map(([, , text], index) => [`${SERVICE}-${index}.ts`, text] as const);
  const disabled = `${SERVICE}-disabled.ts`;
  const problems = new Map<string, string[]>();

  beforeAll(() => {
    const tree = new FixtureTree({
      ...INSIDE,
      ...Object.fromEntries(planted),
      ...Object.fromEntries(ELSEWHERE.map(([file, , text]) => [file, text])),
      [disabled]: '// eslint-disable-next-line parley/wall-clock\nexport const x = Date.now();',
    });
    for (const { filePath, messages } of tree.report('eslint/bin/eslint.js', 'src', '--format', 'json') as LintResult[]) {
      problems.set(
        relative(tree.path('.'), filePath),
        messages.map(({ ruleId, message }) => ruleId ?? message),
      );
    }
    tree.remove();
  });

  it.each(OUTSIDE.map(([rule, what], index) => [rule, what, index] as const))('%s refuses %s', (rule, _what, index) => {
    expect(problems.get(`${SERVICE}-${index}.ts`)).toContain(rule);
  });

  it.each(ELSEWHERE)('%s is refused by %s', (file, rule) => {
    expect(problems.get(file)).toContain(rule);
  });

  it.each(Object.keys(INSIDE))('%s may use the features of its zone', (file) => {
    expect(problems.get(file)).toEqual([]);
  });

  it('cannot be disabled by a comment', () => {
    expect(problems.get(disabled)).toContain('parley/wall-clock');
  });
});
