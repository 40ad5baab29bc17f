import { t } from './i18n.js';

const KNOWN = ['openai', 'anthropic', 'ollama'] as const;

/** What a person calls the service of a model: the host of a compatible one, or the name of the provider. */
export function serviceName(provider: string, host: string | null): string {
  if (host !== null && provider !== 'ollama') return host;
  const known = KNOWN.find((name) => name === provider);
  return known === undefined ? provider : t(`model.services.${known}`);
}

export function hostOf(address: string | null): string | null {
  return address !== null && URL.canParse(address) ? new URL(address).host : null;
}
