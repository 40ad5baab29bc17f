import type { Message } from '../../modules/messaging/index.js';
import type { ResponseView } from './responses.dto.js';

/** What a response repeats of its request. */
export type ResponseSettings = Pick<
  ResponseView,
  | 'background'
  | 'conversation'
  | 'instructions'
  | 'max_output_tokens'
  | 'metadata'
  | 'model'
  | 'parallel_tool_calls'
  | 'previous_response_id'
  | 'prompt_cache_key'
  | 'prompt_cache_retention'
  | 'reasoning'
  | 'safety_identifier'
  | 'store'
  | 'temperature'
  | 'text'
  | 'tool_choice'
  | 'tools'
  | 'top_p'
  | 'truncation'
  | 'user'
>;

/** Of a message that did not come as a request for a response. */
const DEFAULTS: ResponseSettings = {
  background: false,
  conversation: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: '',
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  user: null,
};

/** Of what the caller wants stored with the message. */
const KEY = 'response';

/** The settings with a request's own ones. */
export function settingsWith(given: { [K in keyof ResponseSettings]?: ResponseSettings[K] | null | undefined }): ResponseSettings {
  return { ...DEFAULTS, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null)) };
}

/** The stored part of settings, beside the metadata of the caller: without what the caller may not want to be kept, and what is large. */
export function storedSettings(settings: ResponseSettings): Record<string, unknown> {
  const { tools: _tools, instructions: _instructions, ...kept } = settings;
  const format = kept.text['format'] as Record<string, unknown>;
  const text = format['type'] === 'json_schema' ? { ...kept.text, format: { ...format, schema: {} } } : kept.text;
  return { [KEY]: Object.fromEntries(Object.entries({ ...kept, text }).filter(([name, value]) => !isDefault(name, value))) };
}

/** The settings of a stored message. */
export function settingsOf(message: Pick<Message, 'metadata'>): ResponseSettings {
  const stored = storedIn(message);
  return stored ? settingsWith(stored) : DEFAULTS;
}

/** The user that a stored message's request named. */
export function userOf(message: Pick<Message, 'metadata'>): string | undefined {
  const { user, safety_identifier: identifier } = settingsOf(message);
  return user ?? identifier ?? undefined;
}

/** Whether a stored message came as a request for a response. */
export function isOfResponse(message: Pick<Message, 'metadata'>): boolean {
  return storedIn(message) !== undefined;
}

function storedIn({ metadata }: Pick<Message, 'metadata'>): Record<string, unknown> | undefined {
  const stored = (metadata['request'] as Record<string, unknown> | undefined)?.[KEY];
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : undefined;
}

function isDefault(name: string, value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(DEFAULTS[name as keyof ResponseSettings]);
}
