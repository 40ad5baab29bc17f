import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { Config } from '../../../core/config/index.js';
import { AppError } from '../../../core/errors/index.js';

/** The settings of the connection to the store. */
export type S3Settings = Pick<
  Config,
  | 's3Endpoint'
  | 's3Region'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3SessionToken'
  | 's3ForcePathStyle'
  | 's3ServerSideEncryption'
  | 's3KmsKeyId'
>;

export type S3Packages = Awaited<ReturnType<typeof importPackages>>;

const CONNECTION_TIMEOUT_MS = 5000;
/** Without a byte in either direction. */
const SOCKET_TIMEOUT_MS = 60_000;
const SOCKETS = 64;

// The packages are large and optional, so they are imported only by a server that uses S3.
async function importPackages() {
  const [client, storage, presigner] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  return { ...client, Upload: storage.Upload, getSignedUrl: presigner.getSignedUrl };
}

/** @throws AppError CONFIG_INVALID with the command that installs the packages, when one is missing */
export async function loadS3Packages(): Promise<S3Packages> {
  try {
    return await importPackages();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new AppError(
      'CONFIG_INVALID',
      'Files on S3 need packages that are not installed.',
      'Run npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3 @aws-sdk/s3-request-presigner@3.',
      error,
    );
  }
}

/**
 * @param maxAttempts how often a request is sent when it fails for a reason that may pass
 * @throws AppError CONFIG_INVALID when a key is set without its secret, or the other way round
 */
export function s3Client(packages: S3Packages, settings: S3Settings, maxAttempts: number): S3Client {
  const { s3Endpoint, s3Region, s3ForcePathStyle } = settings;
  const config: S3ClientConfig = {
    region: s3Region,
    endpoint: s3Endpoint,
    forcePathStyle: s3ForcePathStyle === 'auto' ? s3Endpoint !== undefined : s3ForcePathStyle === 'true',
    credentials: credentialsOf(settings),
    maxAttempts,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
    // Checksums in trailers, the default, are refused by many stores. Contents are verified by their hash.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
  return new packages.S3Client(config);
}

function credentialsOf({ s3AccessKeyId, s3SecretAccessKey, s3SessionToken }: S3Settings): S3ClientConfig['credentials'] {
  if (s3AccessKeyId !== undefined && s3SecretAccessKey !== undefined) {
    return { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey, sessionToken: s3SessionToken };
  }
  if (s3AccessKeyId === undefined && s3SecretAccessKey === undefined) return undefined;
  const [set, missing] =
    s3AccessKeyId === undefined ? ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'] : ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  throw new AppError('CONFIG_INVALID', `${set} is set, but ${missing} is not.`, 'Set both, or neither to use a profile or role of AWS.');
}
