// Plants names of events, tables and error codes in modules that may not depend on their owners.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { FixtureTree } from './fixture-tree.js';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/lint/owned-names.mjs');

const FILES = {
  'src/core/errors/error-codes.ts': "const CORE_ERRORS = { NOT_FOUND: { kind: 'not_found' } } as const satisfies object;",
  'src/modules/turns/turns.events.ts': "export const TURN_EVENTS: object = { 'turn.started': { about: 'It began.' } };",
  'src/modules/turns/turns.error-codes.ts': "export const TURNS_ERRORS = { RUN_NOT_FOUND: { kind: 'not_found' } } as const;",
  'src/modules/turns/entities/turn.entity.ts': "@Entity('turns') export class TurnRow {}",
  'src/modules/turns/own.ts': "export const own = ['turn.started', 'RUN_NOT_FOUND', 'SELECT id FROM turns', 'NOT_FOUND'];",
  'src/modules/logs/row.ts': "export const allowed = (type: string) => type === 'turn.started';",
  'src/modules/messaging/event.ts': "export const upwards = (type: string) => type === 'turn.started';",
  'src/modules/messaging/type.ts': "export type Upwards = { type: 'turn.started' };",
  'src/modules/messaging/view.dto.ts': "export interface View { type: 'turn.started' }",
  'src/modules/messaging/error.ts': "export const CODES = ['RUN_NOT_FOUND'];",
  'src/modules/messaging/sql.ts': `export const sql = (where: string) => \`SELECT m.id FROM messages m JOIN turns t ON t.id = m.id \${where}\`;`,
  'src/modules/messaging/prose.ts': "export const about = 'The text of turns, and turns.';",
  'src/modules/messaging/event.spec.ts': "export const tested = 'turn.started';",
  'src/core/journal/event.ts': "export const upwards = 'turn.started';",
  'src/interfaces/streams/event.ts': "export const upwards = 'turn.started';",
  'src/operations/move/event.ts': "export const above = 'turn.started';",
};

it('finds events, tables and errors of other owners in a module', () => {
  const tree = new FixtureTree(FILES);
  const { stdout, status } = spawnSync(process.execPath, [SCRIPT, tree.path('.')], { encoding: 'utf8' });
  tree.remove();
  expect([stdout.split('\n').filter((line) => line.startsWith('src/')), status]).toEqual([
    [
      'src/core/journal/event.ts:1: turn.started belongs to modules/turns',
      'src/interfaces/streams/event.ts:1: turn.started belongs to modules/turns',
      'src/modules/messaging/error.ts:1: RUN_NOT_FOUND belongs to modules/turns',
      'src/modules/messaging/event.ts:1: turn.started belongs to modules/turns',
      'src/modules/messaging/sql.ts:1: turns belongs to modules/turns',
      'src/modules/messaging/type.ts:1: turn.started belongs to modules/turns',
    ],
    1,
  ]);
});
