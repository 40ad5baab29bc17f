// `npm ci --omit=dev --omit=optional` beside a built dist: its size, and what works without the packages that it leaves out.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
// The codes of the answers are defined where they are used.
import '../../src/app.module.js';
import { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/expect-envelope.js';
import { startModelServer } from '../support/model-server.mjs';
import { diskUsage, installForProduction } from '../support/production-install.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const BUDGET_MB = 320;

let directory: string;
let install: string;
let start: string;
let env: ServerEnv;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-install-'));
  install = join(directory, 'parley');
  installForProduction(install);
  start = join(install, 'scripts', 'start.mjs');
  env = { DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: join(install, 'characters'), PLUGINS_DIR: join(install, 'plugins') };
});

afterAll(async () => {
  await killAll();
  await rm(directory, { recursive: true, force: true });
});

describe('an installation without development and optional packages', () => {
  it(`takes at most ${BUDGET_MB} MB`, () => {
    expect(diskUsage(join(install, 'node_modules')) / 1e6).toBeLessThanOrEqual(BUDGET_MB);
  });

  it('replies, recalls, loads plugins and speaks, and names the package that recognition needs', async () => {
    const server = await ServerProcess.start({ ...env, EMBEDDING_PROVIDER: 'embedded' }, undefined, start);
    await server.printed(/^plugins file-intake, github-webhook, post-message, static-pages$/m);
    await server.printed(/^speech {2}speaks: embedded flite.*; listens: no$/m);
    const api = new ApiClient(() => server.url);
    const [agent] = (await api.get('/api/agents')).body.data.agents;
    const speech = await api.post(`/api/audio/${agent.id}/speech/generate`, { text: 'Hello.' });
    expect([speech.status, speech.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const form = new FormData();
    form.append('file', new Blob(['RIFF']), 'a.wav');
    const refused = await api.post(`/api/audio/${agent.id}/transcriptions`, form);
    expectError(refused, 503, 'MODEL_UNAVAILABLE');
    expect(refused.body.error).toMatchObject({
      message: 'The built-in recognizer is not installed.',
      details: expect.stringContaining('install without --omit=optional'),
    });
    expect((await api.get('/api/server/health')).status).toBe(200);
    await server.stop();
  });

  it('names the package that files on S3 need', async () => {
    const { code, stderr } = await ServerProcess.fail({ ...env, MEDIA_STORAGE: 's3://uploads' }, undefined, start);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Run npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3')]);
  });

  it("calls the operator's model service, and an agent's own", async () => {
    const operators = await startModelServer({ otherwise: { kind: 'reply', text: 'From the operator.' } });
    const own = await startModelServer({ otherwise: { kind: 'reply', text: 'From my own.' } });
    const services = { OPENAI_BASE_URL: operators.baseUrl, OUTBOUND_ALLOWED_NETWORKS: 'loopback' };
    const server = await ServerProcess.start({ ...env, ...services }, undefined, start);
    const api = new ApiClient(() => server.url);
    const answers = [];
    for (const settings of [{}, { OPENAI_BASE_URL: own.baseUrl }]) {
      const { body: made } = await api.post('/api/agents', {
        characterJson: { name: `Agent ${answers.length}`, bio: ['Of a test.'], settings },
      });
      const agentId = made.data.character.id;
      await api.post(`/api/agents/${agentId}/start`);
      const { body: session } = await api.post('/api/messaging/sessions', { agentId, userId: randomUUID() });
      const posted = await api.post(`/api/messaging/sessions/${session.sessionId}/messages`, { content: 'Hello', transport: 'http' });
      answers.push(posted.body.agentResponse?.text ?? posted.body.error);
    }
    await server.stop();
    await Promise.all([operators.close(), own.close()]);
    expect(answers).toEqual(['From the operator.', 'From my own.']);
  });

  it('names the packages that a build needs when the sources are newer than the program', async () => {
    await mkdir(join(install, 'src'));
    await writeFile(join(install, 'src', 'main.ts'), '');
    const { code, stderr } = await ServerProcess.fail(env, undefined, start);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/could not be built\. The packages that build it are not installed\. Run npm ci/),
    ]);
  });
});
