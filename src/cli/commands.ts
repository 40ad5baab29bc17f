import { backupCommand } from './backup.js';
import { keyCommand } from './keys.js';
import type { Command } from './program.js';
import { restoreCommand } from './restore.js';

/** Commands by their first word. */
export const COMMANDS: Readonly<Record<string, Command>> = { key: keyCommand, backup: backupCommand, restore: restoreCommand };
