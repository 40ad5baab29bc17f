import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlayedTurn } from './played-turn.js';

const FOLDER = join(import.meta.dirname, '../../fixtures/prompts');

/** The turns of conversations by the names of these. */
export type Played = Readonly<Record<string, readonly PlayedTurn[]>>;

/** @returns an empty object for a group without a file */
export async function readPrompts(group: string): Promise<Played> {
  const text = await readFile(fileOf(group), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text) as Played;
}

export async function writePrompts(group: string, played: Played): Promise<void> {
  const { format, resolveConfig } = await import('prettier');
  const file = fileOf(group);
  await writeFile(file, await format(JSON.stringify(played), { ...(await resolveConfig(file)), filepath: file }));
}

/** The names of the groups that have a file. */
export async function writtenGroups(): Promise<string[]> {
  return (await readdir(FOLDER)).map((file) => file.replace(/\.json$/, ''));
}

function fileOf(group: string): string {
  return join(FOLDER, `${group}.json`);
}
