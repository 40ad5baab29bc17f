// Every operation that a client may know, called well and badly. What its answers look like the document says, which the client of the
// tests holds them against; what they mean is in the other files.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/api-client.js';
import { apiDocument } from '../support/api-document.js';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { contractApp, NOBODY } from './support/contract-app.js';
import { OperationFixtures, type GoodRequest } from './support/every-operation.js';
import { OURS, ROWS } from './support/operations.js';
import { bodyFaults, requestOf, withParams } from './support/bad-requests.js';

describe('every operation', () => {
  const app = contractApp({ RATE_LIMIT: 'off', TEE_ROOT: '/nonexistent' });
  const speech = scriptedSpeech(() => app.test);
  const world = new OperationFixtures(app);
  const send = (operation: string, good: GoodRequest, change: Partial<GoodRequest> = {}): Promise<ApiResponse> => {
    const { method, path, ...rest } = requestOf(operation, { ...good, ...change }, world.ids);
    return app.api.send(method, path, rest.body, { headers: rest.headers });
  };

  beforeAll(() => world.fill());
  beforeEach(() => {
    app.test.model.always(() => 'Noon.');
    speech.transcriber.always('What is the time?');
    speech.synthesizer.always();
  });

  it('is in the list, unless it is unknown to clients of the original [service.domains]', () => {
    const listed = new Set(ROWS.map(([, operation]) => operation));
    const others = apiDocument().operations.filter((operation) => !listed.has(operation));
    expect(others.filter((operation) => !OURS.some((own) => own.test(operation)))).toEqual([]);
  });

  describe.each(ROWS)('%i %s', (_number, operation, good = () => ({})) => {
    it('responds', async () => {
      const request = await good(world);
      // As the official client does, also where there is no body.
      const headers: Record<string, string> = request.body === undefined ? { 'content-type': 'application/json' } : {};
      const answer = await send(operation, request, { headers: { ...headers, ...request.headers } });
      const expected = request.status ?? (answer.status < 300 ? answer.status : 200);
      expect([answer.status, answer.status === expected ? '' : answer.body]).toEqual([expected, '']);
      // That client takes `data` of whatever has `success`.
      if (answer.body?.success === true) expect(answer.body).toHaveProperty('data');
      if (answer.status === 204) expect([answer.body, answer.headers.get('content-type')]).toEqual(['', null]);
      expect(answer.headers.has('deprecation')).toBe(apiDocument().isDeprecated(operation));
    });

    if (operation.startsWith('GET ')) {
      it('ignores agentId in its query, which is for plugin routes only', async () => {
        const { query = '', ...request } = await good(world);
        const { status } = await send(operation, { ...request, query: `${query}${query ? '&' : '?'}agentId=${ADA.id}` });
        expect(status).toBe(request.status ?? 200);
      });
    }

    it('refuses invalid path parameters, and reports unknown ids', async () => {
      const request = await good(world);
      for (const name of withParams(operation)) {
        const params = { ...request.params };
        if (apiDocument().isUuid(operation, name)) {
          expectError(await send(operation, request, { params: { ...params, [name]: 'x' } }), 400, 'INVALID_ID');
        }
        const unknown = await send(operation, request, { params: { ...params, [name]: NOBODY } });
        expect([unknown.status < 500, unknown.body?.error?.code]).not.toEqual([true, 'NOT_FOUND']);
        expect(unknown.status === 501 || unknown.status < 500).toBe(true);
      }
    });

    it('refuses an invalid body [envelope.error]', async () => {
      const request = await good(world);
      for (const [what, wrong, headers, statuses] of bodyFaults(operation, request.body)) {
        const { status, body: answered } = await send(operation, request, { body: wrong, headers });
        expect([what, status, statuses.includes(status) ? '' : answered]).toEqual([what, status, '']);
      }
    });
  });
});
