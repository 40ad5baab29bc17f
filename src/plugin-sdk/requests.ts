/** A file out of a multipart body. Its bytes are in memory; nothing is left behind on disk. */
export interface UploadedFile {
  readonly fieldname: string;
  readonly originalname: string;
  readonly encoding: string;
  /** As the sender declared it; not checked. */
  readonly mimetype: string;
  /** Bytes. */
  readonly size: number;
  readonly buffer: Buffer;
}

/** What a handler gets to see of a request. Header names are in lower case. */
export interface RouteRequest {
  readonly method: string;
  /** As it was requested, without the query. */
  readonly path: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, the fields of a form, or undefined. */
  readonly body: unknown;
  /** The exact bytes of the body, over which signatures are computed; empty when there was none. */
  readonly rawBody: Buffer;
  readonly ip: string;
  /** The first uploaded file of a multipart route. */
  readonly file?: UploadedFile;
  readonly files: readonly UploadedFile[];
  /** Aborts when the caller has gone or the route's time is up. */
  readonly signal: AbortSignal;
  /** Of a webhook: names the delivery, also when it is handled again. */
  readonly deliveryId?: string;
  /** Of a webhook: how often its handler has been called, this time included. */
  readonly attempt?: number;
}
