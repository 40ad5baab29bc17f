// Before `npm pack` and `npm publish`: builds the program and collects the licences of what it contains.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { thirdPartyNotices } from './release/notices.mjs';

const root = join(import.meta.dirname, '..');
await build();
writeFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root));
