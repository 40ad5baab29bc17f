// How ready texts leave, on a real port.
import 'reflect-metadata';
import { Controller, Get, HttpCode, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EnvelopeAdapter, ReadyJson, readyJson } from '../../src/core/http/index.js';

const BODY = '{"success":true,"data":{"name":"Zoë"}}';
// The SHA-1 of the body.
const TAG = '"4BrDpf4M7x40u9M5GSlfcA0Cr5Y"';

@Controller()
class ReadyController {
  @Get('text')
  text(): { name: string } {
    return new ReadyJson(BODY) as unknown as { name: string };
  }

  @Get('bytes')
  @HttpCode(203)
  async bytes(): Promise<{ name: string }> {
    return readyJson(Buffer.from(BODY));
  }

  @Get('within')
  within(): unknown {
    return { inner: new ReadyJson(BODY) };
  }
}

@Module({ controllers: [ReadyController] })
class ReadyModule {}

describe('a response with prepared text', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(ReadyModule, new EnvelopeAdapter(), {
      logger: false,
      forceCloseConnections: true,
    });
    app.set('etag', false);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it.each([
    ['text', 200, null],
    ['bytes', 203, TAG],
  ])('is sent unchanged: %s', async (path, status, tag) => {
    const response = await fetch(`${url}/${path}`);
    expect([response.status, await response.text()]).toEqual([status, BODY]);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(BODY)));
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBe(tag);
  });

  it('has the headers of GET for HEAD, and no body', async () => {
    const response = await fetch(`${url}/bytes`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([203, '']);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(BODY)));
    expect(response.headers.get('etag')).toBe(TAG);
  });

  it.each(['GET', 'HEAD'])('is not resent to a client that has it: %s', async (method) => {
    const response = await fetch(`${url}/bytes`, { method, headers: { 'If-None-Match': `"other", W/${TAG}` } });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('etag')).toBe(TAG);
    expect(response.headers.get('content-type')).toBeNull();
  });

  it('is sent to a client that has another version', async () => {
    const response = await fetch(`${url}/bytes`, { headers: { 'If-None-Match': '"other"' } });
    expect([response.status, await response.text()]).toEqual([203, BODY]);
  });

  it('cannot be part of a payload', async () => {
    expect((await fetch(`${url}/within`)).status).toBe(500);
  });
});
