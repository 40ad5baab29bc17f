// `node --import ./scripts/typescript.mjs`: lets Node.js load TypeScript, for tools that read ormconfig.ts.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
