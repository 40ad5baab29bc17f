import { basename, dirname } from 'node:path';
import send from 'send';
import { AppError } from '../errors/index.js';
import type { HttpRequest, HttpResponse } from './express.js';

const YEAR_S = 365 * 24 * 3600;

/** A file as it is sent to somebody. */
export interface SentFile {
  readonly path: string;
  readonly mimeType: string;
  /** Name under which a browser saves it. */
  readonly name: string;
  /** Whether a browser may show it in place; only for types in which nothing runs. */
  readonly inline: boolean;
  /** Stands for the content: another content has another tag. */
  readonly tag: string;
  /** Epoch ms. */
  readonly modifiedAt: number;
}

/**
 * Sends a file that somebody else has put here, with ranges and conditional requests. Browsers are told not to guess its type and not
 * to run what is in it.
 *
 * @throws AppError MEDIA_NOT_FOUND when its content is not there; nothing is sent then
 */
export async function sendFile(request: HttpRequest, response: HttpResponse, file: SentFile): Promise<void> {
  response.set({
    'Content-Type': file.mimeType.startsWith('text/') ? `${file.mimeType}; charset=utf-8` : file.mimeType,
    'Content-Disposition': disposition(file),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    // Under one address there is never another content; who may see it is not for caches that several share to decide.
    'Cache-Control': `private, max-age=${YEAR_S}, immutable`,
    ETag: `"${file.tag}"`,
    'Last-Modified': new Date(file.modifiedAt).toUTCString(),
  });
  await new Promise<void>((resolve, reject) => {
    send(request, encodeURIComponent(basename(file.path)), { root: dirname(file.path), dotfiles: 'deny', index: false })
      .on('error', (error: Error & { status?: number; headers?: Record<string, string> }) => {
        if (error.status === 412 || error.status === 416) {
          response.removeHeader('Content-Disposition');
          response.status(error.status).set(error.headers ?? {});
          response.end();
          resolve();
          return;
        }
        for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag', 'Last-Modified']) response.removeHeader(name);
        const gone = error.status === 404;
        reject(
          gone ? new AppError('MEDIA_NOT_FOUND', 'There is no file at this address.', 'Its content is not on this machine.', error) : error,
        );
      })
      .on('directory', () => reject(new Error(`${file.path} is a folder`)))
      .pipe(response);
    response.once('close', resolve);
  });
}

/** RFC 6266: the name in ASCII, and as it is. */
function disposition({ name, inline }: SentFile): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
