import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors/index.js';
import { idFromText } from '../../core/ids/index.js';
import { invalidCharacter, parseCharacter, type ParsedCharacter } from './character.js';

/** A character file and its agent. */
export interface CharacterFile extends ParsedCharacter {
  /** Name of the file in its folder. */
  readonly file: string;
  /** Id of the agent, lower case: the character's id, or one derived from its name. */
  readonly agentId: string;
  /** Hash of the character and its secrets; formatting and unused fields do not affect it. */
  readonly hash: string;
}

/**
 * Reads all `*.json` files of the folder, sorted by name. Hidden files and subfolders are ignored.
 *
 * @param required whether a missing folder is an error; otherwise it counts as empty
 * @throws AppError CHARACTER_INVALID whose details list all errors of all files; CONFIG_INVALID for a folder that cannot be read
 */
export async function readCharacterFiles(folder: string, required: boolean): Promise<CharacterFile[]> {
  const errors: string[] = [];
  const files: CharacterFile[] = [];
  for (const name of await jsonFiles(folder, required)) {
    try {
      files.push(await readCharacterFile(folder, name));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(error.details);
    }
  }
  errors.push(...duplicates(files, 'id', (file) => file.agentId), ...duplicates(files, 'name', (file) => file.character.name));
  if (errors.length > 0) throw invalidCharacter(errors);
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
  const read = parseCharacter(await readJson(folder, file), file);
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

/** The line of a syntax error. The parser's message is not used, because it quotes the text, which may contain a secret. */
function whereNotJson(text: string, message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  const quoted = /, (\.{3})?"([\s\S]*?)"(?:\.{3})? is not valid JSON$/.exec(message);
  if (position === undefined && !quoted) return '';
  const offset = position === undefined ? text.indexOf(quoted?.[2] ?? '') + (quoted?.[1] === undefined ? 0 : 10) : Number(position);
  return ` (near line ${text.slice(0, offset).split('\n').length})`;
}

function duplicates(files: readonly CharacterFile[], field: string, keyOf: (file: CharacterFile) => string): string[] {
  const first = new Map<string, string>();
  return files.flatMap((file) => {
    const key = keyOf(file);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, file.file);
    return earlier === undefined ? [] : [`${file.file}: has the same agent ${field} as ${earlier} (${key})`];
  });
}
