import { constants } from 'node:fs';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';

/** A trusted device of the machine. */
export interface TeeDevice {
  readonly kind: 'sev-snp' | 'tdx' | 'tpm';
  readonly path: string;
}

/** A quote of the processor about this machine's state and the report data. */
export interface Quote {
  /** Name of the kernel driver, such as `sev_guest` or `tdx_guest`. */
  readonly driver: string;
  readonly quote: Buffer;
}

const DEVICES: readonly TeeDevice[] = [
  { kind: 'sev-snp', path: '/dev/sev-guest' },
  { kind: 'tdx', path: '/dev/tdx_guest' },
  { kind: 'tpm', path: '/dev/tpmrm0' },
];
/** The kernel's interface for reports of confidential VMs (Documentation/ABI/testing/configfs-tsm). */
const REPORTS = '/sys/kernel/config/tsm/report';
const ENTRY = 'parley';
const REPORT_DATA_BYTES = 64;
const MAX_TRIES = 5;

/** The trusted hardware that the kernel of this machine exposes. */
@Injectable()
export class TeeHardware {
  private queue: Promise<unknown> = Promise.resolve();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async devices(): Promise<TeeDevice[]> {
    const present = await Promise.all(DEVICES.map(({ path }) => this.exists(path)));
    return DEVICES.filter((_, index) => present[index]);
  }

  /** Whether `quote` is available. */
  supportsQuotes(): Promise<boolean> {
    return this.exists(REPORTS);
  }

  /**
   * Requests a quote from the processor. Calls are serialized.
   *
   * @param reportData up to 64 bytes for the quote, padded with zeros
   * @throws AppError TEE_NOT_AVAILABLE when the machine issues no quotes
   */
  async quote(reportData: Buffer): Promise<Quote> {
    if (!(await this.supportsQuotes())) {
      throw new AppError(
        'TEE_NOT_AVAILABLE',
        'This machine issues no quotes.',
        'The server must run in a confidential VM (SEV-SNP or TDX) whose kernel supports configfs-tsm.',
      );
    }
    const quote = this.queue.then(() => this.requestQuote(reportData));
    this.queue = quote.catch(() => undefined);
    return quote;
  }

  private async requestQuote(reportData: Buffer): Promise<Quote> {
    const entry = join(this.config.teeRoot, REPORTS, ENTRY);
    // Reuse an entry that an earlier process left behind.
    await mkdir(entry).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    try {
      for (let tries = 1; ; tries++) {
        await writeFile(join(entry, 'inblob'), Buffer.concat([reportData], REPORT_DATA_BYTES));
        const before = await this.text(entry, 'generation');
        const quote = await readFile(join(entry, 'outblob'));
        // A changed generation means that another process used the entry, so the quote may contain its data.
        if ((await this.text(entry, 'generation')) === before) return { driver: await this.text(entry, 'provider'), quote };
        if (tries === MAX_TRIES) throw new Error('another process is using the report entry of the kernel');
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
