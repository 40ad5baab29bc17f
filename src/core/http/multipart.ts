import type { Readable, Writable } from 'node:stream';
import multer from 'multer';
import { AppError } from '../errors/index.js';
import { arrivingBody } from './arriving-body.js';
import type { HttpRequest, HttpResponse } from './express.js';

const REPLACEMENT = '\ufffd';

/** Metadata of a file in a multipart body. */
export interface FilePart {
  readonly fieldname: string;
  /** Name given by the sender; must not be used as a path. */
  readonly originalname: string;
  readonly encoding: string;
  /** Declared by the sender. */
  readonly mimetype: string;
  /** Declared by the sender beside the media type; only that of the first part of the body is known. */
  readonly charset?: string;
}

/** Destination of the files of a multipart body. */
export interface FileSink<T> {
  /** Reads and stores a file completely. When it fails, or when the content does, nothing of it is kept. */
  write(content: Readable): Promise<T>;
  /** Removes a stored file because its upload is rejected. */
  remove(written: T): Promise<void>;
}

export interface MultipartOptions<T> {
  readonly sink: FileSink<T>;
  /** The only field that may contain a file; a file in another field is rejected before it is stored. Absent: all fields. */
  readonly fileField?: string;
  readonly limits: Pick<multer.Options['limits'] & object, 'files' | 'fields' | 'fieldSize' | 'fileSize'>;
  /** Converts an error of the parser or the sink to the one that the client receives. */
  readonly errorOf: (error: Error & { code?: string }) => Error;
  /** Maximum size of the body, bytes, the error beyond, and how many bytes of it stay in memory at most. */
  readonly body: { readonly maxBytes: number; readonly tooLarge: () => Error; readonly keeps?: number };
}

export interface MultipartFile<T> {
  readonly part: FilePart;
  readonly written: T;
}

// A field name such as `a[b][3]` creates objects and arrays; an array has as many elements as its largest index.
const HEAD_BYTES = 4096;
const FIELD_NAMES = { fieldNestingDepth: 20, fieldArrayIndexLimit: 1000 } as const;

/** Whether the request has a multipart body, by its Content-Type. */
export function isMultipart(request: HttpRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
}

/**
 * Reads a multipart body and writes its files to a sink as they arrive. A rejected body leaves nothing in the sink.
 *
 * @throws the errors of `errorOf` and `body.tooLarge`; AppError BAD_REQUEST for names and fields that are no text; as `ArrivingBody.watch`
 *   refuses
 */
export async function parseMultipart<T>(
  request: HttpRequest,
  response: HttpResponse,
  { sink, fileField, limits, errorOf, body }: MultipartOptions<T>,
): Promise<{ files: readonly MultipartFile<T>[]; fields: Record<string, unknown> }> {
  let arrived = 0;
  let head = '';
  await new Promise<void>((resolve, reject) => {
    // The parser drops what it has, and discards the rest. It would report its own errors only when the whole body has arrived.
    const refuse = (error: Error): void => {
      reject(error);
      request.off('data', count);
      request.emit('error', error);
    };
    const count = (chunk: Buffer): void => {
      arrived += chunk.length;
      if (head.length < HEAD_BYTES) head += chunk.toString('latin1', 0, HEAD_BYTES);
      if (arrived > body.maxBytes) refuse(body.tooLarge());
    };
    const storage = storageOf(sink, (error) => refuse(errorOf(error)));
    const streamHandler = (from: Readable, parts: Writable): void => {
      // A sender may mean the character that the parser has for bytes that are no text.
      let isSent = false;
      from.on('data', (chunk: Buffer) => (isSent ||= chunk.includes(REPLACEMENT)));
      const isUnread = (text: string): boolean => !isSent && text.includes(REPLACEMENT);
      parts.prependListener('field', (name: string | undefined, value: string | undefined) => {
        if (value === undefined || isUnread(name ?? '') || isUnread(value)) refuse(unreadText(`the field "${name}"`));
      });
      parts.prependListener('file', (_field: string, _content: Readable, { filename = '' }: { filename?: string }) => {
        if (isUnread(filename)) refuse(unreadText(`the file name "${filename}"`));
      });
      from.pipe(parts);
    };
    const options: StreamingOptions = { storage, limits: { ...limits, ...FIELD_NAMES }, defParamCharset: 'utf8', streamHandler };
    const parser = multer(options);
    const parse = fileField === undefined ? parser.any() : parser.array(fileField);
    void parse(request as never, response as never, (error: unknown) => {
      if (error) reject(errorOf(error as Error));
      else resolve();
    });
    // `refuse` may come after the parser has stopped listening.
    request.on('error', () => undefined);
    arrivingBody(request).watch(refuse, body.keeps);
    request.on('data', count);
  });
  const files = (request as unknown as { files?: Stored<T>[] }).files ?? [];
  return {
    files: files.map(({ fieldname, originalname, encoding, mimetype, written }, index) => ({
      part: { fieldname, originalname, encoding, mimetype, charset: index === 0 ? charsetIn(head, fieldname) : undefined },
      written,
    })),
    fields: { ...(request.body as object) },
  };
}

/** The parser drops the parameters of media types. */
function charsetIn(body: string, field: string): string | undefined {
  const header = body.substring(0, body.indexOf('\r\n\r\n'));
  const isOfField = header.includes(`name="${field}"`) || header.includes(`name=${field};`);
  return isOfField ? /^content-type:[^\r\n]*;\s*charset\s*=\s*"?([^\s";]{1,60})/im.exec(header)?.[1] : undefined;
}

/** With what the types of multer lack: how the bytes come to the parser, which emits `field` and `file`. */
type StreamingOptions = multer.Options & { readonly streamHandler: (from: Readable, parts: Writable) => void };

function unreadText(what: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `The multipart body cannot be read: ${what} is not valid UTF-8.`,
    'Send the names and the fields of the form in UTF-8. A field may also name the charset iso-8859-1 or utf-16le, and a file have filename*.',
  );
}

type Stored<T> = FilePart & { readonly written: T };

function storageOf<T>(sink: FileSink<T>, refuse: (error: Error) => void): multer.StorageEngine {
  return {
    _handleFile(_request, { stream }, done) {
      sink.write(stream).then(
        (written) => done(null, { written } as object),
        (error: unknown) => {
          done(error);
          refuse(error as Error);
        },
      );
    },
    _removeFile(_request, file, done) {
      const { written } = file as Partial<Stored<T>>;
      if (written === undefined) done(null);
      else sink.remove(written).then(() => done(null), done);
    },
  };
}
