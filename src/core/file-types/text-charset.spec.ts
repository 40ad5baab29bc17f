import { Readable } from 'node:stream';
import iconv from 'iconv-lite';
import { describe, expect, it } from '@jest/globals';
import { decoderOf } from './charsets.js';
import type { ReadableFile } from './file-types.js';
import { textCharset } from './text-charset.js';

/** A file that arrives in parts of a few bytes, so that characters are divided between them. */
function fileOf(bytes: Buffer, part = 7): ReadableFile {
  const parts = Array.from({ length: Math.ceil(bytes.length / part) }, (_, index) => bytes.subarray(index * part, (index + 1) * part));
  return { size: bytes.length, read: () => Promise.resolve(Readable.from(parts, { objectMode: false })) };
}

/** The text that is read, or what is found instead. */
async function read(bytes: Buffer, declared?: string): Promise<unknown> {
  const found = await textCharset(fileOf(bytes), declared);
  if (found === undefined || 'unknown' in found) return found;
  const decoder = decoderOf(found.charset);
  return decoder.write(bytes) + decoder.end();
}

describe('the charset of a text is found without a declaration', () => {
  it.each<[string, string]>([
    ['utf-8', 'Žluťoučký kůň, 茶, чай'],
    ['windows-1251', 'Привет, мир!'],
    ['windows-1251', 'Цена чайника 300 рублей.'],
    ['windows-1251', 'яблоко и груша'],
    ['windows-1251', 'юла, яма: Гарантия составляет три года со дня покупки.'],
    ['koi8-r', 'Гарантия на все чайники составляет три года.'],
    ['ibm866', 'Гарантия на все чайники составляет три года.'],
    ['shift_jis', 'こんにちは世界'],
    ['shift_jis', '①価格は三千円です。'],
    ['euc-jp', '価格は三千円です。'],
    ['gbk', '水壶的价格是三百元。'],
    ['big5', '水壺的價格是三百元。'],
    ['cp949', '주전자의 가격은 삼만 원입니다.'],
    ['cp949', '펲시콜라 가격은 천 원입니다. 똠양꿍은 만 원입니다.'],
    ['windows-1252', 'Der Kessel kostet 30 € – “gut” für 5 Jahre.'],
    ['windows-1252', 'Café'],
    ['windows-1252', 'naïve'],
    ['windows-1252', '© 2024 Acme'],
    ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy.'],
    ['windows-1253', 'Η εγγύηση ισχύει για τρία χρόνια.'],
    ['windows-1255', 'האחריות היא לשלוש שנים מיום הקנייה.'],
    ['windows-1256', 'الضمان ثلاث سنوات من تاريخ الشراء.'],
  ])('%s: %s', async (charset, text) => {
    expect(await read(iconv.encode(text, charset))).toBe(text);
    expect(await read(iconv.encode(`${'In English first. '.repeat(300)}${text}`, charset))).toContain(text);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])('%s with a byte order mark', async (charset) => {
    const text = 'Чай: 茶 🍵, 3 €';
    expect(await read(iconv.encode(text, charset, { addBOM: true }))).toBe(text);
  });

  it.each<[string, string]>([
    ['utf-16le', 'Tea costs three euros.\r\n'],
    ['utf-16be', 'Tea costs three euros.\r\n'],
    ['utf-16le', 'Чай стоит 3 евро.'],
    ['utf-16be', 'Чай стоит 3 евро.'],
    ['utf-16le', '茶是一种饮料。\n价格：三百元\n'],
    ['utf-16be', '茶是一种饮料。\n价格：三百元\n'],
  ])('%s without a byte order mark: %s', async (charset, text) => {
    expect(await read(iconv.encode(text, charset, { addBOM: false }))).toBe(text);
  });

  it('iso-2022-jp, which is all ASCII', async () => {
    expect(await read(Buffer.from('\x1B$B=D\x1B(B.', 'latin1'))).toBe('縦.');
  });

  it('a text in UTF-8 with a few damaged characters', async () => {
    const bytes = Buffer.from(`${'чай '.repeat(20)}\uFFFD`);
    expect(await textCharset(fileOf(bytes))).toEqual({ charset: 'utf-8', isDamaged: false });
    expect(await textCharset(fileOf(Buffer.concat([bytes, Buffer.from([0xd0])])))).toEqual({ charset: 'utf-8', isDamaged: true });
  });
});

describe('a declared charset', () => {
  const page = (declaration: string, text: string, charset: string): Buffer => iconv.encode(`${declaration}<p>${text}`, charset);

  it.each<[string, string, string, string | undefined]>([
    ['by its sender', '', 'koi8-r', 'KOI8-R'],
    ['by its sender, over what the page says', '<meta charset=koi8-r>', 'windows-1251', 'cp1251'],
    ['in a meta element', '<!doctype html><meta charset="windows-1251">', 'windows-1251', undefined],
    ['in http-equiv', `<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=koi8-r'>`, 'koi8-r', undefined],
    ['in an XML declaration', '<?xml version="1.0" encoding="ISO-8859-5"?>', 'iso-8859-5', undefined],
    ['which is wrong', '<meta charset="utf-8">', 'windows-1251', undefined],
    ['which is wrong in the header', '', 'windows-1251', 'utf-8'],
    ['which is wrong, although its bytes decode', '<meta charset="iso-8859-1">', 'utf-8', undefined],
    ['which cannot be, because it is readable', '<meta charset="utf-16">', 'utf-8', undefined],
    ['with another name for it', '', 'utf-8', 'utf8mb4'],
  ])('%s', async (_words, declaration, charset, declared) => {
    const text = 'Все чаи.';
    expect(await read(page(declaration, text, charset), declared)).toBe(`${declaration}<p>${text}`);
  });

  it('is used although a short text is valid UTF-8 by chance', async () => {
    const bytes = Buffer.from([0xc2, 0xa5, 0xc2, 0xa9]);
    expect(await read(bytes, 'gbk')).toBe(iconv.decode(bytes, 'gbk'));
  });

  it('that is unknown is named, unless the text is in UTF-8', async () => {
    expect(await read(iconv.encode('Все', 'windows-1251'), 'x-klingon')).toEqual({ unknown: 'x-klingon' });
    expect(await read(Buffer.from('Все'), 'x-klingon')).toBe('Все');
    expect(await read(Buffer.from('All'), 'base64')).toBe('All');
  });
});

it.each<[string, Buffer]>([
  ['bytes without a meaning', Buffer.from([0x41, 0x81, 0x8d, 0x90, 0x9d, 0xff, 0xa0])],
  ['a control character', Buffer.from('a\x01b')],
  ['a NUL', Buffer.from('abc\0d')],
  ['half of a character of 16 bits', Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42])],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['frames of MP3', Buffer.from('fffb90640000000000000000', 'hex')],
])('no text is found in %s', async (_words, bytes) => {
  expect(await read(bytes)).toBeUndefined();
});
