// /api/tee: on a machine without trusted hardware, and on one whose devices and configfs are laid out as a kernel does
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { newId } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { contractApp } from './support/contract-app.js';

const root = join(tmpdir(), `parley-tee-${newId()}`);
const entry = join(root, 'sys/kernel/config/tsm/report/parley');

const NO_REPORT_DATA: [name: string, body: unknown][] = [
  ['nothing', {}],
  ['null', { reportData: null }],
  ['a number', { reportData: 7 }],
  ['empty text', { reportData: '' }],
  ['half a byte', { reportData: 'abc' }],
  ['what is no hexadecimal digit', { reportData: 'xy' }],
  ['65 bytes', { reportData: 'ab'.repeat(65) }],
];

describe('/api/tee [tee.quotes]', () => {
  const app = contractApp({ TEE_ROOT: root });
  const { api } = app;
  const attest = (body: unknown): ReturnType<typeof api.post> => api.post('/api/tee/attestation', body);

  beforeEach(async () => {
    await rm(root, { recursive: true, force: true });
    await mkdir(join(root, 'dev'), { recursive: true });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('reports a missing device, and responds 501 to a request for a quote', async () => {
    expect(expectData(await api.get('/api/tee/status'))).toEqual({ mode: 'OFF', vendor: null, attestation: false, devices: [] });
    expectError(await attest({ reportData: 'ab' }), 501, 'TEE_NOT_AVAILABLE');
  });

  it('lists the agents', async () => {
    const agents = [ADA, BOB].map(({ id, name }) => ({ id, name, attestation: null }));
    expect(expectData(await api.get('/api/tee/agents'))).toEqual({ agents });
  });

  it.each([
    ['sev-guest', 'sev-snp', 'sev-snp'],
    ['tdx_guest', 'tdx', 'tdx'],
    ['tpmrm0', 'tpm', null],
  ])('names the device %s, which provides no quotes by itself', async (file, kind, vendor) => {
    await writeFile(join(root, 'dev', file), '');
    const devices = [{ kind, path: `/dev/${file}` }];
    expect(expectData(await api.get('/api/tee/status'))).toEqual({ mode: 'OFF', vendor, attestation: false, devices });
    expectError(await attest({ reportData: 'ab' }), 501, 'TEE_NOT_AVAILABLE');
  });

  it("returns the kernel's quote over the report data", async () => {
    await mkdir(entry, { recursive: true });
    await writeFile(join(root, 'dev', 'sev-guest'), '');
    await writeFile(join(entry, 'provider'), 'sev_guest\n');
    await writeFile(join(entry, 'generation'), '3\n');
    await writeFile(join(entry, 'outblob'), Buffer.from([1, 2, 255]));
    expect(expectData(await api.get('/api/tee/status'))).toMatchObject({ mode: 'PRODUCTION', vendor: 'sev-snp', attestation: true });
    expect(expectData(await attest({ reportData: 'AB01' }))).toEqual({
      ...{ quote: Buffer.from([1, 2, 255]).toString('base64'), timestamp: app.clock.now(), provider: 'sev_guest', reportData: 'ab01' },
    });
    expect((await readFile(join(entry, 'inblob'))).toString('hex')).toBe(`ab01${'00'.repeat(62)}`);
  });

  it('hides the cause of a kernel error', async () => {
    await mkdir(entry, { recursive: true });
    expectError(await attest({ reportData: 'ab' }), 500, 'INTERNAL_ERROR');
  });

  it.each(NO_REPORT_DATA)('refuses %s', async (_name, body) => {
    expectError(await attest(body), 400, 'VALIDATION_ERROR');
  });
});
