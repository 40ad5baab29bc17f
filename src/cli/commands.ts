import { backupCommand } from '../operations/backups-cli/backup.command.js';
import { restoreCommand } from '../operations/backups-cli/restore.command.js';
import { doctorCommand } from '../operations/doctor/doctor.command.js';
import { importCommand } from '../operations/import/import.command.js';
import { moveCommand } from '../operations/move/move.command.js';
import { storageCommand } from '../operations/move/storage.command.js';
import { initCommand } from './init.js';
import { keyCommand } from './keys.js';
import { pluginCommand } from './plugin.js';
import type { Command } from './program.js';
import { reportCommand } from './report.js';

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
