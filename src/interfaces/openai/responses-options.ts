import {
  distinctTools,
  filledTextAt,
  listAt,
  objectAt,
  onlyFields,
  refuseField,
  schemaAt,
  textAt,
  toolNameAt,
  type ProtocolRequest,
} from '../../modules/protocols/index.js';
import { readConversationId } from './response-ids.js';
import { settingsWith, type ResponseSettings } from './response-settings.js';
import type { ResponsesBody } from './responses.dto.js';

type Turn = ProtocolRequest['turn'];
type Tools = NonNullable<Turn['tools']>;

/** What a request asks of the model, beside the conversation. */
export interface ResponsesOptions {
  readonly turn: Omit<Turn, 'instructions'>;
  readonly hearsReasoning: boolean;
  readonly settings: ResponseSettings;
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
/** Parts that responses have anyway, or that belong to tools and reasoning which they never have. */
const INCLUDABLE = [
  'reasoning.encrypted_content',
  'message.input_image.image_url',
  'web_search_call.results',
  'web_search_call.action.sources',
  'file_search_call.results',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
];

/** @throws AppError VALIDATION_ERROR naming the field */
export function readResponsesOptions(body: ResponsesBody): ResponsesOptions {
  assertNeutral(body);
  const sent = readTools(body.tools ?? []);
  const { choice, tools, shown } = readChoice(body.tool_choice ?? undefined, sent);
  const { format, ...text } = readText(body.text ?? undefined);
  const { effort, summary } = readReasoning(body.reasoning ?? undefined);
  const settings = settingsWith({
    ...body,
    instructions: body.instructions || null,
    conversation: null,
    tools: sent.map(({ name, description, parameters, strict }) => ({
      type: 'function',
      ...{ name, description: description === '' ? null : description, parameters, strict },
    })),
    tool_choice: shown,
    text: text.shown,
    reasoning: { effort: effort ?? null, summary: summary ?? null },
  });
  return {
    turn: {
      ...(tools.length > 0 && { tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) }),
      ...(choice !== undefined && { toolChoice: choice }),
      options: {
        ...given('temperature', body.temperature),
        ...given('topP', body.top_p),
        ...given('maxOutputTokens', body.max_output_tokens),
        ...given('reasoningEffort', effort),
        ...given('parallelToolCalls', body.parallel_tool_calls),
        ...given('responseFormat', format),
      },
    },
    hearsReasoning: summary !== undefined,
    settings: picked(settings),
  };
}

/** The channel or name that the field `conversation` means. @throws AppError VALIDATION_ERROR */
export function readConversation(sent: ResponsesBody['conversation']): string | undefined {
  if (sent === undefined || sent === null) return undefined;
  const name =
    typeof sent === 'string' ? filledTextAt(sent, 'conversation') : filledTextAt(objectAt(sent, 'conversation')['id'], 'conversation.id');
  return readConversationId(name) ?? name;
}

/** What a class of a body has beside the settings is not repeated. */
function picked(settings: ResponseSettings): ResponseSettings {
  const names = Object.keys(settingsWith({})) as (keyof ResponseSettings)[];
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as unknown as ResponseSettings;
}

function assertNeutral({ include, stream_options: options }: ResponsesBody): void {
  for (const [index, value] of (include ?? []).entries()) {
    if (!INCLUDABLE.includes(value)) {
      refuseField(`include[${index}]`, 'is not supported', `Leave it out. It may be ${INCLUDABLE.join(', ')}.`);
    }
  }
  if (!options) return;
  onlyFields(options, 'stream_options', ['include_obfuscation', 'include_usage']);
  if (options['include_obfuscation'] === true) {
    refuseField('stream_options.include_obfuscation', 'must be false: events are not padded here');
  }
}

/** An option that the caller gave. */
function given<K extends string, V>(name: K, value: V | null | undefined): { [P in K]?: V } {
  return value === undefined || value === null ? {} : ({ [name]: value } as { [P in K]: V });
}

function readTools(sent: readonly unknown[]): readonly (Tools[number] & { readonly strict: boolean | null })[] {
  const tools = sent.flatMap((value, index) => {
    const path = `tools[${index}]`;
    const tool = objectAt(value, path);
    if (tool['type'] !== 'function') return [];
    const { name, description, parameters, strict } = tool;
    return [
      {
        name: toolNameAt(name, `${path}.name`),
        description: description === undefined || description === null ? '' : textAt(description, `${path}.description`),
        parameters: schemaAt(parameters, `${path}.parameters`),
        strict: typeof strict === 'boolean' ? strict : null,
      },
    ];
  });
  return distinctTools(tools, 'tools');
}

interface Choice<T> {
  readonly choice?: NonNullable<Turn['toolChoice']>;
  /** The tools that may be called. */
  readonly tools: readonly T[];
  /** As the response repeats it. */
  readonly shown: string | Record<string, unknown>;
}

function readChoice<T extends { readonly name: string }>(sent: unknown, tools: readonly T[]): Choice<T> {
  if (sent === undefined) return { tools, shown: 'auto' };
  if (isMode(sent)) return { choice: sent, tools, shown: sent };
  if (typeof sent === 'string') return refuseField('tool_choice', 'must be none, auto, required, a function or allowed_tools');
  const asked = objectAt(sent, 'tool_choice');
  const isKnown = (name: string): boolean => tools.some((tool) => tool.name === name);
  if (asked['type'] === 'function') {
    const name = textAt(asked['name'], 'tool_choice.name');
    if (!isKnown(name)) refuseField('tool_choice.name', 'must be the name of one of the tools');
    return { choice: { name }, tools, shown: { type: 'function', name } };
  }
  if (asked['type'] !== 'allowed_tools') return refuseField('tool_choice.type', 'must be function or allowed_tools');
  const mode = asked['mode'] ?? 'auto';
  if (!isMode(mode)) return refuseField('tool_choice.mode', 'must be none, auto or required');
  const names = listAt(asked['tools'], 'tool_choice.tools').map((value, index) => {
    const path = `tool_choice.tools[${index}]`;
    const name = textAt(objectAt(value, path)['name'], `${path}.name`);
    if (!isKnown(name)) refuseField(`${path}.name`, 'must be the name of one of the tools');
    return name;
  });
  const shown = { type: 'allowed_tools', mode, tools: names.map((name) => ({ type: 'function', name })) };
  return { choice: mode, tools: tools.filter(({ name }) => names.includes(name)), shown };
}

function isMode(value: unknown): value is 'none' | 'auto' | 'required' {
  return value === 'none' || value === 'auto' || value === 'required';
}

function readText(sent: Record<string, unknown> | undefined): {
  readonly format?: NonNullable<Turn['options']['responseFormat']>;
  readonly shown: Record<string, unknown>;
} {
  const { format: sentFormat, verbosity } = sent ?? {};
  if (sent) onlyFields(sent, 'text', ['format', 'verbosity']);
  if (verbosity !== undefined && verbosity !== null && verbosity !== 'medium') {
    refuseField('text.verbosity', 'must be "medium" or left out: the character of an agent tells how long it writes');
  }
  const shown = (format: object): Record<string, unknown> => ({ format, verbosity: 'medium' });
  if (sentFormat === undefined || sentFormat === null) return { shown: shown({ type: 'text' }) };
  const path = 'text.format';
  const format = objectAt(sentFormat, path);
  switch (format['type']) {
    case 'text':
      return { shown: shown({ type: 'text' }) };
    case 'json_object':
      return { format: { type: 'json_object' }, shown: shown({ type: 'json_object' }) };
    case 'json_schema': {
      const { name, schema, strict, description } = format;
      onlyFields(format, path, ['type', 'name', 'schema', 'strict', 'description']);
      const read = {
        type: 'json_schema' as const,
        name: toolNameAt(name, `${path}.name`),
        schema: objectAt(schema ?? {}, `${path}.schema`),
        ...(typeof description === 'string' && { description }),
        ...(typeof strict === 'boolean' && { strict }),
      };
      return { format: read, shown: shown({ description: null, strict: false, ...read }) };
    }
    default:
      return refuseField(`${path}.type`, 'must be text, json_object or json_schema');
  }
}

function readReasoning(sent: Record<string, unknown> | undefined): {
  readonly effort?: (typeof EFFORTS)[number];
  readonly summary?: string;
} {
  if (!sent) return {};
  onlyFields(sent, 'reasoning', ['effort', 'summary', 'generate_summary']);
  const effort = sent['effort'] ?? undefined;
  const summary = sent['summary'] ?? sent['generate_summary'] ?? undefined;
  if (effort !== undefined && !EFFORTS.includes(effort as (typeof EFFORTS)[number])) {
    refuseField('reasoning.effort', `must be ${EFFORTS.join(', ')}`);
  }
  if (summary !== undefined && !['auto', 'concise', 'detailed'].includes(summary as string)) {
    refuseField('reasoning.summary', 'must be auto, concise or detailed');
  }
  return { ...given('effort', effort as (typeof EFFORTS)[number] | undefined), ...given('summary', summary as string | undefined) };
}
