import type { RouteRequest } from '../requests.js';
import type { AgentRuntime } from '../runtime.js';
import type { WebhookOptions } from '../webhooks.js';
import { webhookSecretNames, webhookSecrets } from '../webhooks/secrets.js';
import { SIGNATURES } from '../webhooks/signatures.js';

const TOLERANCE_SECONDS = 300;

/** Why the server would reject a webhook call; undefined when it would accept it, or when its secret is not given. */
export async function rejectionReason(webhook: WebhookOptions, request: RouteRequest, runtime: AgentRuntime): Promise<string | undefined> {
  const secrets = webhookSecrets(webhook, runtime);
  if (secrets.length === 0 && webhookSecretNames(webhook).length > 0) return undefined;
  const context = { secrets, now: Date.now(), toleranceSeconds: webhook.toleranceSeconds ?? TOLERANCE_SECONDS };
  if (typeof webhook.verify === 'function') return (await webhook.verify(request, context)) === true ? undefined : 'Invalid signature';
  const verdict = SIGNATURES[webhook.verify](request, context);
  return verdict === 'valid' ? undefined : verdict === 'stale' ? 'Timestamp outside the tolerance' : 'Invalid signature';
}
