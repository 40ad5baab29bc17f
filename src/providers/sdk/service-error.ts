/** What a service says about an error. Texts are empty where it says nothing. */
export interface ServiceError {
  readonly code: string;
  readonly type: string;
  readonly message: string;
  /** The limit of the model's context, where the service says it, tokens. */
  readonly contextTokens?: number;
}

type Fields = Readonly<Record<string, unknown>>;

const DEEPEST = 4;
/** Sentences that name the limit of a context. */
const LIMITS = [
  /maximum context length (?:is|of) (\d{3,8})/i,
  /(\d{3,8}) (?:tokens? )?maximum\b/i,
  /context (?:length|size|window) (?:of|is|limit of|limit is) (?:only )?(\d{3,8})/i,
  /maximum number of tokens allowed \((\d{3,8})\)/i,
  /(?:context limit|limit): \d+ \+ \d+ > (\d{3,8})/i,
  /with (\d{3,8}) maximum context/i,
];

/** Reads the error of a service, nested as each of them nests it: a text, an object, an array, JSON in a text. @param sent a text or a value */
export function serviceError(sent: unknown): ServiceError {
  const found: { code: string; type: string; messages: string[]; contextTokens?: number } = { code: '', type: '', messages: [] };
  collect(typeof sent === 'string' ? parsed(sent) : sent, found, 0);
  const message = [...new Set(found.messages)].join(' ');
  const named = LIMITS.map((pattern) => pattern.exec(message)?.[1]).find((tokens) => tokens !== undefined);
  const contextTokens = found.contextTokens ?? (named === undefined ? undefined : Number(named));
  return { code: found.code, type: found.type, message, ...(contextTokens === undefined ? {} : { contextTokens }) };
}

/** Some services send the status as the code of an error within a stream. */
export function statusIn({ code }: ServiceError): number | undefined {
  return /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

function collect(value: unknown, found: { code: string; type: string; messages: string[]; contextTokens?: number }, depth: number): void {
  if (depth > DEEPEST) return;
  if (typeof value === 'string') {
    const inner = value.trimStart().startsWith('{') ? parsed(value) : undefined;
    if (typeof inner === 'object') collect(inner, found, depth + 1);
    if (value !== '') found.messages.push(value);
    return;
  }
  if (Array.isArray(value)) {
    for (const each of value.slice(0, 10)) collect(each, found, depth + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Fields;
  // The innermost error says most, so it is read first.
  for (const name of ['error', 'errors', 'detail', 'innererror', 'metadata', 'raw']) collect(fields[name], found, depth + 1);
  found.code ||= textOf(fields['code'] ?? fields['status_code']);
  found.type ||= textOf(fields['type'] ?? fields['error_type'] ?? fields['status']);
  for (const name of ['message', 'msg', 'error_message']) if (typeof fields[name] === 'string') collect(fields[name], found, depth + 1);
  if (typeof fields['n_ctx'] === 'number') found.contextTokens = fields['n_ctx'];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Some services and proxies explain themselves in plain text.
    return { message: text };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
