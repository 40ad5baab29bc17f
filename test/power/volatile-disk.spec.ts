// The disk of the power test (npm run test:power): it has to lose what was not flushed, and nothing else.
import { describe, expect, it } from '@jest/globals';
import { Random } from '../support/random.js';
import { SECTOR, VolatileDisk, type PowerCut } from './support/volatile-disk.js';

const SECTORS = 64;

function diskWith(seed: number): VolatileDisk {
  return new VolatileDisk(Buffer.alloc(SECTORS * SECTOR), new Random(seed));
}

/** Cuts the power of many disks and collects what each of them kept, by the kind of the cut. */
async function cuts(prepare: (disk: VolatileDisk) => unknown): Promise<{ cut: PowerCut; sectors: readonly number[] }[]> {
  return Promise.all(
    Array.from({ length: 60 }, async (_, seed) => {
      const disk = diskWith(seed + 1);
      await prepare(disk);
      const cut = disk.cutPower();
      const sectors = Array.from({ length: SECTORS }, (_unused, at) => disk.read(at * SECTOR, SECTOR)[0]!);
      expect(disk.content.equals(disk.read(0, disk.size))).toBe(true);
      return { cut, sectors };
    }),
  );
}

const filled = (value: number, sectors = 1): Buffer => Buffer.alloc(sectors * SECTOR, value);

describe('a disk with a volatile cache', () => {
  it('reads all writes, flushed or not', async () => {
    const disk = diskWith(1);
    disk.write(0, filled(1));
    await disk.flush();
    disk.write(SECTOR, filled(2));
    expect([...disk.read(SECTOR - 1, 2)]).toEqual([1, 2]);
  });

  it('keeps writes before a completed flush, whatever is written later', async () => {
    for (const { sectors, cut } of await cuts(async (disk) => {
      disk.write(0, filled(1, 8));
      await disk.flush();
      disk.write(8 * SECTOR, filled(2, 8));
    })) {
      expect(sectors.slice(0, 8)).toEqual(Array(8).fill(1));
      expect(cut.lostSectors).toBe(8 - sectors.filter((value) => value === 2).length);
    }
  });

  it('loses all, a tail or any sectors of unflushed writes', async () => {
    const found = await cuts((disk) => disk.write(0, filled(1, 32)));
    const kept = (kind: PowerCut['kind']): string[] => found.filter(({ cut }) => cut.kind === kind).map(({ sectors }) => sectors.join(''));
    expect(new Set(kept('lost'))).toEqual(new Set(['0'.repeat(SECTORS)]));
    for (const sectors of kept('torn')) expect(sectors).toMatch(/^1*0*$/);
    expect(kept('mixed').some((sectors) => /10+1/.test(sectors))).toBe(true);
  });

  it('may keep an older version of a sector', async () => {
    const found = await cuts((disk) => [1, 2, 3].forEach((value) => disk.write(0, filled(value))));
    expect(new Set(found.map(({ sectors }) => sectors[0]))).toEqual(new Set([0, 1, 2, 3]));
  });

  it('guarantees nothing about an interrupted flush', async () => {
    const disk = diskWith(1);
    const begun = disk.flushing;
    disk.write(0, filled(1));
    const flush = disk.flush();
    await begun;
    expect(disk.cutPower().unflushedSectors).toBe(1);
    const { content } = disk;
    const before = Buffer.from(content);
    await flush;
    expect(disk.flushes).toBe(0);
    expect(content.equals(before)).toBe(true);
  });

  it('completes overlapping flushes in either order', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const disk = diskWith(seed);
      disk.write(0, filled(1));
      const first = disk.flush();
      disk.write(0, filled(2));
      const second = disk.flush();
      disk.write(SECTOR, filled(3));
      await Promise.all([first, second]);
      expect([disk.content[0], disk.content[SECTOR]]).toEqual([2, 0]);
    }
  });
});
