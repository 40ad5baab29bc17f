export { FileTexts } from './file-texts.js';
export { mediaHashes } from './media-hashes.js';
export { descriptor, MediaModule } from './media.module.js';
export { MediaService } from './media.service.js';
export type { FileText, MediaFile, MessageFile } from './media.types.js';
