import { integer, type SettingValues } from '../../core/config/index.js';

export const DIAGNOSTICS_SETTINGS = {
  faultRecords: integer(
    'FAULT_RECORDS',
    20,
    { min: 0, max: 1000 },
    { about: 'Number of records of faults to keep in DATA_DIR/faults; the oldest are deleted. 0 records no faults.' },
  ),
  stallMs: integer(
    'STALL_MS',
    1000,
    { min: 0, max: 600_000 },
    { about: 'Time for which the event loop must stall to leave a record of a fault, ms. 0 switches the watch off.' },
  ),
  memoryMarkMb: integer(
    'MEMORY_MARK_MB',
    1024,
    { min: 0, max: 1_000_000 },
    { about: 'Resident memory above which the server leaves a record of a fault, MB. 0 switches the watch off.' },
  ),
  invariantCheckMs: integer(
    'INVARIANT_CHECK_MS',
    600_000,
    { min: 100, max: 86_400_000 },
    { about: 'Pause between two checks of stored data for contradictions, ms.' },
  ),
} as const;

type DiagnosticsConfig = SettingValues<typeof DIAGNOSTICS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends DiagnosticsConfig {}
}
