import { getMetadataStorage } from 'class-validator';
import type { CheckContext } from '../core/http/index.js';

type Schema = Record<string, unknown>;

// JSON Schema of the checks of class-validator; custom checks have their own.
const SCHEMA_OF_CHECK: Record<string, (...constraints: never[]) => Schema> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isIn: (values: unknown[]) => ({ type: typeof values[0], enum: [...values] }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  minLength: (minLength: number) => ({ minLength }),
  matches: (pattern: RegExp) => ({ pattern: pattern.source }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isNotEmpty: () => ({ minLength: 1 }),
  arrayMinSize: (minItems: number) => ({ minItems }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
};
const LIST_CHECKS = new Set(['arrayMinSize', 'arrayMaxSize']);

/** JSON Schema of the checks of a request class by property: for the value, and for the items of a list. */
export function checksOf(requestClass: new () => object): Map<string, { value: Schema; items: Schema }> {
  const found = new Map<string, { value: Schema; items: Schema }>();
  for (const check of getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false)) {
    const part =
      (check.context as CheckContext | undefined)?.schema ?? SCHEMA_OF_CHECK[check.name ?? '']?.(...((check.constraints ?? []) as never[]));
    if (part === undefined) continue;
    const facets = found.get(check.propertyName) ?? { value: {}, items: {} };
    Object.assign(check.each && !LIST_CHECKS.has(check.name ?? '') ? facets.items : facets.value, part);
    found.set(check.propertyName, facets);
  }
  return found;
}
