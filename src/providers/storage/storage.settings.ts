import { address, choice, integer, s3Location, secret, text, type SettingValues } from '../../core/config/index.js';

export const STORAGE_SETTINGS = {
  mediaStorage: s3Location('MEDIA_STORAGE', {
    about:
      'S3-compatible store of uploaded files, s3://BUCKET or s3://BUCKET/FOLDER, for any number of servers. Unset: the folder MEDIA_DIR, which then only holds uploads until they are in the store.',
    shownDefault: 'MEDIA_DIR',
  }),
  s3Endpoint: address('S3_ENDPOINT', undefined, {
    about: 'Address of an S3-compatible service, such as https://minio.example.com. Unset: Amazon S3.',
  }),
  s3Region: text('S3_REGION', 'us-east-1', { alias: 'AWS_REGION', about: 'Region of the buckets. Falls back to AWS_REGION.' }),
  s3AccessKeyId: secret('S3_ACCESS_KEY_ID', {
    alias: 'AWS_ACCESS_KEY_ID',
    about:
      'Access key for S3. Falls back to AWS_ACCESS_KEY_ID. Unset: the usual sources of the AWS SDK, such as a profile or the role of the machine.',
  }),
  s3SecretAccessKey: secret('S3_SECRET_ACCESS_KEY', {
    alias: 'AWS_SECRET_ACCESS_KEY',
    about: 'Secret of S3_ACCESS_KEY_ID. Falls back to AWS_SECRET_ACCESS_KEY.',
  }),
  s3SessionToken: secret('S3_SESSION_TOKEN', {
    alias: 'AWS_SESSION_TOKEN',
    about: 'Token of temporary credentials. Falls back to AWS_SESSION_TOKEN.',
  }),
  s3ForcePathStyle: choice('S3_FORCE_PATH_STYLE', 'auto', ['auto', 'true', 'false'], {
    about: 'Whether the bucket is in the path of requests instead of the host name; auto: with S3_ENDPOINT.',
  }),
  s3ServerSideEncryption: choice('S3_SERVER_SIDE_ENCRYPTION', 'none', ['none', 'AES256', 'aws:kms', 'aws:kms:dsse'], {
    about: 'Encryption that the store is asked for; none: as the bucket is configured.',
  }),
  s3KmsKeyId: text('S3_KMS_KEY_ID', undefined, { about: 'Key of the key management service for aws:kms; unset: the default key.' }),
  s3SignedUrlSeconds: integer(
    'S3_SIGNED_URL_SECONDS',
    0,
    { min: 0, max: 604_800 },
    {
      about:
        'Lifetime of the signed addresses in the store to which requests for images, audio and video are redirected, seconds; 0: the server sends the files.',
    },
  ),
} as const;

type StorageConfig = SettingValues<typeof STORAGE_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends StorageConfig {}
}
