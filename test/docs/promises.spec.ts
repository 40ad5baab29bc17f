// docs/spec-notes.md is a manifest: each promise has a source and a test, and tests name no others.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');

/** What the specification consists of. "Resources" stands for all of them. */
const SECTIONS = [
  ...['What the service does', 'Resources', 'Session', 'SessionMetadata', 'TimeoutConfig', 'Agent', 'World', 'Room', 'Channel', 'Memory'],
  ...['Agent-authored message', 'Plugin route definition', 'Error envelope', 'Success envelope', 'States and transitions', 'Endpoints'],
  ...Array.from({ length: 11 }, (_, index) => `Operation ${index + 1}`),
  ...['Plugin-defined routes', 'Authentication', 'Events', 'Errors', 'Limits', 'Versioning'],
];

interface Promised {
  readonly id: string;
  readonly sources: readonly string[];
  readonly open: boolean;
}

const rows = promisedIn(readFileSync(join(ROOT, 'docs/spec-notes.md'), 'utf8'));
const tested = new Map(testFiles().flatMap((file) => idsIn(readFileSync(join(ROOT, file), 'utf8')).map((id) => [id, file] as const)));

describe('the promises of docs/spec-notes.md', () => {
  it('are in rows, each with an id of its own', () => {
    expect(rows.length).toBeGreaterThan(100);
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('have a section of the specification or a decision for a source', () => {
    const known = ({ sources }: Promised): boolean =>
      sources.every((source) => SECTIONS.includes(source) || source.startsWith('decision '));
    expect(rows.filter((row) => !known(row))).toEqual([]);
  });

  it('cover every section of the specification', () => {
    const covered = new Set(rows.flatMap(({ sources }) => sources));
    expect(SECTIONS.filter((section) => !covered.has(section))).toEqual([]);
    const promised = new Set(rows.filter(({ open }) => !open).flatMap(({ sources }) => sources));
    expect(SECTIONS.filter((section) => !promised.has(section) && section !== 'Resources')).toEqual([]);
  });

  it('have a test each', () => {
    expect(rows.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
  });

  it('are the only ones that tests name', () => {
    const known = new Set(rows.map(({ id }) => id));
    expect([...tested].filter(([id]) => !known.has(id))).toEqual([]);
  });
});

/** @throws Error naming a list item that is no row */
function promisedIn(text: string): Promised[] {
  return [...text.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, item = '']) => {
    const [, id, source] = /^`([a-z]+\.[a-z-]+)` \(((?:[^()]|\([^()]*\))+)\): \S/.exec(item.replaceAll('\n', ' ')) ?? [];
    if (id === undefined || source === undefined) throw new Error(`no \`id\` (source): text in docs/spec-notes.md: - ${item}`);
    const sources = source.split(', ').filter((part) => part !== 'open');
    return { id, sources: sources.flatMap(sectionsOf), open: source.endsWith(', open') };
  });
}

/** "Operations 2, 3 and 7" has been cut at its comma. */
function sectionsOf(source: string): string[] {
  const [, decision] = /^\[(decision \d+)\]/.exec(source) ?? [];
  if (decision !== undefined) return [decision];
  return /^(Operations )?\d/.test(source) ? (source.match(/\d+/g) ?? []).map((number) => `Operation ${number}`) : [source];
}

function testFiles(): string[] {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return files.filter((file) => /^test.*\.ts$|\.spec\.ts$/.test(file));
}

/** The ids at the ends of titles: `'… [sessions.create]',`. */
function idsIn(source: string): string[] {
  const tags = [...source.matchAll(/(?: \[[a-z]+\.[a-z-]+\])+(?=['"`],)/g)].map(([tag]) => tag);
  return tags.flatMap((tag) => [...tag.matchAll(/\[(.+?)\]/g)].map(([, id = '']) => id));
}
