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
  ])('are known by their name or their value: %s', (name, value) => {
    expect(looksSecret(name, value)).toBe(true);
  });

  it.each([
    ['LOG_LEVEL', 'info'],
    ['voice', { model: 'en' }],
    ['DATABASE_URL', 'postgres://host/db'],
    ['maxTokens', 5],
    ['keyboard', 'qwerty'],
  ])('are not everything: %s', (name, value) => {
    expect(looksSecret(name, value)).toBe(false);
  });

  it('are looked for in one reading, however long a value is', () => {
    expect(looksSecret('address', `a://${':'.repeat(400_000)}`)).toBe(false);
    expect(looksSecret('address', `a://${':'.repeat(400_000)}@`)).toBe(true);
  }, 10_000);

  it('are shown as names', () => {
    expect(masked(['KEY', 'PORT'])).toEqual({ KEY: MASK, PORT: MASK });
  });
});
