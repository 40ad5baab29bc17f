import { Check } from '../../core/http/index.js';

/** A field that this server cannot heed: only values that ask for nothing are accepted. @param reason completes the message */
export function IsNeutral(values: readonly (string | number | boolean)[], reason: string): PropertyDecorator {
  const shown = values.map((value) => JSON.stringify(value)).join(' or ');
  return Check(
    'isNeutral',
    { enum: [...values] },
    (value) => (values as readonly unknown[]).includes(value),
    () => `$property must be ${shown} or left out: ${reason}`,
  );
}
