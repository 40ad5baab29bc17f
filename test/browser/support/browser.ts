// A headless Chromium for the pages of the built server. A page that says an error, or asks another host, fails its test.
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { overlaps } from './overlaps.js';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
];
const AXE = join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js');
const PATIENCE_MS = 60_000;
const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 320, height: 640 };

export interface PageOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly dark?: boolean;
  readonly reducedMotion?: boolean;
  /** BCP 47. */
  readonly locale?: string;
  /** Tabs of one context share storage. */
  readonly context?: BrowserContext;
  /** Errors that the test causes itself, such as those of a server that is killed. */
  readonly allow?: RegExp;
  /** What the browser remembers from former visits, by key of `localStorage`. */
  readonly storage?: Readonly<Record<string, string>>;
  /** Called with the page before it goes to its address. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Starts Chromium once; contexts are closed by `closePages`. */
export class TestBrowser {
  private readonly faults: string[] = [];
  private readonly contexts = new Set<BrowserContext>();

  private constructor(private readonly browser: Browser) {}

  /** @param flags of Chromium, beside the usual ones */
  static async start(flags: readonly string[] = []): Promise<TestBrowser> {
    await access(CHROMIUM).catch(() => {
      throw new Error(`${CHROMIUM} is missing: apt-get install chromium, or name another in CHROMIUM.`);
    });
    return new TestBrowser(await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] }));
  }

  /** Opens an address of the server in a context of its own, or in the given one. */
  async open(url: string, options: PageOptions = {}): Promise<Page> {
    const { viewport = WIDE, dark = false, reducedMotion = false, locale = 'en-GB', allow = /^$/ } = options;
    const context =
      options.context ??
      (await this.browser.newContext({
        viewport,
        locale,
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
        permissions: ['clipboard-read', 'clipboard-write', 'microphone'],
      }));
    this.contexts.add(context);
    if (options.storage) {
      await context.addInitScript(
        `for (const [key, value] of ${JSON.stringify(Object.entries(options.storage))}) localStorage.setItem(key, value);`,
      );
    }
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const { host } = new URL(url);
    const note = (fault: string): void => {
      if (!allow.test(fault)) this.faults.push(fault);
    };
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      note(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => note(`page error: ${error.stack ?? error.message}`));
    const check = (asked: string): void => {
      const address = new URL(asked);
      if (/^(https?|wss?):$/.test(address.protocol) && address.host !== host) note(`request to another host: ${asked}`);
    };
    page.on('request', (request) => check(request.url()));
    page.on('websocket', (socket) => check(socket.url()));
    await options.prepare?.(page);
    await page.goto(url);
    return page;
  }

  /** Closes all pages. @throws Error with what they said that they must not say */
  async closePages(): Promise<void> {
    for (const context of this.contexts) await context.close();
    this.contexts.clear();
    const faults = this.faults.splice(0);
    if (faults.length > 0) throw new Error(`the pages were not clean:\n${faults.join('\n')}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

/** Waits until a page shows what it is about: it has its heading, and nothing of it loads any more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  const loading = page.locator('main .skeletons');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
}

/**
 * Accessibility errors of a page, at 1440 px in light and at 320 px in dark colours: findings of axe, horizontal scrolling, and overlapping
 * texts.
 *
 * @param ready settles when the page shows what it is about
 */
export async function accessibilityFaults(
  browser: TestBrowser,
  url: string,
  ready: (page: Page) => Promise<unknown>,
  options: PageOptions = {},
): Promise<string[]> {
  const faults: string[] = [];
  for (const way of [
    { viewport: WIDE, dark: false },
    { viewport: NARROW, dark: true },
  ]) {
    const page = await browser.open(url, { ...options, ...way });
    await ready(page);
    const width = `${way.viewport.width} px`;
    faults.push(...(await axe(page)).map((violation) => `${width}: ${violation}`));
    const sideways = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    faults.push(...(await overlaps(page)).map((pair) => `${width}: ${pair}`));
    if (sideways > 0) faults.push(`${width}: the page is ${sideways} px wider than the window`);
    await page.close();
  }
  return faults;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds against WCAG 2.2 AA on a page, one line each; empty when it finds nothing. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the policy of the page does not concern.
  await page.evaluate(await readFile(AXE, 'utf8'));
  const violations = await page.evaluate<readonly Violation[]>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }).then(({ violations }) => violations)`);
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  );
}
