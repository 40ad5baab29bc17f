import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';

const TIME_LIMIT_MS = 30_000;
/** Of JPEG; a photo of 12 megapixels has about 3 MB then, which models accept. */
const QUALITY = '80';
/** A picture of 64 x 64 pixels: a program without a decoder for HEVC exists too. */
const SAMPLE = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAOwAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAABDbWRhdAAAADcoAa8LYPrINYjnzCnTRrDVuWo7jVktLrSCyhavMj5+3IKIzTZMS19ro1Ymgd96pbWsEfsNSek0',
  'base64',
);

/** Converts HEIC pictures, which neither browsers nor models show, with the program heif-convert of libheif, if it is installed. */
@Injectable()
export class HeicConverter {
  private works: Promise<boolean> | undefined;
  /** One picture at a time: each needs some hundred megabytes. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Whether pictures can be converted; found out once. */
  isAvailable(): Promise<boolean> {
    this.works ??= this.run(Readable.from([SAMPLE])).then(
      () => true,
      () => false,
    );
    return this.works;
  }

  /** A picture as JPEG. @param open opens the picture @throws AppError UNSUPPORTED_MEDIA_TYPE */
  async toJpeg(open: () => Promise<Readable>): Promise<Buffer> {
    if (!(await this.isAvailable())) {
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'file is a HEIC picture, which this server cannot convert.',
        'Send it as JPEG or PNG. An operator can install heif-convert, which is in the package libheif-examples of Debian.',
      );
    }
    const converting = this.last.then(async () => this.run(await open()));
    this.last = converting.catch(() => undefined);
    try {
      return await converting;
    } catch (error) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The HEIC picture cannot be converted.', 'Send it as JPEG or PNG.', error);
    }
  }

  private async run(picture: Readable): Promise<Buffer> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-heic-'));
    const limit = new AbortController();
    const cancel = this.clock.after(TIME_LIMIT_MS, () => limit.abort(new Error(`heif-convert did not end within ${TIME_LIMIT_MS} ms`)));
    try {
      const [input, output] = [join(folder, 'picture.heic'), join(folder, 'picture.jpg')];
      await pipeline(picture, createWriteStream(input, { mode: 0o600 }));
      const path = this.config.variable('PATH');
      const child = spawn(this.config.heifConvertPath, ['-q', QUALITY, input, output], {
        stdio: 'ignore',
        env: path === undefined ? {} : { PATH: path },
        signal: limit.signal,
        killSignal: 'SIGKILL',
      });
      const [status] = (await once(child, 'close')) as [number | null];
      // Of a file with several pictures, each has a file of its own: picture-1.jpg.
      const [first] = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort();
      if (status !== 0 || first === undefined) throw new Error(`heif-convert ended with status ${status}`);
      return await readFile(join(folder, first));
    } finally {
      cancel();
      picture.destroy();
      await rm(folder, { recursive: true, force: true });
    }
  }
}
