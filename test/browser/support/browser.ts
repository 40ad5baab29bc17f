// A headless Chromium for the pages of the built server. A page that says an error, or asks another host, fails its test.
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
];
const AXE = join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js');
const PATIENCE_MS = 20_000;
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
}

/** Starts Chromium once; contexts are closed by `closePages`. */
export class TestBrowser {
  private readonly faults: string[] = [];
  private readonly contexts = new Set<BrowserContext>();

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<TestBrowser> {
    await access(CHROMIUM).catch(() => {
      throw new Error(`${CHROMIUM} is missing: apt-get install chromium, or name another in CHROMIUM.`);
    });
    return new TestBrowser(await chromium.launch({ executablePath: CHROMIUM, args: FLAGS }));
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
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const { host } = new URL(url);
    const note = (fault: string): void => {
      if (!allow.test(fault)) this.faults.push(fault);
    };
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') note(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => note(`page error: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const address = new URL(request.url());
      if (/^(https?|wss?):$/.test(address.protocol) && address.host !== host) note(`request to another host: ${request.url()}`);
    });
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
