import { fileOf, linkFrom } from './address.js';

/** Where a link may lead (`linkFrom`). */
export function linkTo(address: unknown): string | undefined {
  return linkFrom(location.origin, address);
}

/** The address of a file of this server, which may be shown in the page (`fileOf`). */
export function ownFile(address: unknown): string | undefined {
  return fileOf(location.origin, address);
}
