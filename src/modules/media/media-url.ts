import type { MediaFile } from './media.types.js';

const ADDRESS = /\/media\/(?:uploads\/(?:agents|channels)|generated)\/[0-9a-f-]{36}\/([\w.-]{1,255})$/i;

/** The URL path of a file. */
export function urlPathOf({ area, ownerId, name }: MediaFile): string {
  return area === 'generated' ? `/media/generated/${ownerId}/${name}` : `/media/uploads/${area}/${ownerId}/${name}`;
}

/** The file name in the URL of a stored file, for any host; undefined for other URLs. */
export function fileNameIn(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  return ADDRESS.exec(url.split(/[?#]/)[0] ?? '')?.[1];
}
