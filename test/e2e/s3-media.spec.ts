// Uploaded files of a server on an S3-compatible store.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MediaService } from '../../src/modules/media/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { startS3Server, type S3Server } from '../support/s3-server.js';
import { form, png, storedFiles } from '../support/uploads.js';

const BUCKET = 'uploads';

let server: S3Server;
let app: TestApp;
const api = new ApiClient(() => app.url);

beforeAll(async () => {
  server = await startS3Server();
  await server.createBucket(BUCKET);
});
afterAll(() => server.close());
beforeEach(() => {
  server.intercept = () => undefined;
  server.requests.length = 0;
});

const env = (more: Record<string, string> = {}): Record<string, string> => ({
  ...server.env,
  MEDIA_STORAGE: `s3://${BUCKET}/${folder()}`,
  ...more,
});
let folders = 0;
const folder = (): string => `installation-${folders}`;

async function upload(content: Uint8Array | string, name: string, type = '', agentId = ADA.id): Promise<{ status: number; url: string }> {
  const { status, body } = await api.post(`/api/media/agents/${agentId}/upload-media`, form(content, name, type));
  return { status, url: String(body.data?.url ?? '') };
}

describe('files on S3', () => {
  beforeAll(async () => {
    folders += 1;
    app = await createTestApp({ env: env() });
  });
  afterAll(() => app.close());

  it('are sent to the store, and leave nothing on the disk', async () => {
    const { status, url } = await upload(png(1), 'a.png');
    expect(status).toBe(200);
    expect(await storedFiles(app)).toEqual([]);
    const response = await fetch(app.url + url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await response.arrayBuffer()).equals(png(1))).toBe(true);
  });

  it('are served in ranges, which the server requests from the store', async () => {
    const { url } = await upload('0123456789', 'a.txt');
    const response = await fetch(app.url + url, { headers: { range: 'bytes=2-4' } });
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([206, 'bytes 2-4/10', '234']);
    expect(server.requests.some(({ headers }) => headers['range'] === 'bytes=2-4')).toBe(true);
  });

  it('are refused with 503 while the store fails, which is a reported problem until it recovers', async () => {
    const problems = async (): Promise<unknown[]> =>
      ((await (await fetch(`${app.url}/api/server/problems`)).json()) as { data: { problems: unknown[] } }).data.problems;
    server.intercept = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined);
    const { status, body } = await api.post(`/api/media/agents/${ADA.id}/upload-media`, form(png(2), 'b.png'));
    expect(status).toBe(503);
    expect(body.error.code).toBe('STORAGE_UNAVAILABLE');
    expect(JSON.stringify(body)).not.toContain(BUCKET);
    expect(await storedFiles(app)).toEqual([]);
    expect(await problems()).toEqual([
      expect.objectContaining({
        ...{ kind: 'storage', subject: `s3://${BUCKET}/${folder()}/`, count: 1 },
        message: expect.stringContaining('AccessDenied'),
      }),
    ]);
    server.intercept = () => undefined;
    expect((await upload(png(2), 'b.png')).status).toBe(200);
    expect(await problems()).toEqual([]);
  });

  it('are deleted with their last reference', async () => {
    const before = await server.keys(BUCKET);
    await upload(png(3), 'c.png', '', BOB.id);
    expect((await server.keys(BUCKET)).length).toBe(before.length + 1);
    expect((await api.delete(`/api/agents/${BOB.id}`)).status).toBe(204);
    await app.app.get(MediaService).removeUnused(0, 100);
    expect(await server.keys(BUCKET)).toEqual(before);
  });

  it('survive a restart', async () => {
    const { url } = await upload(png(7), 'f.png');
    await app.restart();
    expect((await fetch(app.url + url)).status).toBe(200);
  });
});

describe('files on S3 with signed addresses', () => {
  beforeAll(async () => {
    folders += 1;
    app = await createTestApp({ env: env({ S3_SIGNED_URL_SECONDS: '60' }) });
  });
  afterAll(() => app.close());

  it('are served by the store: pictures with their type and name', async () => {
    const { url } = await upload(png(4), 'ä.png');
    const redirect = await fetch(app.url + url, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('cache-control')]).toEqual([307, 'private, max-age=30']);
    const location = new URL(redirect.headers.get('location')!);
    expect(location.origin).toBe(server.env.S3_ENDPOINT);
    expect(location.searchParams.get('X-Amz-Expires')).toBe('60');
    const response = await fetch(location);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%A4.png");
    expect(Buffer.from(await response.arrayBuffer()).equals(png(4))).toBe(true);
    const part = await fetch(app.url + url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  });

  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 'a.html', {}],
    ['a picture for a page of this server', png(5), 'd.png', { 'sec-fetch-site': 'same-origin' }],
  ])('are served by the server: %s', async (_, content, name, headers) => {
    const { url } = await upload(content, name);
    const response = await fetch(app.url + url, { redirect: 'manual', headers: headers as Record<string, string> });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('leave conditional and HEAD requests to the server', async () => {
    const { url } = await upload(png(6), 'e.png');
    const head = await fetch(app.url + url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/png']);
    const again = await fetch(app.url + url, {
      redirect: 'manual',
      headers: { 'cache-control': 'max-age=0', 'if-none-match': head.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });

  it('are not signed for a missing file', async () => {
    const response = await fetch(`${app.url}/media/uploads/agents/${ADA.id}/none.png`, { redirect: 'manual' });
    expect(response.status).toBe(404);
  });
});
