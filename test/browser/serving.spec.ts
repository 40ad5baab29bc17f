// How the built server serves the console, seen from a browser; and that the harness notices what pages must not do.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { settled, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start();
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe('the console', () => {
  it('loads compressed files once, and revalidates only the page', async () => {
    const page = await browser.open(server.url);
    await settled(page);
    const responses: { path: string; status: number; encoding: string | undefined }[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/api')) {
        responses.push({ path: pathname, status: response.status(), encoding: response.headers()['content-encoding'] });
      }
    });
    const again = await page.goto(server.url);
    await settled(page);
    expect(again?.headers()['content-encoding']).toBe('br');
    const fromServer = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter(({ name, transferSize }) => name.includes('/console-assets/') && transferSize > 0).map(({ name }) => name)`,
    );
    expect(fromServer).toEqual([]);
    expect(responses.filter(({ path, encoding }) => /\.(js|css)$/.test(path) && encoding !== 'br')).toEqual([]);
  });

  it('allows no inline scripts or styles', async () => {
    const page = await browser.open(server.url, { allow: /Content Security Policy/ });
    await settled(page);
    const ran = await page.evaluate<[unknown, string]>(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.inline = 1';
      const style = document.createElement('style');
      style.textContent = 'body { outline-width: 7px }';
      document.body.append(script, style);
      return [window.inline, getComputedStyle(document.body).outlineWidth];
    })()`);
    expect(ran[0]).toBeUndefined();
    expect(ran[1]).not.toBe('7px');
  });

  it("follows the user's colour scheme", async () => {
    const colours = [];
    for (const dark of [false, true]) {
      const page = await browser.open(server.url, { dark });
      await settled(page);
      colours.push(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
    }
    expect(colours[0]).not.toBe(colours[1]);
  });

  it('shows no animation to a user who prefers reduced motion', async () => {
    const page = await browser.open(server.url, { reducedMotion: true });
    await settled(page);
    const moving = await page.evaluate<number>(
      `document.getAnimations().filter((animation) => animation.effect.getComputedTiming().activeDuration > 20).length`,
    );
    expect(moving).toBe(0);
  });

  it('may use the microphone', async () => {
    const page = await browser.open(server.url);
    expect(await page.evaluate(`document.featurePolicy.allowsFeature('microphone')`)).toBe(true);
    expect(await page.evaluate(`document.featurePolicy.allowsFeature('camera')`)).toBe(false);
  });
});

describe('a page check fails when the page', () => {
  it.each([
    ['logs an error', `console.error('broken')`, /error: broken/],
    ['throws', `void setTimeout(() => { throw new Error('thrown') })`, /page error: .*thrown/],
    [
      'breaks the policy',
      `document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))`,
      /Content Security/,
    ],
    ['asks another host', `void fetch('http://127.0.0.2:9/').catch(() => 1)`, /127\.0\.0\.2/],
    ['opens a socket to another host', `try { new WebSocket('ws://127.0.0.2:9/') } catch {}`, /127\.0\.0\.2/],
  ])('%s', async (_what, code, fault) => {
    const page = await browser.open(server.url);
    await settled(page);
    const noted = page.waitForEvent('console', { predicate: (message) => message.type() === 'error' });
    const thrown = page.waitForEvent('pageerror');
    await Promise.all([Promise.any([noted, thrown]), page.evaluate(code)]);
    await expect(browser.closePages()).rejects.toThrow(fault);
  });
});

describe('CONSOLE=off', () => {
  let silent: ConsoleServer;

  beforeAll(async () => {
    silent = await ConsoleServer.start({ CONSOLE: 'off' });
  });
  // After `closePages`: an open page still asks for its icon.
  afterAll(() => silent.close());

  it("returns the API's 404 response", async () => {
    const page = await browser.open(silent.url, { allow: /404/ });
    expect(JSON.parse((await page.textContent('body')) ?? '')).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
  });
});
