import { urlPathOf } from './media-url.js';
import { mediaTypeOf } from './media-types.js';
import type { MediaFile } from './media.types.js';

/** Multipart form of an upload. Other fields are ignored. */
export class UploadBody {
  /** The file. */
  file!: Uint8Array;
}

/** What an upload may be. */
export class MediaTypesView {
  /** Media types. A document may also have other types: its content decides. */
  mediaTypes!: string[];
  /** Endings of file names, with the dot. Text is accepted with any. */
  extensions!: string[];
  /** The largest file, bytes. */
  maxBytes!: number;
}

/** An uploaded file. */
export class MediaView {
  /** Id of the file. @format uuid */
  id!: string;
  /** URL path of the file. Every client that knows it can read the file. */
  url!: string;
  /** image, video, audio or document; for files of channels, the full media type. */
  type!: string;
  /** Media type, detected from the content. */
  mimeType!: string;
  /** Last segment of the URL. */
  filename!: string;
  /** File name from the upload. */
  originalName!: string;
  /** Bytes. */
  size!: number;
}

/** As in the original service, `type` is the media type for channels and the kind for agents (contract 1.12). */
export function presentMedia(file: MediaFile): MediaView {
  const { id, area, name, originalName, mimeType, size } = file;
  return {
    id,
    url: urlPathOf(file),
    type: area === 'channels' ? mimeType : mediaTypeOf(mimeType).kind,
    mimeType,
    filename: name,
    originalName,
    size,
  };
}
