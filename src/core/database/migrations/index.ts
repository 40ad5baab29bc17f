import { FirstSchema1763000000000 } from './1763000000000-first-schema.js';
import { PluginValues1763700000000 } from './1763700000000-plugin-values.js';
import { WebhookDeliveries1763900000000 } from './1763900000000-webhook-deliveries.js';

/** In the order in which they run. Classes, not file globs: sources and build differ in their endings. */
export const MIGRATIONS = [FirstSchema1763000000000, PluginValues1763700000000, WebhookDeliveries1763900000000];
