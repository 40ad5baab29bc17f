#!/usr/bin/env node
// The program of the package create-parley, bundled by scripts/create-parley.mjs with the name and version of the package it was made for.
import { INIT_USAGE, newProject } from './new-project.js';
import type { ParleyPackage } from './project-files.js';

declare const PARLEY: ParleyPackage;

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(`Usage: npm create parley [FOLDER] [-- --name NAME] [-- --force]\n\n${INIT_USAGE}`);
} else {
  try {
    process.stdout.write(await newProject(args, PARLEY));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
