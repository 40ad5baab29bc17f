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

it('leaves no timer or listener behind that would keep a closed application in memory', async () => {
  const application = await closedApplication();
  // What was opened for the first one may hold it until the next one is opened.
  await closedApplication();
  for (let turn = 0; turn < 50 && application.deref() !== undefined; turn += 1) {
    await setImmediate();
    collectGarbage();
  }
  // Jest would print the application.
  expect(application.deref() === undefined).toBe(true);
});
