// The documentation of the package as pages, and the links of answers to it.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

  it.each(['/docs/README.md', '/docs/guides/faq', '/docs/guides/faq/', '/docs/characters/README.md'])('shows %s', async (path) => {
    expect(await page(path)).toMatchObject({ status: 200, text: expect.stringContaining('<h1') });
  });

  it.each([
    '/docs/guides/nothing.md',
    '/docs/decisions/0001-journal.md',
    '/docs/..%2fpackage.json',
    '/docs/guides/..%2f..%2f..%2fpackage.json',
    '/docs/guides/%2e%2e/%2e%2e/README.md%00',
    '/docs/reference/openapi.json',
  ])('has no page at %s', async (path) => {
    expect((await page(path)).status).toBe(404);
  });
});
