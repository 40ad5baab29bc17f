// What metrics say of PostgreSQL: connections, queues and the journal of a database that several servers share. promtool, of the Debian
// package prometheus, says whether Prometheus would complain.
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';

const USER = '11111111-1111-1111-1111-111111111111';

describe('metrics on PostgreSQL', () => {
  const api = new ApiClient(() => test.url);
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ engine: 'postgres', env: { METRICS: 'on', DATABASE_POOL_SIZE: '7' } });
  });
  afterAll(() => test.close());

  const scrape = async (): Promise<string> => (await fetch(`${test.url}/metrics`)).text();
  const read = async (): Promise<Map<string, number>> => {
    const text = await scrape();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  };

  it('report connections, the leader, queues and the delivered part of the journal', async () => {
    const gate = new Gate();
    test.model.deltas(['Hello.'], { gate });
    const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
    const answer = api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello', transport: 'http' });
    await test.model.called();
    const metrics = await read();
    expect(metrics.get('parley_database_pool_limit')).toBe(7);
    const connections = (state: string): number => metrics.get(`parley_database_pool_connections{state="${state}"}`) ?? Number.NaN;
    expect(connections('used') + connections('idle')).toBeGreaterThan(0);
    expect(connections('used') + connections('idle')).toBeLessThanOrEqual(7);
    expect(metrics.get('parley_database_pool_waiting')).toBe(0);
    expect(metrics.get('parley_database_notifications_connected')).toBe(1);
    expect(metrics.get('parley_leader')).toBe(1);
    expect(metrics.get('parley_queue_jobs{queue="turns",state="running"}')).toBe(1);
    expect(metrics.get('parley_queue_jobs{queue="turns",state="due"}')).toBe(0);
    expect(metrics.get('parley_queue_oldest_age_seconds{queue="turns"}')).toBe(0);
    expect(metrics.get('parley_journal_lag_seconds')).toBeLessThan(5);
    expect(metrics.get('parley_database_write_wait_seconds_count')).toBeGreaterThan(0);
    expect(metrics.get('parley_database_write_hold_seconds_count')).toBeGreaterThan(0);
    expect(metrics.has('parley_metrics_source_failures_total{source="queues"}')).toBe(false);
    gate.open();
    expect((await answer).status).toBe(201);
  });

  it('pass the checks of promtool', async () => {
    const text = await scrape();
    const found = await new Promise<string>((resolve) => {
      const child = execFile('promtool', ['check', 'metrics'], (error, stdout, stderr) =>
        resolve(`${error?.code ?? 0}\n${stdout}${stderr}`),
      );
      child.stdin?.end(text);
    });
    expect(found).toBe('0\n');
  });
});
