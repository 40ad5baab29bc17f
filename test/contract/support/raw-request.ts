import { connect } from 'node:net';
import type { ApiResponse } from '../../support/api-client.js';

/** Sends these bytes and reads what comes back until the server closes: for requests that no HTTP client would send. */
export async function rawRequest(url: string, bytes: string): Promise<ApiResponse> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('data', (part) => parts.push(part));
    socket.once('end', () => resolve(Buffer.concat(parts).toString()));
    socket.once('error', reject);
  });
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
  const json = /json/.test(headers.get('content-type') ?? '') && body !== '';
  return { status: Number(first.split(' ')[1]), headers, body: json ? JSON.parse(body) : body };
}
