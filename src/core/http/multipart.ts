import type { Readable } from 'node:stream';
import multer from 'multer';
import type { HttpRequest, HttpResponse } from './express.js';

/** Metadata of a file in a multipart body. */
export interface FilePart {
  readonly fieldname: string;
  /** Name given by the sender; must not be used as a path. */
  readonly originalname: string;
  readonly encoding: string;
  /** Declared by the sender. */
  readonly mimetype: string;
}

/** Destination of the files of a multipart body. */
export interface FileSink<T> {
  /** Reads and stores a file completely. */
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
  /** Maximum size of the body, bytes, and the error beyond. */
  readonly body?: { readonly maxBytes: number; readonly tooLarge: () => Error };
}

export interface MultipartFile<T> {
  readonly part: FilePart;
  readonly written: T;
}

// A field name such as `a[b][3]` creates objects and arrays; an array has as many elements as its largest index.
const FIELD_NAMES = { fieldNestingDepth: 20, fieldArrayIndexLimit: 1000 } as const;

/** Whether the request has a multipart body, by its Content-Type. */
export function isMultipart(request: HttpRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
}

/**
 * Reads a multipart body and writes its files to a sink as they arrive. A rejected body leaves nothing in the sink.
 *
 * @throws the errors of `errorOf` and `body.tooLarge`
 */
export async function parseMultipart<T>(
  request: HttpRequest,
  response: HttpResponse,
  { sink, fileField, limits, errorOf, body }: MultipartOptions<T>,
): Promise<{ files: readonly MultipartFile<T>[]; fields: Record<string, unknown> }> {
  const parser = multer({ storage: storageOf(sink), limits: { ...limits, ...FIELD_NAMES }, defParamCharset: 'utf8' });
  const parse = fileField === undefined ? parser.any() : parser.array(fileField);
  let arrived = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      arrived += chunk.length;
      if (body === undefined || arrived <= body.maxBytes) return;
      reject(body.tooLarge());
      // The rest of the body is discarded.
      request.unpipe();
      request.resume();
    });
    void parse(request as never, response as never, (error: unknown) => {
      if (error) reject(errorOf(error as Error));
      else resolve();
    });
  });
  const files = (request as unknown as { files?: Stored<T>[] }).files ?? [];
  return {
    files: files.map(({ fieldname, originalname, encoding, mimetype, written }) => ({
      part: { fieldname, originalname, encoding, mimetype },
      written,
    })),
    fields: { ...(request.body as object) },
  };
}

type Stored<T> = FilePart & { readonly written: T };

function storageOf<T>(sink: FileSink<T>): multer.StorageEngine {
  return {
    _handleFile(_request, { stream }, done) {
      sink.write(stream).then(
        (written) => done(null, { written } as object),
        (error: unknown) => done(error),
      );
    },
    _removeFile(_request, file, done) {
      const { written } = file as Partial<Stored<T>>;
      if (written === undefined) done(null);
      else sink.remove(written).then(() => done(null), done);
    },
  };
}
