import { AppError } from '../../../core/errors/index.js';

/** The parts of an error of the AWS SDK, of its connection or of a file that say what happened. */
interface Fault {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Ways out, by the code of the error. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^NoSuchBucket$/, 'Create the bucket, or correct its name.'],
  [/^(AccessDenied|Forbidden|AllAccessDisabled|403)$/, 'Allow the credentials to list, read, write and delete in the bucket.'],
  [
    /^(InvalidAccessKeyId|SignatureDoesNotMatch|CredentialsProviderError|ExpiredToken|InvalidToken|TokenRefreshRequired|NoSuchProfile)/,
    'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or a profile or role of AWS.',
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|301)$/,
    'The bucket is in another region: set S3_REGION.',
  ],
  [/^RequestTimeTooSkewed$/, 'Set the clock of this machine.'],
  [/^(KMS|NotFoundException$)/, 'Check S3_KMS_KEY_ID and the permission to use the key.'],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError)$/,
    'Check S3_ENDPOINT and the network. S3_FORCE_PATH_STYLE=true is for stores without a host name for each bucket.',
  ],
];

const MEANINGLESS = new Set(['Error', 'UnknownError', 'Unknown', 'AggregateError']);

/** Whether the object or the multipart upload does not exist. */
export function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as Fault;
  return ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(name ?? '') || (name === '404' && $metadata?.httpStatusCode === 404);
}

/** Whether the store does not have the operation at all. */
export function isUnsupported(error: unknown): boolean {
  const { name, $metadata } = error as Fault;
  return name === 'NotImplemented' || name === 'MethodNotAllowed' || [405, 501].includes($metadata?.httpStatusCode ?? 0);
}

/** A failure of the store as an error for callers. An error that says more already, such as a full disk, stays as it is. */
export function storeError(error: unknown, address: string): AppError {
  if (error instanceof AppError) return error;
  const [reason, remedy] = explain(error);
  return new AppError('STORAGE_UNAVAILABLE', `The store ${address} of files cannot be used (${reason}).`, remedy, error);
}

/** @returns a short reason and the way out */
function explain(error: unknown): readonly [reason: string, remedy: string] {
  const { code, name, message = '', $metadata } = error as Fault;
  // A response without a body, such as of HEAD, has a status only.
  const codes = [code, name, $metadata?.httpStatusCode?.toString()].filter((each) => each !== undefined && !MEANINGLESS.has(each));
  const reason = [codes[0], message].filter((part) => part !== undefined && part !== '' && !MEANINGLESS.has(part)).join(': ');
  // The first is the most specific.
  const remedy = codes.map((each) => REMEDIES.find(([matches]) => matches.test(each ?? ''))?.[1]).find((each) => each !== undefined);
  return [reason, remedy ?? 'Check S3_ENDPOINT, S3_REGION and the credentials; the log has the cause.'];
}
