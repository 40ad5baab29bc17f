import type { ErrorDefinitions } from '../../core/errors/index.js';

export const PLUGINS_ERRORS = {
  PLUGIN_NOT_FOUND: { kind: 'not_found', meaning: 'No plugin has this name.' },
  DELIVERY_NOT_FOUND: { kind: 'not_found', meaning: 'The plugin has received no webhook delivery with this id, or it is no longer kept.' },
} as const satisfies ErrorDefinitions;

type PluginErrors = typeof PLUGINS_ERRORS;

declare module '../../core/errors/error-codes.js' {
  interface ErrorCodes extends PluginErrors {}
}
