// What an upload may be, and HEIC pictures, which are converted.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { form } from '../support/uploads.js';

const HEIC = Buffer.concat([Buffer.from('000000186674797068656963', 'hex'), Buffer.from('\0\0\0\0mif1heic'), Buffer.alloc(64)]);
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');

describe('the types of uploads [media.heic]', () => {
  let test: TestApp;
  let folder: string | undefined;
  const api = new ApiClient(() => test.url);

  afterEach(async () => {
    await test.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
    folder = undefined;
  });

  /** A program that does what heif-convert does, or fails. */
  async function converter(body: string): Promise<string> {
    folder = await mkdtemp(join(tmpdir(), 'parley-converter-'));
    const program = join(folder, 'heif-convert');
    await writeFile(program, `#!${process.execPath}\nconst fs = require('node:fs');\n${body}`);
    await chmod(program, 0o755);
    return program;
  }

  const types = async (): Promise<{ mediaTypes: string[]; extensions: string[]; maxBytes: number }> =>
    (await api.get('/api/media/types')).body.data;

  const upload = (name: string): ReturnType<ApiClient['post']> =>
    api.post(`/api/media/agents/${ADA.id}/upload-media`, form(HEIC, name, 'image/heic'));

  it('are told before an upload, with those of documents', async () => {
    test = await createTestApp({ env: { HEIF_CONVERT_PATH: 'there-is-no-such-program', UPLOAD_LIMIT_BYTES: '4096' } });
    const { mediaTypes, extensions, maxBytes } = await types();
    expect(mediaTypes).toEqual(expect.arrayContaining(['image/jpeg', 'application/pdf', 'text/plain']));
    expect(extensions).toEqual(expect.arrayContaining(['.jpeg', '.pdf', '.docx', '.md']));
    expect(mediaTypes).not.toContain('image/heic');
    expect(maxBytes).toBe(4096);
    const refused = await upload('IMG_1.HEIC');
    expectError(refused, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(refused.body.error).toMatchObject({
      message: 'file is a HEIC picture, which this server cannot convert.',
      details: expect.stringContaining('Send it as JPEG or PNG.'),
    });
  });

  it('have HEIC where a program converts it, and the picture is kept as JPEG', async () => {
    const bytes = JPEG.toString('base64');
    const program = await converter(`fs.writeFileSync(process.argv.at(-1).replace('.jpg', '-1.jpg'), Buffer.from('${bytes}', 'base64'));`);
    test = await createTestApp({ env: { HEIF_CONVERT_PATH: program } });
    expect((await types()).mediaTypes).toContain('image/heic');
    const { data } = (await upload('IMG_1.HEIC')).body;
    expect(data).toMatchObject({ mimeType: 'image/jpeg', originalName: 'IMG_1.jpg', size: JPEG.length });
    expect(Buffer.from(await (await fetch(test.url + data.url)).arrayBuffer())).toEqual(JPEG);
  });

  it('have no HEIC where the program is without a decoder', async () => {
    test = await createTestApp({ env: { HEIF_CONVERT_PATH: await converter('process.exit(1);') } });
    expect((await types()).mediaTypes).not.toContain('image/heic');
  });

  it('refuse a damaged HEIC picture', async () => {
    const program = await converter(`if (fs.statSync(process.argv.at(-2)).size < 200) process.exit(1);
      fs.writeFileSync(process.argv.at(-1), 'picture');`);
    test = await createTestApp({ env: { HEIF_CONVERT_PATH: program } });
    expectError(await upload('IMG_1.HEIC'), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});
