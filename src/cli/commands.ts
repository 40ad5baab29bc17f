import { initCommand } from './init.js';
import { keyCommand } from './keys.js';
import type { Command } from './program.js';

/** Commands by their first word. */
export const COMMANDS: Readonly<Record<string, Command>> = { init: initCommand, key: keyCommand };
