// An S3 server in this process: s3rver, with the two operations that it lacks, listing and aborting uploads in parts.
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver, { type S3Context } from 's3rver';

/** A request that the server received. */
export interface S3Request {
  readonly method: string;
  /** Path with the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Answers a request in place of the server; undefined lets the server answer. Waits as long as it takes. */
type Intercept = (
  request: S3Request,
) => Promise<{ status: number; code: string } | undefined> | { status: number; code: string } | undefined;

export interface S3Server {
  /** Variables that make Parley use the server; without MEDIA_STORAGE. */
  readonly env: { S3_ENDPOINT: string; S3_ACCESS_KEY_ID: string; S3_SECRET_ACCESS_KEY: string };
  readonly requests: S3Request[];
  intercept: Intercept;
  /** Emits `request` with each `S3Request`. */
  readonly events: EventEmitter;
  createBucket(name: string): Promise<void>;
  /** Keys of a bucket. */
  keys(bucket: string): Promise<string[]>;
  /** Keys of uploads in parts that are not complete. */
  uploads(bucket: string): Promise<string[]>;
  close(): Promise<void>;
}

/** @param options `complete: false` leaves out what s3rver lacks */
export async function startS3Server({ complete = true }: { complete?: boolean } = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, vhostBuckets: false });
  const events = new EventEmitter();
  const partsOf = (bucket: string): string => join(directory, bucket, '._S3rver_uploads');
  const state: S3Server = {
    env: { S3_ENDPOINT: '', S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    requests: [],
    intercept: () => undefined,
    events,
    createBucket: async (name) => void (await mkdir(join(directory, name), { recursive: true })),
    async keys(bucket) {
      const names = await readdir(join(directory, bucket), { recursive: true });
      const suffix = '._S3rver_object';
      return names
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .sort();
    },
    async uploads(bucket) {
      const ids = await readdir(partsOf(bucket)).catch(() => []);
      return (await Promise.all(ids.map((id) => readFile(join(partsOf(bucket), id, 'key'), 'utf8')))).sort();
    },
    async close() {
      (server.httpServer as Server).closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };

  const answer = async (context: S3Context, next: () => Promise<void>): Promise<void> => {
    const request = { method: context.method, url: context.url, headers: context.headers };
    state.requests.push(request);
    events.emit('request', request);
    const refused = await state.intercept(request);
    if (refused) {
      context.status = refused.status;
      context.type = 'application/xml';
      context.body = `<?xml version="1.0"?><Error><Code>${refused.code}</Code><Message>intercepted</Message></Error>`;
      return;
    }
    const [, bucket = ''] = context.path.split('/');
    if (complete && context.method === 'GET' && 'uploads' in context.query) return listUploads(context, bucket);
    if (complete && context.method === 'DELETE' && typeof context.query['uploadId'] === 'string') {
      await rm(join(partsOf(bucket), context.query['uploadId']), { recursive: true, force: true });
      context.status = 204;
      return;
    }
    return next();
  };
  const listUploads = async (context: S3Context, bucket: string): Promise<void> => {
    const prefix = String(context.query['prefix'] ?? '');
    const ids = await readdir(partsOf(bucket)).catch(() => []);
    const uploads = await Promise.all(
      ids.map(async (id) => {
        const folder = join(partsOf(bucket), id);
        const key = await readFile(join(folder, 'key'), 'utf8');
        const { birthtime } = await stat(folder);
        return key.startsWith(prefix)
          ? `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${birthtime.toISOString()}</Initiated></Upload>`
          : '';
      }),
    );
    context.type = 'application/xml';
    context.body = `<?xml version="1.0"?><ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`;
  };
  server.middleware.unshift(answer);
  const { port } = (await server.run());
  state.env.S3_ENDPOINT = `http://127.0.0.1:${port}`;
  return state;
}
