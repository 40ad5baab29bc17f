import { describe, expect, it } from '@jest/globals';
import { SecretIndex } from './secret-index.js';

describe('an index of secrets', () => {
  it.each([
    ['the longest of secrets that begin alike', ['telling-value', 'telling-value-and-more'], 'a telling-value-and-more b', 'a [hidden] b'],
    ['the shorter one where the longer does not go on', ['telling-value', 'telling-value-and-more'], 'telling-value-and', '[hidden]-and'],
    ['one that sorts between', ['aaaaaaaa', 'aaaaaaaab', 'aaaaaaaaba'], 'x aaaaaaaabz', 'x [hidden]z'],
    ['secrets that overlap as one', ['abcdefghij', 'ghijklmnop'], '-abcdefghijklmnop-', '-[hidden]-'],
    ['a secret within another', ['ghijklmnop', 'abcdefghijklmnopqr'], 'abcdefghijklmnopqr', '[hidden]'],
    ['secrets side by side', ['abcdefgh', 'ijklmnop'], 'abcdefghijklmnop', '[hidden][hidden]'],
    ['all places', ['abcdefgh'], 'abcdefgh, abcdefgh', '[hidden], [hidden]'],
    ['signs of every script', ['пароль-секрет', '密码密码密码密码'], 'это пароль-секрет 密码密码密码密码', 'это [hidden] [hidden]'],
    ['nothing shorter than 8 characters', ['short'], 'a short text', 'a short text'],
    ['nothing in a short text', ['abcdefgh'], 'abc', 'abc'],
  ])('hides %s', (_words, secrets, text, expected) => {
    expect(new SecretIndex(secrets).hide(text)).toBe(expected);
    expect(new SecretIndex(secrets.toReversed()).hide(text)).toBe(expected);
  });

  it('hides the same as searches for one secret at a time', () => {
    const secrets = Array.from({ length: 200 }, (_, index) => `key-${index}-${(index * 7919) % 1000}-end`);
    const text = secrets.map((secret, index) => `${index % 3 === 0 ? secret : secret.slice(1)} `).join('');
    const expected = secrets.toSorted((a, b) => b.length - a.length).reduce((clean, secret) => clean.replaceAll(secret, '[hidden]'), text);
    expect(new SecretIndex(secrets).hide(text)).toBe(expected);
  });
});
