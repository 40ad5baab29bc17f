export { Contents } from './contents.js';
export { FileStorage, type ByteRange, type ReceivedContent } from './file-storage.js';
export { StorageModule } from './storage.module.js';
