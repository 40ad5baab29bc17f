import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from '@nestjs/common';
import { expect, it } from '@jest/globals';
import { InstallationIds } from '../ids/index.js';
import { IdempotencyGuard } from './idempotency.guard.js';
import type { IdempotencyService } from './idempotency.service.js';

it('sends the first of two responses once it is stored', async () => {
  const sent: unknown[] = [];
  let store = (): void => undefined;
  const stored = new Promise<void>((resolve) => (store = resolve));
  const attempt = { markRepeatable: () => undefined, end: () => stored };
  const response = { statusCode: 204, headersSent: false, get: () => undefined, end: (chunk?: unknown) => void sent.push(chunk) };
  const request = { method: 'POST', originalUrl: '/x', headers: {}, get: (name: string) => (name === 'idempotency-key' ? 'k' : undefined) };
  const http = { getRequest: () => request, getResponse: () => response };
  const context = { getType: () => 'http', getHandler: () => IdempotencyGuard, getClass: () => IdempotencyGuard, switchToHttp: () => http };
  const service = { begin: () => Promise.resolve(attempt), beginOnce: () => Promise.resolve(attempt) };
  const guard = new IdempotencyGuard(service as unknown as IdempotencyService, new InstallationIds(randomBytes(32)));
  await guard.canActivate(context as unknown as ExecutionContext);
  response.end('the first');
  response.end('the second');
  expect(sent).toEqual([]);
  store();
  await stored;
  await Promise.resolve();
  expect(sent).toEqual(['the first']);
});
