import { readdir } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import type { TestApp } from './create-test-app.js';

/** The smallest picture: one pixel of this grey. */
export function png(grey = 128): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
    chunk('IDAT', deflateSync(Buffer.from([0, grey]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc;
}

/** A multipart form with one file. */
export function form(content: Uint8Array | string, name = 'a.png', type = '', field = 'file'): FormData {
  const data = new FormData();
  data.append(field, new Blob([content], { type }), name);
  return data;
}

/** Names of everything that lies in the application's folder of uploads, below its own folders. */
export function storedFiles(test: TestApp): Promise<string[]> {
  return storedContents(test.config.mediaDir);
}

/** As `storedFiles`, for the folder of another process. */
export async function storedContents(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
