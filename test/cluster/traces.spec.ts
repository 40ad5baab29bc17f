// A turn that another server takes over stays in the trace of its request.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { ApiClient } from '../support/api-client.js';
import { startModelServer } from '../support/model-server.mjs';
import { startOtlpReceiver } from '../support/otlp-receiver.js';
import { testConfig } from '../support/test-store.js';

const VERA = idFromText('Vera');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ROUTE = '/api/messaging/sessions/:sessionId/messages';

it('the other process continues the turn of a killed server, in the same trace', async () => {
  const { config, remove } = await testConfig('postgres');
  const { dataDir, charactersDir, databaseUrl } = config;
  await mkdir(charactersDir, { recursive: true });
  await writeFile(join(charactersDir, 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  const [model, collector] = [await startModelServer(), await startOtlpReceiver()];
  const start = (name: string): Promise<ServerProcess> =>
    ServerProcess.start({
      DATA_DIR: join(dataDir, name),
      CHARACTERS_DIR: charactersDir,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'the key that all processes have, long enough',
      OPENAI_BASE_URL: model.baseUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_RESOURCE_ATTRIBUTES: `host.name=${name}`,
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
  try {
    const first = await start('first');
    await start('second');
    model.next({ kind: 'hang', after: 1 });
    const api = new ApiClient(() => first.url);
    const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: VERA, userId: idFromText('user') })).body.data;
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello?', transport: 'websocket' }, { headers });
    await model.received(1);
    await collector.until(({ name }) => name === `POST ${ROUTE}`);
    await first.kill();
    const spans = await collector.until(({ name, traceId }) => name === 'invoke_agent Vera' && traceId === TRACE);
    const request = spans.find(({ name }) => name === `POST ${ROUTE}`);
    const turns = spans.filter(({ name }) => name === 'invoke_agent Vera');
    expect(request).toMatchObject({ traceId: TRACE, resource: { 'host.name': 'first' } });
    expect(turns).toMatchObject([
      {
        parentSpanId: request?.spanId,
        resource: { 'host.name': 'second' },
        attributes: { 'parley.turn.attempt': 2, 'parley.turn.outcome': 'completed' },
      },
    ]);
    expect(model.requests.at(-1)?.headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-`));
  } finally {
    await killAll();
    await Promise.all([model.close(), collector.close()]);
    await remove();
  }
});
