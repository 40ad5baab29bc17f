import { expect, it } from '@jest/globals';
import { BodyMemory } from './body-memory.js';

const memory = (): BodyMemory => new BodyMemory({ bodyBufferBytes: 100, bodyBufferBytesPerAddress: 60 });

it('limits each address and returns the time of a retry', () => {
  const own = memory();
  own.reserve('192.0.2.1').add(40);
  expect(() => own.reserve('192.0.2.1').add(21)).toThrow(expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 5 }));
  own.reserve('192.0.2.2').add(21);
  expect(own.used).toBe(61);
});

it('limits all addresses together', () => {
  const own = memory();
  const first = own.reserve('192.0.2.1');
  first.add(60);
  own.reserve('192.0.2.2').add(40);
  expect(() => own.reserve('192.0.2.3').add(1)).toThrow(expect.objectContaining({ code: 'SERVER_BUSY', retryAfterSeconds: 5 }));
  first.release();
  own.reserve('192.0.2.3').add(60);
  expect(own.used).toBe(100);
});

it('counts the addresses of an IPv6 network together', () => {
  const own = memory();
  own.reserve('2001:db8::1').add(60);
  expect(() => own.reserve('2001:db8::2').add(1)).toThrow(expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }));
  own.reserve('2001:db8:0:1::1').add(1);
});

it('refuses a body that can never fit', () => {
  expect(() => memory().reserve('192.0.2.1').add(61)).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }));
});

it('frees a reservation once and reserves nothing for a refused body', () => {
  const own = memory();
  const one = own.reserve('192.0.2.1');
  one.add(30);
  expect(() => one.add(31)).toThrow();
  expect(own.used).toBe(30);
  one.release();
  one.release();
  expect(own.used).toBe(0);
});
