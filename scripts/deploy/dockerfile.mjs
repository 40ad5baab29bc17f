// Reads a Dockerfile into stages. Knows the instructions that the Dockerfile of this repository uses, and refuses any other.

/** Instructions that only describe the image. */
const METADATA = ['CMD', 'EXPOSE', 'HEALTHCHECK', 'LABEL', 'STOPSIGNAL', 'USER', 'VOLUME'];
const STEPS = ['ARG', 'COPY', 'ENV', 'RUN', 'WORKDIR'];

/**
 * The stages of a Dockerfile in order: `name`, `base` (with variables filled in), `steps` in order, and of each kind of metadata the last one.
 *
 * @param args values of build arguments, in place of the defaults
 * @throws Error that names the line of an instruction that it does not know
 */
export function stagesOf(text, args = {}) {
  const stages = [];
  const global = { BUILDPLATFORM: 'linux' };
  for (const { line, word, rest } of instructions(text)) {
    const stage = stages.at(-1);
    if (word === 'ARG' && stage === undefined) Object.assign(global, argument(rest, args));
    else if (word === 'FROM') stages.push(stageOf(fill(rest, global)));
    else if (stage === undefined) throw new Error(`line ${line}: ${word} before the first FROM`);
    else if (STEPS.includes(word)) stage.steps.push({ line, word, rest });
    else if (METADATA.includes(word)) stage.metadata[word] = rest;
    else throw new Error(`line ${line}: ${word} is not known here`);
  }
  return stages;
}

/** NAME=DEFAULT of an ARG, with the given value if there is one. */
export function argument(rest, args) {
  const [name, ...value] = rest.split('=');
  return { [name]: args[name] ?? unquoted(value.join('=')) };
}

/** The pairs of an ENV or LABEL. */
export function pairs(rest) {
  return Object.fromEntries([...rest.matchAll(/([\w.]+)=("(?:[^"\\]|\\.)*"|\S*)/g)].map(([, name, value]) => [name, unquoted(value)]));
}

/** Replaces $NAME and ${NAME}. */
export function fill(text, variables) {
  return text.replaceAll(/\$\{?(\w+)\}?/g, (whole, name) => variables[name] ?? whole);
}

/** The options (--name=value) and the operands of an instruction. */
export function operands(rest) {
  const words = rest.split(/\s+/);
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('='));
  return { options: Object.fromEntries(options), paths: words.filter((word) => !word.startsWith('--')) };
}

/** Whether .dockerignore leaves out a path; of the patterns that fit it or a folder above it, the last one counts. */
export function ignores(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '').replace(/\/$/, '')) }));
  return (path) => {
    const folders = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    return rules.reduce((left, { keeps, pattern }) => (folders.some((folder) => pattern.test(folder)) ? !keeps : left), false);
  };
}

function instructions(text) {
  const found = [];
  let open;
  text.split('\n').forEach((raw, index) => {
    if (/^\s*(#|$)/.test(raw)) return;
    const piece = raw.replace(/\\$/, '').trim();
    open ??= { line: index + 1, pieces: [] };
    open.pieces.push(piece);
    if (raw.endsWith('\\')) return;
    const [word = '', ...rest] = open.pieces.join(' ').split(/\s+/);
    found.push({ line: open.line, word, rest: rest.join(' ') });
    open = undefined;
  });
  return found;
}

function stageOf(rest) {
  const { paths } = operands(rest);
  return { base: paths[0], name: paths[2], steps: [], metadata: {} };
}

function unquoted(value) {
  return value.replace(/^"(.*)"$/, '$1');
}

function patternOf(glob) {
  const source = glob
    .split(/(\*\*\/|\*)/)
    .map((part) => (part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${source.join('')}$`);
}
