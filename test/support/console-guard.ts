// Loaded before every test file: a test that lets anything reach the console fails. What the program has to say
// goes through its log; what a test expects to be printed it captures with `jest.spyOn(console, …)`.
import { afterAll, afterEach } from '@jest/globals';
import { format } from 'node:util';

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table', 'group'] as const;

let written: Error[] = [];

for (const method of METHODS) {
  console[method] = (...args: unknown[]): void => {
    const error = new Error(`console.${method} was called: ${format(...args)}`);
    Error.captureStackTrace(error, console[method]);
    written.push(error);
  };
}

function refuse(): void {
  const [first, ...others] = written;
  written = [];
  if (first === undefined) return;
  if (others.length > 0) first.message += `\n… and ${others.length} more`;
  throw first;
}

afterEach(refuse);
afterAll(refuse);
