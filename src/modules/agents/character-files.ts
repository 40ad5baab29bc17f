import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors/index.js';
import { idFromText } from '../../core/ids/index.js';
import { invalidCharacter, readCharacter, type ReadCharacter } from './character.js';

/** A character file, and the agent that it defines. */
export interface CharacterFile extends ReadCharacter {
  /** Name of the file in its folder. */
  readonly file: string;
  /** Id of the agent, lower case: the character's own, else the one that belongs to its name. */
  readonly agentId: string;
  /** Fingerprint of what the file says; layout and fields that are not used do not count. */
  readonly hash: string;
}

/**
 * Reads all `*.json` of the folder, in the order of their names. Hidden files and subfolders are no characters.
 *
 * @param required whether a missing folder is a fault; otherwise it has no files
 * @throws AppError CHARACTER_INVALID whose details name every fault of every file; CONFIG_INVALID for a folder that can't be read
 */
export async function readCharacterFiles(folder: string, required: boolean): Promise<CharacterFile[]> {
  const faults: string[] = [];
  const files: CharacterFile[] = [];
  for (const name of await jsonFiles(folder, required)) {
    try {
      files.push(await readCharacterFile(folder, name));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(error.details);
    }
  }
  faults.push(...doubles(files, 'id', (file) => file.agentId), ...doubles(files, 'name', (file) => file.character.name));
  if (faults.length > 0) throw invalidCharacter(faults);
  return files;
}

async function jsonFiles(folder: string, required: boolean): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.json') && !name.startsWith('.')).sort();
    const kinds = await Promise.all(
      names.map((name) =>
        stat(join(folder, name)).then(
          (found) => found.isDirectory(),
          () => false,
        ),
      ),
    );
    return names.filter((_, index) => !kinds[index]);
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

/** Reads one file of the folder, or below it. @throws AppError CHARACTER_INVALID */
export async function readCharacterFile(folder: string, file: string): Promise<CharacterFile> {
  const read = readCharacter(await readJson(folder, file), file);
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

async function readJson(folder: string, file: string): Promise<unknown> {
  const bytes = await readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
    throw invalidCharacter([`${file}: cannot be read (${error.code ?? 'unknown cause'})`]);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidCharacter([`${file}: is not text in UTF-8`]);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidCharacter([`${file}: is not JSON${whereNotJson(text, (error as Error).message)}`]);
  }
}

/** The line of the fault. The parser's own words quote the text around it, which may be a secret. */
function whereNotJson(text: string, message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  const quoted = /, (\.{3})?"([\s\S]*?)"(?:\.{3})? is not valid JSON$/.exec(message);
  if (position === undefined && !quoted) return '';
  const offset = position === undefined ? text.indexOf(quoted?.[2] ?? '') + (quoted?.[1] === undefined ? 0 : 10) : Number(position);
  return ` (near line ${text.slice(0, offset).split('\n').length})`;
}

function doubles(files: readonly CharacterFile[], what: string, keyOf: (file: CharacterFile) => string): string[] {
  const first = new Map<string, string>();
  return files.flatMap((file) => {
    const key = keyOf(file);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, file.file);
    return earlier === undefined ? [] : [`${file.file}: has the same agent ${what} as ${earlier} (${key})`];
  });
}
