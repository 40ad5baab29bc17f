/** Names of levels and their numbers, as clients know them (contract 3.4). */
export const LEVELS = {
  fatal: 60,
  error: 50,
  warn: 40,
  info: 30,
  log: 29,
  progress: 28,
  success: 27,
  debug: 20,
  trace: 10,
} as const;

export type LevelName = keyof typeof LEVELS;

export const LEVEL_NAMES = Object.keys(LEVELS) as LevelName[];

/** Number of a level by its name; 30 for a name that is none. */
export function levelNumber(name: string): number {
  return Object.hasOwn(LEVELS, name) ? LEVELS[name as LevelName] : LEVELS.info;
}
