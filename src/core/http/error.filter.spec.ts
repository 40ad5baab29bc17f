import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import express from 'express';
import { expect, it } from '@jest/globals';
import { ErrorFilter, toAppError } from './error.filter.js';

it.each([
  ['57P01', 503, 'STORAGE_UNAVAILABLE'],
  ['ECONNREFUSED', 503, 'STORAGE_UNAVAILABLE'],
  ['SQLITE_BUSY', 503, 'STORAGE_UNAVAILABLE'],
  ['EMFILE', 503, 'STORAGE_UNAVAILABLE'],
  ['ENOSPC', 507, 'STORAGE_FULL'],
  ['22021', 400, 'BAD_REQUEST'],
  ['42601', 500, 'INTERNAL_ERROR'],
])('reports an unhandled storage error as such: %s is %i %s', (code, status, told) => {
  expect(toAppError(Object.assign(new Error('a fault'), { code }))).toMatchObject({ status, code: told });
});

it.each([null, undefined, 'a text', 7])('reports a thrown %p as an internal error', (thrown) => {
  expect(toAppError(thrown)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
});

it('keeps the connection open after a complete response, and closes it after a partial one', async () => {
  const filter = new ErrorFilter();
  const app = express();
  app.get('/:whole', (request, response) => {
    if (request.params.whole === 'whole') response.send('all of it');
    else response.write('half');
    filter.catch(new Error('later'), new ExecutionContextHost([request, response]));
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ask = async (path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return String((await once(socket, 'data'))[0]);
  };
  try {
    for (let turn = 0; turn < 2; turn += 1) expect(await ask('/whole')).toMatch(/all of it$/);
    const closed = once(socket, 'close');
    socket.write('GET /half HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed;
  } finally {
    server.close();
  }
});
