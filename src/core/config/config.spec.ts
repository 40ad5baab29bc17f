import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from './index.js';
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
  ])('names %s when it is %s, and takes %s', (name, wrong, right) => {
    expect(details({ [name]: wrong })).toEqual([expect.stringMatching(`^${name} must .*not "`)]);
    expect(details({ [name]: right })).toEqual([]);
  });

  it('does not repeat the password of an invalid address', () => {
    const fault = 'EVENTS_URL must hold addresses such as nats://nats.example.com:4222, not "redis://***@cache"';
    expect(details({ EVENTS_URL: 'redis://name:pass/word@cache' })).toEqual([fault]);
  });

  it('compares hosts and origins as callers send them', () => {
    const { allowedHosts, corsOrigins } = loadConfig({ ALLOWED_HOSTS: 'Agents.Example', CORS_ORIGIN: 'https://App.example/' }, '1.0.0');
    expect([allowedHosts, corsOrigins]).toEqual([['agents.example'], ['https://app.example']]);
  });
});

describe('the folders of characters and plugins', () => {
  const home = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'parley-config-'));
  afterEach(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  });

  it('are those of the package until the working folder has its own, each by itself, or others are named', () => {
    const root = resolve(import.meta.dirname, '../../..');
    process.chdir(folder);
    const here = process.cwd();
    const folders = (env = {}): string[] => {
      const { charactersDir, pluginsDir } = loadConfig(env, '1.0.0');
      return [charactersDir, pluginsDir];
    };
    expect(folders()).toEqual([join(root, 'characters'), join(root, 'plugins')]);
    mkdirSync('plugins');
    expect(folders()).toEqual([join(root, 'characters'), join(here, 'plugins')]);
    expect(folders({ CHARACTERS_DIR: 'characters', PLUGINS_DIR: './others' })).toEqual([join(here, 'characters'), join(here, 'others')]);
  });
});
