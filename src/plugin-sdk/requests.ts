/** A file of a multipart body, in memory. */
export interface UploadedFile {
  readonly fieldname: string;
  readonly originalname: string;
  readonly encoding: string;
  /** Declared by the sender; not verified. */
  readonly mimetype: string;
  /** Bytes. */
  readonly size: number;
  readonly buffer: Buffer;
}

/** A request. Header names are in lower case. */
export interface RouteRequest {
  readonly method: string;
  /** Requested path, without the query. */
  readonly path: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Parsed JSON, the fields of a form, or undefined. For a webhook with a built-in scheme also the JSON in the field `payload` of a form, as
   * GitHub and Slack send it.
   */
  readonly body: unknown;
  /** The exact bytes of the body, over which signatures are computed; empty without a body. */
  readonly rawBody: Buffer;
  readonly ip: string;
  /** The first uploaded file of a multipart route. */
  readonly file?: UploadedFile;
  readonly files: readonly UploadedFile[];
  /** Aborts when the caller disconnects or the route's time limit is exceeded. */
  readonly signal: AbortSignal;
  /** For a webhook: id of the delivery, the same at each attempt. */
  readonly deliveryId?: string;
  /** For a webhook: number of the attempt, from 1. */
  readonly attempt?: number;
}
