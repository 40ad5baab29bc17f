import { apiDocument } from '../../support/api-document.js';
import type { Schema } from '../../../src/openapi/schema.js';
import type { GoodRequest } from './every-operation.js';

type BodyFault = readonly [what: string, body: unknown, headers: Record<string, string>, statuses: readonly number[]];

const JSON_HEADERS = { 'content-type': 'application/json' };

/** The names of an operation's parameters in its path. */
export function withParams(operation: string): string[] {
  return [...operation.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** An operation with ids in the place of its parameters. */
export function requestOf(
  operation: string,
  { params = {}, query = '', body, headers = {} }: GoodRequest,
  ids: Record<string, string>,
): { method: string; path: string; body: unknown; headers: Record<string, string> } {
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ids[name] ?? name));
  return { method, path: path + query, body, headers };
}

/** Bodies that an operation has to refuse, made of a good one and of what the document says of its fields. */
export function bodyFaults(operation: string, good: unknown): BodyFault[] {
  const content = apiDocument().requestContent(operation);
  if (content === undefined) return [];
  if (content['application/json'] === undefined || good instanceof FormData) {
    return [
      ['a form without a file', new FormData(), {}, [400]],
      ['bytes of no kind', new Uint8Array([1, 2, 3]), { 'content-type': 'application/octet-stream' }, [400, 415]],
    ];
  }
  const faults: BodyFault[] = [
    ['half of an object', '{"a":', JSON_HEADERS, [400]],
    ['a list', '[]', JSON_HEADERS, [400]],
    ['text', '"text"', JSON_HEADERS, [400]],
    ['another media type', 'text', { 'content-type': 'text/plain' }, [415]],
  ];
  const { properties = {}, required = [] } = apiDocument().resolved(content['application/json'].schema ?? {});
  for (const [name, property] of Object.entries(properties)) {
    const wrong = ofAnotherType(apiDocument().resolved(property));
    if (wrong !== undefined) {
      faults.push([`${name}: ${JSON.stringify(wrong)}`, { ...(good as object), [name]: wrong }, JSON_HEADERS, [400]]);
    }
  }
  for (const name of required) {
    const { [name]: _, ...without } = { ...(good as Record<string, unknown>) };
    faults.push([`without ${name}`, without, JSON_HEADERS, [400]]);
  }
  return faults;
}

/** A value that a schema does not allow; undefined for one that allows anything. */
function ofAnotherType({ type, enum: words }: Schema): unknown {
  const types = [type ?? []].flat();
  if (types.length === 0) return undefined;
  if (words && types.includes('string')) return 'no such word';
  return types.includes('string') ? { a: 1 } : 'text';
}
