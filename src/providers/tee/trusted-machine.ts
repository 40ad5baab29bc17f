import { constants } from 'node:fs';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';

/** What the machine has that can vouch for it. */
export interface TrustedDevice {
  readonly kind: 'sev-snp' | 'tdx' | 'tpm';
  readonly path: string;
}

/** A statement of the processor that this machine, in the state it is in, was asked with this report data. */
export interface Quote {
  /** Name of the kernel's driver, as `sev_guest` or `tdx_guest`. */
  readonly driver: string;
  readonly quote: Buffer;
}

const DEVICES: readonly TrustedDevice[] = [
  { kind: 'sev-snp', path: '/dev/sev-guest' },
  { kind: 'tdx', path: '/dev/tdx_guest' },
  { kind: 'tpm', path: '/dev/tpmrm0' },
];
/** The kernel's one interface for reports of confidential guests (Documentation/ABI/testing/configfs-tsm). */
const REPORTS = '/sys/kernel/config/tsm/report';
const ENTRY = 'parley';
const REPORT_DATA_BYTES = 64;
const TRIES = 5;

/** The trusted hardware of this machine, as far as its kernel offers it. */
@Injectable()
export class TrustedMachine {
  private asking: Promise<unknown> = Promise.resolve();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async devices(): Promise<TrustedDevice[]> {
    const present = await Promise.all(DEVICES.map(({ path }) => this.exists(path)));
    return DEVICES.filter((_, index) => present[index]);
  }

  /** Whether `quote` can be asked. */
  canQuote(): Promise<boolean> {
    return this.exists(REPORTS);
  }

  /**
   * Asks the processor for a quote; one caller after another.
   *
   * @param reportData at most 64 bytes that the quote is to contain; filled up with zeros
   * @throws AppError TEE_NOT_AVAILABLE when the machine makes no quotes
   */
  async quote(reportData: Buffer): Promise<Quote> {
    if (!(await this.canQuote())) {
      throw new AppError(
        'TEE_NOT_AVAILABLE',
        'This machine makes no quotes.',
        'The server has to run in a confidential guest (SEV-SNP or TDX) whose kernel offers configfs-tsm.',
      );
    }
    const answer = this.asking.then(() => this.ask(reportData));
    this.asking = answer.catch(() => undefined);
    return answer;
  }

  private async ask(reportData: Buffer): Promise<Quote> {
    const entry = join(this.config.teeRoot, REPORTS, ENTRY);
    // One that an earlier process has left behind is used again.
    await mkdir(entry).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    try {
      for (let tries = 1; ; tries++) {
        await writeFile(join(entry, 'inblob'), Buffer.concat([reportData], REPORT_DATA_BYTES));
        const before = await this.text(entry, 'generation');
        const quote = await readFile(join(entry, 'outblob'));
        // Another process that used the entry meanwhile has moved its generation on, and the quote may be about its data.
        if ((await this.text(entry, 'generation')) === before) return { driver: await this.text(entry, 'provider'), quote };
        if (tries === TRIES) throw new Error('the report entry of the kernel is being used by another process');
      }
    } finally {
      await rmdir(entry).catch(() => undefined);
    }
  }

  private async text(entry: string, attribute: string): Promise<string> {
    return (await readFile(join(entry, attribute), 'utf8')).trim();
  }

  private async exists(path: string): Promise<boolean> {
    return access(join(this.config.teeRoot, path), constants.F_OK).then(
      () => true,
      () => false,
    );
  }
}
