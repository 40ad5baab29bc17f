import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { UnitOfWork, type Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { Journal, type JournalPayloads } from '../../../src/core/journal/index.js';
import { AgentsService } from '../../../src/modules/agents/index.js';
import { PluginHost } from '../../../src/modules/plugins/index.js';
import { findSources, type PluginSource } from '../../../src/modules/plugins/plugin-source.js';
import type { ApiResponse } from '../api-client.js';
import { ADA } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { createWebhookApp, held, HOOKS, SECRET, type WebhookApp } from '../webhook-app.js';

/** How deliveries are kept, told apart and handled. */
export function describeWebhookDeliveries(engine: Engine): void {
  describe(`webhook deliveries on ${engine}`, () => {
    let app: WebhookApp;
    let clock: FakeClock;
    afterEach(() => app.close());

    async function start(env: Record<string, string> = {}): Promise<void> {
      clock = new FakeClock();
      app = await createWebhookApp(HOOKS, { SECRET_OF_TESTS: SECRET }, { engine, clock, env: { SHUTDOWN_GRACE_MS: '0', ...env } });
    }

    async function deliver(path: string, id: string, body: unknown = { id }, headers: Record<string, string> = {}): Promise<ApiResponse> {
      const text = JSON.stringify(body);
      return app.api.send('POST', path, text, {
        headers: {
          'content-type': 'application/json',
          'x-github-delivery': id,
          'x-hub-signature-256': await signGithub(SECRET, text),
          ...headers,
        },
      });
    }

    const list = async (query = ''): Promise<Record<string, unknown>[]> =>
      (await app.api.get(`/api/plugins/hooks/deliveries${query}`)).body.data.deliveries;

    const problems = async (): Promise<Record<string, unknown>[]> => (await app.api.get('/api/server/problems')).body.data.problems;

    /** Reads the list until a delivery has come to where it should. */
    async function reaches(id: string, expected: Record<string, unknown>): Promise<Record<string, unknown>> {
      for (;;) {
        const delivery = (await list('?limit=200')).find((candidate) => candidate['id'] === id);
        if (delivery && Object.entries(expected).every(([name, value]) => delivery[name] === value)) return delivery;
        // What became due while it was being scheduled.
        clock.advance(0);
      }
    }

    it('report in the journal how each attempt ended [webhooks.journal]', async () => {
      await start();
      const heard: string[] = [];
      app.test.app.get(Journal).subscribe(({ type, channelId, requestId, payload }) => {
        if (!type.startsWith('delivery.')) return;
        const { deliveryId, route, senderId, attempts, error } = payload as JournalPayloads['delivery.done'];
        heard.push([type, channelId, route, senderId, attempts, error, requestId === deliveryId].join(' '));
      });
      app.handlers.reactions.push(500, 500, 500);
      const { deliveryId: id } = (await deliver('/ack/a', 'one', {}, { 'x-own-id': '1' })).body;
      const { nextAttemptAt } = await reaches(id, { status: 'failed' });
      clock.set(nextAttemptAt as number);
      await reaches(id, { status: 'dead' });
      await deliver('/inline', 'two');
      await deliver('/inline', 'two');
      await deliver('/inline', 'two');
      while (heard.length < 4) await new Promise((resolve) => setImmediate(resolve));
      expect(heard).toEqual([
        'delivery.failed  POST /ack/:tenant 1 1 the handler answered 500 true',
        'delivery.dead  POST /ack/:tenant 1 2 the handler answered 500 true',
        'delivery.failed  POST /inline two 1 the handler answered 500 false',
        'delivery.done  POST /inline two 2  false',
      ]);
    });

    describe('inline [webhooks.once]', () => {
      it('answers what the handler answers, and a delivery that comes again without it', async () => {
        await start();
        app.handlers.reactions.push(201);
        const first = await deliver('/inline', 'one');
        expect(first).toMatchObject({ status: 201, body: { success: true, call: '/inline' } });
        const again = await deliver('/inline', 'one');
        expect(again).toMatchObject({ status: 200, body: { success: true, duplicate: true } });
        const { deliveryId, attempt } = app.handlers.calls[0]!.request;
        expect([deliveryId, attempt]).toEqual([again.body.deliveryId, 1]);
        await app.test.restart();
        expect(await deliver('/inline', 'one')).toMatchObject({ status: 200, body: { duplicate: true, deliveryId } });
        expect(app.handlers.calls).toHaveLength(1);
      });

      it('refuses a repeated delivery while it is handled; a failed one is handled again', async () => {
        await start();
        const gate = held(503);
        app.handlers.reactions.push(gate.reaction, 'throw', 200);
        const first = deliver('/inline', 'one');
        await app.handlers.called(1);
        expect(await deliver('/inline', 'one')).toMatchObject({ status: 409, body: { success: false } });
        gate.open();
        expect((await first).status).toBe(503);
        expect(await deliver('/inline', 'one')).toMatchObject({ status: 500, body: { success: false, error: 'Internal error' } });
        expect((await deliver('/inline', 'one')).status).toBe(200);
        expect((await deliver('/inline', 'one')).body.duplicate).toBe(true);
        expect(app.handlers.calls.map(({ request }) => request.attempt)).toEqual([1, 2, 3]);
      });

      it('a handler that does not respond in time has failed', async () => {
        await start();
        app.handlers.reactions.push('nothing');
        const first = deliver('/inline', 'one');
        await app.handlers.called(1);
        clock.advance(5000);
        expect(await first).toMatchObject({ status: 504, body: { success: false } });
        expect((await deliver('/inline', 'one')).body.duplicate).toBeUndefined();
        expect(app.handlers.calls).toHaveLength(2);
      });

      it('a timeout is reported once it is stored, so that a retry meets no running delivery', async () => {
        await start();
        app.handlers.reactions.push('nothing');
        const first = deliver('/inline', 'one');
        await app.handlers.called(1);
        const [locked, release] = [held(200), held(200)];
        const locking = app.test.app.get(UnitOfWork).run('lock deliveries', async (tx) => {
          await tx.rows(`SELECT id FROM webhook_deliveries ${tx.locking('FOR UPDATE')}`, []);
          locked.open();
          await release.reaction;
        });
        await locked.reaction;
        let answered = false;
        void first.then(() => (answered = true));
        clock.advance(5000);
        for (let request = 0; request < 5; request += 1) await app.api.get('/api/server/ping');
        expect(answered).toBe(false);
        release.open();
        await locking;
        expect((await first).status).toBe(504);
      });

      it('many concurrent copies are handled once', async () => {
        await start();
        const answers = await Promise.all(Array.from({ length: 30 }, () => deliver('/inline', 'one')));
        expect(app.handlers.calls).toHaveLength(1);
        expect(answers.filter(({ status, body }) => status === 200 && body.duplicate === undefined)).toHaveLength(1);
        expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      });

      it('verification and id may come from the plugin', async () => {
        await start();
        const send = (key: string, body: object): Promise<ApiResponse> => app.api.post('/own', body, { headers: { 'x-key': key } });
        expect(await send('another', { id: 'one' })).toMatchObject({ status: 401, body: { error: 'Invalid signature' } });
        for (const duplicate of [undefined, true]) expect((await send(SECRET, { id: 'one' })).body.duplicate).toBe(duplicate);
        // Without an id every delivery is a new one.
        for (const body of [{}, {}]) expect((await send(SECRET, body)).body.duplicate).toBeUndefined();
        expect(app.handlers.calls).toHaveLength(3);
      });
    });

    describe('acknowledged [webhooks.once]', () => {
      it('is acknowledged at once and handled afterwards, with the unchanged request', async () => {
        await start();
        const gate = held('nothing');
        app.handlers.reactions.push(gate.reaction);
        const body = { id: 'one', text: 'é "quoted" \u0000 it’s' };
        const answer = await deliver(`/ack?agentId=${ADA.id}&more=yes`, 'one', body, { 'x-more': 'yes', authorization: 'Bearer a.b' });
        expect(answer).toMatchObject({ status: 202, body: { success: true, deliveryId: expect.any(String) } });
        const id = answer.body.deliveryId as string;
        await app.handlers.called(1);
        expect(await list()).toMatchObject([{ id, status: 'running', attempts: 1, senderId: 'one', route: 'POST /ack', agentId: ADA.id }]);
        gate.open();
        await reaches(id, { status: 'done', error: null, nextAttemptAt: null });
        const { request } = app.handlers.calls[0]!;
        expect(request).toMatchObject({
          method: 'POST',
          path: '/ack',
          query: { more: 'yes' },
          body,
          deliveryId: id,
          attempt: 1,
          files: [],
        });
        expect(request.rawBody.toString()).toBe(JSON.stringify(body));
        expect(request.headers).toMatchObject({ 'x-more': 'yes', 'x-github-delivery': 'one' });
        expect(request.headers['authorization']).toBeUndefined();
      });

      it('is shown with its request, without secrets; one that was handled inline without', async () => {
        await start();
        const { deliveryId: id } = (await deliver('/ack?trace=7', 'one', { id: 'one', note: `says ${SECRET}` }, { 'x-own-id': '1' })).body;
        const { delivery, request } = (await app.api.get(`/api/plugins/hooks/deliveries/${id}`)).body.data;
        expect(delivery).toMatchObject({ id, plugin: 'hooks', mode: 'ack' });
        expect(request).toEqual({
          method: 'POST',
          path: '/ack',
          query: { trace: '7' },
          headers: expect.objectContaining({ 'x-own-id': '1', 'x-hub-signature-256': '[hidden]' }),
          body: '{"id":"one","note":"says [hidden]"}',
          size: JSON.stringify({ id: 'one', note: `says ${SECRET}` }).length,
        });
        const other = (await deliver('/inline', 'two')).body;
        const inline = (await list()).find(({ mode }) => mode === 'inline');
        expect(other).toMatchObject({ success: true });
        expect((await app.api.get(`/api/plugins/hooks/deliveries/${String(inline!['id'])}`)).body.data).toEqual({
          delivery: inline,
          request: null,
        });
      });

      it('a repeated delivery is not handled again', async () => {
        await start();
        const answers = await Promise.all(Array.from({ length: 20 }, () => deliver('/ack', 'one')));
        expect(new Set(answers.map(({ body }) => body.deliveryId)).size).toBe(1);
        expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
        expect(answers.filter(({ status, body }) => status === 200 && body.duplicate)).toHaveLength(19);
        await reaches(answers[0]!.body.deliveryId, { status: 'done' });
        expect(await deliver('/ack', 'one')).toMatchObject({ status: 200, body: { duplicate: true } });
        expect(app.handlers.calls).toHaveLength(1);
      });

      it('is identified by the path parameters, and by the header that the route names', async () => {
        await start();
        const send = (tenant: string, own: string): Promise<ApiResponse> => deliver(`/ack/${tenant}`, newId(), {}, { 'x-own-id': own });
        const statuses: number[] = [];
        for (const [tenant, own] of ['a1', 'a1', 'b1', 'a2'].map((text) => [text[0]!, text[1]!] as const)) {
          statuses.push((await send(tenant, own)).status);
        }
        expect(statuses).toEqual([202, 200, 202, 202]);
        await app.handlers.called(3);
        expect(app.handlers.calls.map(({ request }) => request.params['tenant'] ?? '').sort()).toEqual(['a', 'a', 'b']);
      });

      it('is retried at growing intervals, and dead after the last attempt; then it can be replayed', async () => {
        await start();
        app.handlers.otherwise = () => 500;
        app.handlers.reactions.push('throw', 400);
        const { deliveryId: id } = (await deliver('/ack', 'one')).body;
        const waits: number[] = [];
        for (let attempt = 1; attempt < 5; attempt++) {
          const { nextAttemptAt, error } = await reaches(id, { status: 'failed', attempts: attempt });
          expect(error).toBe(['told to throw', 'the handler answered 400', 'the handler answered 500'][Math.min(attempt, 3) - 1]);
          waits.push((nextAttemptAt as number) - clock.now());
          clock.set((nextAttemptAt as number) - 1);
          expect(app.handlers.calls).toHaveLength(attempt);
          clock.advance(1);
        }
        for (const [index, wait] of waits.entries()) {
          expect(wait).toBeGreaterThanOrEqual(500 * 4 ** index);
          expect(wait).toBeLessThanOrEqual(1000 * 4 ** index);
        }
        await reaches(id, { status: 'dead', attempts: 5, nextAttemptAt: null });
        expect(await list('?status=dead')).toHaveLength(1);
        expect(await list('?status=done')).toEqual([]);
        const dead = { kind: 'deliveries', plugin: 'hooks', count: 1, at: clock.now(), details: 'the handler answered 500' };
        expect(await problems()).toMatchObject([dead]);

        app.handlers.otherwise = () => 200;
        const replayed = await app.api.post(`/api/plugins/hooks/deliveries/${id}/replay`);
        expect(replayed).toMatchObject({ status: 202, body: { success: true, data: { delivery: { id, mode: 'ack' } } } });
        await reaches(id, { status: 'done', attempts: 1, error: null });
        expect(await problems()).toEqual([]);
        expect(app.handlers.calls.at(-1)!.request).toMatchObject({ deliveryId: id, attempt: 1, body: { id: 'one' } });
        // A handled delivery may be replayed, too.
        await app.api.post(`/api/plugins/hooks/deliveries/${id}/replay`);
        await app.handlers.called(7);
        await reaches(id, { status: 'done' });
      });

      it('a dead one that its sender repeats is handled again', async () => {
        await start();
        app.handlers.reactions.push(500, 500);
        const { deliveryId: id } = (await deliver('/ack/a', 'one', {}, { 'x-own-id': '1' })).body;
        const { nextAttemptAt } = await reaches(id, { status: 'failed' });
        clock.set(nextAttemptAt as number);
        await reaches(id, { status: 'dead', attempts: 2 });
        expect(await deliver('/ack/a', 'one', {}, { 'x-own-id': '1' })).toMatchObject({ status: 202, body: { deliveryId: id } });
        await reaches(id, { status: 'done' });
      });

      it('a handler that does not finish in time has failed', async () => {
        await start();
        app.handlers.reactions.push(held(200).reaction);
        const { deliveryId: id } = (await deliver('/ack', 'one')).body;
        await app.handlers.called(1);
        const { signal } = app.handlers.calls[0]!.request;
        clock.advance(4000);
        const { nextAttemptAt, error } = await reaches(id, { status: 'failed' });
        expect([error, signal.aborted]).toEqual(['the handler did not end within 4000 ms', true]);
        clock.set(nextAttemptAt as number);
        await reaches(id, { status: 'done', attempts: 2 });
      });

      it('survives a restart, even during a handler', async () => {
        await start();
        app.handlers.otherwise = () => held(200).reaction;
        const ids: string[] = [];
        // More than are handled at a time: some run, some wait.
        for (let index = 0; index < 40; index++) ids.push((await deliver('/ack', `delivery-${index}`)).body.deliveryId);
        await app.handlers.called(32);
        const began = app.handlers.calls.length;
        app.handlers.otherwise = () => 200;
        await app.test.restart();
        for (const id of ids) await reaches(id, { status: 'done', attempts: 1 });
        expect(app.handlers.calls).toHaveLength(began + 40);
        expect(await deliver('/ack', 'delivery-7')).toMatchObject({ status: 200, body: { duplicate: true } });
      });

      it('waits for its agent', async () => {
        await start();
        const gate = held(500);
        app.handlers.reactions.push(gate.reaction);
        const { deliveryId: id } = (await deliver(`/ack?agentId=${ADA.id}`, 'one')).body;
        await app.handlers.called(1);
        const agents = app.test.app.get(AgentsService);
        const find = jest
          .spyOn(agents, 'find')
          .mockImplementation((id) => ({ ...agents.list().find((agent) => agent.id === id)!, status: 'inactive' }));
        gate.open();
        const { nextAttemptAt } = await reaches(id, { status: 'failed' });
        clock.set(nextAttemptAt as number);
        const waiting = await reaches(id, { status: 'received', attempts: 1 });
        find.mockRestore();
        clock.set(waiting['nextAttemptAt'] as number);
        await reaches(id, { status: 'done', attempts: 2 });
      });

      it('that waits for its plugin is handled once the plugin is back', async () => {
        await start();
        app.handlers.reactions.push(held(200).reaction);
        const { deliveryId: id } = (await deliver('/ack', 'one')).body;
        await app.handlers.called(1);
        const file = join(app.test.config.pluginsDir, 'hooks.mjs');
        await rename(file, `${file}.away`);
        await app.test.restart();
        expect((await app.api.get('/api/plugins')).body.data.plugins).toEqual([]);
        await rename(`${file}.away`, file);
        const [source] = await findSources(app.test.config.pluginsDir);
        await app.test.app.get(PluginHost).reload(source as PluginSource);
        // Without a heartbeat: the clock stands still.
        await app.handlers.called(2);
        await reaches(id, { status: 'done', attempts: 1 });
      });

      it('is deleted in the end, and its content earlier', async () => {
        await start();
        const { deliveryId: id } = (await deliver('/ack', 'one')).body;
        await reaches(id, { status: 'done' });
        clock.advance(25 * 3_600_000);
        const replay = (): Promise<ApiResponse> => app.api.post(`/api/plugins/hooks/deliveries/${id}/replay`);
        while ((await replay()).status !== 409) {
          await reaches(id, { status: 'done' });
          clock.advance(3_600_000);
        }
        expect(await deliver('/ack', 'one')).toMatchObject({ body: { duplicate: true } });
        clock.advance(7 * 24 * 3_600_000);
        while ((await list()).length > 0) clock.advance(3_600_000);
        expect((await deliver('/ack', 'one')).status).toBe(202);
      });
    });

    it('are listed page by page, newest first, and unknown values are errors', async () => {
      await start();
      const ids: string[] = [];
      for (let index = 0; index < 5; index++) {
        ids.unshift((await deliver('/ack', `delivery-${index}`)).body.deliveryId);
        clock.advance(index % 2);
      }
      const pages: string[] = [];
      for (let before = ''; ; before = `&before=${pages.at(-1)}`) {
        const page = (await list(`?limit=2${before}`)).map(({ id }) => String(id));
        if (page.length === 0) break;
        pages.push(...page);
      }
      expect([...pages].sort()).toEqual([...ids].sort());
      const refused = async (path: string, method: 'get' | 'post' = 'get'): Promise<unknown[]> => {
        const { status, body } = await app.api[method](`/api/plugins/${path}`);
        return [status, body.error?.code];
      };
      expect(await refused('nobody/deliveries')).toEqual([404, 'PLUGIN_NOT_FOUND']);
      expect(await refused(`nobody/deliveries/${newId()}/replay`, 'post')).toEqual([404, 'PLUGIN_NOT_FOUND']);
      expect(await refused(`hooks/deliveries/${newId()}/replay`, 'post')).toEqual([404, 'DELIVERY_NOT_FOUND']);
      expect(await refused(`hooks/deliveries?before=${newId()}`)).toEqual([404, 'DELIVERY_NOT_FOUND']);
      expect(await refused('hooks/deliveries/none/replay', 'post')).toEqual([400, 'INVALID_ID']);
      expect(await refused(`nobody/deliveries/${newId()}`)).toEqual([404, 'PLUGIN_NOT_FOUND']);
      expect(await refused(`hooks/deliveries/${newId()}`)).toEqual([404, 'DELIVERY_NOT_FOUND']);
      expect(await refused('hooks/deliveries/none')).toEqual([400, 'INVALID_ID']);
      for (const query of ['status=lost', 'limit=0', 'limit=201', 'limit=x', 'before=x']) {
        expect(await refused(`hooks/deliveries?${query}`)).toEqual([400, 'VALIDATION_ERROR']);
      }
      await deliver('/inline', 'one');
      const [inline] = (await list()).filter(({ mode }) => mode === 'inline');
      expect(await refused(`hooks/deliveries/${String(inline!['id'])}/replay`, 'post')).toEqual([409, 'CONFLICT']);
    });
  });
}
