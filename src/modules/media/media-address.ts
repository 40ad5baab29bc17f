import type { MediaFile } from './media.types.js';

// What is in an address behind the owner's id.
const ADDRESS = /\/media\/(?:uploads\/(?:agents|channels)|generated)\/[0-9a-f-]{36}\/([\w.-]{1,255})$/i;

/** Where a file is served, without the server's own address. */
export function addressOf({ area, ownerId, name }: MediaFile): string {
  return area === 'generated' ? `/media/generated/${ownerId}/${name}` : `/media/uploads/${area}/${ownerId}/${name}`;
}

/** Last part of the address of one of our files, whichever name of this server stands before it. */
export function nameIn(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  return ADDRESS.exec(url.split(/[?#]/)[0] ?? '')?.[1];
}
