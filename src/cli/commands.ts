import { doctorCommand } from './doctor.js';
import { keyCommand } from './keys.js';
import { moveCommand } from './move.js';
import type { Command } from './program.js';

/** Commands by their first word. */
export const COMMANDS: Readonly<Record<string, Command>> = { doctor: doctorCommand, key: keyCommand, move: moveCommand };
