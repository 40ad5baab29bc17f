import { importCommand } from './import.js';
import { keyCommand } from './keys.js';
import type { Command } from './program.js';
import { reportCommand } from './report.js';
import { storageCommand } from './storage.js';

/** Commands by their first word. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  import: importCommand,
  key: keyCommand,
  report: reportCommand,
  storage: storageCommand,
};
