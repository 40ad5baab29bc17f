// The load of a fleet, as a role of run.mjs: callers who take turns in sessions of their own and wait for every answer.
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { percentile } from '../support/statistics.mjs';

export default function main() {
  process.on('message', (job) => {
    // Of each job, because servers close connections that were idle for long.
    const agent = new Agent({ keepAlive: true });
    run(agent, job)
      .then(
        (measured) => process.send(measured),
        (error) => process.send({ error: error.stack }),
      )
      .finally(() => agent.destroy());
  });
}

/**
 * `conversations`: for each caller the paths that it posts to, one after the other, and from the first again. `urls`: the processes; a
 * caller stays with one of them, or with `spread` sends each request to any. `seconds`: how long, or `amount`: how many requests in all.
 */
async function run(agent, { urls, conversations, questions, spread, seconds, amount = Infinity }) {
  const times = [];
  let begun = 0;
  const begin = performance.now();
  const end = amount === Infinity ? begin + seconds * 1000 : Infinity;
  const call = async (paths, caller) => {
    for (let turn = 0; performance.now() < end && begun < amount; turn += 1) {
      begun += 1;
      const url = urls[spread ? Math.floor(Math.random() * urls.length) : caller % urls.length];
      const sent = performance.now();
      await post(agent, url + paths[turn % paths.length], { content: questions[turn % questions.length], transport: 'http' });
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(conversations.map(call));
  const took = performance.now() - begin;
  times.sort((a, b) => a - b);
  return {
    count: times.length,
    seconds: took / 1000,
    perSecond: (1000 * times.length) / took,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

async function post(agent, url, body) {
  const headers = { 'content-type': 'application/json' };
  const [response] = await once(request(url, { method: 'POST', headers, agent, timeout: 30_000 }).end(JSON.stringify(body)), 'response');
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  if (response.statusCode !== 201) throw new Error(`${url} was answered with ${response.statusCode} ${text}`);
}
