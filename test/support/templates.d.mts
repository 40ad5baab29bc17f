/** Families of chat templates and APIs. `strict` is the union of what the others refuse, as far as one request can satisfy all. */
export type TemplateFamily =
  'strict' | 'gemma' | 'mistral' | 'qwen' | 'llama' | 'deepseek' | 'openai' | 'openai-reasoning' | 'gemini' | 'anthropic';

/** Why a service with a template of this family refuses a request; undefined when it takes it. */
export function refusalOf(family: TemplateFamily, body: Readonly<Record<string, unknown>>): { status: number; message: string } | undefined;
