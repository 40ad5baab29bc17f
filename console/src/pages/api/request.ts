// A request as the form makes it: sent once, or written as a command.
import { Parley } from 'parley-client';
import { credential } from '../../api.js';
import { quoted } from '../../shell.js';
import type { Operation, Parameter } from './description.js';

export interface Draft {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as it was typed, or the parts of a form. */
  readonly body: string | readonly (readonly [name: string, value: string | File])[] | undefined;
}

/** @param values by name of parameter; '' leaves a parameter out */
export function draftOf({ method, path, parameters }: Operation, values: Readonly<Record<string, string>>, body: Draft['body']): Draft {
  const given = (place: Parameter['in']): [string, string][] =>
    parameters
      .filter((parameter) => parameter.in === place && (values[parameter.name] ?? '') !== '')
      .flatMap(({ name, schema }) => {
        const value = values[name] ?? '';
        return schema.type === 'array' ? value.split(',').map((one): [string, string] => [name, one.trim()]) : [[name, value]];
      });
  const query = new URLSearchParams(given('query')).toString();
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(values[name] ?? '') || whole);
  return { method, path: query === '' ? filled : `${filled}?${query}`, headers: Object.fromEntries(given('header')), body };
}

/**
 * Sends a request once, with the credential of this tab.
 *
 * @returns the response, also a refusal
 * @throws SyntaxError for a body that is no JSON; ParleyError when there is no response; the reason of the signal when it is aborted
 */
export async function send({ method, path, headers, body }: Draft, signal: AbortSignal): Promise<Response> {
  // The client sets a random one otherwise.
  const { 'Idempotency-Key': idempotencyKey, ...others } = headers;
  let refusal: Response | undefined;
  const client = new Parley({
    credential: () => credential.value,
    retries: 0,
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (!response.ok) refusal = response.clone();
      return response;
    },
  });
  try {
    return await client.http.request({ method, path, headers: others, idempotencyKey, body: bodyOf(body), accept: '*/*', signal });
  } catch (error) {
    if (refusal) return refusal;
    throw error;
  }
}

function bodyOf(body: Draft['body']): unknown {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return JSON.parse(body) as unknown;
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  return form;
}

/** The same request for a shell; the key is the variable `PARLEY_KEY`. */
export function curl({ method, path, headers, body }: Draft): string {
  const parts = [`curl -X ${method} ${quoted(location.origin + path)}`];
  if (credential.value !== undefined) parts.push('-H "X-API-KEY: $PARLEY_KEY"');
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  parts.push(...bodyArguments(body));
  return parts.join(' \\\n  ');
}

function bodyArguments(body: Draft['body'] = []): readonly string[] {
  if (typeof body === 'string') return ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`];
  return body.map(([name, value]) => `-F ${quoted(`${name}=${typeof value === 'string' ? value : `@${value.name}`}`)}`);
}
