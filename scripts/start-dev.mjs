// `npm run start:dev`: rebuilds and restarts after every change, including plugins. Runs `nest start --watch` without a child process.
process.env.PLUGINS_WATCH ??= 'true';
process.argv.push('start', '--watch', '--no-shell');
await import('@nestjs/cli/bin/nest.js');
