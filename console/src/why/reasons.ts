import { t } from '../i18n.js';

const KNOWN = ['MODEL_UNAVAILABLE', 'MODEL_REJECTED', 'TURN_TIMEOUT', 'TURN_CANCELLED', 'TURN_FAILED'] as const;

/** Why a reply was not given, in two or three words; a code that the console does not know stays. */
export function reasonName(code: string): string {
  const known = KNOWN.find((name) => name === code);
  return known === undefined ? code : t(`runs.reasons.${known}`);
}
