// The documentation of the package as pages and as Markdown, and the links of answers to it.
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.js';

const ROOT = join(import.meta.dirname, '..', '..');

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { API_KEY: 'a-key-that-pages-do-not-need' } });
});
afterAll(() => app.close());

const page = async (path: string): Promise<{ status: number; type: string | null; policy: string; text: string }> => {
  const response = await fetch(`${app.url}${path}`);
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), policy: headers.get('content-security-policy') ?? '', text: await response.text() };
};

describe('the documentation', () => {
  it('lists all guides and references at /docs, each a page without scripts or a credential', async () => {
    const index = await page('/docs');
    expect(index).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    const listed = [...index.text.matchAll(/href="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
    for (const folder of ['guides', 'reference']) {
      const names = (await readdir(join(ROOT, 'docs', folder))).filter((name) => name.endsWith('.md'));
      expect(listed).toEqual(expect.arrayContaining(names.map((name) => `/docs/${folder}/${name}`)));
    }
    for (const path of listed) {
      const { status, type, policy, text } = await page(path);
      expect([path, status, type]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(policy).toContain("default-src 'none'");
      expect(text).not.toMatch(/<script|<img|<!-- asked/);
    }
  });

  it('has no broken links, including those in replies to newcomers', async () => {
    const index = await page('/docs');
    const pages = new Map<string, string>();
    for (const [, path] of index.text.matchAll(/href="(\/docs\/[^"]+)"/g)) pages.set(path!, (await page(path!)).text);
    const broken: string[] = [];
    for (const [path, text] of pages) {
      for (const [, target = '', fragment] of text.matchAll(/href="(\/docs\/[^"#]+)(?:#([^"]+))?"/g)) {
        const found = pages.get(target);
        if (found === undefined || (fragment !== undefined && !found.includes(`id="${fragment}"`))) {
          broken.push(`${path}: ${target}#${fragment ?? ''}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it.each(['/docs/README', '/docs/scale', '/docs/guides/faq', '/docs/guides/faq/', '/docs/characters/README.md'])(
    'shows %s',
    async (path) => {
      expect(await page(path)).toMatchObject({ status: 200, text: expect.stringContaining('<h1') });
    },
  );

  it.each([
    '/docs/guides/nothing.md',
    '/docs/decisions/0001-journal.md',
    '/docs/..%2fpackage.json',
    '/docs/guides/..%2f..%2f..%2fpackage.json',
    '/docs/guides/%2e%2e/%2e%2e/README.md%00',
    '/docs/reference/openapi.json',
    `/docs/${'x'.repeat(300)}`,
    `/docs/${'x'.repeat(300)}.md`,
    `/docs/guides/${'x'.repeat(300)}.md`,
  ])('has no page at %s', async (path) => {
    expect((await page(path)).status).toBe(404);
  });
});

describe('the documentation for language models', () => {
  const LISTED = /^- \[(.+?)\]\((\/\S+?)\): (.+)$/gm;

  const listed = async (): Promise<{ title: string; path: string; about: string }[]> => {
    const { status, type, text } = await page('/llms.txt');
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^# Parley\n\n> .+\.\n\n## Start\n\n- /);
    return [...text.matchAll(LISTED)].map(([, title, path, about]) => ({ title: title!, path: path!, about: about! }));
  };

  it('lists every guide and reference at /llms.txt with its title and first sentence, without a credential', async () => {
    const documents = await listed();
    for (const folder of ['guides', 'reference']) {
      const names = (await readdir(join(ROOT, 'docs', folder))).filter((name) => name.endsWith('.md'));
      expect(documents.map(({ path }) => path)).toEqual(expect.arrayContaining(names.map((name) => `/docs/${name}`)));
    }
    for (const { about } of documents) expect(about).toMatch(/^[A-Z`].*\.$/);
    expect(documents.find(({ path }) => path === '/docs/memory.md')).toEqual({
      title: 'Memory',
      path: '/docs/memory.md',
      about:
        'An agent remembers what users tell it: in the same conversation, in later ones, after a restart and on every machine of a fleet.',
    });
  });

  it('has each of them as Markdown, whose links open on the server', async () => {
    const documents = await listed();
    const paths = new Set(documents.map(({ path }) => path).concat('/docs/README.md'));
    expect(paths.size).toBe(documents.length + 1);
    for (const path of paths) {
      const { status, type, text } = await page(path);
      if (path === '/api/openapi.json') continue;
      expect([path, status, type]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
      expect(text).toMatch(/^# /);
      expect(text).not.toContain('<!-- asked');
      const prose = text.replaceAll(/^( *```[^]*?^ *```$)/gm, '');
      const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!.replace(/#.*/, ''));
      const open = new Set([...paths, '', '/docs']);
      expect([path, targets.filter((target) => !/^https?:/.test(target) && !open.has(target))]).toEqual([path, []]);
    }
  });

  it('leaves code as it is', async () => {
    const blocks = (markdown: string): string[] => markdown.match(/^( *```)[^]*?^\1/gm) ?? [];
    for (const folder of ['guides', 'reference']) {
      for (const name of (await readdir(join(ROOT, 'docs', folder))).filter((file) => file.endsWith('.md'))) {
        const written = await readFile(join(ROOT, 'docs', folder, name), 'utf8');
        expect([name, blocks((await page(`/docs/${name}`)).text)]).toEqual([name, blocks(written)]);
      }
    }
  });

  it.each(['/llms.txt', '/docs/faq.md'])('answers 304 to a reader who has %s', async (path) => {
    const { headers } = await fetch(`${app.url}${path}`, { method: 'HEAD' });
    const etag = headers.get('etag') ?? '';
    expect([headers.get('cache-control'), etag]).toEqual(['no-cache', expect.stringMatching(/^W\/"[\w-]{43}"$/)]);
    // Not with fetch, which asks every cache to pass on such a request.
    const [again] = (await once(get(`${app.url}${path}`, { headers: { 'if-none-match': etag } }), 'response')) as [IncomingMessage];
    expect([again.statusCode, await text(again)]).toEqual([304, '']);
  });

  it.each([
    '/docs/nothing.md',
    '/docs/0001-journal.md',
    '/docs/spec-notes.md',
    '/docs/CONTRIBUTING.md',
    '/docs/..%2fpackage.md',
    '/docs/..%2f..%2fSECURITY.md',
    '/docs/guides%2ffaq.md',
    '/docs/%2e%2e.md',
    '/docs/faq%00.md',
  ])('has nothing at %s', async (path) => {
    expect((await page(path)).status).toBe(404);
  });

  it('is the list of the package too (npm run docs)', async () => {
    const { llmsText } = await import('../../src/interfaces/docs/llms-text.js');
    expect(await readFile(join(ROOT, 'llms.txt'), 'utf8')).toBe(await llmsText((file) => file, 'docs/reference/openapi.json'));
  });
});
