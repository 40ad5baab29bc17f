// `npm run deploy:check`: whether the files of deploy/, the Dockerfile and compose.yaml are right. Runs nginx, Caddy and systemd-analyze where
// they are installed; starts nothing.
import { join } from 'node:path';
import { checkDeployment } from './deploy/check.mjs';

const { faults, notes } = await checkDeployment(join(import.meta.dirname, '..'));
for (const note of notes) process.stdout.write(`${note}\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
