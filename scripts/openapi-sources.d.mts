import type ts from 'typescript';
import type { Sources } from '../src/openapi/plugin-metadata.js';

export function readSources(program: ts.Program, root: string, output: { folder: string; file: string }): Promise<Sources>;
