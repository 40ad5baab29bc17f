import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { firstCharacters } from '../../core/text/index.js';
import { Outbound } from '../../providers/outbound/index.js';
import { FileStorage, type ReceivedContent } from '../../providers/storage/index.js';
import { detectFormat } from './document-types.js';
import type { DocumentFormat } from './knowledge.types.js';

const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 10;
const RETRIED_STATUSES = new Set([408, 425, 429]);

/** Downloads documents from the web. */
@Injectable()
export class Downloads {
  constructor(
    private readonly outbound: Outbound,
    private readonly storage: FileStorage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Downloads a document completely; the caller keeps or discards the content.
   *
   * @throws AppError DOCUMENT_UNAVAILABLE when another attempt may succeed; VALIDATION_ERROR for an address that is not allowed or
   *   leads to one, that redirects too often, refuses or has too much; UNSUPPORTED_MEDIA_TYPE; errors of storage; the signal's reason when it is aborted
   */
  async fetch(url: string, signal: AbortSignal): Promise<{ content: ReceivedContent; format: DocumentFormat }> {
    const { response, url: address } = await this.request(url, signal);
    const content = await this.receive(response, signal);
    try {
      const header = response.headers.get('content-type') ?? '';
      const charset = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(header)?.[1];
      return {
        content,
        format: await detectFormat(content, nameFromUrl(address), { type: header.split(';')[0]?.trim().toLowerCase(), charset }),
      };
    } catch (error) {
      await content.discard();
      throw error;
    }
  }

  private async request(url: string, signal: AbortSignal): Promise<{ response: Response; url: string }> {
    const accept = 'text/markdown, text/html, application/pdf, text/plain;q=0.9, */*;q=0.5';
    const limits = { maxBytes: this.config.uploadLimitBytes, timeoutMs: TIMEOUT_MS, maxRedirects: MAX_REDIRECTS };
    const found = await this.outbound.follow(url, { headers: { accept }, signal }, limits).catch((error: unknown) => {
      throw asUnavailable(error, signal);
    });
    const { response } = found;
    if (response.ok) return found;
    await response.body?.cancel();
    if (response.status >= 500 || RETRIED_STATUSES.has(response.status)) {
      throw new AppError('DOCUMENT_UNAVAILABLE', `The address responded with ${response.status}.`, 'The download is tried again.');
    }
    throw new AppError(
      'VALIDATION_ERROR',
      `url responded with ${response.status}`,
      'Send an address that can be read without a credential.',
    );
  }

  private async receive(response: Response, signal: AbortSignal): Promise<ReceivedContent> {
    const body = response.body as ReadableStream<Uint8Array> | null;
    return this.storage.receive(body ? Readable.fromWeb(body) : new Uint8Array()).catch((error: unknown) => {
      throw asUnavailable(error, signal);
    });
  }
}

/** The last segment of a path, or the host. */
export function nameFromUrl(url: string): string {
  const { pathname, host } = new URL(url);
  const last = pathname.split('/').findLast((segment) => segment !== '') ?? host;
  try {
    return firstCharacters(decodeURIComponent(last).replaceAll(/\p{Cc}/gu, ''), 200) || host;
  } catch {
    return firstCharacters(last, 200);
  }
}

/** Failures of the network, which another attempt may not have. */
function asUnavailable(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof AppError && error.code !== 'MODEL_UNAVAILABLE') return error;
  const reason = error instanceof AppError ? error.message : String((error as Error).cause ?? error);
  return new AppError('DOCUMENT_UNAVAILABLE', 'The address could not be reached.', reason, error);
}
