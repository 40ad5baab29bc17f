// What the credential of this tab may do, as the server tells with its status.
import type { StatusView } from 'parley-client';
import { t } from './i18n.js';
import { serverStatus } from './store/server-status.js';

export type Scope = NonNullable<StatusView['scope']>;

/** Each includes those before it. */
const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];

/** Why the credential may not do what needs a scope; undefined when it may, and until the server has told what it may do. */
export function refusal(needed: Scope | undefined): string | undefined {
  const own = serverStatus.value?.scope ?? undefined;
  if (needed === undefined || own === undefined || SCOPES.indexOf(own) >= SCOPES.indexOf(needed)) return undefined;
  return t('signIn.needs', { own: t(`keys.scopes.${own}`), needed: t(`keys.scopes.${needed}`) });
}
