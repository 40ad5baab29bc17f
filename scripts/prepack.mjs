// Before `npm pack` and `npm publish`: builds the program, and writes what only the package has.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { thirdPartyNotices } from './release/notices.mjs';
import { shrinkwrapOf } from './release/shrinkwrap.mjs';

const root = join(import.meta.dirname, '..');
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

await build();
writeFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root));
// Last, because npm would install from it here, too. `postpack` removes it.
writeFileSync(join(root, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrapOf(read('package-lock.json'), read('package.json')), null, 2)}\n`);
