/** Level names and numbers of the API (contract 3.4). */
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

/** The number of a level; 30 for an unknown name. */
export function levelNumber(name: string): number {
  return Object.hasOwn(LEVELS, name) ? LEVELS[name as LevelName] : LEVELS.info;
}
