// One-off questions: /api/messaging/jobs (contract 1.10)
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { JobRetention } from '../../src/modules/turns/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError, expectHybrid } from '../support/expect-envelope.js';
import { Gate } from '../support/scripted-model.js';
import { CHANNELS, contractApp, HOUR, NOBODY, USER } from './support/contract-app.js';
import { describeBody, describePathId } from './support/describe-operation.js';
import { integer, knownUuid, object, text, uuid, type Field } from './support/kinds.js';

const JOBS = '/api/messaging/jobs';

const FIELDS: Field[] = [
  ['userId', uuid, 'required'],
  ['content', text(50_000), 'required'],
  ['agentId', knownUuid, 'optional'],
  ['metadata', object(10_000), 'optional or null'],
  ['timeoutMs', integer(1000, 300_000), 'optional'],
];

const NEW_JOB = { jobId: expect.any(String), status: expect.any(String), createdAt: expect.any(Number), expiresAt: expect.any(Number) };

describe('jobs', () => {
  const app = contractApp();
  const { api, clock } = app;
  const create = (body: object = {}): Promise<ApiResponse> => api.post(JOBS, { userId: USER, content: 'What is the time?', ...body });
  const newJob = async (body: object = {}): Promise<string> => expectHybrid(await create(body), 201).jobId;
  const read = async (id: string): Promise<ApiResponse['body']> => {
    const { status, body } = await api.get(`${JOBS}/${id}`);
    expect([status, body]).toEqual([200, { ...body.data, success: true, data: body.data }]);
    return body.data;
  };
  /** The job once its turn has ended. */
  const ended = async (id: string): Promise<ApiResponse['body']> => {
    const { channelId } = await read(id);
    await app.ended(channelId);
    return read(id);
  };

  beforeEach(() => {
    app.test.model.always(() => 'Noon.');
  });

  describe('POST', () => {
    describeBody({
      fields: FIELDS,
      good: () => ({ userId: USER, content: 'What is the time?' }),
      send: (body) => api.post(JOBS, body, { headers: { 'content-type': 'application/json' } }),
      data: (answer) => expectHybrid(answer, 201),
      shape: NEW_JOB,
      shownAt: Object.fromEntries(FIELDS.map(([path]) => [path, undefined])),
    });

    it('responds 201 with the job, in both forms, and its expiry', async () => {
      const job = expectHybrid(await create({ timeoutMs: 5000 }), 201);
      expect(job).toEqual({
        jobId: expect.any(String),
        status: 'pending',
        createdAt: clock.now(),
        expiresAt: clock.now() + 5000,
        replyId: expect.any(String),
        inReplyTo: expect.any(String),
      });
    });

    it('uses the first running agent by default, and refuses an unknown one', async () => {
      expect((await ended(await newJob())).agentId).toBe(ADA.id);
      const other = await ended(await newJob({ agentId: BOB.id.toUpperCase() }));
      expect(other).toMatchObject({ agentId: BOB.id, result: { message: { authorId: BOB.id } } });
      expectError(await create({ agentId: NOBODY }), 404, 'AGENT_NOT_FOUND');
    });
  });

  describe('ends [jobs.end]', () => {
    it('with the reply', async () => {
      const id = await newJob({ metadata: { source: 'cron' } });
      const job = await ended(id);
      expect(job).toEqual({
        jobId: id,
        status: 'completed',
        agentId: ADA.id,
        userId: USER,
        channelId: expect.any(String),
        prompt: 'What is the time?',
        metadata: { source: 'cron' },
        createdAt: clock.now(),
        expiresAt: clock.now() + 30_000,
        replyId: job.result.message.id,
        inReplyTo: expect.any(String),
        result: {
          message: { id: expect.any(String), content: 'Noon.', authorId: ADA.id, createdAt: clock.now(), metadata: expect.any(Object) },
          didRespond: true,
          processingTimeMs: 0,
        },
      });
      expect((await app.messages(job.channelId)).map(({ content }) => content)).toEqual(['Noon.', 'What is the time?']);
    });

    it('with a failure when the model returns nothing', async () => {
      app.test.model.always(() => '');
      expect(await ended(await newJob())).toMatchObject({ status: 'failed', errorCode: 'EMPTY_REPLY' });
    });

    it('with the error of the model', async () => {
      app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'The model stays away.'));
      const job = await ended(await newJob());
      expect(job).toMatchObject({ status: 'failed', error: 'The model stays away.', errorCode: 'MODEL_UNAVAILABLE' });
      expect(job).not.toHaveProperty('result');
    });

    it('at its timeout, to the millisecond, and ignores a later reply', async () => {
      const gate = new Gate();
      app.test.model.deltas(['Too late.'], { gate });
      const id = await newJob({ timeoutMs: 1000 });
      const { channelId } = await read(id);
      await app.entry(channelId, 'turn.started');
      clock.advance(999);
      expect(await read(id)).toMatchObject({ status: 'processing' });
      clock.advance(1);
      expect(await read(id)).toMatchObject({ status: 'timeout', error: 'Job timed out waiting for agent response' });
      clock.advance(1);
      gate.open();
      await app.ended(channelId);
      expect(await read(id)).toMatchObject({ status: 'timeout' });
      expect((await app.messages(channelId))[0].content).toBe('Too late.');
    });

    it('when its question is deleted', async () => {
      app.test.model.stall();
      const id = await newJob();
      await api.delete(`${CHANNELS}/${(await read(id)).channelId}/messages`);
      expect(await read(id)).toMatchObject({ status: 'failed', errorCode: 'TURN_CANCELLED' });
    });
  });

  describe('GET', () => {
    describePathId('jobId', { send: (id) => api.get(`${JOBS}/${id}`), unknown: 'JOB_NOT_FOUND' });

    it.each(['limit=0', 'limit=x', 'limit=101', 'status=', 'status=done', 'cursor=x'])('is refused with 400 for %s', async (query) => {
      expectError(await api.get(`${JOBS}?${query}`), 400, 'VALIDATION_ERROR');
    });

    it('lists jobs newest first, by status, and page by page', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        const id = await newJob();
        await ended(id);
        ids.unshift(id);
      }
      clock.advance(1);
      app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'Away.'));
      const failed = await newJob();
      await ended(failed);
      const all = expectHybrid(await api.get(`${JOBS}?limit=100`));
      expect(all.jobs[0].jobId).toBe(failed);
      expect(all).toMatchObject({ total: all.jobs.length, filtered: all.jobs.length });
      expect(expectHybrid(await api.get(`${JOBS}?status=failed&limit=1`)).jobs[0].jobId).toBe(failed);
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const page = expectHybrid(await api.get(`${JOBS}?status=completed&limit=2${cursor}`));
        seen.push(...page.jobs.map(({ jobId }: { jobId: string }) => jobId));
        if (page.nextCursor === undefined) break;
        cursor = `&cursor=${page.nextCursor as string}`;
      }
      const completed = all.jobs
        .filter(({ status }: { status: string }) => status === 'completed')
        .map(({ jobId }: { jobId: string }) => jobId);
      expect(seen).toEqual(completed);
      expect(seen).toEqual(expect.arrayContaining(ids));
    });

    it('has health as a separate operation, which counts by status', async () => {
      await ended(await newJob());
      const health = expectHybrid(await api.get(`${JOBS}/health`));
      const { pending, processing, completed, failed, timeout } = health.statusCounts;
      expect(health).toMatchObject({
        healthy: true,
        timestamp: clock.now(),
        totalJobs: pending + processing + completed + failed + timeout,
        maxJobs: 10_000,
      });
      const { successRate, failureRate, timeoutRate } = health.metrics;
      expect(successRate + failureRate + timeoutRate).toBeCloseTo(1, 1);
      expectError(await api.get(`${JOBS}/healthy`), 400, 'INVALID_ID');
    });
  });

  it('are deleted with their channels some time after their end [jobs.retention]', async () => {
    const id = await newJob();
    const { channelId, expiresAt } = await ended(id);
    clock.set(expiresAt + 24 * HOUR);
    await app.test.app.get(JobRetention, { strict: false }).sweep();
    expectData(await api.get(`${CHANNELS}/${channelId}`));
    clock.advance(1);
    await app.test.app.get(JobRetention, { strict: false }).sweep();
    expectError(await api.get(`${JOBS}/${id}`), 404, 'JOB_NOT_FOUND');
    expectError(await api.get(`${CHANNELS}/${channelId}`), 404, 'CHANNEL_NOT_FOUND');
  });
});
