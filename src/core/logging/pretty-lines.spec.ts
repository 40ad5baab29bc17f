import { describe, expect, it } from '@jest/globals';
import { PrettyLines } from './pretty-lines.js';

describe('the human-readable log', () => {
  const shown = (line: object, colours = false): string => {
    let text = '';
    new PrettyLines({ write: (part) => void (text += part) }, colours).write(JSON.stringify({ time: '2026-01-02T03:04:05.678Z', ...line }));
    return text.replace(/^\S*\[?\d\d:\d\d:05\.678\]?/, (time) => time.replace(/\d\d:\d\d/, 'HH:MM'));
  };

  it('has one line per entry, with the fields after the message', () => {
    expect(shown({ level: 'info', requestId: 'r', traceId: 't', part: 'http', path: '/a', list: [1, { b: 2 }], msg: 'request' })).toBe(
      '[HH:MM:05.678] INFO: http: request {"requestId":"r","traceId":"t","path":"/a","list":[1,{"b":2}]}\n',
    );
  });

  it('adds the stack frames', () => {
    const stack = 'TypeError: broken\n    at one (file.js:1:2)\n    at two (file.js:3:4)';
    expect(shown({ level: 'error', part: 'turns', err: { type: 'TypeError', message: 'broken', stack }, msg: 'failed' })).toBe(
      '[HH:MM:05.678] ERROR: turns: failed {"err":{"type":"TypeError","message":"broken"}}\n    at one (file.js:1:2)\n    at two (file.js:3:4)\n',
    );
  });

  it('escapes control characters', () => {
    expect(shown({ level: 'warn', part: 'p', error: 'a\nb\u001b[2J\u009b1m', msg: 'c\nd\u001b]0;title\u0007\u009b1m' })).toBe(
      '[HH:MM:05.678] WARN: p: c\\nd\\u001b]0;title\\u0007\\u009b1m {"error":"a\\nb\\u001b[2J\\u009b1m"}\n',
    );
  });

  it.each(['part', 'name', 'hostname', 'pid', 'caller', 'stack', 'message', 'level', 'a\nfield'])(
    'keeps a value of %j on one line',
    (field) => {
      const text = 'a\nb\r\nc\u2028d\u0085e\u001b[31mf';
      const line = shown({ level: 'info', part: 'p', type: 'Error', msg: 'm', [field]: field === 'a\nfield' ? 1 : text }, false);
      expect(line.replace(/\n$/, '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(shown({ level: 'error', part: 'p', msg: 'm', err: text })).toContain('"err":{"error":"a\\nb');
    },
  );

  it('has colours only when enabled', () => {
    expect(shown({ level: 'info', part: 'p', msg: 'm' }, true)).toContain('\u001b[32mINFO\u001b[39m');
    expect(shown({ level: 'info', part: 'p', msg: 'm' })).not.toContain('\u001b');
  });
});
