// Bodies whose bytes are not UTF-8.
import { describe, expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, USER } from './support/contract-app.js';

const { api } = contractApp();

const send = (type: string, name: Buffer): ReturnType<typeof api.post> => {
  const head = `{"name":"`;
  const tail = `","participantCentralUserIds":["${USER}","${ADA.id}"]}`;
  const isWide = /utf-16/.test(type);
  const text = (part: string): Buffer => {
    const bytes = Buffer.from(part, isWide ? 'utf16le' : 'latin1');
    return /utf-16be/.test(type) ? bytes.swap16() : bytes;
  };
  return api.send('POST', CHANNELS, Buffer.concat([text(head), name, text(tail)]), { headers: { 'content-type': type } });
};

describe('a JSON body', () => {
  it.each([
    ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
    ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
    ['iso-8859-1', '4772fcdf65', 'Grüße'],
    ['windows-1252', '80933194', '€“1”'],
    ['us-ascii', '416461', 'Ada'],
    ['shift_jis', '93fa967b8cea', '日本語'],
    ['euc-kr', 'c7d1b1db', '한글'],
    ['gb18030', 'd6d0cec4', '中文'],
    ['big5', 'a4a4a4e5', '中文'],
    ['utf-16le', '2d4e87650d1f', '中文\u1f0d'],
    ['utf-16be', '4e2d6587', '中文'],
    ['UTF8', 'c3bc', 'ü'],
  ])('in %s is decoded', async (charset, hex, name) => {
    const { status, body } = await send(`application/json; charset=${charset}`, Buffer.from(hex, 'hex'));
    expect([status, body.data?.name]).toEqual([201, name]);
  });

  it.each([
    ['no charset', 'application/json', '6162e963', 'byte 11 (0xe9)'],
    ['UTF-8 as its charset', 'application/json; charset=utf-8', 'efbfbde9', 'byte 12 (0xe9)'],
    ['half a character', 'application/json', '61e282', 'byte 10 (0xe2)'],
    ['a surrogate', 'application/json', 'eda080', 'byte 9 (0xed)'],
    ['an overlong character', 'application/json', 'c080', 'byte 9 (0xc0)'],
    ['bytes that its charset lacks', 'application/json; charset=shift_jis', 'fd', 'not valid shift_jis'],
  ])('with %s that is no text is refused, and nothing is stored', async (_what, type, hex, said) => {
    const answer = await send(type, Buffer.from(hex, 'hex'));
    expectError(answer, 400, 'INVALID_JSON');
    expect(answer.body.error.message).toContain(said);
    expect(answer.body.error.details).toContain('charset=windows-1252');
  });

  it('in an unknown charset is refused by its name', async () => {
    const answer = await send('application/json; charset=x-klingon', Buffer.from('a'));
    expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.body.error.message).toContain('"x-klingon"');
  });

  it('may begin with a byte order mark, and have the character U+FFFD', async () => {
    const body = Buffer.from(JSON.stringify({ agentId: ADA.id, userId: USER, metadata: { word: '\ufffd' } }));
    const marked = Buffer.concat([Buffer.from('efbbbf', 'hex'), body]);
    const answer = await api.send('POST', '/api/messaging/sessions', marked, { headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body.metadata]).toEqual([201, { word: '\ufffd' }]);
  });
});
