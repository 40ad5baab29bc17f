import { z } from 'zod';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { similarName } from '../../core/spelling/index.js';
import { cutText, hasAtMost } from '../../core/text/index.js';
import { characterErrors, errorText } from './character-errors.js';
import { fromDialect } from './character-dialects.js';
import { leavesFolder, namesFile } from './knowledge.js';
import { isServiceAddress, SERVICE_ADDRESS_RULE, SERVICE_ADDRESS_SETTINGS } from './service-overrides.js';

/** Each value is validated, compared and shown in one go. */
const MAX_VALUES = 50_000;
/** In fields with names that a caller chooses. Each is compared on its own, and objects with many names are slow. */
const PARTS: readonly (readonly [field: string, most: number])[] = [
  ['settings', 5000],
  ['templates', 5000],
];
/** Each is looked for in what the server logs and records. */
const MAX_SECRETS = 1000;
/** As many as an agent may have documents by default; each is looked for on disk. */
const MAX_FILES = 1000;

const texts = z.array(z.string());
const textOrTexts = z.union([z.string(), texts], {
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be text or a list of texts'),
});

const content = z.looseObject({ text: z.string().optional() });
const exampleMessage = z.preprocess(speakerAsName, z.object({ name: z.string(), content }));
const conversation = z.preprocess(unwrapped, z.array(exampleMessage));

const insidePath = z.string().refine((path) => path.trim() !== '' && !leavesFolder(path), 'must be a path below the characters folder');
const knowledgeEntry = z.union(
  [
    z.string().refine((entry) => /\s/.test(entry) || !leavesFolder(entry), 'must be a fact or a path below the characters folder'),
    z.object({ path: insidePath, shared: z.boolean().optional() }),
    z.object({ directory: insidePath, shared: z.boolean().optional() }),
  ],
  { error: 'must be text, { path } or { directory }' },
);

const serviceAddress = z.string().refine(isServiceAddress, SERVICE_ADDRESS_RULE).nullish();
const serviceAddresses = Object.fromEntries(SERVICE_ADDRESS_SETTINGS.map((name) => [name, serviceAddress]));
const secrets = z
  .object(serviceAddresses)
  .catchall(z.union([z.string(), z.boolean(), z.number(), z.null()], { error: 'must be text, a number or true/false' }));
const settings = z.looseObject({ ...serviceAddresses, secrets: z.looseObject(serviceAddresses).optional() });

const schema = z.strictObject({
  id: z.string().refine(isUuid, 'must be a UUID (8-4-4-4-12 hexadecimal digits)').optional(),
  name: z
    .string()
    .refine((name) => hasAtMost(name, 255), 'must be at most 255 characters')
    .refine((name) => name.trim() !== '' && !/\p{Cc}/u.test(name), 'must have a visible character and no control characters'),
  username: z.string().optional(),
  system: z.string().optional(),
  templates: z.record(z.string(), z.string()).optional(),
  bio: textOrTexts,
  lore: textOrTexts.optional(),
  messageExamples: z.array(conversation).optional(),
  postExamples: texts.optional(),
  topics: texts.optional(),
  adjectives: texts.optional(),
  knowledge: z
    .array(knowledgeEntry)
    .refine((entries) => entries.filter(namesFile).length <= MAX_FILES, `must name at most ${MAX_FILES} files and folders`)
    .optional(),
  plugins: texts.optional(),
  settings: settings.optional(),
  secrets: secrets.optional(),
  style: z.object({ all: texts.optional(), chat: texts.optional(), post: texts.optional() }).optional(),
});

// Accepted but unused: fields of older elizaOS files, and of exported agents.
const UNUSED_FIELDS = new Set([
  ...['$schema', 'modelProvider', 'imageModelProvider', 'imageVisionModelProvider', 'modelEndpointOverride', 'clients', 'clientConfig'],
  ...['people', 'email', 'twitterProfile', 'instagramProfile', 'simsaiProfile', 'twitterSpaces', 'nft', 'extends'],
  ...['enabled', 'status', 'createdAt', 'updatedAt'],
]);

/**
 * The definition of an agent, in the fields of an elizaOS character file, without secrets. Texts are unchanged; speakers of
 * `messageExamples` are always in the field `name`.
 */
export type Character = Omit<z.output<typeof schema>, 'secrets' | 'settings'> & { settings?: Record<string, unknown> };

/** A character's secrets: never part of a response, of the log or of `Agent.character`. */
export interface CharacterSecrets {
  /** `secrets` of the character. */
  readonly own: Readonly<Record<string, unknown>>;
  /** `settings.secrets` of the character. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface ParsedCharacter {
  readonly character: Character;
  readonly secrets: CharacterSecrets | null;
  /** Names of accepted fields that are not used. */
  readonly unused: readonly string[];
}

/**
 * Validates a character from a file or a request and separates its secrets.
 *
 * @param source prefix of fault messages, such as the file name
 * @throws AppError CHARACTER_INVALID whose details list all faults with their paths
 */
export function parseCharacter(value: unknown, source: string): ParsedCharacter {
  assertCharacterSize(value, source);
  const unused = isObject(value) ? Object.keys(value).filter((field) => UNUSED_FIELDS.has(field)) : [];
  const used = isObject(value) ? Object.fromEntries(Object.entries(value).filter(([field]) => !UNUSED_FIELDS.has(field))) : value;
  const result = schema.safeParse(used, { error: errorText });
  if (!result.success) throw invalidCharacter(characterErrors(result.error).map((fault) => `${source}: ${fault}`));
  const { secrets: own, settings: allSettings, ...character } = result.data;
  const { secrets: inSettings, ...openSettings } = allSettings ?? {};
  return {
    character: allSettings === undefined ? character : { ...character, settings: openSettings },
    secrets: own === undefined && inSettings === undefined ? null : { own: own ?? {}, settings: inSettings ?? {} },
    unused,
  };
}

/** A character of a file, and what its reader should know. */
export interface ForeignCharacter extends ParsedCharacter {
  /** One sentence without a full stop for each value that was changed or left out, beginning with its field. */
  readonly warnings: readonly string[];
}

/**
 * As `parseCharacter`, for files that others wrote: fields that no character has are left out with a warning, and the dialects of such files
 * are understood (`fromDialect`).
 *
 * @throws AppError CHARACTER_INVALID for a value that cannot be understood
 */
export function parseForeignCharacter(given: unknown, source: string): ForeignCharacter {
  assertCharacterSize(given, source);
  const command = isObject(given) ? otherFormat(given) : undefined;
  if (command !== undefined) throw invalidCharacter([`${source}: ${command}, which is imported: parley import FILE`]);
  const warnings: string[] = [];
  const value = fromDialect(given, (sentence) => warnings.push(sentence));
  if (!isObject(value)) return { ...parseCharacter(value, source), warnings };
  const known = Object.keys(schema.shape);
  const fields = Object.entries(value).filter(([field]) => known.includes(field) || UNUSED_FIELDS.has(field));
  for (const field of Object.keys(value)) {
    if (known.includes(field) || UNUSED_FIELDS.has(field)) continue;
    const near = similarName(field, known);
    warnings.push(
      `${cutText(field, 100)} is not a field of a character and is not used${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  }
  return { ...parseCharacter(Object.fromEntries(fields), source), warnings };
}

/** What an object is that has agents in another format. */
function otherFormat(value: Record<string, unknown>): string | undefined {
  if (typeof value['spec'] === 'string' && value['spec'].startsWith('chara_card')) return 'this is a character card';
  if ('first_mes' in value && !('bio' in value)) return 'this is a character card';
  return Array.isArray(value['agents']) && Array.isArray(value['blocks']) ? 'this is an agent file of Letta' : undefined;
}

/**
 * Refuses what is too large to be looked at in one go. Also for a change of a character.
 *
 * @throws AppError CHARACTER_INVALID
 */
export function assertCharacterSize(character: unknown, source: string): void {
  if (!isObject(character)) return;
  const { settings, secrets } = character;
  const named = [secrets, isObject(settings) ? settings['secrets'] : undefined].map((each) =>
    isObject(each) ? Object.keys(each).length : 0,
  );
  const [fault] = [
    ...PARTS.filter(([field, most]) => hasMore(character[field], most)).map(([field, most]) => `${field}: ${tooMany(most)}`),
    ...(hasMore(character, MAX_VALUES) ? [tooMany(MAX_VALUES)] : []),
    ...(named[0]! + named[1]! > MAX_SECRETS ? [`must have at most ${MAX_SECRETS} secrets`] : []),
  ];
  if (fault !== undefined) throw invalidCharacter([`${source}: ${fault}`]);
}

function tooMany(most: number): string {
  return `must have at most ${most} values in its lists and objects`;
}

/** Whether a value has more values than this at any depth. */
function hasMore(value: unknown, most: number): boolean {
  const waiting = isContainer(value) ? [value] : [];
  let count = 0;
  for (let next = waiting.pop(); count <= most && next !== undefined; next = waiting.pop()) {
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    count += members.length;
    if (count > most) return true;
    for (const member of members) if (isContainer(member)) waiting.push(member);
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function invalidCharacter(faults: readonly string[]): AppError {
  const [first = 'The character is not valid', ...others] = faults;
  return new AppError('CHARACTER_INVALID', others.length === 0 ? first : `${first} (and ${others.length} more)`, faults.join('; '));
}

/** Older files have the speaker of an example in the field `user`. */
function speakerAsName(message: unknown): unknown {
  if (!isObject(message) || 'name' in message || !('user' in message)) return message;
  const { user, ...rest } = message;
  return { name: user, ...rest };
}

/** Newer files wrap each example conversation in an object. */
function unwrapped(value: unknown): unknown {
  return isObject(value) && 'examples' in value ? value['examples'] : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
