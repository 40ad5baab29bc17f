import { request } from 'node:http';

/** An answer with its bytes as they came. */
export interface AudioResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly bytes: Buffer;
  /** False when the connection was cut before the end of the body. */
  readonly complete: boolean;
}

/** Posts JSON and keeps the bytes that come back, also of an answer that is cut off. */
export function binary(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  onBytes: () => void = () => undefined,
): Promise<AudioResponse> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }, (response) => {
      const parts: Buffer[] = [];
      const done = (): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts), complete: response.complete });
      response.on('data', (part: Buffer) => {
        parts.push(part);
        onBytes();
      });
      response.once('end', done);
      response.once('error', done);
    });
    asking.once('error', reject);
    asking.end(JSON.stringify(body));
  });
}

/** What the bytes are: by their content, not by what the answer says of them. */
export function audioOf({ bytes }: Pick<AudioResponse, 'bytes'>): { type: string; seconds: number; declaredSeconds?: number } {
  const mark = bytes.toString('latin1', 0, 4);
  if (mark === 'OggS') return { type: 'audio/ogg', seconds: bytes.length };
  if (mark.startsWith('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)) {
    return { type: 'audio/mpeg', seconds: bytes.length };
  }
  if (mark !== 'RIFF' || bytes.toString('latin1', 8, 16) !== 'WAVEfmt ') throw new Error(`no audio: ${bytes.toString('utf8', 0, 200)}`);
  const rate = bytes.readUInt32LE(24);
  return { type: 'audio/wav', seconds: (bytes.length - 44) / 2 / rate, declaredSeconds: bytes.readUInt32LE(40) / 2 / rate };
}
