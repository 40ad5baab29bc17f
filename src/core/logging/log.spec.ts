import { beforeEach, describe, expect, it } from '@jest/globals';
import { charactersRead } from '../../../test/support/work-units.js';
import { redactSecrets, redactSecretsOf, redactText, secretsIn, Log, recentLines, type LogLine } from './index.js';

const lines = (): LogLine[] => [...recentLines.newestFirst()].reverse();

describe('the log', () => {
  const log = new Log('tests');
  beforeEach(() => {
    recentLines.clear();
  });

  it('keeps its lines, newest first, and drops debug lines by default', () => {
    log.debug('hardly ever wanted');
    log.info('one', { a: 1 });
    log.error('two', new Error('broken', { cause: new Error('deeper') }));
    expect(lines().map(({ msg, level, part }) => [msg, level, part])).toEqual([
      ['one', 'info', 'tests'],
      ['two', 'error', 'tests'],
    ]);
    expect(lines()[1]).toMatchObject({
      err: { type: 'Error', message: 'broken', stack: expect.stringContaining('log.spec'), cause: { message: 'deeper' } },
    });
  });

  it('redacts known secrets, fields named like secrets, and credentials [logs.secrets]', () => {
    redactSecrets(['hunter2hunter2', 'hunter2hunter2-and-more', 'short', undefined]);
    redactSecrets(secretsIn({ SOME_API_KEY: 'telling-value', COLOUR: 'ultramarine' }));
    log.info('it is hunter2hunter2, short and ultramarine', {
      apiKey: 'x-1',
      'x-api-key': 'x-2',
      nested: [{ password: 'x-3', text: 'telling-value here' }],
      header: 'Authorization: Bearer abcdefghijkl',
      url: 'postgres://me:x-4@host/db',
      page: 'GET https://host/a?key=x-5&sv=x-6#top failed, then /b?code=x-7',
      maxTokens: 12,
    });
    log.error('failed', new Error('refused hunter2hunter2-and-more'));
    const [line] = lines();
    expect(line).toMatchObject({
      msg: 'it is [hidden], short and ultramarine',
      apiKey: '[hidden]',
      'x-api-key': '[hidden]',
      nested: [{ password: '[hidden]', text: '[hidden] here' }],
      header: 'Authorization: Bearer [hidden]',
      url: 'postgres://me:[hidden]@host/db',
      page: 'GET https://host/a?key=[hidden]&sv=[hidden]#top failed, then /b?code=[hidden]',
      maxTokens: 12,
    });
    expect(JSON.stringify(lines())).not.toMatch(/hunter2|and-more/);
  });

  it('redacts the secrets of an owner until the owner has others', () => {
    redactSecretsOf('ada', ['secret-of-ada', 'shared-secret']);
    redactSecretsOf('bob', ['shared-secret']);
    expect(redactText('secret-of-ada, shared-secret')).toBe('[hidden], [hidden]');
    redactSecretsOf('ada', ['new-secret-of-ada']);
    expect(redactText('secret-of-ada, shared-secret, new-secret-of-ada')).toBe('secret-of-ada, [hidden], [hidden]');
    redactSecretsOf('ada', []);
    redactSecretsOf('bob', []);
    expect(redactText('shared-secret, new-secret-of-ada')).toBe('shared-secret, new-secret-of-ada');
  });

  it('scans a text once for 10,000 secrets', async () => {
    redactSecretsOf(
      'ada',
      Array.from({ length: 10_000 }, (_, index) => `value-of-secret-${index}`),
    );
    const read = await charactersRead('includes', () =>
      expect(redactText('the value-of-secret-77, and more')).toBe('the [hidden], and more'),
    );
    redactSecretsOf('ada', []);
    expect(read).toBeLessThan(1000);
  });

  it.each([
    ['a long word', 'a'],
    ['a long chain of schemes', 'a://'],
    ['a long chain of colons', 'a:'],
    ['a long chain of parameters', '?a'],
    ['nothing but white space behind a scheme of credentials', 'Bearer '],
  ])(
    'redacts %s in linear time',
    (_what, part) => {
      const text = part.repeat(200_000);
      log.info(text);
      expect(lines()[0]?.msg).toHaveLength(text.length);
    },
    10_000,
  );

  it('keeps a limited number of characters', () => {
    for (let count = 0; count < 3000; count += 1) log.info('a line of a log '.repeat(63), { count });
    expect(lines().length).toBeLessThan(2000);
    expect(lines().at(-1)).toMatchObject({ count: 2999 });
    expect(lines()[0]).toMatchObject({ count: 3000 - lines().length });
  });

  it('accepts values that JSON cannot represent', () => {
    const circle: Record<string, unknown> = { at: new Date(0) };
    circle['self'] = circle;
    log.info('circle', circle);
    expect(lines()[0]).toMatchObject({ at: '"1970-01-01T00:00:00.000Z"' });
  });
});
