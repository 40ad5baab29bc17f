/** A value of a field in a request, with words for it that follow the name of the field. */
type Named = readonly [words: string, value: unknown];

/** What a field has to be: values that it must not have, and values that it may have. */
export interface Kind {
  readonly wrong: readonly Named[];
  readonly right: readonly Named[];
}

/** One line of a table of fields: `a.b` is a field inside the object `a`. */
export type Field = readonly [path: string, kind: Kind, presence: 'required' | 'optional' | 'optional or null'];

/** Stands for a field that is not there at all. */
const ABSENT = Symbol('absent');

export const ZERO_UUID = '00000000-0000-0000-0000-000000000000';
/** Of version 0, as ids that are derived from names are (contract 5.9). */
export const UUID_V0 = 'b850bc30-45f8-0041-a00a-83df46d8555d';
const UUID_V4 = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const UUID_V7 = '01890a5d-ac96-774b-bcce-b302099a8057';
const UUID_ONES = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const NOT_TEXT: Named[] = [
  ['is null', null],
  ['is a number', 7],
  ['is true', true],
  ['is an object', { text: 'x' }],
  ['is a list', ['x']],
];

/** Texts that are nearly UUIDs. */
export const NO_UUIDS: Named[] = [
  ['is not a UUID', 'not-a-uuid'],
  ['is a UUID without a digit', UUID_V4.slice(1)],
  ['is a UUID with a digit too many', `${UUID_V4}0`],
  ['is a UUID with a letter that is no digit', UUID_V4.replace('f', 'g')],
  ['is a UUID without hyphens', UUID_V4.replaceAll('-', '')],
  ['is a UUID in braces', `{${UUID_V4}}`],
  ['is a UUID with a space', ` ${UUID_V4}`],
];

/** UUIDs of every kind that some validators turn away (contract 0.4). */
export const UUIDS: Named[] = [
  ['is the all-zero UUID', ZERO_UUID],
  ['is a UUID of version 0', UUID_V0],
  ['is a UUID of version 4', UUID_V4],
  ['is a UUID of version 7', UUID_V7],
  ['is a UUID of ones only', UUID_ONES],
  ['is a UUID in upper case', UUID_V4.toUpperCase()],
];

export const uuid: Kind = {
  wrong: [
    ...NOT_TEXT,
    ['is empty', ''],
    ...NO_UUIDS,
    ['is a UUID with a line break', `${UUID_V4}\n`],
    ['is a list of one UUID', [UUID_V4]],
  ],
  right: UUIDS,
};

/** A UUID of an existing resource. */
export const knownUuid: Kind = { ...uuid, right: [] };

/** Text with something in it, of at most `max` characters. */
export function text(max: number): Kind {
  return {
    wrong: [...NOT_TEXT, ['is empty', ''], ['is only white space', ' \n\t'], ...tooLong(max)],
    right: [
      ['has one character', 'x'],
      [`has ${max} characters`, 'x'.repeat(max)],
      [`has ${max} emoji`, '🌞'.repeat(max)],
      [`has ${max} emoji with their variants`, '❤️'.repeat(max / 2)],
      ['is in many scripts', 'Grüße, 世界 👋 مرحبا'],
      ['has quotes and markup', `"'<b>&amp;</b>\\n' OR 1=1 --`],
    ],
  };
}

const tooLong = (max: number): Named[] => [
  [`has ${max + 1} characters`, 'x'.repeat(max + 1)],
  [`has ${max + 1} emoji`, '🌞'.repeat(max + 1)],
];

/** Text that may be empty, and as long as what is around it when there is no `max`. */
export function anyText(max?: number): Kind {
  return { wrong: [...NOT_TEXT, ...(max === undefined ? [] : tooLong(max))], right: [['is empty', ''], ...text(max ?? 1000).right] };
}

/** A word out of a few. */
export function oneOf(...words: string[]): Kind {
  return { wrong: [...NOT_TEXT, ['is empty', ''], ['is no known word', 'perhaps']], right: words.map((word) => [`is ${word}`, word]) };
}

const NO_OBJECT: Named[] = [
  ['is null', null],
  ['is text', 'text'],
  ['is an object as text', '{}'],
  ['is a number', 7],
  ['is true', true],
  ['is a list', [{}]],
];

/** A JSON object; with a bound, of at most so many characters of JSON. */
export function object(max?: number): Kind {
  const ofLength = (characters: number): object => ({ key: 'x'.repeat(characters - '{"key":""}'.length) });
  return {
    wrong: [...NO_OBJECT, ...(max === undefined ? [] : [[`has ${max + 1} characters of JSON`, ofLength(max + 1)] as const])],
    right: [
      ['is empty', {}],
      ['is nested', { list: [1, 'two', null, { three: 3 }], flag: false, number: 1.5, nothing: null }],
      ...(max === undefined ? [] : [[`has ${max} characters of JSON`, ofLength(max)] as const]),
    ],
  };
}

export function integer(min: number, max?: number): Kind {
  return {
    wrong: [
      ['is null', null],
      ['is a number as text', String(min + 1)],
      ['is true', true],
      ['is an object', {}],
      ['is a list', [min + 1]],
      ['is a fraction', min + 0.5],
      ['is negative', -min - 1],
      [`is ${min - 1}`, min - 1],
      ...(max === undefined ? [] : [[`is ${max + 1}`, max + 1] as const]),
      ['is far too large', 1e300],
    ],
    right: [[`is ${min}`, min], ...(max === undefined ? [] : [[`is ${max}`, max] as const])],
  };
}

export const boolean: Kind = {
  wrong: [
    ['is null', null],
    ['is "true"', 'true'],
    ['is "false"', 'false'],
    ['is 0', 0],
    ['is 1', 1],
    ['is an object', {}],
    ['is a list', [true]],
  ],
  right: [
    ['is true', true],
    ['is false', false],
  ],
};

/** A list, given what is not to be in it. */
export function listOf(wrong: readonly unknown[], right: readonly unknown[]): Kind {
  return {
    wrong: [
      ['is null', null],
      ['is text', 'text'],
      ['is a number', 7],
      ['is an object', { 0: 'x' }],
      ...wrong.map((element) => [`is a list with ${JSON.stringify(element)} in it`, [element]] as const),
    ],
    right: [
      ['is an empty list', []],
      ['is a list', right],
    ],
  };
}

type Row = readonly [name: string, path: string, value: unknown];

/** Every way in which a body can be wrong in one field. */
export function badFields(fields: readonly Field[]): Row[] {
  return fields.flatMap(([path, kind, presence]) => [
    ...(presence === 'required' ? [[`${path} is missing`, path, ABSENT] as const] : []),
    ...kind.wrong
      .filter(([, value]) => value !== null || presence !== 'optional or null')
      .map(([words, value]) => [`${path} ${words}`, path, value] as const),
  ]);
}

/** Every way in which a body may be right in one field. */
export function goodFields(fields: readonly Field[]): Row[] {
  return fields.flatMap(([path, kind, presence]) => [
    ...(presence === 'required' ? [] : [[`${path} is missing`, path, ABSENT] as const]),
    ...(presence === 'optional or null' ? [[`${path} is null`, path, null] as const] : []),
    ...kind.right.map(([words, value]) => [`${path} ${words}`, path, value] as const),
  ]);
}

/** The body with one field changed, or taken out. */
export function withField(body: object, path: string, value: unknown): Record<string, unknown> {
  const [head = '', ...rest] = path.split('.');
  const { [head]: present, ...others } = body as Record<string, unknown>;
  if (rest.length > 0) return { ...others, [head]: withField(present ?? {}, rest.join('.'), value) };
  return value === ABSENT ? others : { ...others, [head]: value };
}

/** The value at a path of a response. */
export function fieldOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | null)?.[key], value);
}

/** Whether the row gave a value of its own, which the answer can be expected to show. */
export function isGiven(value: unknown): boolean {
  return value !== ABSENT && value !== null;
}

/** The last name of a path, which a refusal has to mention. */
export function nameOf(path: string): string {
  return path.split('.').at(-1) ?? path;
}

/** As ids come back: in lower case. */
export function asShown(value: unknown): unknown {
  return UUIDS.some(([, id]) => id === value) ? (value as string).toLowerCase() : value;
}
