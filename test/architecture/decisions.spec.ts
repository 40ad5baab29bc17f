// Decisions that are written at the same time must not end up with one number.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../../docs/decisions');

it('each decision has a unique number, the same in its file name and title', () => {
  const files = readdirSync(FOLDER).filter((file) => file !== '0000-template.md');
  const numbers = files.map((file) => Number(file.slice(0, 4)));
  expect(new Set(numbers).size).toBe(files.length);
  expect(files.map((file) => Number(/^# (\d+)\. /.exec(readFileSync(`${FOLDER}/${file}`, 'utf8'))?.[1]))).toEqual(numbers);
});
