// docs/architecture.md begins with pictures. They are compared with the folders, the imports and the allowed dependencies.
import { readdirSync, readFileSync } from 'node:fs';
import { posix, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');
const [parts = '', modules = '', way = ''] = [...read('docs/architecture.md').matchAll(/```mermaid\n(.*?)```/gs)].map(([, text]) => text);
const START = ['main', 'bootstrap', 'cli', 'operations', 'openapi'];
const PACKAGES = { 'parley-client': 'client', 'parley-server/plugin-sdk': 'plugin-sdk' };

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function read(path: string): string {
  return readFileSync(`${ROOT}/${path}`, 'utf8');
}

function foldersIn(path: string): string[] {
  return readdirSync(`${ROOT}/${path}`, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function graphOf(edges: readonly (readonly [from: string, to: string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

/** The arrows of a picture, without the dotted ones. */
function arrowsOf(picture: string): Graph {
  const arrows = [...picture.matchAll(/^ *(\S+) --> (.+)$/gm)];
  return graphOf(arrows.flatMap(([, from = '', to = '']) => to.split(' & ').map((target) => [from, target] as const)));
}

function reachable(graph: Graph, from: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const next of graph.get(name) ?? []) if (!found.has(next)) visit((found.add(next), next));
  };
  visit(from);
  return found;
}

/** The edges of a graph, and those that follow from them. */
function closure(graph: Graph): string[] {
  return [...graph.keys()].flatMap((from) => [...reachable(graph, from)].map((to) => `${from} --> ${to}`)).sort();
}

/** Edges that follow from others. */
function redundant(graph: Graph): string[] {
  return [...graph].flatMap(([from, targets]) =>
    [...targets].filter((to) => [...targets].some((via) => reachable(graph, via).has(to))).map((to) => `${from} --> ${to}`),
  );
}

/** The part of the picture to which a file belongs. */
function partOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  if (top !== 'src') return top;
  const name = second.replace(/\.[jt]s$/, '');
  return START.includes(name) ? 'start' : name;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$|\/node_modules\//.test(path));
}

/** Which parts import which. */
function importsOfParts(): Graph {
  const edges = ['src', 'client/src', 'console/src', 'plugins'].flatMap(sourcesIn).flatMap((path) =>
    [...read(path).matchAll(/(?:\bfrom|\bimport\(|\bimport) ?'([^']+)'/g)].flatMap(([, target = '']) => {
      const [, named] = Object.entries(PACKAGES).find(([name]) => target === name || target.startsWith(`${name}/`)) ?? [];
      const to = target.startsWith('.') ? partOf(posix.join(posix.dirname(path), target)) : named;
      return to === undefined ? [] : [[partOf(path), to] as const];
    }),
  );
  return graphOf(edges);
}

/** What modules may import of each other. */
async function allowedModules(): Promise<{ readonly names: string[]; readonly graph: Graph }> {
  const { MODULES } = (await import(pathToFileURL(`${ROOT}/.dependency-cruiser.mjs`).href)) as { MODULES: Record<string, string[]> };
  const edges = Object.entries(MODULES).flatMap(([from, row]) => row.map((to) => [from, to] as const));
  return { names: Object.keys(MODULES), graph: graphOf(edges.filter(([, to]) => !to.includes('/'))) };
}

it.each(['operations', 'interfaces', 'providers', 'core'])('the picture of the parts names each folder of src/%s', (part) => {
  const [, names = ''] = new RegExp(`^ *${part}\\[.*<i>(.*)</i>`, 'm').exec(parts) ?? [];
  expect(names.split(/,(?: |<br\/>)/)).toEqual(foldersIn(`src/${part}`).sort());
});

it('the picture of the parts has each folder of src', () => {
  const nodes = [...parts.matchAll(/^ *([\w.-]+)\["/gm)].map(([, name = '']) => name);
  expect(nodes.sort()).toEqual([...foldersIn('src'), 'app.module', 'client', 'console', 'plugins'].sort());
});

it('its arrows are imports that exist, and every import follows from them', () => {
  const pictured = arrowsOf(parts);
  const actual = importsOfParts();
  expect(closure(pictured)).toEqual(closure(actual));
  expect([...pictured].flatMap(([from, targets]) => [...targets].filter((to) => actual.get(from)?.has(to) !== true))).toEqual([]);
  expect(redundant(pictured)).toEqual([]);
});

it('the picture of the modules shows them all, and what may import what', async () => {
  const pictured = arrowsOf(modules);
  const { names, graph } = await allowedModules();
  const nodes = [...modules.matchAll(/^ {2}([\w-]+)(?: -->.*)?$/gm)].map(([, name = '']) => name);
  expect(nodes.sort()).toEqual(foldersIn('src/modules').sort());
  expect(names.sort()).toEqual(nodes);
  expect(closure(pictured)).toEqual(closure(graph));
  expect(redundant(pictured)).toEqual([]);
});

it('the way of a message leads through classes and events that exist', () => {
  const source = sourcesIn('src').map(read).join('\n');
  const classes = [...way.matchAll(/\b[A-Z][a-z]+[A-Z]\w+|\bparticipant ([A-Z]\w+)/g)].map(([found, participant]) => participant ?? found);
  const events = [...way.matchAll(/\b(?:message|turn|action)\.[a-z]+\b/g)].map(([event]) => event);
  expect(classes.filter((name) => !new RegExp(`\\b(?:class|type) ${name}\\b`).test(source))).toEqual([]);
  expect(events.filter((event) => !source.includes(`'${event}': {`))).toEqual([]);
  expect([classes.length, events.length].every((count) => count > 4)).toBe(true);
});
