import type { RouteRequest } from '../requests.js';
import type { WebhookOptions } from '../webhooks.js';
import { header } from './signatures.js';

/**
 * The body that the handler of a webhook gets. GitHub by default, and Slack for interactions, send their JSON in the field `payload` of a form:
 * the handler of a built-in scheme gets it as if it had come as JSON. Other forms, such as Slack's commands, stay fields.
 */
export function webhookBody({ verify }: WebhookOptions, { headers, body }: Pick<RouteRequest, 'headers' | 'body'>): unknown {
  if (typeof verify !== 'string' || !/^application\/x-www-form-urlencoded\b/i.test(header(headers, 'content-type'))) return body;
  const { payload } = (body ?? {}) as { payload?: unknown };
  if (typeof payload !== 'string') return body;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    // A field of that name that holds something else.
    return body;
  }
}
