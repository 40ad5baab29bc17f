import { backupCommand } from './backup.js';
import { doctorCommand } from './doctor.js';
import { importCommand } from './import.js';
import { initCommand } from './init.js';
import { keyCommand } from './keys.js';
import { moveCommand } from './move.js';
import { pluginCommand } from './plugin.js';
import type { Command } from './program.js';
import { reportCommand } from './report.js';
import { restoreCommand } from './restore.js';
import { storageCommand } from './storage.js';

/** Commands by their first word. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  backup: backupCommand,
  doctor: doctorCommand,
  import: importCommand,
  init: initCommand,
  key: keyCommand,
  move: moveCommand,
  plugin: pluginCommand,
  report: reportCommand,
  restore: restoreCommand,
  storage: storageCommand,
};
