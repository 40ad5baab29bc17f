// Loaded before every test file: a test that lets anything reach the console fails. What the program has to say
// goes through its log; what a test expects to be printed it captures with `jest.spyOn(console, …)`.
import { afterAll, afterEach } from '@jest/globals';
import { format } from 'node:util';

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table', 'group'] as const;

declare global {
  // One for all files of a worker: a module may have taken a method of the console while an earlier file ran.
  var writtenToTheConsole: Error[] | undefined;
}

const written = (globalThis.writtenToTheConsole ??= []);

for (const method of METHODS) {
  console[method] = (...args: unknown[]): void => {
    const error = new Error(`console.${method} was called: ${format(...args)}`);
    Error.captureStackTrace(error, console[method]);
    written.push(error);
  };
}

function refuse(): void {
  const [first, ...others] = written.splice(0);
  if (first === undefined) return;
  if (others.length > 0) first.message += `\n… and ${others.length} more`;
  throw first;
}

afterEach(refuse);
afterAll(refuse);
