import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { createTestApp } from '../support/create-test-app.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function closedApplication(): Promise<WeakRef<object>> {
  const test = await createTestApp();
  await test.close();
  return new WeakRef(test.app);
}

it('a closed application leaves no timer or listener that keeps it in memory', async () => {
  const application = await closedApplication();
  // Resources of the first application may keep it alive until the next one opens.
  await closedApplication();
  for (let turn = 0; turn < 50 && application.deref() !== undefined; turn += 1) {
    await setImmediate();
    collectGarbage();
  }
  // Jest would print the application.
  expect(application.deref() === undefined).toBe(true);
});
