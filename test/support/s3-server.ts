// An S3 server in this process: s3rver, with what it lacks. It neither lists nor aborts uploads in parts, and cannot list in pages, because
// it makes their tokens with a cipher that OpenSSL 3 does not have.
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver, { type S3Context } from 's3rver';

const OBJECT = '._S3rver_object';
/** Keys in one page of a list. A server may return fewer than it is asked for. */
const PAGE = 7;

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
  /** Is called when a request has been carried out; its answer waits as long as this takes. */
  delay: (request: S3Request) => Promise<void> | void;
  /** Emits `request` with each `S3Request`. */
  readonly events: EventEmitter;
  createBucket(name: string): Promise<void>;
  /** Keys of a bucket. */
  keys(bucket: string): Promise<string[]>;
  /** Keys of uploads in parts that are not complete. */
  uploads(bucket: string): Promise<string[]>;
  /** Changes the bytes of an object behind the back of everyone. */
  replace(bucket: string, key: string, content: Uint8Array): Promise<void>;
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
    delay: () => undefined,
    events,
    createBucket: async (name) => void (await mkdir(join(directory, name), { recursive: true })),
    async keys(bucket) {
      const names = await namesIn(join(directory, bucket));
      return names
        .filter((name) => name.endsWith(OBJECT))
        .map((name) => name.slice(0, -OBJECT.length))
        .sort();
    },
    async uploads(bucket) {
      const ids = await readdir(partsOf(bucket)).catch(() => []);
      // One may be completed meanwhile.
      const keys = await Promise.all(ids.map((id) => readFile(join(partsOf(bucket), id, 'key'), 'utf8').catch(() => [])));
      return keys.flat().sort();
    },
    replace: (bucket, key, content) => writeFile(join(directory, bucket, `${key}${OBJECT}`), content),
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
    if (context.method === 'GET' && 'list-type' in context.query) return listObjects(context, bucket, next);
    if (complete && context.method === 'GET' && 'uploads' in context.query) return listUploads(context, bucket);
    if (complete && context.method === 'DELETE' && typeof context.query['uploadId'] === 'string') {
      await rm(join(partsOf(bucket), context.query['uploadId']), { recursive: true, force: true });
      context.status = 204;
      return;
    }
    await next();
    await state.delay(request);
  };
  const listObjects = async (context: S3Context, bucket: string, next: () => Promise<void>): Promise<void> => {
    // Answers for a bucket that does not exist.
    if (!existsSync(join(directory, bucket))) return next();
    const { prefix = '', 'continuation-token': token = '' } = context.query;
    const keys = (await state.keys(bucket)).filter((key) => key.startsWith(String(prefix)) && key > String(token));
    const page = keys.slice(0, Math.min(PAGE, Number(context.query['max-keys'] ?? PAGE)));
    const entries = page.map(async (key) => {
      const { size, mtime } = await stat(join(directory, bucket, `${key}${OBJECT}`));
      return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${mtime.toISOString()}</LastModified></Contents>`;
    });
    const found = (await Promise.allSettled(entries)).flatMap((entry) => (entry.status === 'fulfilled' ? [entry.value] : []));
    const more = page.length < keys.length;
    context.type = 'application/xml';
    context.body = `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${
      more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    }${found.join('')}</ListBucketResult>`;
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
  const { port } = await server.run();
  state.env.S3_ENDPOINT = `http://127.0.0.1:${port}`;
  return state;
}

/** All names below a folder whose subfolders may be deleted meanwhile. */
async function namesIn(folder: string): Promise<string[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true });
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || path === folder) throw error;
    }
  }
}
