import { it } from '@jest/globals';
import { SessionStack, ADA_ID } from '../support/session-stack.js';
import { idFromText } from '../../src/core/ids/index.js';

it('smoke', async () => {
  const out: string[] = [];
  let t = performance.now();
  const lap = (name: string) => { out.push(`${name} ${(performance.now() - t).toFixed(1)}`); t = performance.now(); };
  const stack = await SessionStack.open('sqlite');
  lap('open');
  const s = await stack.sessions.create({ agentId: ADA_ID, userId: idFromText('u') });
  lap('create');
  for (let i = 0; i < 50; i++) await stack.sessions.create({ agentId: ADA_ID, userId: idFromText('u') });
  lap('50 creates');
  await stack.settle();
  lap('settle');
  for (let i = 0; i < 50; i++) await stack.sessions.post(s, { content: 'x', metadata: {} });
  lap('50 posts');
  await stack.settle();
  for (let i = 0; i < 5; i++) { await stack.stop(); await stack.start(); }
  lap('5 restarts');
  stack.clock.advance(30 * 60_000); await stack.settle();
  lap('expire');
  out.push(JSON.stringify(await stack.rows('select type, count(*) c from journal group by 1')));
  for (const callers of [1, 16, 64]) {
  const n = 4000; let i = 0; t = performance.now();
  await Promise.all(Array.from({ length: callers }, async () => { while (i++ < n * Math.min(1, callers/16)) await stack.sessions.create({ agentId: ADA_ID, userId: idFromText('u'), metadata: { platform: 'web', username: 'zoe' } }); }));
  const ms = performance.now() - t; out.push(`${callers}: ${(n * Math.min(1, callers/16) / ms * 1000).toFixed(0)}/s`);
  }
  await stack.close();
  process.stderr.write(out.join('\n') + '\n');
}, 60000);
