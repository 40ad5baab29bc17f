// The load generator: a child of the bench, so that the server keeps a core. Answers each job with what it measured.
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { percentile } from './statistics.mjs';

export default function main() {
  process.on('message', (job) => {
    (job.perSecond === undefined ? run(job) : pace(job)).then(
      (measured) => process.send(measured),
      (error) => process.send({ error: error.stack }),
    );
  });
}

/**
 * `requests`: what the callers send, one entry for each caller (or for several, in turns); an entry may be a list, of which one is sent
 * after the other. `seconds`: how long, or `amount`: how many requests in all. All callers send their next request as soon as the last was answered.
 */
async function run({ url, callers, seconds, amount, requests, expect = 200 }) {
  const times = [];
  const wrong = new Map();
  let next = 0;
  const begin = performance.now();
  let last = begin;
  const result = await new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections: callers,
        ...(amount === undefined ? { duration: seconds } : { amount }),
        timeout: 30,
        setupClient: (client) => client.setRequests([requests[next++ % requests.length]].flat()),
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    instance.on('response', (_client, status, _bytes, ms) => {
      if (status === expect) times.push(ms);
      else wrong.set(status, (wrong.get(status) ?? 0) + 1);
      last = performance.now();
    });
  });
  if (wrong.size > 0 || result.errors > 0) {
    throw new Error(`answers other than ${expect}: ${JSON.stringify([...wrong])}, errors: ${result.errors}, time-outs: ${result.timeouts}`);
  }
  times.sort((a, b) => a - b);
  return {
    count: times.length,
    perSecond: (times.length / (last - begin)) * 1000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/** Sends each request once, so many per second whether or not the ones before were answered, each over a connection of its own. */
async function pace({ url, perSecond, requests, expect = 200 }) {
  const agent = new Agent({ keepAlive: false });
  const begin = performance.now();
  const times = await Promise.all(
    requests.map(async ({ method, path, headers, body }, index) => {
      await wait((1000 * index) / perSecond);
      const sent = performance.now();
      const [response] = await once(send(url + path, { method, headers, agent }).end(body), 'response');
      if (response.statusCode !== expect) throw new Error(`${path} was answered with ${response.statusCode}, not ${expect}`);
      await once(response.resume(), 'end');
      return performance.now() - sent;
    }),
  );
  times.sort((a, b) => a - b);
  const took = performance.now() - begin;
  return { count: times.length, perSecond: (1000 * times.length) / took, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
