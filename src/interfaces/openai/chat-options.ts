import {
  distinctTools,
  objectAt,
  onlyFields,
  refuseField,
  schemaAt,
  textAt,
  toolNameAt,
  type ProtocolRequest,
} from '../../modules/protocols/index.js';
import type { ChatCompletionsBody } from './chat.dto.js';

type Turn = ProtocolRequest['turn'];
type Tools = NonNullable<Turn['tools']>;

/** What a request asks of the model, beside the conversation. @throws AppError VALIDATION_ERROR naming the field */
export function readChatOptions(body: ChatCompletionsBody): Omit<Turn, 'instructions'> {
  const tools = readTools(body.tools ?? []);
  const { stop, tool_choice: choice } = body;
  return {
    ...(tools.length > 0 && { tools }),
    ...(choice !== undefined && choice !== null && { toolChoice: readChoice(choice, tools) }),
    options: {
      ...given('temperature', body.temperature),
      ...given('topP', body.top_p),
      ...given('maxOutputTokens', body.max_completion_tokens ?? body.max_tokens),
      ...given('reasoningEffort', body.reasoning_effort),
      ...given('parallelToolCalls', body.parallel_tool_calls),
      ...(stop !== undefined && stop !== null && { stop: typeof stop === 'string' ? [stop] : stop }),
      ...readFormat(body.response_format),
    },
  };
}

/** An option that the caller gave. */
function given<K extends string, V>(name: K, value: V | null | undefined): { [P in K]?: V } {
  return value === undefined || value === null ? {} : ({ [name]: value } as { [P in K]: V });
}

function readTools(sent: readonly unknown[]): Tools {
  const tools = sent.flatMap((value, index) => {
    const path = `tools[${index}]`;
    const tool = objectAt(value, path);
    if (tool['type'] !== 'function') return [];
    const { name, description, parameters } = objectAt(tool['function'], `${path}.function`);
    return [
      {
        name: toolNameAt(name, `${path}.function.name`),
        description: description === undefined || description === null ? '' : textAt(description, `${path}.function.description`),
        parameters: schemaAt(parameters, `${path}.function.parameters`),
      },
    ];
  });
  return distinctTools(tools, 'tools');
}

function readChoice(choice: unknown, tools: Tools): NonNullable<Turn['toolChoice']> {
  if (choice === 'none' || choice === 'auto' || choice === 'required') return choice;
  if (typeof choice === 'string') return refuseField('tool_choice', 'must be none, auto, required or a function');
  const { type, function: called } = objectAt(choice, 'tool_choice');
  if (type !== 'function') return refuseField('tool_choice.type', 'must be function');
  const name = textAt(objectAt(called, 'tool_choice.function')['name'], 'tool_choice.function.name');
  if (!tools.some((tool) => tool.name === name)) return refuseField('tool_choice.function.name', 'must be the name of one of the tools');
  return { name };
}

function readFormat(sent: unknown): Pick<Turn['options'], 'responseFormat'> {
  if (sent === undefined || sent === null) return {};
  const format = objectAt(sent, 'response_format');
  switch (format['type']) {
    case 'text':
      return {};
    case 'json_object':
      return { responseFormat: { type: 'json_object' } };
    case 'json_schema': {
      const path = 'response_format.json_schema';
      const { name, schema, strict, description, ...rest } = objectAt(format['json_schema'], path);
      onlyFields(rest, path, ['name', 'schema', 'strict', 'description']);
      return {
        responseFormat: {
          type: 'json_schema',
          name: toolNameAt(name, `${path}.name`),
          schema: objectAt(schema ?? {}, `${path}.schema`),
          ...(typeof description === 'string' && { description }),
          ...(typeof strict === 'boolean' && { strict }),
        },
      };
    }
    default:
      return refuseField('response_format.type', 'must be text, json_object or json_schema');
  }
}
