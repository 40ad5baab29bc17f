// After `npm pack` and `npm publish`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

rmSync(join(import.meta.dirname, '..', 'npm-shrinkwrap.json'), { force: true });
