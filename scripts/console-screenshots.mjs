// Pictures of every page of the console, 390 and 1440 px wide, light and dark, from a server with sample data:
//   npm run console:screenshots [-- FOLDER [NAME...]]
// Without a folder, a temporary one; names choose addresses, such as `chat-channelId`; `readme` is docs/console.png. Needs a build (npm run build).
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { everyAddress, pathIn } from '../test/browser/support/addresses.ts';
import { settled, TestBrowser } from '../test/browser/support/browser.ts';
import { startSampleWorld } from '../test/browser/support/sample-world.ts';
import ensureBuild from './ensure-build.mjs';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

const [given, ...names] = process.argv.slice(2);
const folder = given === undefined ? await mkdtemp(join(tmpdir(), 'console-')) : resolve(given);
await mkdir(folder, { recursive: true });
await ensureBuild(() => process.stderr.write('Building Parley ...\n'));
const world = await startSampleWorld();
try {
  const browser = await TestBrowser.start();
  try {
    for (const address of await everyAddress()) {
      if (names.length === 0 || names.includes(address.name)) await picture(browser, address);
    }
    if (names.length === 0 || names.includes('readme')) await pictureOfReadme(browser);
    await browser.closePages();
  } finally {
    await browser.close();
  }
} finally {
  await world.server.close();
}

async function picture(browser, address) {
  for (const viewport of SIZES) {
    for (const dark of [false, true]) {
      const page = await browser.open(world.server.url + pathIn(world, address), {
        viewport,
        dark,
        reducedMotion: true,
        storage: world.storage,
      });
      await settled(page);
      const path = join(folder, `${address.name}-${viewport.width}-${dark ? 'dark' : 'light'}.png`);
      await page.screenshot({ path, animations: 'disabled' });
      process.stdout.write(`${path}\n`);
      await page.close();
    }
  }
}

/** An answer by tool and document, and why it is what it is. */
async function pictureOfReadme(browser) {
  const address = (await everyAddress()).find(({ name }) => name === 'chat-channelId');
  const viewport = { width: 1440, height: 860 };
  const page = await browser.open(world.server.url + pathIn(world, address), { viewport, reducedMotion: true, storage: world.storage });
  await settled(page);
  const answer = page.getByRole('log').locator('.message').filter({ hasText: 'Yes: within 30 days' }).last();
  await answer.getByRole('button', { name: 'Why this reply' }).click();
  await page.getByText('Documents used').waitFor();
  await answer.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  const path = join(folder, 'readme.png');
  await page.screenshot({ path, animations: 'disabled' });
  process.stdout.write(`${path}\n`);
  await page.close();
}
