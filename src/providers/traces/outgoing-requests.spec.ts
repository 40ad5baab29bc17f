import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../core/clock/index.js';
import { loadConfig } from '../../core/config/index.js';
import { Tracer, readTraceContext, traceparentOf, type FinishedSpan } from '../../core/telemetry/index.js';
import { Outbound, serviceFetch } from '../outbound/index.js';
import { OutgoingRequests } from './outgoing-requests.js';

const PARENT = readTraceContext('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 vendor=value');

describe('a request within a trace', () => {
  const clock = new SystemClock();
  const outbound = new Outbound(loadConfig({ OUTBOUND_ALLOWED_NETWORKS: 'loopback' }, '0.0.0'), clock);
  let received: IncomingHttpHeaders[] = [];
  let server: Server;
  let url: string;
  let nowhere: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push(request.headers);
      response.writeHead(request.url === '/failed' ? 503 : 200).end('answer');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeAll(async () => {
    const closed = createServer();
    await once(closed.listen(0, '127.0.0.1'), 'listening');
    nowhere = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
  });
  beforeEach(() => {
    received = [];
  });
  afterAll(async () => {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });

  /** Sends a request, and gives back its span. */
  async function sent(send: () => Promise<Response>, propagates = true): Promise<FinishedSpan | undefined> {
    const tracer = new Tracer(clock);
    const spans: FinishedSpan[] = [];
    const stop = tracer.start({ propagates, samples: () => true, ended: (span) => spans.push(span) });
    const requests = new OutgoingRequests(tracer, propagates);
    requests.start();
    try {
      await tracer.span('work', {}, async () => void (await (await send()).text()), { parent: PARENT }).catch(() => undefined);
    } finally {
      requests.stop();
      stop();
    }
    return spans.find(({ kind }) => kind === 'client');
  }

  const limits = { maxBytes: 1000, timeoutMs: 5000 };
  it.each([
    ['fetch of Node.js', () => fetch(`${url}/path?key=secret`), 'vendor=value'],
    ['a service of the operator', () => serviceFetch(url)(`${url}/path?key=secret`), 'vendor=value'],
    ['an address that an agent or a user named', () => outbound.fetch(`${url}/path?key=secret`, {}, limits), undefined],
  ] as const)('has a span and carries the trace: %s', async (_what, send, tracestate) => {
    const span = await sent(send);
    expect(span).toMatchObject({ name: 'GET', failed: false, context: { traceId: PARENT?.traceId } });
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(url).port),
      'http.response.status_code': 200,
    });
    expect(received).toMatchObject([{ traceparent: traceparentOf(span!.context) }]);
    expect(received[0]?.['tracestate']).toBe(tracestate);
  });

  it("keeps its sender's traceparent", async () => {
    const own = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await sent(() => fetch(url, { headers: { TraceParent: own } }));
    expect(received).toMatchObject([{ traceparent: own }]);
  });

  it('carries no header when propagation is off', async () => {
    expect(await sent(() => fetch(url), false)).toMatchObject({ name: 'GET' });
    expect(received[0]).not.toHaveProperty('traceparent');
  });

  it.each([
    ['an answer that is an error', () => fetch(`${url}/failed`), '503'],
    ['an address where nobody listens', () => fetch(nowhere), 'ECONNREFUSED'],
    ['an abort', () => fetch(url, { signal: AbortSignal.abort() }), undefined],
  ] as const)('fails with %s', async (_what, send, error) => {
    const span = await sent(send);
    expect(span?.attributes['error.type']).toBe(error);
  });

  it('is unchanged outside of traces', async () => {
    const tracer = new Tracer(clock);
    const spans: FinishedSpan[] = [];
    const stop = tracer.start({ propagates: true, samples: () => true, ended: (span) => spans.push(span) });
    const requests = new OutgoingRequests(tracer, true);
    requests.start();
    await (await fetch(url)).text();
    requests.stop();
    stop();
    expect([spans, received[0]?.['traceparent']]).toEqual([[], undefined]);
  });
});
