import { backupCommand } from './backup.js';
import { keyCommand } from './keys.js';
import type { Command } from './program.js';
import { restoreCommand } from './restore.js';
import { storageCommand } from './storage.js';

/** Commands by their first word. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  key: keyCommand,
  storage: storageCommand,
  backup: backupCommand,
  restore: restoreCommand,
};
