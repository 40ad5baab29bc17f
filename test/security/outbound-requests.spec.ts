// The only way out: an address that an agent or a request gave reaches the internet and what the operator allows, whatever its spelling,
// whatever its name resolves to, and however its server behaves.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { loadConfig } from '../../src/core/config/index.js';
import { AppError } from '../../src/core/errors/index.js';
import { Outbound, serviceFetch, type OutboundLimits, type Resolve } from '../../src/providers/outbound/index.js';
import { FakeClock } from '../support/fake-clock.js';

const LIMITS: OutboundLimits = { maxBytes: 10_000, timeoutMs: 5000 };
const KEY = 'sk-the-operators-own';

let server: Server;
let port: number;
let answer: RequestListener;
const asked: string[] = [];
const outbounds: Outbound[] = [];
const clock = new FakeClock();

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.socket.localAddress} ${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  asked.length = 0;
  answer = (_request, response) => response.end('here');
  await Promise.all(outbounds.splice(0).map((outbound) => outbound.close()));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
answer = (_request, response) => response.end('here');

function outbound(env: Record<string, string> = {}, resolve?: Resolve): Outbound {
  const made = new Outbound(loadConfig({ OPENAI_API_KEY: KEY, ...env }, '0'), clock, resolve);
  outbounds.push(made);
  return made;
}

/** Names resolve to these addresses, one look-up after another. */
function answers(...lookups: string[][]): { resolve: Resolve; count: () => number } {
  let count = 0;
  const resolve: Resolve = (_host, done) => {
    const addresses = lookups[Math.min(count, lookups.length - 1)] ?? [];
    count += 1;
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, count: () => count };
}

async function refusal(request: Promise<unknown>): Promise<AppError> {
  const error: unknown = await request
    .then((response) => (response instanceof Response ? response.text() : 'redirected'))
    .then(
      (text) => new Error(`answered: ${text.slice(0, 100)}`),
      (reason: unknown) => reason,
    );
  if (!(error instanceof AppError)) throw error;
  return error;
}

const PRIVATE = [
  ...['127.0.0.1', '127.1', '127.8.8.8', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '127.0.0.1.', '127.0.1'],
  ...['0.0.0.0', '0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '2852039166', '0xa9fea9fe'],
  ...['100.64.0.1', '100.100.100.200', '192.0.0.1', '198.18.0.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]'],
  ...[
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::7f00:1]',
  ],
  ...['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2001::1]', '[2001:db8::1]', '[100::1]', '[4000::1]'],
  ...['１２７.０.０.１', '⑫7.0.0.1', '127。0。0。1', 'localhost', 'LOCALHOST'],
];

it.each(PRIVATE)('http://%s is not requested', async (host) => {
  const error = await refusal(outbound().fetch(`http://${host}:${port}/`, {}, LIMITS));
  expect([error.code, error.status]).toEqual(['VALIDATION_ERROR', 400]);
  expect(error.details).toContain('OUTBOUND_ALLOWED_NETWORKS');
  expect(error.message + error.details).not.toMatch(/\d+\.\d+\.\d+|::|local/);
  expect(asked).toEqual([]);
});

it.each(['127.0.0.1', '169.254.169.254', '10.1.2.3', '::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', 'fd00::1', '100.64.1.1'])(
  'a name that resolves to %s is not requested, and the address is not revealed',
  async (address) => {
    const error = await refusal(outbound({}, answers([address]).resolve).fetch(`http://intern.example:${port}/`, {}, LIMITS));
    expect([error.code, JSON.stringify(error).includes(address)]).toEqual(['VALIDATION_ERROR', false]);
    expect(error.message + error.details).not.toContain(address);
    expect(asked).toEqual([]);
  },
);

it.each(['ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,x', 'gopher://127.0.0.1/', 'javascript:1', '//example.com', 'x', ''])(
  '%j is not an allowed address',
  async (address) => {
    expect((await refusal(outbound().fetch(address, {}, LIMITS))).code).toBe('VALIDATION_ERROR');
  },
);

it.each(['http://user@example.com/', 'http://user:pass@example.com/', 'http://example.com@127.0.0.1/', 'http://127.0.0.1:80@example.com/'])(
  '%s is refused for its user name',
  async (address) => {
    expect((await refusal(outbound().fetch(address, {}, LIMITS))).code).toBe('VALIDATION_ERROR');
  },
);

describe('a name', () => {
  it('is connected to at the checked address, whatever it resolves to next', async () => {
    const dns = answers(['127.0.0.2'], ['127.0.0.1']);
    const subject = outbound({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.2' }, dns.resolve);
    const response = await subject.fetch(`http://rebind.example:${port}/path`, {}, LIMITS);
    expect([response.status, await response.text()]).toEqual([200, 'here']);
    expect(asked).toEqual([`127.0.0.2 rebind.example:${port} /path`]);
    expect(dns.count()).toBe(1);
  });

  it('is checked again for every connection', async () => {
    const subject = outbound({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.2' }, answers(['127.0.0.2'], ['127.0.0.1']).resolve);
    answer = (_request, response) => response.setHeader('connection', 'close').end('here');
    await (await subject.fetch(`http://rebind.example:${port}/`, {}, LIMITS)).text();
    expect((await refusal(subject.fetch(`http://rebind.example:${port}/`, {}, LIMITS))).code).toBe('VALIDATION_ERROR');
    expect(asked).toHaveLength(1);
  });

  it('is evicted after many others', async () => {
    const dns = answers(['127.0.0.2']);
    const subject = outbound({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.2' }, dns.resolve);
    const ask = async (name: string): Promise<string> => (await subject.fetch(`http://${name}.example:${port}/`, {}, LIMITS)).text();
    await ask('first');
    for (let i = 0; i < 256; i += 1) await ask(`other-${i}`);
    const before = dns.count();
    await ask('first');
    // Its connection was idle, and would have been used again.
    expect(dns.count()).toBe(before + 1);
  });

  it('is connected to at its allowed addresses', async () => {
    const subject = outbound({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.2' }, answers(['127.0.0.1', '10.0.0.1', '127.0.0.2']).resolve);
    await (await subject.fetch(`http://both.example:${port}/`, {}, LIMITS)).text();
    expect(asked).toEqual([`127.0.0.2 both.example:${port} /`]);
  });
});

describe('the operator', () => {
  it.each(['127.0.0.1', '127.0.0.0/8', '127.0.0.0/255.0.0.0', 'loopback', '10.0.0.0/8, loopback'])('allows %s', async (networks) => {
    const subject = outbound({ OUTBOUND_ALLOWED_NETWORKS: networks });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      expect(await (await subject.fetch(`http://${host}:${port}/`, {}, LIMITS)).text()).toBe('here');
    }
    expect((await refusal(subject.fetch('http://169.254.169.254/', {}, LIMITS))).code).toBe('VALIDATION_ERROR');
  });

  it.each(['OPENAI_BASE_URL', 'OPENAI_AUDIO_BASE_URL', 'ANTHROPIC_BASE_URL', 'OLLAMA_BASE_URL', 'ELEVENLABS_BASE_URL'])(
    'shares the address of %s with no other service',
    async (setting) => {
      const subject = outbound({ [setting]: `http://localhost:${port}/v1` });
      for (const path of ['/', '/v1', '/v1/models', '/api/tags']) {
        expect((await refusal(subject.fetch(`http://localhost:${port}${path}`, {}, LIMITS))).code).toBe('VALIDATION_ERROR');
      }
      expect(asked).toEqual([]);
    },
  );

  it('has keys that do not match every word', async () => {
    const subject = outbound({ OUTBOUND_ALLOWED_NETWORKS: 'loopback', API_KEY: 'dev' });
    const body = '{"content":"What does a developer do?"}';
    expect(await (await subject.fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }, LIMITS)).text()).toBe('here');
  });

  it('does not send keys to addresses of others', async () => {
    const subject = outbound({ OUTBOUND_ALLOWED_NETWORKS: 'loopback' });
    for (const init of [
      { headers: { authorization: `Bearer ${KEY}` } },
      { headers: [['x-api-key', KEY]] as [string, string][] },
      { method: 'POST', body: KEY },
    ]) {
      expect((await refusal(subject.fetch(`http://127.0.0.1:${port}/`, init, LIMITS))).code).toBe('VALIDATION_ERROR');
    }
    expect((await refusal(subject.fetch(`http://127.0.0.1:${port}/?key=${KEY}`, {}, LIMITS))).code).toBe('VALIDATION_ERROR');
    expect(asked).toEqual([]);
  });
});

describe('a server that', () => {
  const open = (): Outbound => outbound({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1' });
  const ask = (subject = open(), limits = LIMITS): Promise<Response> => subject.fetch(`http://127.0.0.1:${port}/`, {}, limits);

  it.each([301, 302, 303, 307, 308])('redirects with %d to the cloud metadata address is not followed', async (status) => {
    answer = (_request, response) => response.writeHead(status, { location: `http://127.0.0.2:${port}/latest/meta-data` }).end();
    const error = await refusal(ask());
    expect([error.code, error.message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('redirects')]);
    expect(asked).toHaveLength(1);
  });

  describe('redirects a request that follows redirects', () => {
    const follow = (): ReturnType<Outbound['follow']> => open().follow(`http://127.0.0.1:${port}/a/0`, {}, { ...LIMITS, maxRedirects: 3 });
    const redirect = (status: number, location?: string): void => {
      answer = (request, response) => {
        if (request.url === '/a/0') response.writeHead(status, location === undefined ? {} : { location }).end('elsewhere');
        else response.end('here');
      };
    };

    it.each([301, 302, 303, 307, 308])('with %d is followed, also to a relative address', async (status) => {
      for (const location of ['b?x=1', '../a/b?x=1', `http://127.0.0.1:${port}/a/b?x=1#there`, `//127.0.0.1:${port}/a/b?x=1`]) {
        redirect(status, location);
        const { response, url } = await follow();
        expect([await response.text(), url.replace('#there', '')]).toEqual(['here', `http://127.0.0.1:${port}/a/b?x=1`]);
      }
    });

    it.each<[string, number, string | undefined, RegExp]>([
      ['to a network that is not allowed', 302, 'http://127.0.0.2:1/latest/meta-data', /not public/],
      ['to such a network in another spelling', 302, 'http://0x7f000002:1/', /not public/],
      ['to a file', 302, 'file:///etc/passwd', /scheme/],
      ['with a password', 302, 'http://a:b@127.0.0.1/', /password/],
      ['with a secret of the server', 302, `/x?key=${KEY}`, /secret/],
      ['without saying where to', 301, undefined, /does not say/],
      ['to what is no address', 301, 'http://[', /does not say/],
      ['with a choice', 300, '/b', /does not say/],
    ])('%s is refused', async (_words, status, location, message) => {
      redirect(status, location);
      const error = await refusal(follow());
      expect([error.code, error.message]).toEqual(['VALIDATION_ERROR', expect.stringMatching(message)]);
      expect(asked).toHaveLength(1);
    });

    it('without end is given up after three', async () => {
      answer = (request, response) => response.writeHead(302, { location: `${Number(request.url?.split('/')[2]) + 1}` }).end();
      expect((await refusal(follow())).message).toContain('more than 3 times');
      expect(asked).toHaveLength(4);
    });
  });

  it.each<[string, RequestListener]>([
    ['announces too much', (_request, response) => response.writeHead(200, { 'content-length': 10_001 }).end('x'.repeat(10_001))],
    ['sends too much unannounced', (_request, response) => response.write('x'.repeat(9000)) && response.end('x'.repeat(9000))],
    [
      'packs much into little',
      (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000))),
    ],
  ])('%s is cut off', async (_what, listener) => {
    answer = listener;
    const error = await refusal(ask());
    expect([error.code, error.message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('larger than 10000 bytes')]);
  });

  it('sends endlessly is read up to the limit', async () => {
    let sent = 0;
    const over = new Promise((resolve) => {
      answer = (_request, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1000))) sent += 1000;
        };
        response.on('drain', more).on('close', resolve);
        more();
      };
    });
    expect((await refusal(ask())).code).toBe('VALIDATION_ERROR');
    await over;
    // Only data that was already in buffers.
    expect(sent).toBeLessThan(20_000_000);
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['begins to answer and goes no further', (_request, response) => void response.write('{"a":')],
  ])('%s is abandoned at the time limit', async (_what, listener) => {
    const began = new Promise<void>((resolve) => {
      answer = (request, response) => {
        listener(request, response);
        resolve();
      };
    });
    const error = refusal(ask());
    await began;
    clock.advance(4999);
    clock.advance(1);
    expect(await error).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: 'The service did not respond within 5000 ms.' });
  });

  it('responds within all limits is read, and leaves no timer', async () => {
    answer = (_request, response) => response.writeHead(201, { 'x-note': 'kept' }).end('x'.repeat(10_000));
    const response = await ask();
    expect([response.status, response.headers.get('x-note'), (await response.text()).length]).toEqual([201, 'kept', 10_000]);
    clock.advance(10_000);
  });

  it('serves a caller that disconnects is abandoned', async () => {
    const caller = new AbortController();
    answer = () => caller.abort(new Error('gone'));
    await expect(open().fetch(`http://127.0.0.1:${port}/`, { signal: caller.signal }, LIMITS)).rejects.toThrow('gone');
  });
});

describe('a service of the operator', () => {
  it('may be in a private network, and is the only one that its requests reach', async () => {
    const ask = serviceFetch(`http://127.0.0.1:${port}/v1`);
    expect(await (await ask(`http://127.0.0.1:${port}/v1/models`)).text()).toBe('here');
    await expect(ask(`http://127.0.0.2:${port}/v1/models`)).rejects.toThrow('are not allowed; the service is at');
    answer = (_request, response) => response.writeHead(302, { location: `http://127.0.0.2:${port}/` }).end();
    await expect(ask(`http://127.0.0.1:${port}/v1/models`)).rejects.toThrow();
    expect(asked).toHaveLength(2);
  });
});
