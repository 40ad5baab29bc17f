import { getMetadataStorage, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
/** Whether a value of a field passes. */
type FieldCheck = (value: unknown, object: object) => boolean;

interface FieldChecks {
  readonly name: string;
  /** The field is checked only when all of them hold. */
  readonly conditions: readonly FieldCheck[];
  readonly checks: readonly FieldCheck[];
}

const CLASSES = new Map<unknown, readonly FieldChecks[]>();
const NAMES = new Map<unknown, ReadonlySet<string>>();

/**
 * Whether `validateSync` of class-validator finds no error in an instance; it collects the checks of a class anew for each instance, and
 * takes about ten times as long. A kind of check that is not known here counts as failed, so that the caller asks `validateSync`.
 */
export function passesChecks(instance: object): boolean {
  for (const { name, conditions, checks } of checksOf(instance.constructor)) {
    const value = (instance as Record<string, unknown>)[name];
    if (!conditions.every((holds) => holds(value, instance))) continue;
    for (const check of checks) if (!check(value, instance)) return false;
  }
  return true;
}

/** As `validateSync`, which is asked only about an instance that does not pass the compiled checks. */
export function validationErrorsOf(instance: object, options?: ValidatorOptions): ValidationError[] {
  return passesChecks(instance) ? [] : validateSync(instance, { forbidUnknownValues: false, ...options });
}

/** Names of the fields of a class that have checks. */
export function checkedFields(metatype: unknown): ReadonlySet<string> {
  let names = NAMES.get(metatype);
  if (names === undefined) NAMES.set(metatype, (names = new Set(checksOf(metatype).map(({ name }) => name))));
  return names;
}

function checksOf(metatype: unknown): readonly FieldChecks[] {
  let known = CLASSES.get(metatype);
  if (known === undefined) CLASSES.set(metatype, (known = compiled(metatype)));
  return known;
}

function compiled(metatype: unknown): FieldChecks[] {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(metatype as new () => object, '', false, false);
  return Object.entries(storage.groupByPropertyName(all)).map(([name, metadatas]) => {
    const isCondition = ({ type }: Metadata): boolean => type === 'conditionalValidation';
    return {
      name,
      conditions: metadatas.filter(isCondition).map(
        ({ constraints }): FieldCheck =>
          (value, object) =>
            Boolean((constraints[0] as Condition)(object, value)),
      ),
      checks: metadatas.filter((each) => !isCondition(each) && each.type !== 'whitelistValidation').flatMap(checksFrom),
    };
  });
}

type Condition = (object: object, value: unknown) => unknown;

function checksFrom(metadata: Metadata): FieldCheck[] {
  const { type, constraintCls, constraints, propertyName: property, each, validateIf } = metadata;
  if (type === 'nestedValidation') return [passesNested];
  if (type !== 'customValidation') return [() => false];
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .filter((constraint) => !constraint.async)
    .map(({ instance }): FieldCheck => (value, object) => {
      if (validateIf?.(object, value) === false) return true;
      const field = { targetName: object.constructor.name, property, object, value, constraints };
      // A promise counts as failed here.
      const passes = (one: unknown): boolean => instance.validate(one, field) === true;
      if (!each || !isCollection(value)) return passes(value);
      return Array.isArray(value) && value.every(passes);
    });
}

function passesNested(value: unknown): boolean {
  if (value === undefined) return true;
  return value instanceof Object && !isCollection(value) && passesChecks(value);
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || value instanceof Set || value instanceof Map;
}
