import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadConfig, secretsOf } from './index.js';
// Modules define their own settings.
import '../../app.module.js';

const details = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env, '1.0.0');
    return [];
  } catch (error) {
    return (error as { details: string }).details.split('; ');
  }
};

describe('the configuration', () => {
  it.each([
    ['SERVER_URL', 'agents.example.com', 'https://agents.example.com/parley'],
    ['OPENAI_BASE_URL', 'localhost:1234/v1', 'http://localhost:1234/v1'],
    ['OPENAI_AUDIO_BASE_URL', '/v1', 'https://audio.example.com/v1'],
    ['ANTHROPIC_BASE_URL', 'ftp://example.com', 'https://example.com'],
    ['OLLAMA_BASE_URL', 'ollama', 'http://ollama:11434/v1'],
    ['ELEVENLABS_BASE_URL', 'api', 'https://api.example.com'],
    ['EVENTS_URL', 'redis://localhost:6379', 'nats://name:secret@nats.example.com, tls://[::1]:4222'],
    ['EVENTS_URL', 'nats.example.com:4222', 'nats://127.0.0.1'],
    ['CORS_ORIGIN', 'app.example.com', '*, https://app.example.com,capacitor://localhost'],
    ['CORS_ORIGIN', 'https://app.example.com/page', 'http://localhost:5173'],
    ['ALLOWED_HOSTS', 'https://agents.example.com', 'agents.example.com, 10.0.0.1,[::1],intern'],
    ['ALLOWED_HOSTS', 'agents.example.com:8080', 'x'],
    ['ALLOWED_HOSTS', '*', 'x'],
    ['TRUSTED_PROXIES', 'proxy', 'loopback,10.0.0.1, 10.0.0.0/8,10.0.0.0/255.0.0.0,fd00::/8'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'uniquelocal'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'http://localhost:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'http/json'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'parentbased_traceidratio'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%', '.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', '0'],
    ['LOG_FORMAT', 'text', 'pretty'],
  ])('names %s when it is %s, and takes %s', (name, wrong, right) => {
    expect(details({ [name]: wrong })).toEqual([expect.stringMatching(`^${name} must .*not "`)]);
    expect(details({ [name]: right })).toEqual([]);
  });

  it('does not repeat the password of an invalid URL', () => {
    const fault = 'EVENTS_URL must hold addresses such as nats://nats.example.com:4222, not "redis://***@cache"';
    expect(details({ EVENTS_URL: 'redis://name:pass/word@cache' })).toEqual([fault]);
  });

  it('reads percent-encoded pairs and does not repeat invalid ones', () => {
    const { otlpHeaders, tracesResource } = loadConfig(
      { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-tenant=1', OTEL_RESOURCE_ATTRIBUTES: 'a=' },
      '1.0.0',
    );
    expect([otlpHeaders, tracesResource]).toEqual([{ authorization: 'Bearer a=b', 'x-tenant': '1' }, { a: '' }]);
    expect(details({ OTEL_EXPORTER_OTLP_HEADERS: 'the-secret' })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS must hold pairs such as name=value, comma-separated',
    ]);
    expect(details({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%zz' })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS must hold percent-encoded values, and that of authorization is not',
    ]);
  });

  it('treats the values of secret pairs as secrets', () => {
    const config = loadConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector' }, '1.0.0');
    expect(secretsOf(config)).toContain('Bearer of-the-collector');
  });

  it('compares hosts and origins in the form that callers send', () => {
    const { allowedHosts, corsOrigins } = loadConfig({ ALLOWED_HOSTS: 'Agents.Example', CORS_ORIGIN: 'https://App.example/' }, '1.0.0');
    expect([allowedHosts, corsOrigins]).toEqual([['agents.example'], ['https://app.example']]);
  });
});

describe('the default folder', () => {
  const home = process.cwd();
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-config-'));
  });
  afterEach(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  });

  it("of characters is the package's until the working folder has its own or a setting names another", () => {
    const root = resolve(import.meta.dirname, '../../..');
    process.chdir(folder);
    const here = process.cwd();
    const characters = (env = {}): string => loadConfig(env, '1.0.0').charactersDir;
    expect(characters()).toBe(join(root, 'characters'));
    mkdirSync('characters');
    expect(characters()).toBe(join(here, 'characters'));
    expect(characters({ CHARACTERS_DIR: './others' })).toBe(join(here, 'others'));
  });

  it("of plugins is never the package's, whose examples load only when named", () => {
    process.chdir(folder);
    const here = process.cwd();
    expect(loadConfig({}, '1.0.0').pluginsDir).toBe(join(here, 'plugins'));
    expect(loadConfig({ PLUGINS_DIR: './others' }, '1.0.0').pluginsDir).toBe(join(here, 'others'));
  });
});
