import { FileReadingRow } from './file-reading.entity.js';
import { FileTextRow } from './file-text.entity.js';
import { MediaFileRow } from './media-file.entity.js';
import { MessageAttachmentRow } from './message-attachment.entity.js';

export const MEDIA_ENTITIES = [MediaFileRow, MessageAttachmentRow, FileReadingRow, FileTextRow];
