export { Contents } from './contents.js';
export { FileStorage, type ByteRange, type ReceivedContent } from './file-storage.js';
export { S3Objects, type PutOptions, type S3Object } from './s3/s3-objects.js';
export { descriptor, StorageModule } from './storage.module.js';
