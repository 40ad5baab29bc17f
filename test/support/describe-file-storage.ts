// What every FileStorage promises. An implementation runs this suite with a storage of its own.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FileStorage } from '../../src/providers/storage/index.js';

const CONTENT = Buffer.from('The quick brown fox jumps over the lazy dog.');
const HASH = createHash('sha256').update(CONTENT).digest('hex');

export function describeFileStorage(name: string, create: () => Promise<FileStorage>): void {
  describe(`file storage: ${name}`, () => {
    let storage: FileStorage;
    beforeEach(async () => {
      storage = await create();
    });

    const keep = async (content: Readable | Uint8Array = CONTENT): Promise<string> => {
      const received = await storage.receive(content);
      await received.persist();
      return received.hash;
    };
    const all = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const hash of storage.hashes()) found.push(hash);
      return found;
    };

    it.each([
      ['bytes', () => CONTENT],
      ['a stream', () => Readable.from([CONTENT.subarray(0, 5), CONTENT.subarray(5)])],
    ])('measures %s and returns them unchanged', async (_, content) => {
      const received = await storage.receive(content());
      expect(received).toMatchObject({ size: CONTENT.length, hash: HASH });
      expect(await buffer(await received.read())).toEqual(CONTENT);
      await received.persist();
      expect(await buffer(await storage.read(HASH))).toEqual(CONTENT);
      expect(await storage.stat(HASH)).toEqual({ size: CONTENT.length });
    });

    it('reads a range, both ends included', async () => {
      await keep();
      expect((await buffer(await storage.read(HASH, { start: 4, end: 8 }))).toString()).toBe('quick');
      const received = await storage.receive(CONTENT);
      expect((await buffer(await received.read({ start: 0, end: 2 }))).toString()).toBe('The');
      await received.discard();
    });

    it('does not store content before it is kept, or once it was discarded', async () => {
      const received = await storage.receive(CONTENT);
      expect(await storage.stat(HASH)).toBeUndefined();
      await received.discard();
      await expect(received.read()).rejects.toMatchObject({ code: 'MEDIA_NOT_FOUND' });
      expect(await all()).toEqual([]);
    });

    it('keeps content that is discarded after it was kept', async () => {
      const received = await storage.receive(CONTENT);
      await received.persist();
      await received.discard();
      expect(await storage.stat(HASH)).toBeDefined();
    });

    it('stores a content once', async () => {
      expect(await keep()).toBe(await keep());
      expect(await all()).toEqual([HASH]);
    });

    it('lists every content', async () => {
      const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => keep(Buffer.from(`content ${index}`))));
      expect((await all()).sort()).toEqual(kept.sort());
    });

    it('stores nothing of a failing stream', async () => {
      const failing = Readable.from(
        (function* () {
          yield CONTENT;
          throw new Error('cut off');
        })(),
      );
      await expect(storage.receive(failing)).rejects.toThrow('cut off');
      expect(await all()).toEqual([]);
    });

    it('fails with MEDIA_NOT_FOUND for missing content', async () => {
      await expect(storage.read(HASH)).rejects.toMatchObject({ code: 'MEDIA_NOT_FOUND' });
      expect(await storage.stat(HASH)).toBeUndefined();
    });

    it('deletes unreferenced content once it has become unreadable', async () => {
      await keep();
      const found: unknown[] = [];
      const isReferred = async (): Promise<boolean> => {
        found.push(await storage.stat(HASH));
        return false;
      };
      expect(await storage.removeUnlessReferenced(HASH, isReferred)).toBe(true);
      expect(found).toEqual([undefined]);
      expect(await all()).toEqual([]);
      expect(await storage.removeUnlessReferenced(HASH, isReferred)).toBe(false);
    });

    it('does not delete content that has a reference by then', async () => {
      await keep();
      expect(await storage.removeUnlessReferenced(HASH, () => Promise.resolve(true))).toBe(false);
      expect(await buffer(await storage.read(HASH))).toEqual(CONTENT);
    });

    it('deletes content that was received and never kept, and no other', async () => {
      await keep();
      const abandoned = await storage.receive(Buffer.from('never kept'));
      await storage.removeLeftovers(false);
      expect(await buffer(await abandoned.read())).toEqual(Buffer.from('never kept'));
      await storage.removeLeftovers(true);
      await expect(abandoned.read()).rejects.toMatchObject({ code: 'MEDIA_NOT_FOUND' });
      expect(await all()).toEqual([HASH]);
    });
  });
}
