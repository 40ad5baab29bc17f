import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SampleWorld } from './sample-world.js';

// Loaded by its address, because the pages that it names are compiled for browsers, with other types.
const PAGES = pathToFileURL(join(import.meta.dirname, '../../../console/src/pages.ts')).href;

/** An address of the console as `console/src/pages.ts` lists it. */
export interface Address {
  /** For file names and titles: `chat`, `chat-channelId`. */
  readonly name: string;
  /** Id of the page. */
  readonly page: string;
  /** Path with parameters: `/chat/:channelId`. */
  readonly pattern: string;
}

/** All addresses of all pages. */
export async function everyAddress(): Promise<Address[]> {
  const { PAGES: pages } = (await import(PAGES)) as { PAGES: readonly { readonly id: string; readonly paths: readonly string[] }[] };
  return pages.flatMap(({ id, paths }) =>
    paths.map((pattern) => ({
      name: pattern === '/' ? id : pattern.slice(1).replaceAll(/\/:?/g, '-'),
      page: id,
      pattern,
    })),
  );
}

/** The path of an address in the sample world. @throws Error for a parameter of which it has no sample */
export function pathIn({ params }: SampleWorld, { page, pattern }: Address): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[`${page}.${name}`] ?? params[name];
    if (value === undefined) throw new Error(`add '${page}.${name}' to params in test/browser/support/sample-world.ts`);
    return encodeURIComponent(value);
  });
}
