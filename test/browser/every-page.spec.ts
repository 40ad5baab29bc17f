// What holds for every page that console/src/pages.ts lists, on a server with something of everything.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { everyAddress, pathIn } from './support/addresses.js';
import { accessibilityFaults, settled, TestBrowser } from './support/browser.js';
import { startSampleWorld, type SampleWorld } from './support/sample-world.js';

let browser: TestBrowser;
let world: SampleWorld;

beforeAll(async () => {
  browser = await TestBrowser.start();
  world = await startSampleWorld();
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await world.server.close();
});

const ADDRESSES = await everyAddress();

describe('every page', () => {
  it.each(ADDRESSES.map((address) => [address.pattern, address] as const))(
    'opens by its address without accessibility errors at 320 px and 1440 px: %s',
    async (_pattern, address) => {
      const { server, storage } = world;
      expect(await accessibilityFaults(browser, server.url + pathIn(world, address), settled, { storage })).toEqual([]);
    },
  );
});
