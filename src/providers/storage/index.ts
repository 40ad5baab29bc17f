export { Contents } from './contents.js';
export { copyContents, type CopyProgress } from './copy-contents.js';
export { FileStorage, type ByteRange, type ContentHeaders, type ReceivedContent, type SignedUrl } from './file-storage.js';
export { openFileStorage } from './open-file-storage.js';
export { S3Objects, type PutOptions, type S3Object } from './s3/s3-objects.js';
export { descriptor, StorageModule } from './storage.module.js';
