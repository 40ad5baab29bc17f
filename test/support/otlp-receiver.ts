import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

type OtlpValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: number | string }
  | { doubleValue: number }
  | { arrayValue: { values: OtlpValue[] } };

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: OtlpAttribute[];
  readonly status: { readonly code?: number };
}

/** A span as a collector gets it, with attributes as plain values. */
export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector: it accepts traces as OTLP over HTTP on a free port. */
export interface OtlpReceiver {
  readonly endpoint: string;
  readonly spans: ReceivedSpan[];
  /** Headers of each batch. */
  readonly requests: IncomingHttpHeaders[];
  /** Status of the next answers. */
  status: number;
  /** Settles with all spans when this many match. */
  until(matches: (span: ReceivedSpan) => boolean, count?: number): Promise<ReceivedSpan[]>;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;

export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: IncomingHttpHeaders[] = [];
  let tell: (() => void)[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      requests.push(request.headers);
      response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
      const body = Buffer.concat(parts);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
      if (receiver.status === 200 && request.url === '/v1/traces') spans.push(...read(text));
      for (const each of tell.splice(0)) each();
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const receiver: OtlpReceiver = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    status: 200,
    async until(matches, count = 1) {
      const limit = AbortSignal.timeout(PATIENCE_MS);
      const late = once(limit, 'abort').then(() => {
        const seen = spans.map(({ name, traceId }) => `${traceId} ${name}`).join('\n');
        throw new Error(`the collector did not get these spans; it got\n${seen}`);
      });
      while (spans.filter(matches).length < count) {
        const more = new Promise<void>((resolve) => tell.push(resolve));
        await Promise.race([more, late]);
      }
      late.catch(() => undefined);
      return spans;
    },
    async close() {
      tell = [];
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

function read(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text) as {
    resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) })),
    ),
  );
}

function plain(attributes: OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: OtlpValue): unknown {
  return 'arrayValue' in value ? value.arrayValue.values.map(valueOf) : Object.values(value)[0];
}
