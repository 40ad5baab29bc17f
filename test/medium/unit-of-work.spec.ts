import { afterEach, describe, expect, it } from '@jest/globals';
import { SCHEMA } from '../../src/app.module.js';
import { openStore } from '../../src/core/database/index.js';
import { describeUnitOfWork } from '../support/suites/unit-of-work.js';
import { openTestStore, type TestStore } from '../support/test-store.js';

describeUnitOfWork('sqlite');

describe('data directory', () => {
  let test: TestStore | undefined;
  afterEach(() => test?.close());

  it('belongs to one process: a second store on it is refused with the way out', async () => {
    test = await openTestStore('sqlite');
    await expect(openStore(test.config, SCHEMA)).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      details: expect.stringContaining('DATA_DIR'),
    });
  });
});
