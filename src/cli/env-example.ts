import { isDeepStrictEqual } from 'node:util';
import { coreSettings } from '../core/config/index.js';
import { MODULES } from '../app.module.js';

const HEAD = `# Every setting of Parley with its default, made from the code by \`npm run docs\`; docs/reference/config.md has the same as tables.
# Copy this file to .env in the folder in which the server starts, and uncomment what you change. The environment wins over the file.`;

type Setting = ReturnType<typeof coreSettings>[string];

/** The text of `.env.example`: all settings by module, commented out. A default that depends on other settings is named, not set. */
export function envExample(): string {
  const parts = [{ name: 'core', about: 'The server itself.', settings: coreSettings() }, ...MODULES];
  const sections = parts
    .map(({ name, about, settings = {} }) => ({ name, about, settings: Object.values(settings) }))
    .filter(({ settings }) => settings.length > 0)
    .map(({ name, about, settings }) => [`# --- ${name}: ${about}`, ...settings.map(entry)].join('\n\n'));
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

function entry(setting: Setting): string {
  const { name, about, fallback, secret } = setting;
  const literal = isLiteral(setting);
  const otherwise = literal || fallback === 'none' ? '' : ` Default: ${fallback}.`;
  return `# ${about}${secret ? ' Secret.' : ''}${otherwise}\n# ${name}=${literal ? fallback : ''}`;
}

/** Whether setting the variable to the default that is shown leaves the configuration as it is. */
function isLiteral(setting: Setting): boolean {
  try {
    return isDeepStrictEqual(setting.read(setting.fallback, '/data'), setting.read(undefined, '/data'));
  } catch {
    return false;
  }
}
