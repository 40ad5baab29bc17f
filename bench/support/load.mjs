// The load generator: a child of the bench, so that the server keeps a core. Answers each job with what it measured.
import autocannon from 'autocannon';
import { percentile } from './statistics.mjs';

export default function main() {
  process.on('message', (job) => {
    run(job).then(
      (measured) => process.send(measured),
      (error) => process.send({ error: error.stack }),
    );
  });
}

/**
 * `requests`: what the callers send, one entry for each caller (or for several, in turns); an entry may be a list, of which one is sent
 * after the other. `seconds`: how long. All callers send their next request as soon as the last was answered.
 */
async function run({ url, callers, seconds, requests, expect = 200 }) {
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
        duration: seconds,
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
