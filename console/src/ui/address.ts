// Addresses that messages, documents and metadata hold: anyone may have written them.

const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** Where a link on a page of `origin` may lead: http, https, mailto, and a relative address; undefined for anything else. */
export function linkFrom(origin: string, address: unknown): string | undefined {
  const url = urlOf(address, origin);
  return url && SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** The address of an uploaded or generated file of the server at `origin`; undefined for anything else. */
export function fileOf(origin: string, address: unknown): string | undefined {
  const url = urlOf(address, origin);
  return url?.origin === origin && url.pathname.startsWith('/media/') ? url.href : undefined;
}

/** As a browser reads it: dots, backslashes and line breaks are resolved. */
function urlOf(address: unknown, origin: string): URL | undefined {
  return typeof address === 'string' && address !== '' && URL.canParse(address, origin) ? new URL(address, origin) : undefined;
}
