export { mediaHashes } from './media-hashes.js';
export { descriptor, MediaModule } from './media.module.js';
export { MediaService } from './media.service.js';
export type { MediaFile } from './media.types.js';
