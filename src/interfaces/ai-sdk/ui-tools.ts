import { distinctTools, objectAt, refuseField, schemaAt, textAt, toolNameAt, type ProtocolRequest } from '../../modules/protocols/index.js';

type Tools = NonNullable<ProtocolRequest['turn']['tools']>;

/** Maximum number of tools in a request. */
const MAX_TOOLS = 512;

/**
 * Reads the tools that run in the browser: a list in the form of Chat Completions, or an object of names with `description` and `inputSchema`,
 * a JSON Schema or the value of `jsonSchema()`.
 *
 * @throws AppError VALIDATION_ERROR naming the field
 */
export function readUiTools(sent: unknown): Tools {
  if (sent === undefined || sent === null) return [];
  const tools = Array.isArray(sent) ? sent.flatMap(readListed) : Object.entries(objectAt(sent, 'tools')).map(readNamed);
  if (tools.length > MAX_TOOLS) refuseField('tools', `must have at most ${MAX_TOOLS} elements`);
  return distinctTools(tools, 'tools');
}

function readListed(value: unknown, index: number): Tools {
  const path = `tools[${index}]`;
  const tool = objectAt(value, path);
  if (tool['type'] !== 'function') return [];
  const { name, description, parameters } = objectAt(tool['function'], `${path}.function`);
  return [
    {
      name: toolNameAt(name, `${path}.function.name`),
      description: descriptionAt(description, `${path}.function.description`),
      parameters: schemaAt(parameters, `${path}.function.parameters`),
    },
  ];
}

function readNamed([name, value]: [string, unknown]): Tools[number] {
  const path = `tools.${name}`;
  const { description, inputSchema } = objectAt(value, path);
  const schema = inputSchema === undefined || inputSchema === null ? undefined : objectAt(inputSchema, `${path}.inputSchema`);
  if (schema && ('~standard' in schema || '_def' in schema)) {
    refuseField(`${path}.inputSchema`, 'must be a JSON Schema', 'A schema of zod does not survive JSON: send z.toJSONSchema(schema).');
  }
  return {
    name: toolNameAt(name, path),
    description: descriptionAt(description, `${path}.description`),
    parameters: schemaAt(schema?.['jsonSchema'] ?? schema, `${path}.inputSchema`),
  };
}

function descriptionAt(value: unknown, path: string): string {
  return value === undefined || value === null ? '' : textAt(value, path);
}
