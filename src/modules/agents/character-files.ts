import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors/index.js';
import { idFromText } from '../../core/ids/index.js';
import { decodeText, JsonTextError, parseJsonText } from '../../core/json-text/index.js';
import { invalidCharacter, parseCharacter, parseForeignCharacter, type ForeignCharacter } from './character.js';

/** A character file and its agent. */
export interface CharacterFile extends ForeignCharacter {
  /** Name of the file in its folder. */
  readonly file: string;
  /** Id of the agent, lower case: the character's id, or one derived from its name. */
  readonly agentId: string;
  /** Hash of the character and its secrets; formatting and unused fields do not affect it. */
  readonly hash: string;
}

/** A character file that defines no agent. */
export interface FaultyFile {
  /** Name of the file in its folder. */
  readonly file: string;
  /** All faults, each with the field. */
  readonly faults: readonly string[];
  /** As of before it was read; changes with the file. */
  readonly state: string;
}

/**
 * Reads all `*.json` files of the folder, sorted by name. Hidden files and subfolders are ignored. A file with a fault does not affect others;
 * of two files with the same agent the first counts.
 *
 * @param required whether a missing folder is an error; otherwise it counts as empty
 * @throws AppError CONFIG_INVALID for a folder that cannot be read
 */
export async function readCharacterFiles(folder: string, required: boolean): Promise<{ files: CharacterFile[]; faulty: FaultyFile[] }> {
  const faulty: FaultyFile[] = [];
  const files: CharacterFile[] = [];
  for (const { name: file, state } of await jsonFiles(folder, required)) {
    try {
      const read = await readCharacterFile(folder, file, parseForeignCharacter);
      const twin = duplicateOf(read, files);
      if (twin === undefined) files.push(read);
      else faulty.push({ file, faults: [`${file}: ${twin}`], state });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faulty.push({ file, faults: error.details.split('; '), state });
    }
  }
  return { files, faulty };
}

async function jsonFiles(folder: string, required: boolean): Promise<{ name: string; state: string }[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.json') && !name.startsWith('.')).sort();
    const found = await Promise.all(names.map(async (name) => ({ name, state: await fileState(folder, name) })));
    return found.filter(({ state }) => state !== FOLDER);
  } catch (error) {
    if (!required && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new AppError(
      'CONFIG_INVALID',
      `CHARACTERS_DIR ${folder} cannot be read.`,
      'Set it to a folder of character files, or leave it unset.',
      error,
    );
  }
}

const FOLDER = 'folder';

/** Changes when a file of the folder does, also when it appears or goes. */
export async function fileState(folder: string, file: string): Promise<string> {
  const found = await stat(join(folder, file)).catch(() => undefined);
  if (!found) return 'absent';
  return found.isDirectory() ? FOLDER : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/**
 * Reads one file of the folder, or below it.
 *
 * @param parse by default as strict as with a request
 * @throws AppError CHARACTER_INVALID
 */
export async function readCharacterFile(folder: string, file: string, parse = parseStrictly): Promise<CharacterFile> {
  const read = parse(await readJson(folder, file), file);
  const { character, secrets } = read;
  return {
    ...read,
    file,
    agentId: (character.id ?? idFromText(character.name)).toLowerCase(),
    hash: createHash('sha256')
      .update(JSON.stringify([character, secrets]))
      .digest('hex'),
  };
}

function parseStrictly(value: unknown, source: string): ForeignCharacter {
  return { ...parseCharacter(value, source), warnings: [] };
}

async function readJson(folder: string, file: string): Promise<unknown> {
  const bytes = await readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
    throw invalidCharacter([`${file}: cannot be read (${error.code ?? 'unknown cause'})`]);
  });
  try {
    return parseJsonText(decodeText(bytes));
  } catch (error) {
    throw error instanceof JsonTextError ? invalidCharacter([`${file}: ${error.message}`]) : error;
  }
}

function duplicateOf({ agentId, character: { name } }: CharacterFile, earlier: readonly CharacterFile[]): string | undefined {
  const sameId = earlier.find((file) => file.agentId === agentId);
  if (sameId) return `has the same agent id as ${sameId.file} (${agentId})`;
  const sameName = earlier.find((file) => file.character.name === name);
  return sameName && `has the same agent name as ${sameName.file} (${name})`;
}
