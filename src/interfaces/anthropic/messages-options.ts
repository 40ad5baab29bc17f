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
import type { AnthropicCountBody, AnthropicMessagesBody } from './messages.dto.js';

type Turn = ProtocolRequest['turn'];
type Tools = NonNullable<Turn['tools']>;
type Options = Turn['options'];
type Effort = NonNullable<Options['reasoningEffort']>;

const EFFORTS: Readonly<Record<string, Effort>> = { low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'xhigh' };
const LEAST_BUDGET = 1024;
/** Up to which budgets a model thinks with little, and with usual effort, tokens. */
const [SMALL_BUDGET, USUAL_BUDGET] = [4096, 16_384];
const TOOL_FIELDS = ['type', 'name', 'description', 'input_schema', 'input_examples', 'allowed_callers'];
/** Hints: they change how Anthropic loads, sends and caches a tool. No service is certain to hold a schema (`strict`). */
const TOOL_HINTS = ['cache_control', 'defer_loading', 'eager_input_streaming', 'strict'];

/** What a request asks of the model, beside the conversation. */
export interface AnthropicOptions {
  readonly turn: Omit<Turn, 'instructions'>;
  readonly hearsReasoning: boolean;
}

/** @throws AppError VALIDATION_ERROR naming the field */
export function readMessagesOptions(body: AnthropicMessagesBody): AnthropicOptions {
  const { turn, hearsReasoning } = readInputOptions(body, body.max_tokens);
  return {
    hearsReasoning,
    turn: {
      ...turn,
      options: {
        ...turn.options,
        maxOutputTokens: body.max_tokens,
        ...given('temperature', body.temperature),
        ...given('topP', body.top_p),
        ...given('stop', body.stop_sequences),
      },
    },
  };
}

/** The options that both operations have. @throws AppError VALIDATION_ERROR naming the field */
export function readInputOptions(body: AnthropicCountBody, maxTokens = Infinity): AnthropicOptions {
  const tools = readTools(body.tools ?? []);
  const { thinking, output_config: output, output_format: format } = body;
  const { effort, ...thought } = thinking ? readThinking(thinking, maxTokens) : { effort: undefined, hearsReasoning: false };
  return {
    ...thought,
    turn: {
      ...(tools.length > 0 && { tools }),
      ...(body.tool_choice && readChoice(body.tool_choice, tools)),
      options: {
        ...given('reasoningEffort', effort),
        ...(format && { responseFormat: readFormat(format, 'output_format') }),
        ...(output && readOutput(output)),
        ...(body.tool_choice?.['disable_parallel_tool_use'] === true && { parallelToolCalls: false }),
      },
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
    const { type, name, description, input_schema: schema, input_examples: examples, allowed_callers: callers } = tool;
    if (type !== undefined && type !== null && type !== 'custom') return [];
    // Only programs that Anthropic runs may call it.
    if (Array.isArray(callers) && !callers.includes('direct')) return [];
    onlyFields(tool, path, [...TOOL_FIELDS, ...TOOL_HINTS]);
    const about = description === undefined || description === null ? '' : textAt(description, `${path}.description`);
    if (schema === undefined || schema === null) refuseField(`${path}.input_schema`, 'must be a JSON Schema of an object');
    return [
      {
        name: toolNameAt(name, `${path}.name`),
        description: Array.isArray(examples) && examples.length > 0 ? withExamples(about, examples) : about,
        parameters: schemaAt(schema, `${path}.input_schema`),
      },
    ];
  });
  return distinctTools(tools, 'tools');
}

function withExamples(description: string, examples: readonly unknown[]): string {
  return [description, 'Examples of its input:', ...examples.map((example) => JSON.stringify(example))].join('\n').trim();
}

function readChoice(choice: Readonly<Record<string, unknown>>, tools: Tools): Pick<Turn, 'toolChoice'> {
  const { type, name, disable_parallel_tool_use: isSingle, ...rest } = choice;
  onlyFields(rest, 'tool_choice', ['type', 'name', 'disable_parallel_tool_use']);
  if (isSingle !== undefined && isSingle !== null && typeof isSingle !== 'boolean') {
    refuseField('tool_choice.disable_parallel_tool_use', 'must be true or false');
  }
  switch (type) {
    case 'auto':
    case 'none':
      return { toolChoice: type };
    case 'any':
      return { toolChoice: 'required' };
    case 'tool': {
      const named = textAt(name, 'tool_choice.name');
      if (!tools.some((tool) => tool.name === named)) refuseField('tool_choice.name', 'must be the name of one of the tools');
      return { toolChoice: { name: named } };
    }
    default:
      return refuseField('tool_choice.type', 'must be auto, any, tool or none');
  }
}

function readThinking(
  sent: Readonly<Record<string, unknown>>,
  maxTokens: number,
): { readonly hearsReasoning: boolean; readonly effort: Effort | undefined } {
  const { type, budget_tokens: budget, display, ...rest } = sent;
  onlyFields(rest, 'thinking', ['type', 'budget_tokens', 'display']);
  if (display !== undefined && display !== null && display !== 'summarized' && display !== 'omitted') {
    refuseField('thinking.display', 'must be summarized or omitted');
  }
  const hearsReasoning = display !== 'omitted';
  switch (type) {
    case 'disabled':
      return { hearsReasoning: false, effort: 'none' };
    case 'adaptive':
    case 'between_tools':
      return { hearsReasoning, effort: undefined };
    case 'enabled':
      return { hearsReasoning, effort: effortOf(budget, maxTokens) };
    default:
      return refuseField('thinking.type', 'must be enabled, adaptive, between_tools or disabled');
  }
}

function effortOf(budget: unknown, maxTokens: number): Effort {
  if (typeof budget !== 'number' || !Number.isInteger(budget) || budget < LEAST_BUDGET) {
    return refuseField('thinking.budget_tokens', `must be a whole number of at least ${LEAST_BUDGET}`);
  }
  if (budget >= maxTokens) refuseField('thinking.budget_tokens', 'must be less than max_tokens');
  if (budget <= SMALL_BUDGET) return 'low';
  return budget <= USUAL_BUDGET ? 'medium' : 'high';
}

function readOutput({ effort, format, ...rest }: Readonly<Record<string, unknown>>): Pick<Options, 'reasoningEffort' | 'responseFormat'> {
  onlyFields(rest, 'output_config', ['effort', 'format']);
  return {
    ...(effort !== undefined && effort !== null && { reasoningEffort: namedEffort(effort) }),
    ...(format !== undefined &&
      format !== null && { responseFormat: readFormat(objectAt(format, 'output_config.format'), 'output_config.format') }),
  };
}

function namedEffort(effort: unknown): Effort {
  const known = typeof effort === 'string' && Object.hasOwn(EFFORTS, effort) ? EFFORTS[effort] : undefined;
  return known ?? refuseField('output_config.effort', `must be ${Object.keys(EFFORTS).join(', ')}`);
}

function readFormat({ type, schema, ...rest }: Readonly<Record<string, unknown>>, path: string): NonNullable<Options['responseFormat']> {
  onlyFields(rest, path, ['type', 'schema']);
  if (type !== 'json_schema') return refuseField(`${path}.type`, 'must be json_schema');
  return { type, name: 'reply', schema: objectAt(schema, `${path}.schema`) };
}
