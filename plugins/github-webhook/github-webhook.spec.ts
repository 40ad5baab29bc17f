import { describe, expect, it } from '@jest/globals';
import { callRoute, signRequest, type RouteTestResult } from 'parley-server/plugin-sdk/testing';
import plugin from './index.js';

const CHANNEL = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const BASE = { repository: { full_name: 'acme/app' }, sender: { login: 'mona' } };

const EVENTS: [event: string, body: object, text: string | undefined][] = [
  ['push', { ref: 'refs/heads/main', commits: [{}, {}] }, 'mona pushed 2 commits to main of acme/app.'],
  ['push', { ref: 'refs/heads/main', commits: [{}] }, 'mona pushed 1 commit to main of acme/app.'],
  ['push', { ref: 'refs/heads/gone', commits: [] }, undefined],
  ['issues', { action: 'opened', issue: { number: 7, title: 'Broken' } }, 'mona opened issue #7 “Broken” in acme/app.'],
  [
    'pull_request',
    { action: 'closed', pull_request: { number: 8, title: 'Fix', merged: true } },
    'mona merged pull request #8 “Fix” in acme/app.',
  ],
  ['pull_request', { action: 'closed', pull_request: { number: 8, title: 'Fix' } }, 'mona closed pull request #8 “Fix” in acme/app.'],
  ['release', { action: 'published', release: { tag_name: 'v1.0' } }, 'mona published v1.0 of acme/app.'],
  ['star', { action: 'created' }, undefined],
];

describe('github-webhook', () => {
  it.each(EVENTS)('on %s %j', async (event, body, text) => {
    const request = { method: 'POST', path: '/github-webhook', body: { ...BASE, ...body }, headers: { 'x-github-event': event } };
    const answer = await callRoute(plugin, request, { settings: { GITHUB_WEBHOOK_CHANNEL: CHANNEL } });
    expect(answer.status).toBe(200);
    expect(answer.sent.map((message) => message.text)).toEqual(text === undefined ? [] : [text]);
  });

  it('takes the default content type of GitHub, a form', async () => {
    const body = new URLSearchParams({ payload: JSON.stringify({ ...BASE, ref: 'refs/heads/main', commits: [{}] }) }).toString();
    const headers = { 'x-github-event': 'push', 'content-type': 'application/x-www-form-urlencoded' };
    const settings = { GITHUB_WEBHOOK_SECRET: 'a secret of the tests', GITHUB_WEBHOOK_CHANNEL: CHANNEL };
    const request = signRequest(plugin, { method: 'POST', path: '/github-webhook', body, headers }, { secret: 'a secret of the tests' });
    const answer = await callRoute(plugin, request, { settings });
    expect(answer.sent.map((message) => message.text)).toEqual(['mona pushed 1 commit to main of acme/app.']);
  });

  it('tells nobody while no channel is set', async () => {
    const request = { method: 'POST', path: '/github-webhook', body: { ...BASE, commits: [{}] }, headers: { 'x-github-event': 'push' } };
    expect(await callRoute(plugin, request)).toMatchObject({ status: 200, sent: [] });
  });

  it('lets in only what GitHub has signed', async () => {
    const settings = { GITHUB_WEBHOOK_SECRET: 'a secret of the tests', GITHUB_WEBHOOK_CHANNEL: CHANNEL };
    const request = { method: 'POST', path: '/github-webhook', body: { ...BASE, commits: [{}] }, headers: { 'x-github-event': 'push' } };
    const signed = (secret: string): Promise<RouteTestResult> => callRoute(plugin, signRequest(plugin, request, { secret }), { settings });
    expect(await signed('another secret')).toMatchObject({ status: 401, sent: [] });
    expect(await signed('a secret of the tests')).toMatchObject({ status: 200, sent: [{ channelId: CHANNEL }] });
  });
});
