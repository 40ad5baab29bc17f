import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { ignores, operands, pairs, stagesOf } from './dockerfile.mjs';

const STRICT = Object.fromEntries(
  ['deprecatedMaintainer', 'directiveCasing', 'emptyContinuationLine', 'instructionCasing', 'instructionCmdMultiple']
    .concat([
      'instructionEntrypointMultiple',
      'instructionHealthcheckMultiple',
      'instructionJSONInSingleQuotes',
      'instructionWorkdirRelative',
    ])
    .map((name) => [name, ValidationSeverity.ERROR]),
);

/** The Dockerfile: its syntax, the files that it copies, its user, and the variables that it sets. */
export function dockerfileFaults({ root, read, version, unknownNames }) {
  const text = read('Dockerfile');
  const faults = validate(text, STRICT).map(({ message, range }) => `Dockerfile:${range.start.line + 1}: ${message}`);
  if (faults.length > 0) return { faults };
  const left = ignores(read('.dockerignore'));
  const stages = stagesOf(text);
  const last = stages.at(-1);
  for (const { steps } of stages) {
    for (const { line, word, rest } of steps) {
      const { options, paths } = operands(rest);
      if (word === 'COPY' && options.from !== undefined && !stages.some(({ name }) => name === options.from)) {
        faults.push(`Dockerfile:${line}: there is no stage ${options.from}`);
      }
      if (word !== 'COPY') continue;
      for (const source of paths.slice(0, -1)) {
        const path = options.from === undefined ? source : source.replace('/app/', '');
        const made = options.from !== undefined && ['dist', 'node_modules'].includes(path);
        if (made || path === '.') continue;
        if (!existsSync(join(root, path))) faults.push(`Dockerfile:${line}: ${path} does not exist`);
        else if (left(path)) faults.push(`.dockerignore leaves out ${path}, which Dockerfile:${line} copies`);
      }
    }
  }
  const names = last.steps.filter(({ word }) => word === 'ENV').flatMap(({ rest }) => Object.keys(pairs(rest)));
  faults.push(...unknownNames(names).map((name) => `Dockerfile: ${name} is no setting of Parley`));
  for (const { base } of stages) if (!/:\d+\.\d+\.\d+/.test(base)) faults.push(`Dockerfile: the base image ${base} has no exact version`);
  if (!last.steps.some(({ word, rest }) => word === 'ARG' && rest === `VERSION=${version}`)) {
    faults.push(`Dockerfile: VERSION is not ${version}, as in package.json`);
  }
  for (const word of ['CMD', 'HEALTHCHECK', 'STOPSIGNAL', 'USER']) {
    if (last.metadata[word] === undefined) faults.push(`Dockerfile: the image has no ${word}`);
  }
  if (!/^[1-9]\d*(:[1-9]\d*)?$/.test(last.metadata.USER ?? '')) faults.push('Dockerfile: USER must be a number other than 0');
  if (!last.metadata.CMD?.startsWith('[')) faults.push('Dockerfile: CMD must be a list, so that the server receives signals');
  return { faults };
}
