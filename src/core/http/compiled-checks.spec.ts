import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { passesChecks } from './compiled-checks.js';
import { IfPresent, IsFilledText, IsJsonObject, IsListOf, IsUuidText } from './validators.js';

class Inner {
  @IsInt()
  @Min(0)
  @Max(3)
  size!: number;
}

class Base {
  @IsUuidText()
  @IfPresent()
  id?: string;
}

class Body extends Base {
  @IsFilledText(4)
  text!: string;
  @IsOptional()
  @IsString({ each: true })
  @MaxLength(2, { each: true })
  @IsArray()
  tags?: string[];
  @ValidateIf(({ text }: Body) => text === 'a')
  @IsBoolean()
  flag?: boolean;
  @IfPresent()
  @ValidateNested()
  inner?: Inner;
  @IsOptional()
  @IsListOf(Inner, 2)
  list?: Inner[];
  @IsOptional()
  @IsJsonObject(20)
  json?: object;
  @IsOptional()
  @IsIn(['x', 'y'])
  choice?: string;
  @Allow()
  anything: unknown;
}

/** A kind of check that is left to class-validator. */
class Other {
  @IsDefined()
  value: unknown;
}

/** Mostly what is valid, so that whole bodies are. */
const mostly = <T, U>(valid: fc.Arbitrary<T>, others: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 8, arbitrary: valid }, { weight: 1, arbitrary: others });
const size = mostly(fc.integer({ min: 0, max: 3 }), fc.constantFrom(-1, 4, '1'));
const inner = mostly(fc.record({ size }), fc.constant(null));
const asInner = (value: { size: unknown } | null): unknown => (value === null ? null : Object.assign(new Inner(), value));
const tag = mostly(fc.constantFrom('a', 'bc'), fc.constantFrom('abc', 1));
const values = fc.record(
  {
    text: mostly(fc.constantFrom('a', 'b'), fc.constantFrom('', '     ', 'longer', 5)),
    id: mostly(fc.uuid(), fc.constantFrom('no', null)),
    tags: mostly(fc.array(tag, { maxLength: 3 }), fc.constantFrom(null, 'a', { length: 1 })),
    flag: mostly(fc.boolean(), fc.constantFrom('true', null)),
    inner: mostly(inner.map(asInner), fc.constantFrom('text', 3)),
    list: mostly(fc.array(inner, { maxLength: 2 }), fc.constantFrom('text', [{}, {}, {}])),
    json: mostly(fc.constantFrom({}, { a: 1 }), fc.constantFrom([], { a: 'x'.repeat(20) })),
    choice: mostly(fc.constantFrom('x', 'y'), fc.constantFrom('z', null)),
    anything: fc.anything(),
  },
  { requiredKeys: ['text'] },
);

describe('compiled checks', () => {
  it('accept exactly what class-validator accepts', () => {
    let passed = 0;
    const property = fc.property(values, (given) => {
      const instance = Object.assign(new Body(), given);
      const valid = validateSync(instance, { forbidUnknownValues: false }).length === 0;
      if (valid) passed += 1;
      expect(passesChecks(instance)).toBe(valid);
    });
    fc.assert(property, { numRuns: 2000 });
    expect(passed).toBeGreaterThan(200);
  });

  it('leave unknown decorators to class-validator', () => {
    expect(passesChecks(Object.assign(new Body(), { text: 'b', inner: [] }))).toBe(false);
    expect(passesChecks(Object.assign(new Other(), { value: 1 }))).toBe(validateSync(Object.assign(new Other(), { value: 1 })).length > 0);
  });
});
