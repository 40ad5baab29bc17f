import { expect, it, jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { yieldToEventLoop } from '../clock/index.js';
import { spreadRequests } from './spread-requests.js';

it('Requests that arrive together begin in several iterations of the event loop, and probes before them', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const spread = spreadRequests();
  const begun: string[] = [];
  const arrive = (path: string): unknown =>
    spread({ path } as Request, {} as Response, () => {
      now += 4;
      begun.push(path);
    });
  for (let index = 1; index <= 5; index += 1) void arrive(`/api/${index}`);
  void arrive('/healthz');
  expect(begun).toEqual(['/healthz']);
  await yieldToEventLoop();
  expect(begun).toEqual(['/healthz', '/api/1', '/api/2', '/api/3']);
  await yieldToEventLoop();
  expect(begun).toEqual(['/healthz', '/api/1', '/api/2', '/api/3', '/api/4', '/api/5']);
});
