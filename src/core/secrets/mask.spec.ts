import { describe, expect, it } from '@jest/globals';
import { looksSecret, MASK, masked } from './mask.js';

describe('secrets', () => {
  it.each([
    ['OPENAI_API_KEY', undefined],
    ['apiKey', 'x'],
    ['DISCORD_TOKEN', 'x'],
    ['webhookSecret', 'x'],
    ['password', 'x'],
    ['SENTRY_DSN', 'x'],
    ['DATABASE_URL', 'postgres://user:hush@host/db'],
  ])('are recognised by name or value: %s', (name, value) => {
    expect(looksSecret(name, value)).toBe(true);
  });

  it.each([
    ['LOG_LEVEL', 'info'],
    ['voice', { model: 'en' }],
    ['DATABASE_URL', 'postgres://host/db'],
    ['maxTokens', 5],
    ['keyboard', 'qwerty'],
  ])('are distinguished from other values: %s', (name, value) => {
    expect(looksSecret(name, value)).toBe(false);
  });

  it('are recognised in linear time', () => {
    expect(looksSecret('address', `a://${':'.repeat(400_000)}`)).toBe(false);
    expect(looksSecret('address', `a://${':'.repeat(400_000)}@`)).toBe(true);
  }, 10_000);

  it('are shown by name, with a mask as the value', () => {
    expect(masked(['KEY', 'PORT'])).toEqual({ KEY: MASK, PORT: MASK });
  });
});
