import { addressOf } from './media-address.js';
import { typeOf } from './media-types.js';
import type { MediaFile } from './media.types.js';

/** Form of an upload. Other fields are ignored. */
export class UploadBody {
  /** The file, one. */
  file!: Uint8Array;
}

/** A file that was uploaded. */
export class MediaView {
  /** Id of the file. @format uuid */
  id!: string;
  /** Where it is served, without the server's own address; who knows it may read the file. */
  url!: string;
  /** image, video, audio or document; for a channel's files the whole media type. */
  type!: string;
  /** Media type, by the content of the file. */
  mimeType!: string;
  /** Last part of the address. */
  filename!: string;
  /** Name that the sender gave it. */
  originalName!: string;
  /** Bytes. */
  size!: number;
}

/** The original answers uploads to channels with the whole media type where those to agents have the kind (contract 1.12). */
export function presentMedia(file: MediaFile): MediaView {
  const { id, area, name, originalName, mimeType, size } = file;
  return {
    id,
    url: addressOf(file),
    type: area === 'channels' ? mimeType : typeOf(mimeType).kind,
    mimeType,
    filename: name,
    originalName,
    size,
  };
}
